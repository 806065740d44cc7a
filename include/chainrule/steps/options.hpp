// SPDX-License-Identifier: BSL-1.0
//
// The arguments of repeat() besides those that sums also take: state(x), steps(1000), final_cost(g), running_cost(l),
// checkpoints(10) and workspace(memory); and how an argument is found among others.
#pragma once

#include <chainrule/batch/data/bad_data.hpp>
#include <chainrule/core/raise.hpp>
#include <chainrule/expression/vector.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace chainrule {

namespace stepping {

template <class... V>
struct state_variables {
    using type = core::type_list<V...>;
};
template <class... V>
consteval state_variables<V...> as_state(core::type_list<V...>) {
    return {};
}
struct step_count {
    std::size_t steps;
};
template <class G>
struct cost_at_the_end {
    G cost;
};
template <class L>
struct cost_of_each_step {
    L cost;
};
/// How many states are kept; 0 for the number of binary digits of the number of steps.
struct checkpoint_count {
    std::size_t states;
};
/// The caller's memory: a vector that grows, or numbers that are as many as it has.
template <class T, class Grow>
struct memory_of_caller {
    using number = T;
    T* first;
    std::size_t size;
    Grow* grow;
};
struct own_memory {};

// The kinds of arguments.
#define CHAINRULE_KIND(NAME, ...)                                                                                      \
    template <class A>                                                                                                 \
    inline constexpr bool is_##NAME = false;                                                                           \
    __VA_ARGS__ = true;                                                                                                \
    struct NAME {                                                                                                      \
        template <class A>                                                                                             \
        static constexpr bool is = is_##NAME<A>;                                                                       \
    };
CHAINRULE_KIND(a_state, template <class... V> inline constexpr bool is_a_state<state_variables<V...>>)
CHAINRULE_KIND(a_list, template <class... V> inline constexpr bool is_a_list<core::type_list<V...>>)
CHAINRULE_KIND(a_step_count, template <> inline constexpr bool is_a_step_count<step_count>)
CHAINRULE_KIND(a_final_cost, template <class G> inline constexpr bool is_a_final_cost<cost_at_the_end<G>>)
CHAINRULE_KIND(a_running_cost, template <class L> inline constexpr bool is_a_running_cost<cost_of_each_step<L>>)
CHAINRULE_KIND(a_checkpoint_count, template <> inline constexpr bool is_a_checkpoint_count<checkpoint_count>)
CHAINRULE_KIND(a_workspace,
               template <class T, class Grow> inline constexpr bool is_a_workspace<memory_of_caller<T, Grow>>)
#undef CHAINRULE_KIND

/// The argument of a kind, or what stands for it.
template <class Kind, class Otherwise>
[[nodiscard]] constexpr auto among(const Otherwise& otherwise) {
    return otherwise;
}
template <class Kind, class Otherwise, class First, class... Rest>
[[nodiscard]] constexpr auto among(const Otherwise& otherwise, const First& first, const Rest&... rest) {
    if constexpr (Kind::template is<First>)
        return first;
    else
        return stepping::among<Kind>(otherwise, rest...);
}
template <class Kind, class... Argument>
inline constexpr int count_of = core::sum_of({(Kind::template is<Argument> ? 1 : 0)..., 0});

} // namespace stepping

/// Names the state of repeat(): variables and vectors of variables, as in wrt().
template <class... V>
[[nodiscard]] constexpr auto state(V... variables) {
    return stepping::as_state(wrt(variables...));
}
/// How often repeat() repeats a step. Throws bad_data for a negative number.
template <std::integral Number>
[[nodiscard]] constexpr stepping::step_count steps(Number number) {
    if constexpr (std::is_signed_v<Number>)
        if (number < 0)
            core::raise(bad_data() << "steps: the number is " << static_cast<std::ptrdiff_t>(number)
                                   << "; pass 0 or more");
    return {static_cast<std::size_t>(number)};
}
/// A cost of the state after the last step: an expression of state(), wrt() and given(), or code that takes these in
/// this order.
template <class G>
[[nodiscard]] constexpr stepping::cost_at_the_end<G> final_cost(const G& cost) {
    return {cost};
}
/// A cost of each state before a step: an expression of state(), over(), wrt() and given(), or code that takes these in
/// this order. The value is the sum over the steps.
template <class L>
[[nodiscard]] constexpr stepping::cost_of_each_step<L> running_cost(const L& cost) {
    return {cost};
}
/// Keeps that many states instead of all, and repeats steps from these in the reverse pass. Throws bad_data for less
/// than 1.
template <std::integral Number>
[[nodiscard]] constexpr stepping::checkpoint_count checkpoints(Number states) {
    if (states < 1) core::raise(bad_data() << "checkpoints: no state may be kept; pass 1 or more");
    return {static_cast<std::size_t>(states)};
}
/// The same with as many states as the number of steps has binary digits.
[[nodiscard]] constexpr stepping::checkpoint_count checkpoints() { return {0}; }

/// The caller's memory for what is kept of the steps, so that calls allocate nothing: a std::vector, which grows to the
/// size needed, or a std::span or std::array of numbers_kept() numbers. It must outlive what is made with it, and calls
/// that use it must not overlap.
template <class Memory>
[[nodiscard]] constexpr auto workspace(Memory& memory) {
    using number = std::remove_cvref_t<decltype(*memory.data())>;
    if constexpr (requires { memory.resize(std::size_t{}); })
        return stepping::memory_of_caller<number, Memory>{nullptr, 0, &memory};
    else
        return stepping::memory_of_caller<number, void>{memory.data(), memory.size(), nullptr};
}
template <class T, std::size_t Extent, template <class, std::size_t> class Span>
requires(std::is_same_v<decltype(std::declval<const Span<T, Extent>&>().data()), T*>)
[[nodiscard]] constexpr auto workspace(const Span<T, Extent>& numbers) {
    return stepping::memory_of_caller<T, void>{numbers.data(), numbers.size(), nullptr};
}

} // namespace chainrule
