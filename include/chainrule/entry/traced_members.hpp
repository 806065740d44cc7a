// SPDX-License-Identifier: BSL-1.0
//
// Captures and members of traced code as parameters of its function: members(a), and set(f), which replaces the values
// of all of them.
#pragma once

#include <chainrule/entry/function.hpp>
#include <chainrule/trace/members.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <type_traits>

namespace chainrule {

namespace tracing {

template <class>
inline constexpr bool is_members = false;
template <class... V>
inline constexpr bool is_members<tracing::member_names<V...>> = true;

// The names of members among the arguments after the code.
template <class... Arguments>
struct members_among {
    using type = tracing::member_names<>;
};
template <class First, class... Rest>
struct members_among<First, Rest...>
    : std::conditional_t<is_members<First>, std::type_identity<First>, members_among<Rest...>> {};

/// The type of the members of F.
template <class F, std::size_t Count>
using member_number = std::conditional_t<sizeof(F) == Count * sizeof(float), float, double>;

template <class F, class... V>
constexpr auto code_type(const tracing::member_names<V...>*) {
    if constexpr (sizeof...(V) == 0)
        return std::type_identity<F>{};
    else
        return std::type_identity<
            placeholder_object<F, member_number<F, sizeof...(V)>, static_cast<int>(sizeof...(V))>>{};
}

// The parameters in given(...), and after them the members of f.
template <class F, class... B, class... T>
constexpr auto with_members(const F&, const parameters<binding<B, T>...>& bound, const tracing::member_names<>*) {
    return bound;
}
template <class F, class... B, class... T, class... V>
requires(sizeof...(V) > 0)
constexpr auto with_members(const F& f, const parameters<binding<B, T>...>& bound, const tracing::member_names<V...>*) {
    using number = member_number<F, sizeof...(V)>;
    const auto values = std::bit_cast<std::array<number, sizeof...(V)>>(f);
    std::size_t i = 0;
    return parameters<binding<B, T>..., binding<V, number>...>{
        {static_cast<const detail::parameter<binding<B, T>>&>(bound)}...,
        detail::parameter<binding<V, number>>{values[i++]}...};
}

} // namespace tracing

template <class... V>
struct detail::named_variables<tracing::member_names<V...>> {
    using type = core::type_list<>;
};

/// A positional function of code with members. Its parameters include these, so set(k = 0.4) sets one, and set(f) all.
template <class Code, class Members, class Function>
class function_with_members;
template <class Code, class... M, class E, class V, class P, bool Scalar>
class function_with_members<Code, tracing::member_names<M...>, positional_function<E, V, P, Scalar>>
    : public positional_function<E, V, P, Scalar> {
    using base = positional_function<E, V, P, Scalar>;

public:
    constexpr explicit function_with_members(const base& f) : base(f) {}

    using base::set;
    /// Takes the members of another function object of the same type.
    constexpr void set(const Code& f) {
        using number = tracing::member_number<Code, sizeof...(M)>;
        const auto values = std::bit_cast<std::array<number, sizeof...(M)>>(f);
        std::size_t i = 0;
        [[maybe_unused]] const int done[] = {0, (base::set(binding<M, number>{values[i++]}), 0)...};
    }
};

template <class Code, class Members, class Function>
inline constexpr bool detail::is_positional_function<function_with_members<Code, Members, Function>> = true;

/// Names the captures or members of traced code, in order: numbers of type double, or all float, which become
/// parameters. Example: `auto F = function([a](auto x) { return a * x; }, members(a)); F.set(a = 0.5);`
template <class... V>
[[nodiscard]] constexpr auto members(V... variables) {
    return []<class... W>(core::type_list<W...>) { return tracing::member_names<W...>{}; }(wrt(variables...));
}

} // namespace chainrule
