// SPDX-License-Identifier: BSL-1.0
//
// Where do the inputs of a kernel come from? From a point in the caller's memory, from parameters that were bound once,
// and from a direction or weights. kernel/function.hpp puts them together.
#pragma once

#include <chainrule/kernel/evaluate.hpp>

#include <array>
#include <cassert>

namespace chainrule {

/// Values of parameters, to be bound once: see function().
template <class... Bindings>
struct parameters;
template <class... V, class... T>
struct parameters<binding<V, T>...> : binding<V, T>... {
    using variables = program::type_list<V...>;
    template <class N>
    constexpr kernel::buffer<N, sizeof...(V)> as() const {
        return {{static_cast<N>(static_cast<const binding<V, T>&>(*this).value)...}};
    }
};

/// Binds variables that are outside wrt() to values, once for all calls: given(k = 0.3).
template <class... V, class... T>
[[nodiscard]] constexpr auto given(binding<V, T>... values) {
    constexpr bool once = (true && ... && (program::times_in<V, V...> == 1));
    static_assert(once, "given: a variable is given two values; give each variable exactly one");
    return parameters<binding<V, T>...>{values...};
}

namespace kernel {

template <class P>
concept point_range = requires(const P& p) {
    p.data();
    p.size();
};

// An expression of active numbers as an argument is recorded first: it is an active number then.
template <class P, bool = expression<P>>
struct argument_number {
    using type = P;
};
template <class P>
struct argument_number<P, true> : stored_number<P> {};

template <class... P>
struct elements_of {
    using type = program::type_list<typename argument_number<P>::type...>;
};
template <point_range P>
struct elements_of<P> {
    using type = program::type_list<std::remove_cvref_t<decltype(*std::declval<const P&>().data())>>;
};

// The inputs of a program: the point, then the parameters.
template <class T, class Element, int Size, int Parameters>
struct point_and_parameters {
    const Element* point;
    buffer<T, Parameters> bound;
    [[gnu::always_inline]] constexpr T operator[](std::size_t i) const {
        if constexpr (Parameters == 0)
            return static_cast<T>(point[i]);
        else
            return i < static_cast<std::size_t>(Size) ? static_cast<T>(point[i])
                                                      : bound[i - static_cast<std::size_t>(Size)];
    }
    [[gnu::always_inline]] constexpr void refresh() { kernel::forget(point); }
};

// The inputs of a program that takes a direction or weights as well.
template <class Inputs, class Element, int Size>
struct with_further_inputs {
    Inputs inputs;
    const Element* further;
    [[gnu::always_inline]] constexpr auto operator[](std::size_t i) const {
        using T = decltype(inputs[i]);
        return i < static_cast<std::size_t>(Size) ? inputs[i]
                                                  : static_cast<T>(further[i - static_cast<std::size_t>(Size)]);
    }
    [[gnu::always_inline]] constexpr void refresh() {
        inputs.refresh();
        kernel::forget(further);
    }
};

// No templates: assert() spells out the name of the function it stands in, which may be as long as an expression.
constexpr void check_size([[maybe_unused]] std::size_t size, [[maybe_unused]] std::size_t expected) {
    assert(size == expected && "function: the point does not have one number per variable in wrt(...); give that many");
}
constexpr void check_direction([[maybe_unused]] std::size_t size, [[maybe_unused]] std::size_t expected) {
    assert(size == expected &&
           "jvp, hvp: the direction does not have one number per variable in wrt(...); give that many");
}
constexpr void check_weights([[maybe_unused]] std::size_t size, [[maybe_unused]] std::size_t expected) {
    assert(size == expected &&
           "vjp, lagrangian_hessian: there is not one weight per expression of the function; give that many");
}

/// Weights as a range: of a function with one value, one number will do.
template <bool Single, class Weights>
[[gnu::always_inline]] constexpr decltype(auto) as_range(const Weights& weights) {
    if constexpr (Single && !point_range<Weights>)
        return std::array<Weights, 1>{weights};
    else
        return (weights);
}

/// How many elements a range has, where its type says it; else `expected`.
template <class Range>
consteval std::size_t size_known(std::size_t expected) {
    if constexpr (requires { std::tuple_size<Range>::value; })
        return std::tuple_size<Range>::value;
    else if constexpr (requires { Range::extent; })
        return Range::extent == static_cast<std::size_t>(-1) ? expected : Range::extent;
    else
        return expected;
}

/// Whether function() was given every variable of f; says which kind is missing where not.
template <class Code, class... Input>
consteval bool all_bound(std::type_identity<Code>, program::type_list<Input...>) {
    constexpr bool complete = Code::code.variable_count == static_cast<int>(sizeof...(Input));
    static_assert(complete,
                  "function: f has a variable that is neither in wrt(...) nor in given(...); add it to one of "
                  "them, as in function(f, wrt(x), given(k = 0.3))");
    return complete;
}

} // namespace kernel

} // namespace chainrule
