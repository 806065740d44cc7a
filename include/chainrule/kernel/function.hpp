// SPDX-License-Identifier: BSL-1.0
//
// The positional form for numerical code: F(2.0, 5.0), F.gradient(point), F.value_and_gradient(point), F.hessian(point).
// Points are numbers, a std::array, a std::span or any other contiguous range; results are std::arrays.
#pragma once

#include <chainrule/kernel/evaluate.hpp>
#include <chainrule/kernel/outputs.hpp>

#include <cassert>

namespace chainrule {

/// A value and its gradient; structured bindings work: auto [value, gradient] = ...
template <class T, std::size_t Size>
struct value_and_gradient_result {
    T value;
    std::array<T, Size> gradient;
};

/// A value, its gradient and its Hessian.
template <class T, std::size_t Size>
struct second_order_result {
    T value;
    std::array<T, Size> gradient;
    std::array<std::array<T, Size>, Size> hessian;
};

/// The values of a vector and its Jacobian: jacobian[i][j] is the derivative of expression i by variable j.
template <class T, std::size_t Rows, std::size_t Columns>
struct values_and_jacobian_result {
    std::array<T, Rows> values;
    std::array<std::array<T, Columns>, Rows> jacobian;
};

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

// No template: assert() spells out the name of the function it stands in, which may be as long as an expression.
constexpr void check_size([[maybe_unused]] std::size_t size, [[maybe_unused]] std::size_t expected) {
    assert(size == expected && "function: the point does not have one number per variable in wrt(...); give that many");
}

/// Whether function() was given every variable of f; says which kind is missing where not.
template <class Code, class... Input>
consteval bool all_bound(std::type_identity<Code>, program::type_list<Input...>) {
    constexpr bool complete = Code::code.variable_count == static_cast<int>(sizeof...(Input));
    static_assert(complete, "function: f has a variable that is neither in wrt(...) nor in given(...); add it to one of "
                            "them, as in function(f, wrt(x), given(k = 0.3))");
    return complete;
}

} // namespace kernel

/// An expression, or a vector of them, as a function of a point: see function().
template <class Expressions, class Variables, class Parameters, bool Scalar>
class positional_function;

template <class... E, class... V, class... Bindings, bool Scalar>
class positional_function<program::type_list<E...>, program::type_list<V...>, parameters<Bindings...>, Scalar> {
    static constexpr std::size_t rows = sizeof...(E);
    static constexpr std::size_t columns = sizeof...(V);
    using expressions = program::type_list<E...>;
    using inputs = program::type_list<V..., typename Bindings::variable...>;

    template <class List>
    struct number_for;
    template <class... T>
    struct number_for<program::type_list<T...>>
        : kernel::computation<expressions, decltype(Bindings::value)..., T...> {};
    template <class... Point>
    using number = typename number_for<typename kernel::elements_of<Point...>::type>::type;

public:
    /// The program for a request (program::values, jacobians, hessians or a sum of them).
    template <unsigned Request>
    using code = program::compiled<Request, sizeof...(V), inputs, expressions>;

    constexpr positional_function(const expression_vector<E...>& outputs, const parameters<Bindings...>& bound)
        : f_(outputs), parameters_(bound) {}

    /// Changes the values of parameters: F.set(k = 0.4). The kernel stays the same.
    template <class... W, class... T>
    constexpr void set(binding<W, T>... values) {
        constexpr bool known = (true && ... && (program::times_in<W, typename Bindings::variable...> == 1));
        static_assert(known, "set: a variable was not bound by given(...); only parameters can be set");
        if constexpr (known) (assign<W>(parameters_, values), ...);
    }

    /// The value at a point, or the values of a vector as a std::array.
    template <class... Point>
    [[nodiscard, gnu::always_inline]] constexpr auto operator()(const Point&... point) const {
        std::array<number<Point...>, rows> result;
        run<program::values>(result, point...);
        if constexpr (Scalar)
            return result[0];
        else
            return result;
    }

    /// The gradient at a point.
    template <class... Point>
    [[nodiscard, gnu::always_inline]] constexpr auto gradient(const Point&... point) const {
        static_assert(Scalar, "gradient: the function has several values; ask for jacobian(...)");
        std::array<number<Point...>, columns> result;
        run<program::jacobians>(result, point...);
        return result;
    }

    /// The value and the gradient at a point, from one program.
    template <class... Point>
    [[nodiscard, gnu::always_inline]] constexpr auto value_and_gradient(const Point&... point) const {
        static_assert(Scalar, "value_and_gradient: the function has several values; ask for value_and_jacobian(...)");
        using T = number<Point...>;
        value_and_gradient_result<T, columns> result;
        kernel::value_and_jacobian_outputs<T, 1, columns> outputs{&result.value, result.gradient.data()};
        run<program::values | program::jacobians>(outputs, point...);
        return result;
    }

    /// The Hessian at a point, both halves.
    template <class... Point>
    [[nodiscard, gnu::always_inline]] constexpr auto hessian(const Point&... point) const {
        static_assert(Scalar, "hessian: the function has several values; ask for one function per value");
        using T = number<Point...>;
        std::array<std::array<T, columns>, columns> result;
        kernel::symmetric_outputs<T, columns> outputs{result.data()};
        run<program::hessians>(outputs, point...);
        return result;
    }

    /// The value, the gradient and the Hessian at a point, from one program.
    template <class... Point>
    [[nodiscard, gnu::always_inline]] constexpr auto value_gradient_and_hessian(const Point&... point) const {
        static_assert(Scalar, "value_gradient_and_hessian: the function has several values; ask for one function per value");
        using T = number<Point...>;
        second_order_result<T, columns> result;
        kernel::second_order_outputs<T, columns> outputs{result.value, result.gradient, {result.hessian.data()}};
        run<program::values | program::jacobians | program::hessians>(outputs, point...);
        return result;
    }

    /// The Jacobian of a vector at a point: [i][j] is the derivative of expression i by variable j.
    template <class... Point>
    [[nodiscard, gnu::always_inline]] constexpr auto jacobian(const Point&... point) const {
        static_assert(!Scalar, "jacobian: the function has one value; ask for gradient(...)");
        using T = number<Point...>;
        std::array<std::array<T, columns>, rows> result;
        kernel::matrix_outputs<T, columns> outputs{result.data()};
        run<program::jacobians>(outputs, point...);
        return result;
    }

    /// The values and the Jacobian of a vector at a point, from one program.
    template <class... Point>
    [[nodiscard, gnu::always_inline]] constexpr auto value_and_jacobian(const Point&... point) const {
        static_assert(!Scalar, "value_and_jacobian: the function has one value; ask for value_and_gradient(...)");
        using T = number<Point...>;
        values_and_jacobian_result<T, rows, columns> result;
        kernel::values_and_matrix_outputs<T, rows, columns> outputs{result.values.data(), {result.jacobian.data()}};
        run<program::values | program::jacobians>(outputs, point...);
        return result;
    }

private:
    [[no_unique_address]] expression_vector<E...> f_;
    [[no_unique_address]] parameters<Bindings...> parameters_;

    template <class W, class T, class U>
    static constexpr void assign(binding<W, U>& parameter, const binding<W, T>& value) {
        parameter.value = static_cast<U>(value.value);
    }

    template <unsigned Request, class Outputs, class... Point>
    [[gnu::always_inline]] constexpr void run(Outputs& outputs, const Point&... point) const {
        using T = number<Point...>;
        if constexpr (sizeof...(Point) == 1 && (true && ... && kernel::point_range<Point>)) {
            (run_at<Request, T>(outputs, checked(point)), ...);
        } else {
            constexpr bool right_count = sizeof...(Point) == columns;
            static_assert(right_count, "function: the point does not have one number per variable in wrt(...); give that "
                                       "many, or a std::array or std::span of them");
            const T local[columns < 1 ? 1 : columns] = {static_cast<T>(point)...};
            if constexpr (right_count) run_at<Request, T>(outputs, local);
        }
    }

    template <class Range>
    [[gnu::always_inline]] static constexpr auto checked(const Range& point) {
        if constexpr (requires { std::tuple_size<Range>::value; })
            static_assert(std::tuple_size<Range>::value == columns,
                          "function: the array does not have one number per variable in wrt(...); give that many");
        else if constexpr (requires { Range::extent; })
            static_assert(Range::extent == columns || Range::extent == static_cast<std::size_t>(-1),
                          "function: the span does not have one number per variable in wrt(...); give that many");
        kernel::check_size(static_cast<std::size_t>(point.size()), columns);
        return point.data();
    }

    template <unsigned Request, class T, class Outputs, class Element>
    [[gnu::always_inline]] constexpr void run_at(Outputs& outputs, const Element* point) const {
        if constexpr (kernel::all_bound(std::type_identity<code<Request>>{}, inputs{})) {
            const kernel::point_and_parameters<T, Element, sizeof...(V), sizeof...(Bindings)> variables{
                point, parameters_.template as<T>()};
            if constexpr (Request == program::values && kernel::recorded_whole<T, E...>)
                T::template record_call<expressions, inputs, rows>(
                    variables, kernel::numbers_of<kernel::plain_number<T>>(f_), outputs);
            else
                code<Request>::runner::template run<T>(variables, kernel::numbers_of<T>(f_), outputs);
        }
    }
};

namespace program {

template <bool Scalar, class... E, class List, class... Bindings>
[[nodiscard]] constexpr auto make_function(const expression_vector<E...>& f, List, const parameters<Bindings...>& bound) {
    return positional_function<type_list<E...>, list_of<List>, parameters<Bindings...>, Scalar>(f, bound);
}

template <class F>
inline constexpr bool is_vector = false;
template <class... E>
inline constexpr bool is_vector<expression_vector<E...>> = true;

} // namespace program

/// f, an expression or a vector of them, as a function of the variables in the list, by position. Other variables of f
/// are parameters, bound by given().
/// Example: `constexpr auto F = function(f, wrt(x, y)); F(2.0, 5.0); F.gradient(2.0, 5.0);`
template <class F, class List, class... Bindings>
[[nodiscard]] constexpr auto function(const F& f, List list, const parameters<Bindings...>& bound = given()) {
    if constexpr (program::is_vector<F>)
        return program::make_function<false>(f, list, bound);
    else
        return program::make_function<true>(vector(f), list, bound);
}

} // namespace chainrule
