// SPDX-License-Identifier: BSL-1.0
//
// function<state<double>, double>(f): traced code whose arguments are structs, arrays of arrays and numbers. Points and
// gradients have the types of the arguments, values that of the result.
#pragma once

#include <chainrule/entry/traced_function.hpp>

namespace chainrule {

namespace tracing {

/// Arguments one after the other, each initialised.
template <std::size_t I, class Argument>
struct held_argument {
    Argument value{};
};
template <class Indices, class... Argument>
struct held_arguments;
template <std::size_t... I, class... Argument>
struct held_arguments<std::index_sequence<I...>, Argument...> : held_argument<I, Argument>... {
    template <class F>
    constexpr void pass_to(const F& f) {
        f(static_cast<held_argument<I, Argument>&>(*this).value...);
    }
};

/// f(state, matrix, ...): the types of the arguments with plain numbers.
template <class... Argument>
struct by_shapes {
    static constexpr int inputs = (0 + ... + count_of_numbers<Argument>());
    using all_inputs = std::make_index_sequence<0>;

    template <class F>
    using result_of = std::remove_cvref_t<decltype(std::declval<const F&>()(
        std::declval<const with<Argument, traced_number>&>()...))>;
    template <class F, class Number>
    static constexpr void call(const F& f, recorder& r, const Number* x, core::list<int>& outputs, all_inputs) {
        held_arguments<std::index_sequence_for<Argument...>, with<Argument, Number>...> arguments;
        arguments.pass_to([&](auto&... argument) {
            (for_each_number<Number>(argument, [&](Number& number) { number = *x++; }), ...);
            push_outputs(r, f(std::as_const(argument)...), outputs);
        });
    }
};

} // namespace tracing

namespace tracing {

/// All numbers in parts, first to last.
template <class T, std::size_t Count, bool Uniform, class... P>
[[nodiscard]] constexpr std::array<T, Count> numbers_in_order(const P&... parts) {
    if constexpr (Uniform) {
        // Copies of active numbers are no statements on the tape, assignments are.
        std::array<const T*, Count> at{};
        std::size_t i = 0;
        (for_each_number<T>(parts, [&](const T& number) { at[i++] = &number; }), ...);
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return std::array<T, Count>{*at[I]...};
        }(std::make_index_sequence<Count>{});
    } else {
        std::array<T, Count> numbers{};
        std::size_t i = 0;
        (for_each_number<T>(parts, [&](const auto& number) { numbers[i++] = static_cast<T>(number); }), ...);
        return numbers;
    }
}
template <class Shape, class T, std::size_t Size>
[[nodiscard]] constexpr Shape shaped(const std::array<T, Size>& numbers) {
    Shape s{};
    std::size_t i = 0;
    for_each_number<T>(s, [&](auto& number) { number = numbers[i++]; });
    return s;
}
/// The type of several arguments in one: of a gradient or a direction.
template <class... Argument>
struct joined_arguments {
    using type = std::tuple<Argument...>;
};
template <class Argument>
struct joined_arguments<Argument> {
    using type = Argument;
};

} // namespace tracing

/// A positional function with structured arguments: see function<state<double>>(f).
template <class Arguments, class Result, class Function>
class structured_function;

template <class Arguments, class Result, class Function>
inline constexpr bool detail::is_positional_function<structured_function<Arguments, Result, Function>> = true;

template <class... Argument, class Result, class Function>
class structured_function<core::type_list<Argument...>, Result, Function> : public Function {
    template <class T>
    using joined = typename tracing::joined_arguments<tracing::with<Argument, T>...>::type;
    using result = tracing::with<Result, double>;

    template <class P, class Shape>
    static constexpr bool like = !std::is_void_v<typename tracing::numbers_like<P, Shape>::type>;
    template <class... P>
    static consteval bool fit() {
        return like<std::tuple<P...>, std::tuple<Argument...>>;
    }
    template <class... P>
    static constexpr auto flat(const P&... point) {
        using numbers = tracing::numbers_like<std::tuple<P...>, std::tuple<Argument...>>;
        constexpr int count = (0 + ... + tracing::count_of_numbers<Argument>());
        return tracing::numbers_in_order<typename numbers::type, static_cast<std::size_t>(count), numbers::uniform>(
            point...);
    }
    // A point, a direction or weights: those of the type Shape as an array, and what else holds numbers itself.
    template <class Shape, class P>
    static constexpr decltype(auto) in_order(const P& p) {
        if constexpr (like<P, Shape>) {
            using numbers = tracing::numbers_like<P, Shape>;
            constexpr int count = tracing::count_of_numbers<Shape>();
            return tracing::numbers_in_order<typename numbers::type, static_cast<std::size_t>(count), numbers::uniform>(
                p);
        } else {
            return (p);
        }
    }
    template <class Value>
    static constexpr auto value_of(const Value& value) {
        if constexpr (tracing::is_output<Result> || std::is_void_v<result>)
            return value;
        else
            return tracing::shaped<tracing::with<Result, typename Value::value_type>>(value);
    }
    template <class T, std::size_t Count>
    static constexpr auto gradient_of(const std::array<T, Count>& numbers) {
        constexpr bool defined = requires { sizeof(joined<T>); };
        static_assert(defined, "function<A, B>: the gradient by several arguments is a std::tuple; include <tuple>");
        if constexpr (defined) return tracing::shaped<joined<T>>(numbers);
    }

public:
    constexpr explicit structured_function(const Function& f) : Function(f) {}

    /// The value in the type that the code returns, with the numbers of the point. A point may also be given as for any
    /// positional function, as an array of all numbers; then results are arrays, too.
    template <class... P>
    [[nodiscard]] constexpr auto operator()(const P&... point) const {
        if constexpr (fit<P...>())
            return value_of(Function::operator()(flat(point...)));
        else
            return Function::operator()(point...);
    }
    /// The gradient in the type of the argument, or a std::tuple of the types of all.
    template <class... P>
    [[nodiscard]] constexpr auto gradient(const P&... point) const {
        if constexpr (fit<P...>())
            return gradient_of(Function::gradient(flat(point...)));
        else
            return Function::gradient(point...);
    }
    /// The value, and the gradient in the types of the arguments: auto [value, gradient] = ...
    template <class... P>
    [[nodiscard]] constexpr auto value_and_gradient(const P&... point) const {
        if constexpr (fit<P...>()) {
            const auto both = Function::value_and_gradient(flat(point...));
            return std::pair(both.value, gradient_of(both.gradient));
        } else {
            return Function::value_and_gradient(point...);
        }
    }

    // Of a point and a direction or weights: in the types of the arguments, or a std::tuple of these if there are
    // several, and of the result.
    template <class Point, class Direction>
    [[nodiscard]] constexpr auto jvp(const Point& point, const Direction& direction) const {
        const auto product = Function::jvp(in_order<joined<double>>(point), in_order<joined<double>>(direction));
        if constexpr (like<Point, joined<double>>)
            return value_of(product);
        else
            return product;
    }
    template <class Point, class Weights>
    [[nodiscard]] constexpr auto vjp(const Point& point, const Weights& weights) const {
        const auto product = Function::vjp(in_order<joined<double>>(point), in_order<result>(weights));
        if constexpr (like<Point, joined<double>>)
            return gradient_of(product);
        else
            return product;
    }
    template <class Point, class Direction>
    [[nodiscard]] constexpr auto hvp(const Point& point, const Direction& direction) const {
        const auto product = Function::hvp(in_order<joined<double>>(point), in_order<joined<double>>(direction));
        if constexpr (like<Point, joined<double>>)
            return gradient_of(product);
        else
            return product;
    }
    template <int Order, class Point, class Direction>
    [[nodiscard]] constexpr auto taylor(const Point& point, const Direction& direction) const {
        return Function::template taylor<Order>(in_order<joined<double>>(point), in_order<joined<double>>(direction));
    }
#define CHAINRULE_OF_STRUCTS(NAME)                                                                                     \
    template <class Point, class Weights>                                                                              \
    [[nodiscard]] constexpr auto NAME(const Point& point, const Weights& weights) const {                              \
        return Function::NAME(in_order<joined<double>>(point), in_order<result>(weights));                             \
    }
    CHAINRULE_OF_STRUCTS(lagrangian_hessian)
    CHAINRULE_OF_STRUCTS(sparse_lagrangian_hessian)
#undef CHAINRULE_OF_STRUCTS

    // Their rows and columns are the numbers of the result and of the arguments, first to last.
#define CHAINRULE_OF_STRUCTS(NAME)                                                                                     \
    template <class... P>                                                                                              \
    [[nodiscard]] constexpr auto NAME(const P&... point) const {                                                       \
        if constexpr (fit<P...>())                                                                                     \
            return Function::NAME(flat(point...));                                                                     \
        else                                                                                                           \
            return Function::NAME(point...);                                                                           \
    }
    CHAINRULE_OF_STRUCTS(values)
    CHAINRULE_OF_STRUCTS(jacobian)
    CHAINRULE_OF_STRUCTS(value_and_jacobian)
    CHAINRULE_OF_STRUCTS(sparse_jacobian)
    CHAINRULE_OF_STRUCTS(hessian)
    CHAINRULE_OF_STRUCTS(sparse_hessian)
    CHAINRULE_OF_STRUCTS(value_gradient_and_hessian)
    CHAINRULE_OF_STRUCTS(third_derivatives)
#undef CHAINRULE_OF_STRUCTS
};

namespace tracing {

/// Checks that every type of an argument is a template of its type of numbers, or an array of such.
template <class... Argument>
consteval bool are_shapes() {
    constexpr bool known = (true && ... && (!std::is_void_v<with<Argument, traced_number>>));
    static_assert(known, "function<A, B>: an argument type is neither double nor a std::array, nor a class template of "
                         "its type of numbers, as in template <class T> struct state { T x, v; }; write that");
    if constexpr (known)
        return (true && ... && (count_of_numbers<Argument>() > 0));
    else
        return false;
}

} // namespace tracing

/// Traced code whose arguments have these types, with numbers of the trace in place of double: structs that are
/// templates of their type of numbers, arrays of arrays, and numbers.
/// Example: `constexpr auto energy = function<state<double>>([](const auto& s) { return s.x * s.x + s.v * s.v; });`
template <class First, class... Rest, class F>
requires(!tracing::is_inputs<First>)
[[nodiscard]] constexpr auto function(const F& f) {
    constexpr const tracing::member_names<>* none = nullptr;
    if constexpr (tracing::can_be_traced<F>(none) && tracing::are_shapes<First, Rest...>()) {
        using form = tracing::by_shapes<First, Rest...>;
        const auto made = tracing::make_traced<F, form, tracing::numbered_inputs<form::inputs>>(f, given(), none);
        return structured_function<core::type_list<First, Rest...>, typename form::template result_of<F>,
                                   std::remove_const_t<decltype(made)>>(made);
    }
}

} // namespace chainrule
