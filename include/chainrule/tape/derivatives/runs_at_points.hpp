// SPDX-License-Identifier: BSL-1.0
//
// A run of a function at a point with active or dual numbers laid out as the point, in given directions: its arguments,
// and its results as lists.
#pragma once

#include <chainrule/tape/derivatives/parts_of_points.hpp>

#include <concepts>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>

namespace chainrule::tape::points {

// f of separate numbers. (Not std::apply, which is an error for a function that takes other arguments.)
template <class F, class List, std::size_t... I>
[[nodiscard]] auto with_separate(F& f, const List& at, std::index_sequence<I...>) -> decltype(f(at[I]...)) {
    return f(at[I]...);
}

/// Calls call(f, x) with the point as one list. Separate numbers become an array.
template <class Call, class F, class X, class... More>
requires point<X, More...>
[[nodiscard]] auto with_list(Call call, F& f, const X& x, const More&... more) {
    if constexpr (list<X>) {
        return call(f, x);
    } else {
        using T = derivative_number<std::common_type_t<X, More...>>;
        using all = std::index_sequence_for<X, More...>;
        auto of_list = [&f](const auto& at) -> decltype(points::with_separate(f, at, all{})) {
            return points::with_separate(f, at, all{});
        };
        return call(of_list, std::array<T, 1 + sizeof...(More)>{static_cast<T>(x), static_cast<T>(more)...});
    }
}

/// The numbers in braces.
template <number N>
[[nodiscard]] std::vector<derivative_number<N>> vector_of(std::initializer_list<N> numbers) {
    return {numbers.begin(), numbers.end()};
}

/// With numbers that carry derivatives: on a tape, in one direction, and both.
template <class X, class... Point>
using actives = with_numbers<active<number_of<listed<Point...>>>, X>;
template <class X>
using duals = with_numbers<dual<number_of<listed<X>>, 1>, X>;
template <class X>
using active_duals = with_numbers<active<dual<number_of<listed<X>>, 1>>, X>;

// A function F, with an overload for all arguments that it does not take.
struct other_arguments {};
template <class F>
struct with_others {
    operator F&() const; // calls a pointer
    other_arguments operator()(...) const;
};
// A class whose name operator() is ambiguous if F has one.
struct also_called {
    void operator()();
};
template <class F>
struct called_by_two : F, also_called {};
template <class F>
requires(std::is_class_v<F> && !std::is_final_v<F> && !requires { &called_by_two<F>::operator(); })
struct with_others<F> : F {
    using F::operator();
    other_arguments operator()(...) const;
};

/// Whether R is an expression with active numbers.
template <class R>
inline constexpr bool has_actives = false;
template <class R>
requires(int{R::numbers} > 0)
inline constexpr bool has_actives<R> = int{actives_in<R>::count} > 0;

/// Whether a function takes the arguments At. Checked in the function that the user calls, where compilers print
/// fewer lines of context for an error in f than where it runs. Such an error needs no sentence of ours.
template <class F, class... At>
consteval bool takes() {
    using function = std::remove_reference_t<F>;
    using asked = std::conditional_t<std::is_const_v<function>, const with_others<std::remove_const_t<function>>,
                                     with_others<std::remove_const_t<function>>>;
    constexpr bool has_other_arguments = requires(asked& f, const At&... at) {
        { f(at...) } -> std::same_as<other_arguments>;
    };
    constexpr bool called = requires(function& f, const At&... at) { f(at...); };
    constexpr bool callable = called || !has_other_arguments;
    static_assert(callable,
                  "tape: the function cannot be called with active or dual numbers in the layout of the "
                  "point; write it for any number type, as in [](const auto& x), with a parameter for each argument");
    if constexpr (!called && !has_other_arguments) {
        // After an error in f, clang no longer finds it, and g++ adds nothing here. Other faults, such as an ambiguous
        // call, have not been reported.
        constexpr bool reported = requires(asked& f, const At&... at) {
            { f(at...) } -> std::same_as<other_arguments>;
        };
        if constexpr (!reported)
            return sizeof(std::type_identity<decltype(std::declval<function&>()(std::declval<const At&>()...))>) == 0;
    }
    if constexpr (called) // for an error in the result's expression
        static_cast<void>(
            has_actives<std::remove_cvref_t<decltype(std::declval<function&>()(std::declval<const At&>()...))>>);
    return called;
}

/// The same for a function that calls another with other numbers: tape/eager.hpp.
template <class F, class... At>
requires requires { typename std::remove_reference_t<F>::called_function; }
consteval bool takes() {
    return std::remove_reference_t<F>::template takes<std::is_const_v<std::remove_reference_t<F>>, At...>();
}

/// A function in place of one that does not take the point, so that no errors follow from the first.
template <bool Several>
struct refused_function {
    template <class X, class... More>
    auto operator()(const X& x, const More&... more) const {
        if constexpr (list<X>)
            return (*this)(points::element(x, 0), more...);
        else if constexpr (Several)
            return std::array<X, 1>{x};
        else
            return x;
    }
};
template <bool Several>
inline constexpr refused_function<Several> refused{};
template <bool Taken, bool Several = false, class F>
[[nodiscard]] constexpr auto& checked(F& f) {
    if constexpr (Taken)
        return f;
    else
        return refused<Several>;
}

template <class F, class Point>
using result_of = std::remove_cvref_t<decltype(std::declval<F&>()(std::declval<const Point&>()))>;
/// A result that is a list, of numbers of type U. A list of lists counts as the list of all their numbers.
template <class U, list R>
struct values_of_result {
    using type = typename layout<R>::template with<U>;
};
template <class U, list R>
requires composite<R>
struct values_of_result<U, R> {
    using type = typename layout<listed<R>>::template with<U>;
};

/// Checks that a function returns a number or a list.
template <class U, class R>
consteval bool returns_numbers() {
    constexpr bool numbers = list<R> || std::is_convertible_v<R, U>;
    static_assert(numbers || has_actives<R>,
                  "tape: the function returns nothing, or neither a number nor a list of numbers; return a "
                  "number for gradient(f, x), a std::array or a std::vector for jacobian(f, x)");
    return numbers && are_of_nested_derivatives<numbers || !has_actives<R>>();
}

/// The result of a function of one value.
template <class U, class F, class Point>
[[nodiscard]] U one_value(F& f, const Point& at) {
    using result = result_of<F, Point>;
    constexpr bool one = !list<result>;
    static_assert(one, "tape: the function returns several numbers; use jacobian(f, x), jvp or vjp, or return one");
    if constexpr (one && returns_numbers<U, result>())
        return f(at);
    else
        return {};
}
/// The results of a function of several values, in its layout.
template <class U, class F, class Point>
[[nodiscard]] auto several_values(F& f, const Point& at) {
    using result = result_of<F, Point>;
    constexpr bool several = list<result>;
    static_assert(several || !returns_numbers<U, result>(),
                  "tape: the function returns one number; use gradient(f, x), or return a list of numbers");
    if constexpr (!several)
        return std::array<U, 1>{};
    else if constexpr (composite<result>)
        return points::made<U>(points::joined(f(at)), [](const auto& y, std::size_t) -> U { return y; });
    else if constexpr (std::same_as<result, typename layout<result>::template with<U>>)
        return f(at);
    else
        return points::made<U>(f(at), [](const auto& y, std::size_t) -> U { return y; });
}

template <class T, list X>
[[nodiscard]] auto variables(basic_tape<T>& on, const X& x) {
    decltype(auto) from = points::evaluated(x);
    auto result = layout<X>::template make<active<T>>(from);
    on.make_variables(
        points::size_of(from), [&](std::size_t i) -> active<T>& { return points::element(result, i); },
        [&](std::size_t i) { return static_cast<T>(points::element(from, i)); });
    return result;
}
/// The numbers in order, for functions that take a span: a span, or copies if they are stored in another order.
template <list X>
[[nodiscard]] auto span_of(X& numbers) {
    if constexpr (is_stored_by_rows<std::remove_const_t<X>>) {
        std::vector<typename X::Scalar> result(points::size_of(numbers));
        for (std::size_t i = 0; i < result.size(); ++i) result[i] = points::element(numbers, i);
        return result;
    } else if constexpr (matrix_object<std::remove_const_t<X>>) {
        return std::span(numbers.data(), points::size_of(numbers));
    } else {
        return std::span(std::ranges::data(numbers), points::size_of(numbers));
    }
}
/// The plain values of active or dual numbers.
template <class T, list X>
[[nodiscard]] auto values(const X& numbers) {
    return points::made<T>(numbers, [](const auto& y, std::size_t) -> T {
        if constexpr (requires { y.value(); })
            return y.value();
        else
            return y.value;
    });
}
/// The gradients of what variables() made, after a sweep; zeros if the output was not recorded.
template <class T, list X>
[[nodiscard]] auto gradients(const basic_tape<T>& on, const X& variables, bool swept) {
    const std::size_t size = points::size_of(variables);
    std::span<const T> all;
    if (swept && size > 0) all = on.gradients_from(points::element(variables, 0), size);
    return points::made<T>(variables, [&](const auto&, std::size_t i) { return !all.empty() ? all[i] : T{}; });
}

/// The numbers of a direction or of weights, one by one.
template <class T, list X>
[[nodiscard]] std::vector<T> copied(const X& numbers) {
    decltype(auto) from = points::evaluated(numbers);
    std::vector<T> result(points::size_of(from));
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<T>(points::element(from, i));
    return result;
}

template <class X>
inline constexpr bool is_matrix = false;
template <class T>
inline constexpr bool is_matrix<matrix<T>> = true;

/// How many numbers a direction or weights have, or each row of a matrix<T>.
template <class D>
[[nodiscard]] std::size_t length(const D& direction) {
    if constexpr (is_matrix<D>)
        return direction.columns();
    else
        return points::size_of(direction);
}
/// How many directions, or lists of weights.
template <class D>
[[nodiscard]] std::size_t rows_of(const D& directions) {
    if constexpr (is_matrix<D>)
        return directions.rows();
    else
        return 1;
}
/// Checks that there is memory for each number of a result, which is a list if it has one row.
template <class T>
void check_memory(const char* call, std::size_t rows, std::size_t columns, const memory_of<T>& to) {
    if (rows * columns != to.size())
        core::raise(std::invalid_argument(std::string(call) + ": the result has " + std::to_string(rows * columns) +
                                          " numbers and memory for " + std::to_string(to.size()) +
                                          " is given; give as many of both"));
    to.check_shape(call, rows, columns);
}
/// Whether a list is a matrix of Eigen, and not a vector.
template <class X>
inline constexpr bool has_shape = false;
template <matrix_object X>
inline constexpr bool has_shape<X> = !bool{X::PlainObject::IsVectorAtCompileTime};

template <class X, class D>
void check_direction(const char* call, const X& x, const D& direction) {
    if constexpr (has_shape<X> && has_shape<D>)
        if (x.rows() != direction.rows() || x.cols() != direction.cols()) {
            const auto shape = [](const auto& m) {
                return std::to_string(m.rows()) + " x " + std::to_string(m.cols());
            };
            core::raise(std::invalid_argument(std::string(call) + ": the point is a matrix of " + shape(x) +
                                              " and the direction one of " + shape(direction) +
                                              "; give a direction of the point's shape"));
        }
    const std::size_t size = points::size_of(x), given = points::length(direction);
    if (size != given)
        core::raise(std::invalid_argument(std::string(call) + ": the point has " + std::to_string(size) +
                                          " numbers and the direction " + std::to_string(given) +
                                          "; give as many of both"));
}

/// Calls f(lanes, first, count, component) for the parts of the rows of a matrix, or once for one direction, where
/// component(k, i) is number i of direction k of the part. Of no rows there is one part, for the values.
template <class T, class D, class F>
void for_directions(const D& directions, F f) {
    constexpr std::integral_constant<std::size_t, 1> one;
    if constexpr (is_matrix<D>) {
        if (directions.rows() == 0)
            f(one, std::size_t{0}, std::size_t{0}, [](std::size_t, std::size_t) { return T{}; });
        sweeping::for_each_part(directions.rows(), [&](auto lanes, std::size_t first, std::size_t count) {
            // Without checks: the direction was compared with the point.
            f(lanes, first, count,
              [from = directions.data() + first * directions.columns(),
               columns = directions.columns()](std::size_t row, std::size_t i) { return from[row * columns + i]; });
        });
    } else {
        const std::vector<T> direction = points::copied<T>(directions);
        f(one, std::size_t{0}, std::size_t{1}, [&](std::size_t, std::size_t i) { return direction[i]; });
    }
}
/// The point as dual numbers with so many directions.
template <class T, std::size_t Lanes, list X, class Direction>
[[nodiscard]] auto along(const X& x, std::size_t count, const Direction& direction) {
    return points::made<dual<T, Lanes>>(x, [&](const auto& v, std::size_t i) {
        dual<T, Lanes> number(static_cast<T>(v));
        if (count == Lanes) // a length that compilers know
            for (std::size_t k = 0; k < Lanes; ++k) number.tangents[k] = direction(k, i);
        else
            for (std::size_t k = 0; k < count; ++k) number.tangents[k] = direction(k, i);
        return number;
    });
}

/// What jvp, vjp or hvp gives for one direction, or for the rows of a matrix.
template <class T, class D, class One>
using product_of = std::conditional_t<is_matrix<D>, matrix<T>, One>;

/// A direction or weights: a list, or a matrix<T> with one in each row.
template <class D>
concept direction = list_of_numbers<D> || is_matrix<D>;

/// The results of a function in one list, a single number too.
template <class U, class F, class Point>
[[nodiscard]] auto all_values(F& f, const Point& at) {
    if constexpr (list<result_of<F, Point>>)
        return points::several_values<U>(f, at);
    else
        return std::array<U, 1>{points::one_value<U>(f, at)};
}
/// A list, or its only number where the function returns one.
template <class F, class Point, class Values>
[[nodiscard]] auto as_returned(Values&& values) {
    if constexpr (list<result_of<F, Point>>)
        return std::forward<Values>(values);
    else
        return values[0];
}

} // namespace chainrule::tape::points
