// SPDX-License-Identifier: BSL-1.0
//
// The class of positional functions, for numerical code: F(2.0, 5.0), F.gradient(point), F.value_and_gradient(point),
// F.hessian(point), F.jvp(point, direction), F.sparse_hessian(point). Points are numbers, a std::array, a std::span or
// any other range (entry/points.hpp); results are std::arrays.
#pragma once

#include <chainrule/codegen/pattern.hpp>
#include <chainrule/expression/refusals.hpp>
#include <chainrule/entry/call_by_name.hpp>
#include <chainrule/entry/function_operators.hpp>
#include <chainrule/entry/outputs.hpp>
#include <chainrule/entry/refused_products.hpp>
#include <chainrule/entry/results.hpp>
#include <chainrule/entry/run_program.hpp>

namespace chainrule {

template <class Expressions, class Variables, class Bindings, bool Scalar>
class positional_function;

namespace detail {

/// What a function is with other expressions or numbers in the place of variables: algebra/apply.hpp.
template <bool Scalar, class... E, class... P, class... T, class... V, class... G>
constexpr auto applied(const expression_vector<E...>& f, const parameters<binding<P, T>...>& bound,
                       core::type_list<V...> variables, const G&... g);

template <class Expressions, class Variables, class Bindings, bool Scalar>
inline constexpr bool is_positional_function<positional_function<Expressions, Variables, Bindings, Scalar>> = true;
/// F as a positional function, without what a class adds to it.
template <class E, class V, class P, bool Scalar>
std::type_identity<positional_function<E, V, P, Scalar>> positional(const positional_function<E, V, P, Scalar>*);
template <class F>
using positional_form = typename decltype(detail::positional(static_cast<const F*>(nullptr)))::type;

} // namespace detail

/// The results of a function at a point, which is numbers, a range of them, or named: see function(). Its lists of
/// expressions, variables and bindings of parameters have short names, since compilers write them out in every message
/// about it.
template <class Expressions, class Variables, class Bindings, bool Scalar>
class positional_function : public detail::function_operators, public detail::refused_products {
    using bound_parameters = detail::parameters_of<expressions::long_list<Bindings>>;

public:
    /// Its expressions, its variables, these and its parameters; the short name of the last.
    using outputs_list = expressions::long_list<Expressions>;
    using variables_list = expressions::long_list<Variables>;
    using inputs_list = decltype(variables_list{} + typename bound_parameters::variables{});
    using inputs_name = expressions::short_list<inputs_list>;
    /// The type of the same function with other parameters.
    template <class List>
    using with_parameters = positional_function<Expressions, Variables, expressions::short_list<List>, Scalar>;

private:
    static constexpr std::size_t rows = outputs_list::size;
    static constexpr std::size_t columns = variables_list::size;

    template <class List>
    struct computation;
    template <class... T>
    struct computation<core::type_list<T...>> : kernel::computation<outputs_list, T...> {};
    template <class Point>
    struct number_for : computation<decltype(typename bound_parameters::types{} + Point{})> {};
    template <class... Point>
    using number = typename number_for<core::type_list<typename detail::argument_number<Point>::type...>>::type;
    // One number per expression. (Compilers write it shorter than an array of them.)
    template <class... Point>
    using row_of = std::array<number<Point...>, rows>;
    // Below, a function that fills a result states its type and returns nothing else: where the type is deduced in a
    // template, clang (19) returns a copy, whose numbers stay in registers or on the stack until all are computed.
    template <class T>
    using square = std::array<std::array<T, columns>, columns>;
    // What is wrong with the names of a point. Members that users call check it themselves: compilers write out the
    // types of all arguments for each function between the call and the message.
    template <class... Point>
    using fault = detail::fault_of_point<columns, Expressions, Variables, Point...>;
    // What is wrong with the program of a request on numbers T.
    template <unsigned Request, class T>
    using program_fault =
        detail::fault_on_numbers<T, codegen::compiled<Request, columns, inputs_list, outputs_list>,
                                 detail::fault_of_program<Request, columns, inputs_list, outputs_list>>;

public:
    /// The program for a request (request::values, jacobians, hessians or a sum of them).
    template <unsigned Request>
    using code = codegen::compiled<Request, columns, inputs_list, outputs_list>;

    /// How the Jacobian is derived.
    [[nodiscard]] static consteval jacobian_mode best_jacobian_mode() {
        return differentiate::cheapest_jacobian_mode<request::jacobians, columns, inputs_list>(outputs_list{});
    }

    constexpr positional_function(const detail::vector_of<outputs_list>& outputs, const bound_parameters& bound)
        : f_(outputs), parameters_(bound) {}

    /// Changes the values of parameters: F.set(k = 0.4), F.set(a = weights). The kernel stays the same. A parameter
    /// that was bound to an integer is a double, as everywhere.
    template <class... Binding>
    constexpr void set(const Binding&... values) {
        detail::set_parameters(parameters_, values...);
    }

    /// The value at a point, or the values of a vector as a std::array. Of expressions, one for each variable, or a
    /// vector of them, the expression that the function makes of them, or a vector.
    template <class... Point>
    [[nodiscard, gnu::always_inline]] constexpr auto operator()(const Point&... point) const {
        if constexpr (core::any_true({expressions::symbolic<Point>..., false})) {
            if constexpr (detail::fit_variables<Variables, Point...>()) {
                if constexpr (!core::any_true({expressions::array_of_expressions<Point>...}))
                    return detail::applied<Scalar>(f_, parameters_, variables_list{}, point...);
                else if constexpr (sizeof...(Point) == 1)
                    return substitute(expression(), vector_binding<Variables, binding<void, Point>>{{point}}...);
                else
                    return detail::with_elements<columns>(
                        [&](const auto&... g) {
                            return detail::applied<Scalar>(f_, parameters_, variables_list{}, g...);
                        },
                        point...);
            }
        } else {
            std::array<number<Point...>, rows> result;
            if constexpr (detail::without_fault<fault<Point...>>()) run<request::values>(result, point...);
            if constexpr (Scalar)
                return result[0];
            else
                return result;
        }
    }
    /// The function as an expression of its variables, or a vector; parameters become stored numbers.
    [[nodiscard]] constexpr auto expression() const {
        return detail::applied<Scalar>(f_, parameters_, core::type_list<>{});
    }

    /// The value at a point, or the values of a vector as a std::array.
    template <class... Point>
    [[nodiscard, gnu::always_inline]] constexpr auto values(const Point&... point) const {
        return (*this)(point...);
    }

    /// The gradient at a point.
    template <class... Point>
    [[nodiscard, gnu::always_inline]] constexpr std::array<number<Point...>, columns>
    gradient(const Point&... point) const {
        static_assert(Scalar, "gradient: the function has several values; use jacobian(...)");
        std::array<number<Point...>, columns> result;
        if constexpr (Scalar && detail::without_fault<fault<Point...>>()) run<request::jacobians>(result, point...);
        return result;
    }

    /// The value and the gradient at a point, from one program.
    template <class... Point>
    [[nodiscard, gnu::always_inline]] constexpr value_and_gradient_result<number<Point...>, columns>
    value_and_gradient(const Point&... point) const {
        static_assert(Scalar, "value_and_gradient: the function has several values; use value_and_jacobian(...)");
        using T = number<Point...>;
        value_and_gradient_result<T, columns> result;
        detail::value_and_jacobian_outputs<T, 1, columns> outputs{&result.value, result.gradient.data()};
        if constexpr (Scalar && detail::without_fault<fault<Point...>>())
            run<request::values | request::jacobians>(outputs, point...);
        return result;
    }

    /// The Hessian at a point, both halves.
    template <class... Point>
    [[nodiscard, gnu::always_inline]] constexpr square<number<Point...>> hessian(const Point&... point) const {
        static_assert(Scalar, "hessian: the function has several values; use one function per value");
        using T = number<Point...>;
        square<T> result;
        detail::symmetric_outputs<T, columns> outputs{result.data()};
        if constexpr (Scalar && detail::without_fault<fault<Point...>>()) run<request::hessians>(outputs, point...);
        return result;
    }

    /// The value, the gradient and the Hessian at a point, from one program.
    template <class... Point>
    [[nodiscard, gnu::always_inline]] constexpr second_order_result<number<Point...>, columns>
    value_gradient_and_hessian(const Point&... point) const {
        static_assert(Scalar,
                      "value_gradient_and_hessian: the function has several values; use one function per value");
        using T = number<Point...>;
        second_order_result<T, columns> result;
        detail::second_order_outputs<T, columns> outputs{result.value, result.gradient, {result.hessian.data()}};
        if constexpr (Scalar && detail::without_fault<fault<Point...>>())
            run<request::values | request::jacobians | request::hessians>(outputs, point...);
        return result;
    }

    /// The Jacobian of a vector at a point: [i][j] is the derivative of expression i with respect to variable j.
    template <class... Point>
    [[nodiscard, gnu::always_inline]] constexpr std::array<std::array<number<Point...>, columns>, rows>
    jacobian(const Point&... point) const {
        static_assert(!Scalar, "jacobian: the function has one value; use gradient(...)");
        using T = number<Point...>;
        std::array<std::array<T, columns>, rows> result;
        if constexpr (!Scalar && detail::without_fault<fault<Point...>>()) {
            matrix_of<T> outputs{zeros_filled_in<T>(result.data())};
            run<request::jacobians | zeros<T>()>(outputs, point...);
        }
        return result;
    }

    /// The values and the Jacobian of a vector at a point, from one program.
    template <class... Point>
    [[nodiscard, gnu::always_inline]] constexpr values_and_jacobian_result<number<Point...>, rows, columns>
    value_and_jacobian(const Point&... point) const {
        static_assert(!Scalar, "value_and_jacobian: the function has one value; use value_and_gradient(...)");
        using T = number<Point...>;
        values_and_jacobian_result<T, rows, columns> result;
        if constexpr (!Scalar && detail::without_fault<fault<Point...>>()) {
            detail::values_and_matrix_outputs<T, rows, columns, matrix_of<T>> outputs{
                result.values.data(), {zeros_filled_in<T>(result.jacobian.data())}};
            run<request::values | request::jacobians | zeros<T>()>(outputs, point...);
        }
        return result;
    }

    using detail::refused_products::hvp;
    using detail::refused_products::jvp;
    using detail::refused_products::vjp;

    /// The derivative along a direction: the Jacobian times the direction, one number per expression. The point and the
    /// direction are ranges.
    template <class Point, class Direction>
    [[nodiscard, gnu::always_inline]] constexpr auto jvp(const Point& point, const Direction& direction) const {
        if constexpr (Scalar)
            return tangents(point, direction)[0];
        else
            return tangents(point, direction);
    }

    /// Weights times the Jacobian: the gradient of the weighted sum of the expressions. The weights are a range; for a
    /// function with one value, a number also works.
    template <class Point, class Weights>
    [[nodiscard, gnu::always_inline]] constexpr std::array<number<Point, Weights>, columns>
    vjp(const Point& point, const Weights& weights) const {
        std::array<number<Point, Weights>, columns> result;
        if constexpr (detail::right_ranges<detail::role::weights, columns, rows, Point, Weights>())
            run_with<request::cotangents, detail::role::weights, rows>(result, point, weights);
        return result;
    }

    /// The Hessian times a direction, without computing the Hessian, at a small multiple of the cost of the value. The
    /// point and the direction are ranges.
    template <class Point, class Direction>
    [[nodiscard, gnu::always_inline]] constexpr std::array<number<Point, Direction>, columns>
    hvp(const Point& point, const Direction& direction) const {
        static_assert(Scalar, "hvp: the function has several values; use one function per value");
        std::array<number<Point, Direction>, columns> result;
        if constexpr (Scalar && detail::right_ranges<detail::role::direction, columns, columns, Point, Direction>())
            run_with<request::hessian_products, detail::role::direction, columns>(result, point, direction);
        return result;
    }

    /// The Hessian of the weighted sum of the expressions, both halves. This is the Hessian of the Lagrangian if the
    /// expressions are the objective and the constraints, and the weights 1 and the multipliers. Weights as for vjp().
    template <class Point, class Weights>
    [[nodiscard, gnu::always_inline]] constexpr square<number<Point, Weights>>
    lagrangian_hessian(const Point& point, const Weights& weights) const {
        using T = number<Point, Weights>;
        square<T> result;
        detail::symmetric_outputs<T, columns> outputs{result.data()};
        if constexpr (detail::right_ranges<detail::role::weights, columns, rows, Point, Weights>())
            run_with<request::weighted_hessians, detail::role::weights, rows>(outputs, point, weights);
        return result;
    }

    /// The third derivatives at a point: [i][j][k] is the derivative with respect to the variables i, j and k, computed
    /// once for all permutations.
    template <class... Point>
    [[nodiscard, gnu::always_inline]] constexpr std::array<square<number<Point...>>, columns>
    third_derivatives(const Point&... point) const {
        static_assert(Scalar, "third_derivatives: the function has several values; use one function per value");
        using T = number<Point...>;
        std::array<square<T>, columns> result;
        detail::third_order_outputs<T, columns> outputs{result.data()};
        if constexpr (Scalar && detail::without_fault<fault<Point...>>()) run<request::thirds>(outputs, point...);
        return result;
    }

    /// The Taylor coefficients of t^0 to t^Order of the value at the point plus t times the direction. Both are ranges;
    /// for a vector there is one row of coefficients per expression.
    template <int Order, class Point, class Direction>
    [[nodiscard, gnu::always_inline]] constexpr auto taylor(const Point& point, const Direction& direction) const {
        static_assert(Order >= 0, "taylor<n>: the order is negative; pass 0 or more");
        if constexpr (Order >= 0) {
            if constexpr (Scalar)
                return taylor_rows<Order>(point, direction)[0];
            else
                return taylor_rows<Order>(point, direction);
        }
    }

    // The point in braces: F({2.0, 5.0}), F.gradient({2.0, 5.0}).
#define CHAINRULE_POINT_IN_BRACES(NAME)                                                                                \
    template <class T, std::size_t Size>                                                                               \
    [[nodiscard, gnu::always_inline]] constexpr auto NAME(const T(&point)[Size]) const {                               \
        if constexpr (detail::right_numbers<detail::role::point, columns, T[Size]>())                                  \
            return this->template NAME<T[Size]>(point);                                                                \
        else                                                                                                           \
            return this->template NAME<std::array<T, columns>>({});                                                    \
    }
    CHAINRULE_POINT_IN_BRACES(operator())
    CHAINRULE_POINT_IN_BRACES(gradient)
    CHAINRULE_POINT_IN_BRACES(value_and_gradient)
    CHAINRULE_POINT_IN_BRACES(hessian)
    CHAINRULE_POINT_IN_BRACES(value_gradient_and_hessian)
    CHAINRULE_POINT_IN_BRACES(jacobian)
    CHAINRULE_POINT_IN_BRACES(value_and_jacobian)
    CHAINRULE_POINT_IN_BRACES(third_derivatives)
    CHAINRULE_POINT_IN_BRACES(sparse_jacobian)
    CHAINRULE_POINT_IN_BRACES(sparse_hessian)
#undef CHAINRULE_POINT_IN_BRACES
#define CHAINRULE_TWO_IN_BRACES(NAME)                                                                                  \
    template <class T, std::size_t Size, class U, std::size_t Further>                                                 \
    [[nodiscard, gnu::always_inline]] constexpr auto NAME(const T(&point)[Size], const U(&further)[Further]) const {   \
        return this->template NAME<T[Size], U[Further]>(point, further);                                               \
    }
    CHAINRULE_TWO_IN_BRACES(jvp)
    CHAINRULE_TWO_IN_BRACES(vjp)
    CHAINRULE_TWO_IN_BRACES(hvp)
    CHAINRULE_TWO_IN_BRACES(lagrangian_hessian)
    CHAINRULE_TWO_IN_BRACES(sparse_lagrangian_hessian)
#undef CHAINRULE_TWO_IN_BRACES
#define CHAINRULE_NEEDS_TWO(NAME, WHAT)                                                                                \
    template <class Point>                                                                                             \
    constexpr auto NAME(const Point&) const {                                                                          \
        static_assert(sizeof(Point) == 0, #NAME ": the " WHAT "; pass them after the point, both as ranges");          \
    }
    CHAINRULE_NEEDS_TWO(jvp, "components of the direction are missing")
    CHAINRULE_NEEDS_TWO(vjp, "weights are missing")
    CHAINRULE_NEEDS_TWO(hvp, "components of the direction are missing")
#undef CHAINRULE_NEEDS_TWO

    /// The sparsity pattern of the Jacobian, which gives the order of sparse_jacobian().
    [[nodiscard]] static constexpr auto jacobian_sparsity() { return entries_of_jacobian::value; }
    /// The entries of the Jacobian that are not zero everywhere, row by row.
    template <class... Point>
    [[nodiscard, gnu::always_inline]] constexpr auto sparse_jacobian(const Point&... point) const {
        if constexpr (detail::without_fault<fault<Point...>>())
            return jacobian_entries<entries_of_jacobian>(point...);
        else
            return std::array<double, entries_of_jacobian::entries>{}; // adds no errors
    }

    /// The sparsity pattern of the Hessian, both halves, which gives the order of sparse_hessian().
    [[nodiscard]] static constexpr auto hessian_sparsity() {
        static_assert(Scalar, "hessian_sparsity: the function has several values; use lagrangian_hessian_sparsity()");
        if constexpr (Scalar)
            return codegen::hessian_pattern<request::hessians, columns, inputs_name, Expressions>::value;
    }
    /// The entries of the Hessian that are not zero everywhere, row by row, both halves; each pair is computed once.
    template <class... Point>
    [[nodiscard, gnu::always_inline]] constexpr auto sparse_hessian(const Point&... point) const {
        static_assert(Scalar, "sparse_hessian: the function has several values; use sparse_lagrangian_hessian(...)");
        if constexpr (Scalar) {
            using pattern = codegen::hessian_pattern<request::hessians, columns, inputs_name, Expressions>;
            if constexpr (detail::without_fault<fault<Point...>>())
                return hessian_entries<pattern>(point...);
            else
                return std::array<double, pattern::entries>{};
        } else {
            return std::array<double, columns>{}; // adds no errors
        }
    }

    /// The sparsity pattern of lagrangian_hessian(), for arbitrary weights.
    [[nodiscard]] static constexpr auto lagrangian_hessian_sparsity() {
        return codegen::hessian_pattern<request::weighted_hessians, columns, inputs_name, Expressions>::value;
    }
    /// The entries of lagrangian_hessian() that are not zero everywhere, row by row, both halves.
    template <class Point, class Weights>
    [[nodiscard, gnu::always_inline]] constexpr auto sparse_lagrangian_hessian(const Point& point,
                                                                               const Weights& weights) const {
        return lagrangian_entries<
            codegen::hessian_pattern<request::weighted_hessians, columns, inputs_name, Expressions>>(point, weights);
    }

private:
    template <class, class, class, bool>
    friend class positional_function;
    friend struct detail::function_parts;

    [[no_unique_address]] detail::vector_of<outputs_list> f_;
    [[no_unique_address]] bound_parameters parameters_;
#if defined(__CUDACC__)
    [[no_unique_address]] detail::member_for_kernels<std::is_empty_v<detail::vector_of<outputs_list>> &&
                                                     std::is_empty_v<bound_parameters>> member_;
#endif

    template <class Point, class Direction>
    CHAINRULE_STEP constexpr row_of<Point, Direction> tangents(const Point& point, const Direction& direction) const {
        row_of<Point, Direction> result;
        run_with<request::tangents, detail::role::direction, columns>(result, point, direction);
        return result;
    }
    // A Jacobian is written by the program; or one that is mostly zero is filled with zeros, and only the entries that
    // are not zero everywhere are written.
    using entries_of_jacobian = codegen::jacobian_pattern<columns, inputs_name, Expressions>;
    // (A template, since it would else be computed with the class.)
    template <class T>
    [[nodiscard]] static consteval unsigned zeros() {
        return codegen::has_few_entries<columns, inputs_name, Expressions>() ? unsigned{request::without_zeros} : 0;
    }
    template <class T>
    using matrix_of = std::conditional_t<zeros<T>() != 0, detail::entries_of_matrix<T, entries_of_jacobian>,
                                         detail::matrix_outputs<T, rows, columns>>;
    template <class T>
    CHAINRULE_STEP static constexpr std::array<T, columns>* zeros_filled_in(std::array<T, columns>* matrix) {
        if constexpr (zeros<T>() != 0) detail::fill_with_zeros(matrix, matrix + rows);
        return matrix;
    }
    template <class Pattern, class... Point>
    CHAINRULE_STEP constexpr std::array<number<Point...>, Pattern::entries>
    jacobian_entries(const Point&... point) const {
        std::array<number<Point...>, Pattern::entries> result;
        run<request::jacobians | request::without_zeros>(result, point...);
        return result;
    }
    template <class Pattern, class... Point>
    CHAINRULE_STEP constexpr std::array<number<Point...>, Pattern::entries>
    hessian_entries(const Point&... point) const {
        std::array<number<Point...>, Pattern::entries> result;
        detail::sparse_symmetric_outputs<number<Point...>, Pattern> outputs{result.data()};
        run<request::hessians | request::without_zeros>(outputs, point...);
        return result;
    }
    template <class Pattern, class Point, class Weights>
    CHAINRULE_STEP constexpr std::array<number<Point, Weights>, Pattern::entries>
    lagrangian_entries(const Point& point, const Weights& weights) const {
        std::array<number<Point, Weights>, Pattern::entries> result;
        detail::sparse_symmetric_outputs<number<Point, Weights>, Pattern> outputs{result.data()};
        run_with<request::weighted_hessians | request::without_zeros, detail::role::weights, rows>(outputs, point,
                                                                                                   weights);
        return result;
    }
    template <int Order, class Point, class Direction>
    CHAINRULE_STEP constexpr std::array<std::array<number<Point, Direction>, static_cast<std::size_t>(Order + 1)>, rows>
    taylor_rows(const Point& point, const Direction& direction) const {
        using T = number<Point, Direction>;
        std::array<std::array<T, static_cast<std::size_t>(Order + 1)>, rows> result;
        detail::matrix_outputs<T, rows, static_cast<std::size_t>(Order + 1)> outputs{result.data()};
        run_with<request::taylor_along | differentiate::taylor_order(Order), detail::role::direction, columns>(
            outputs, point, direction);
        return result;
    }

    // These return nothing, but by auto: with void, g++ goes on after the message of a fault and names the whole type.
    template <unsigned Request, detail::role Role, std::size_t Size, class Outputs, class Point, class Further>
    CHAINRULE_STEP constexpr auto run_with(Outputs& outputs, const Point& point, const Further& further) const {
        if constexpr (detail::right_ranges<Role, columns, Size, Point, Further>() &&
                      detail::without_fault<program_fault<Request, number<Point, Further>>>()) {
            const auto at = detail::numbers_in_order<detail::role::point, columns>(point);
            const auto along = detail::numbers_in_order<Role, Size>(further);
            run_at<Request, number<Point, Further>>(outputs, at.data(), along.data());
        }
    }
    template <unsigned Request, class Outputs, class... Point>
    CHAINRULE_STEP constexpr auto run(Outputs& outputs, const Point&... point) const {
        using T = number<Point...>;
        constexpr auto form = detail::form_of_point<columns, Point...>();
        if constexpr (detail::some_vectors<Point...> && form == detail::point_form::by_name) {
            run_singly<Request>(outputs, detail::in_single_values(point...));
        } else if constexpr (form == detail::point_form::by_name) { // which may bind other variables
            detail::run_by_name<Request, T>(*this, outputs, point...);
        } else if constexpr (!detail::without_fault<program_fault<Request, T>>()) {
            return;
        } else if constexpr (form == detail::point_form::as_range) {
            (run_on<Request, T>(outputs, point), ...);
        } else if constexpr (form == detail::point_form::as_numbers) {
            if constexpr (Request == request::values && detail::recorded_whole<T, outputs_list> &&
                          expressions::is_active<T>) {
                record_at<T>(outputs, point...);
            } else {
                const T local[columns < 1 ? 1 : columns] = {static_cast<T>(point)...};
                run_at<Request, T>(outputs, local);
            }
        } else if constexpr (form == detail::point_form::in_parts) {
            if constexpr (detail::right_parts<Variables, Point...>())
                run_at<Request, T>(outputs, detail::joined_parts<T, variables_list>(point...).data());
        }
    }
    template <unsigned Request, class Outputs, class... Binding>
    CHAINRULE_STEP constexpr void run_singly(Outputs& outputs, const detail::single_values<Binding...>& all) const {
        run<Request>(outputs, static_cast<const detail::single_value<Binding>&>(all).value...);
    }
    template <unsigned Request, class T, class Outputs, class Range>
    CHAINRULE_STEP constexpr auto run_on(Outputs& outputs, const Range& point) const {
        if constexpr (detail::right_numbers<detail::role::point, columns, Range>()) {
            const auto at = detail::numbers_in_order<detail::role::point, columns>(point);
            run_at<Request, T>(outputs, at.data());
        }
    }

    // The numbers of a point on a tape, each where it is: compilers copy active numbers in memory.
    template <class T, class Outputs, class... Point>
    CHAINRULE_STEP constexpr auto record_at(Outputs& outputs, const Point&... point) const {
        if constexpr (detail::without_fault<
                          detail::fault_of_program<request::values, columns, inputs_list, outputs_list>>()) {
            const T converted[] = {detail::converted_number<T>(point)...};
            std::size_t k = 0;
            auto bound = parameters_.template in_place<T>();
            const detail::numbers_and_parameters<T, columns, decltype(bound)> variables{
                {detail::number_in_place(point, converted[k++])...}, bound};
            record_inputs<T, core::type_list<Point...>>(outputs, variables);
        }
    }
    template <class T, class PointValues, class Outputs, class Inputs>
    CHAINRULE_STEP constexpr auto record_inputs(Outputs& outputs, const Inputs& numbers) const {
        using all_values = decltype(PointValues{} + typename bound_parameters::types{});
        detail::record<code<request::values>, T, outputs_list, inputs_list, all_values, rows>(
            numbers, kernel::numbers_of<kernel::plain_number<T>>(f_), outputs);
    }

    template <class T>
    using stored_for = typename kernel::number_stored_for<T, outputs_list>::type;
    // Values are the types of what is given for the point, if they differ from that of its elements.
    template <unsigned Request, class T, class Values = void, class Outputs, class Element, class... Further>
    CHAINRULE_STEP constexpr auto run_at(Outputs& outputs, const Element* point, const Further*... further) const {
        if constexpr (detail::without_fault<program_fault<Request, T>>()) {
            auto bound = parameters_.template in_place<T>();
            using known_inputs =
                detail::point_and_parameters<T, Element, columns, bound_parameters::variables::size, decltype(bound)>;
            const known_inputs variables{point, bound};
            if constexpr (sizeof...(Further) > 0) {
                const detail::with_further_inputs<known_inputs, Further..., inputs_list::size> all{variables,
                                                                                                   further...};
                detail::run_program<positional_function, columns, Request, T>(
                    all, kernel::numbers_of<stored_for<T>>(f_), outputs);
            } else if constexpr (Request == request::values && detail::recorded_whole<T, outputs_list>) {
                using point_values =
                    std::conditional_t<std::is_void_v<Values>, core::repeated_type<columns, Element>, Values>;
                record_inputs<T, point_values>(outputs, variables);
            } else
                detail::run_program<positional_function, columns, Request, T>(
                    variables, kernel::numbers_of<stored_for<T>>(f_), outputs);
        }
    }
};

} // namespace chainrule
