// SPDX-License-Identifier: BSL-1.0
//
// function<state<double>, double>(f): traced code whose arguments are structs, arrays of arrays and numbers. Points and
// gradients have the types of the arguments, values that of the result.
#pragma once

#include <chainrule/entry/stated_inputs.hpp>

namespace chainrule {

namespace tracing {

/// All numbers in parts, first to last.
template <class T, std::size_t Count, bool Uniform, class... P>
[[nodiscard]] constexpr std::array<T, Count> numbers_in_order(const P&... parts) {
    if constexpr (Uniform) {
        // Copies of active numbers are not statements on the tape, assignments are.
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
/// As value_and_gradient_result, with the gradient in the types of the arguments.
template <class T, class Gradient>
struct shaped_value_and_gradient {
    using has_parts = void; // no text: print/text.hpp
    T value;
    Gradient gradient;
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
            using gradient = decltype(gradient_of(both.gradient));
            return tracing::shaped_value_and_gradient<decltype(both.value), gradient>{both.value,
                                                                                      gradient_of(both.gradient)};
        } else {
            return Function::value_and_gradient(point...);
        }
    }

    // Of a point and a direction or weights: in the types of the arguments, or a std::tuple of these if there are
    // several, and of the result.
    /// The derivative of the value along a direction, in the type of the value.
    template <class Point, class Direction>
    [[nodiscard]] constexpr auto jvp(const Point& point, const Direction& direction) const {
        const auto product = Function::jvp(in_order<joined<double>>(point), in_order<joined<double>>(direction));
        if constexpr (like<Point, joined<double>>)
            return value_of(product);
        else
            return product;
    }
    /// The gradient of the sum of weights times values, in the type of the argument. Weights have the type of the
    /// value.
    template <class Point, class Weights>
    [[nodiscard]] constexpr auto vjp(const Point& point, const Weights& weights) const {
        const auto product = Function::vjp(in_order<joined<double>>(point), in_order<result>(weights));
        if constexpr (like<Point, joined<double>>)
            return gradient_of(product);
        else
            return product;
    }
    /// The Hessian times a direction, in the type of the argument.
    template <class Point, class Direction>
    [[nodiscard]] constexpr auto hvp(const Point& point, const Direction& direction) const {
        const auto product = Function::hvp(in_order<joined<double>>(point), in_order<joined<double>>(direction));
        if constexpr (like<Point, joined<double>>)
            return gradient_of(product);
        else
            return product;
    }
    /// The Taylor coefficients of orders 0 to Order along a direction: see taylor() of function().
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

    // Arguments in braces, F({0.0, 3.0}, 0.5): no template deduces their types.
#define CHAINRULE_IN_BRACES(NAME)                                                                                      \
    [[nodiscard]] constexpr auto NAME(const Argument&... point) const {                                                \
        return this->template NAME<Argument...>(point...);                                                             \
    }
    // Their rows and columns are the numbers of the result and of the arguments, first to last.
#define CHAINRULE_OF_STRUCTS(NAME)                                                                                     \
    template <class... P>                                                                                              \
    [[nodiscard]] constexpr auto NAME(const P&... point) const {                                                       \
        if constexpr (fit<P...>())                                                                                     \
            return Function::NAME(flat(point...));                                                                     \
        else                                                                                                           \
            return Function::NAME(point...);                                                                           \
    }                                                                                                                  \
    CHAINRULE_IN_BRACES(NAME)
    CHAINRULE_OF_STRUCTS(values)
    CHAINRULE_OF_STRUCTS(jacobian)
    CHAINRULE_OF_STRUCTS(value_and_jacobian)
    CHAINRULE_OF_STRUCTS(sparse_jacobian)
    CHAINRULE_OF_STRUCTS(hessian)
    CHAINRULE_OF_STRUCTS(sparse_hessian)
    CHAINRULE_OF_STRUCTS(value_gradient_and_hessian)
    CHAINRULE_OF_STRUCTS(third_derivatives)
#undef CHAINRULE_OF_STRUCTS
    CHAINRULE_IN_BRACES(operator())
    CHAINRULE_IN_BRACES(gradient)
    CHAINRULE_IN_BRACES(value_and_gradient)
#undef CHAINRULE_IN_BRACES

#define CHAINRULE_OF_STRUCTS(NAME)                                                                                     \
    [[nodiscard]] constexpr auto NAME(const joined<double>& point, const joined<double>& direction) const {            \
        return this->template NAME<joined<double>, joined<double>>(point, direction);                                  \
    }
    CHAINRULE_OF_STRUCTS(jvp)
    CHAINRULE_OF_STRUCTS(hvp)
#undef CHAINRULE_OF_STRUCTS
};

namespace tracing {

/// Checks that every type of an argument is a template of its type of numbers, or an array of such.
template <class... Argument>
consteval bool are_shapes() {
    constexpr bool known = (true && ... && (!std::is_void_v<with<Argument, traced_number>>));
    static_assert(known, "function<A, B>: an argument type is neither double nor a std::array, nor a class template of "
                         "its type of numbers, as in template <class T> struct state { T x, v; }; write that");
    if constexpr (!known) {
        return false;
    } else if constexpr ((true && ... && (count_of_numbers<Argument>() > 0))) {
        constexpr bool traced = (true && ... && has_traced_numbers_only<with<Argument, traced_number>>());
        static_assert(traced,
                      "function<A, B>: a member of an argument is a plain number, such as an int, instead of a T; "
                      "make it a T, or a constant");
        return traced;
    } else {
        return false;
    }
}

template <class... Argument, int... Size>
by_shapes<Argument...,
          std::conditional_t<Size == 0, double, std::array<double, static_cast<std::size_t>(Size == 0 ? 1 : Size)>>...>
    with_further(by_shapes<Argument...>, by_groups<Size...>);

/// The types of the arguments in which no number is in Parameters. Order has the names of all numbers.
template <class... V, class Parameters, class... Argument>
consteval auto arguments_outside(core::type_list<V...>, Parameters parameters, core::type_list<Argument...>) {
    struct flags {
        bool keep[sizeof...(Argument) + 1] = {};
        bool whole = true;
    };
    constexpr flags chosen = [](const auto& names) {
        const bool bound[] = {(names.find({V::hash, V::text}) >= 0)..., false};
        const int sizes[] = {count_of_numbers<Argument>()...};
        flags all;
        int at = 0;
        for (std::size_t i = 0; i < sizeof...(Argument); ++i) {
            all.keep[i] = !bound[at];
            for (int k = 0; k < sizes[i]; ++k, ++at) all.whole = all.whole && bound[at] == !all.keep[i];
        }
        return all;
    }(expressions::names_of(parameters));
    static_assert(chosen.whole, "function<A, B>: some numbers of an argument are in wrt(...) and others in given(...); "
                                "name those of one argument in one of them");
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return typename core::joined_lists<
            std::conditional_t<chosen.keep[I], core::type_list<Argument>, core::type_list<>>...>::type{};
    }(std::index_sequence_for<Argument...>{});
}
template <class Names, class... Argument>
consteval auto arguments_of_point(core::type_list<Argument...> arguments) {
    if constexpr (Names::all && int{Names::parameters::size} > 0)
        return arguments_outside(typename Names::in_order{}, typename Names::parameters{}, arguments);
    else
        return arguments;
}

} // namespace tracing

/// Traced code whose arguments have these types, with numbers of the trace in place of double: structs that are
/// templates of their type of numbers, arrays of arrays, and numbers. wrt(...) and given(...) name all numbers in the
/// order of the call, whole arguments as parameters; or given(...) binds parameters that are further arguments.
/// Example: `constexpr auto energy = function<state<double>>([](const auto& s) { return s.x * s.x + s.v * s.v; });`
template <class First, class... Rest, class F, class... Arguments>
requires(!tracing::is_inputs<First>)
[[nodiscard]] constexpr auto function(const F& f, const Arguments&... arguments) {
    constexpr const typename tracing::members_among<Arguments...>::type* members = nullptr;
    if constexpr (detail::right_arguments<Arguments...>() && tracing::can_be_traced<F>(members) &&
                  tracing::are_shapes<First, Rest...>()) {
        using form = tracing::by_shapes<First, Rest...>;
        using names = tracing::stated_names<form, Arguments...>;
        using object = typename tracing::code_of<typename decltype(tracing::code_type<F>(members))::type>::object;
        constexpr bool right_count = names::right_count;
        static_assert(right_count, "function<A, B>: the number of variables in wrt(...) and given(...) is not that of "
                                   "the numbers in the arguments; name one per number");
        if constexpr (right_count && tracing::takes_further<F, names>(members)) {
            const auto made = tracing::make_traced<F, typename names::form, typename names::list, typename names::order,
                                                   detail::are_relaxed<Arguments...>>(
                f, detail::parameters_among(arguments...), members);
            return structured_function<decltype(tracing::arguments_of_point<names>(core::type_list<First, Rest...>{})),
                                       typename names::form::template result_of<object>,
                                       std::remove_const_t<decltype(made)>>(made);
        } else {
            return tracing::untraced{};
        }
    } else {
        return tracing::untraced{};
    }
}

} // namespace chainrule
