// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of a function at a point in one call: gradient(f, x), jacobian(f, x), hessian(f, x), products with
// directions and weights, and the values along with them; returned, or written into memory of the caller. f is generic
// in the number type; tape/derivatives/points.hpp says what x and the results of f may be.
#pragma once

#include <chainrule/tape/derivatives/products.hpp>
#include <chainrule/tape/derivatives/several_arguments.hpp>
#include <chainrule/tape/derivatives/written_derivatives.hpp>
#include <chainrule/tape/recording/list_of.hpp>

namespace chainrule::tape {

/// The gradient of f at a point: a list of numbers, which f gets as a list of active numbers, or separate numbers. It
/// is laid out as the point: a std::vector for a vector or a span, a std::array for an array or numbers, a matrix of
/// Eigen for one; also lists of lists, structs and tuples. Several arguments of which some are lists have a std::tuple
/// of gradients. Each thread keeps a tape for the next call. With active numbers as the point, it is recorded itself.
/// Example: `gradient([](const auto& x) { return x[0] * sin(x[1]); }, std::vector{1.0, 2.0})`
template <class F, class... X>
requires(points::point<X...> || points::arguments_of<F, X...>)
[[nodiscard]] auto gradient(F&& f, const X&... x) {
    return points::value_and_gradient_at(points::checked<points::takes<F, points::actives<X, X...>...>()>(f), x...)
        .gradient;
}
/// The value and the gradient: `.value`, `.gradient`.
template <class F, class... X>
requires(points::point<X...> || points::arguments_of<F, X...>)
[[nodiscard]] auto value_and_gradient(F&& f, const X&... x) {
    return points::value_and_gradient_at(points::checked<points::takes<F, points::actives<X, X...>...>()>(f), x...);
}
/// The same with the gradient written into memory of the caller; returns the value.
template <class F, points::list_of_numbers X>
points::number_of<X> value_and_gradient(F&& f, const X& x, memory_of<points::number_of<X>> to) {
    return points::write_gradient(points::checked<points::takes<F, points::actives<X, X>>()>(f), x, to);
}
template <class F, points::list_of_numbers X>
void gradient(F&& f, const X& x, memory_of<points::number_of<X>> to) {
    (void)points::write_gradient(points::checked<points::takes<F, points::actives<X, X>>()>(f), x, to);
}

/// The Jacobian of f, which returns a list of numbers: one row for each. It is an array of arrays if the point and the
/// results are arrays, a matrix of Eigen if both are of Eigen, and a matrix<T> otherwise. Several arguments of which
/// some are lists have a std::tuple of Jacobians, that of a number a list.
template <class F, class... X>
requires(points::point<X...> || points::arguments_of<F, X...>)
[[nodiscard]] auto jacobian(F&& f, const X&... x) {
    return points::with_list([](auto& g, const auto& at) { return points::value_and_jacobian(g, at).jacobian; },
                             points::checked<points::takes<F, points::actives<X, X...>...>(), true>(f), x...);
}
/// The values and the Jacobian: `.values`, `.jacobian`.
template <class F, class... X>
requires(points::point<X...> || points::arguments_of<F, X...>)
[[nodiscard]] auto value_and_jacobian(F&& f, const X&... x) {
    return points::with_list([](auto& g, const auto& at) { return points::value_and_jacobian(g, at); },
                             points::checked<points::takes<F, points::actives<X, X...>...>(), true>(f), x...);
}
/// Writes the Jacobian into memory of the caller, row by row.
template <class F, points::list_of_numbers X>
requires(!points::is_tape<std::remove_cvref_t<F>>)
void jacobian(F&& f, const X& x, memory_of<points::number_of<X>> to) {
    points::write_jacobian(points::checked<points::takes<F, points::actives<X, X>>(), true>(f), x, to);
}

/// The value, the gradient and the Hessian of f: `.value`, `.gradient`, `.hessian`. f is called with numbers
/// active<dual<T, 4>>, once per four variables (forward over reverse). Several arguments have one Hessian, in the order
/// of all numbers.
template <class F, class... X>
requires(points::point<X...> || points::point_of_parts<X...>)
[[nodiscard]] auto hessian(F&& f, const X&... x) {
    return points::with_list([](auto& g, const auto& at) { return points::hessian(g, at); },
                             points::checked<points::takes<F, points::numbers_of_hessian<X, X...>...>()>(f), x...);
}
template <class T, class F>
requires(!points::composite<std::vector<T>>)
[[nodiscard]] second_derivatives<points::derivative_number<T>> hessian(F f, const std::vector<T>& point) {
    return points::hessian(
        points::checked<points::takes<F, points::numbers_of_hessian<std::vector<T>, std::vector<T>>>()>(f), point);
}

/// The Jacobian of f times a direction, in forward mode without a tape; the directional derivative if f returns one
/// number. The direction of a function of one number is a number, here and below. The rows of a matrix<T> are several
/// directions, and those of the result their products.
template <class F, class X, class D>
requires points::point_and_direction<X, D>
[[nodiscard]] auto jvp(F&& f, const X& x, const D& direction) {
    return points::value_and_jvp(points::checked<points::takes<F, points::duals<X>>()>(f), x, direction).product;
}
/// The value or values of f and the product: `.value`, `.product`.
template <class F, class X, class D>
requires points::point_and_direction<X, D>
[[nodiscard]] auto value_and_jvp(F&& f, const X& x, const D& direction) {
    return points::value_and_jvp(points::checked<points::takes<F, points::duals<X>>()>(f), x, direction);
}
/// Writes the product, or one for each row of a matrix, into memory of the caller.
template <class F, points::list_of_numbers X, points::direction D>
void jvp(F&& f, const X& x, const D& direction, memory_of<points::number_of<X>> to) {
    points::write_jvp(points::checked<points::takes<F, points::duals<X>>()>(f), x, direction, to);
}

/// Weights times the Jacobian of f: the gradient of the weighted sum of its results. A function that returns one number
/// takes a number. The rows of a matrix<T> are several lists of weights, and those of the result their products.
template <class F, class X, class W>
requires points::point_and_weights<X, W>
[[nodiscard]] auto vjp(F&& f, const X& x, const W& weights) {
    return points::value_and_vjp(points::checked<points::takes<F, points::actives<X, X>>()>(f), x, weights).product;
}
/// The value or values of f and the product: `.value`, `.product`.
template <class F, class X, class W>
requires points::point_and_weights<X, W>
[[nodiscard]] auto value_and_vjp(F&& f, const X& x, const W& weights) {
    return points::value_and_vjp(points::checked<points::takes<F, points::actives<X, X>>()>(f), x, weights);
}
/// Writes the product, or one for each row of a matrix, into memory of the caller.
template <class F, points::list_of_numbers X, points::direction W>
void vjp(F&& f, const X& x, const W& weights, memory_of<points::number_of<X>> to) {
    points::write_vjp(points::checked<points::takes<F, points::actives<X, X>>()>(f), x, weights, to);
}

/// The Hessian of f times a direction, without computing the Hessian: one run of f and one sweep. The rows of a
/// matrix<T> are several directions, and those of the result their products.
template <class F, class X, class D>
requires points::point_and_direction<X, D>
[[nodiscard]] auto hvp(F&& f, const X& x, const D& direction) {
    return points::value_gradient_and_hvp("hvp", points::checked<points::takes<F, points::active_duals<X>>()>(f), x,
                                          direction)
        .product;
}
/// The value and the gradient of f and the product: `.value`, `.gradient`, `.product`.
template <class F, class X, class D>
requires points::point_and_direction<X, D>
[[nodiscard]] auto value_gradient_and_hvp(F&& f, const X& x, const D& direction) {
    return points::value_gradient_and_hvp("hvp", points::checked<points::takes<F, points::active_duals<X>>()>(f), x,
                                          direction);
}
/// Writes the product, or one for each row of a matrix, into memory of the caller.
template <class F, points::list_of_numbers X, points::direction D>
void hvp(F&& f, const X& x, const D& direction, memory_of<points::number_of<X>> to) {
    points::write_hvp(points::checked<points::takes<F, points::active_duals<X>>()>(f), x, direction, to);
}
/// The same as hvp() for vectors, which may be written in braces.
template <class T = double, class F, points::direction D = std::vector<points::derivative_number<T>>>
[[nodiscard]] auto hessian_vector_product(F f, const std::vector<T>& point, const D& direction) {
    return points::value_gradient_and_hvp("hessian_vector_product",
                                          points::checked<points::takes<F, points::active_duals<std::vector<T>>>()>(f),
                                          point, direction)
        .product;
}

// Points, directions and weights in braces, which f gets as vectors: gradient(f, {1.0, 2.0}).
#define CHAINRULE_POINT_IN_BRACES(NAME)                                                                                \
    template <class F, points::number T>                                                                               \
    [[nodiscard]] auto NAME(F&& f, std::initializer_list<T> x) {                                                       \
        return chainrule::tape::NAME(f, points::vector_of(x));                                                         \
    }
CHAINRULE_POINT_IN_BRACES(gradient)
CHAINRULE_POINT_IN_BRACES(value_and_gradient)
CHAINRULE_POINT_IN_BRACES(jacobian)
CHAINRULE_POINT_IN_BRACES(value_and_jacobian)
CHAINRULE_POINT_IN_BRACES(hessian)
#undef CHAINRULE_POINT_IN_BRACES
#define CHAINRULE_TWO_IN_BRACES(NAME)                                                                                  \
    template <class F, points::number T, points::number U>                                                             \
    [[nodiscard]] auto NAME(F&& f, std::initializer_list<T> x, std::initializer_list<U> further) {                     \
        return chainrule::tape::NAME(f, points::vector_of(x), points::vector_of(further));                             \
    }
CHAINRULE_TWO_IN_BRACES(jvp)
CHAINRULE_TWO_IN_BRACES(value_and_jvp)
CHAINRULE_TWO_IN_BRACES(vjp)
CHAINRULE_TWO_IN_BRACES(value_and_vjp)
CHAINRULE_TWO_IN_BRACES(hvp)
CHAINRULE_TWO_IN_BRACES(value_gradient_and_hvp)
#undef CHAINRULE_TWO_IN_BRACES

// A point of another kind, in place of a list of overloads.
#define CHAINRULE_REFUSED(NAME)                                                                                        \
    template <class F, class X>                                                                                        \
    requires(!points::point<X> && !points::composite<X> && !requires { typename F::chainrule_expression; })            \
    auto NAME(const F&, [[maybe_unused]] const X& x) {                                                                 \
        constexpr bool fields = !points::is_template_of_numbers<X>, numbers = points::point<X> || !fields;             \
        static_assert(fields, #NAME "(f, x): the struct x has a base class, a constructor, or a field that is neither" \
                                    " a number, a list, a tuple nor such a struct, or whose type depends on that of "  \
                                    "the numbers otherwise, as a nested enum; leave it out, or copy the numbers");     \
        static_assert(numbers, #NAME "(f, x): the point x is neither a number nor a list of numbers; pass numbers, a " \
                                     "std::vector or a std::array of them, or a struct that is a template of its "     \
                                     "type of numbers; convert text with std::stod");                                  \
        if constexpr (fields)                                                                                          \
            return 0.0;                                                                                                \
        else                                                                                                           \
            return x;                                                                                                  \
    }
CHAINRULE_REFUSED(gradient)
CHAINRULE_REFUSED(value_and_gradient)
CHAINRULE_REFUSED(jacobian)
CHAINRULE_REFUSED(value_and_jacobian)
CHAINRULE_REFUSED(hessian)
#undef CHAINRULE_REFUSED
// Another direction, or other weights.
#define CHAINRULE_REFUSED(NAME, CONSTRAINT, SENTENCE)                                                                  \
    template <class F, class X, class V>                                                                               \
    requires((points::point<X> || points::composite<X>) && !(CONSTRAINT))                                              \
    double NAME(const F&, const X&, const V&) {                                                                        \
        constexpr bool right = CONSTRAINT;                                                                             \
        static_assert(right, SENTENCE);                                                                                \
        return 0;                                                                                                      \
    }
CHAINRULE_REFUSED(jvp, (points::point_and_direction<X, V>),
                  "jvp(f, x, v): the direction v is not a list of numbers; pass one number for each of x, in a "
                  "std::vector or a std::array, or the rows of a matrix")
CHAINRULE_REFUSED(hvp, (points::point_and_direction<X, V>),
                  "hvp(f, x, v): the direction v is not a list of numbers; pass one number for each of x, in a "
                  "std::vector or a std::array, or the rows of a matrix")
CHAINRULE_REFUSED(vjp, (points::point_and_weights<X, V>),
                  "vjp(f, x, w): the weights w are neither a number nor a list of numbers; pass one for each result of "
                  "f, in a std::vector or a std::array")
#undef CHAINRULE_REFUSED
// Fewer arguments. By conversions, so that functions of these names in a program go first.
#define CHAINRULE_REFUSED(NAME, ARGUMENTS, MISSING)                                                                    \
    struct arguments_of_##NAME {                                                                                       \
        template <class F>                                                                                             \
        requires(!requires { typename F::chainrule_expression; })                                                      \
        arguments_of_##NAME(const F&) {                                                                                \
            constexpr bool enough = sizeof(F) == 0;                                                                    \
            static_assert(enough, #NAME ARGUMENTS ": " MISSING);                                                       \
        }                                                                                                              \
    };
#define CHAINRULE_WITHOUT_POINT(NAME)                                                                                  \
    namespace points {                                                                                                 \
    CHAINRULE_REFUSED(NAME, "(f, x)", "the point x is missing; pass the numbers at which f is differentiated")         \
    }                                                                                                                  \
    inline double NAME(points::arguments_of_##NAME) { return 0; }
CHAINRULE_WITHOUT_POINT(gradient)
CHAINRULE_WITHOUT_POINT(value_and_gradient)
CHAINRULE_WITHOUT_POINT(jacobian)
CHAINRULE_WITHOUT_POINT(value_and_jacobian)
CHAINRULE_WITHOUT_POINT(hessian)
#undef CHAINRULE_WITHOUT_POINT
#define CHAINRULE_WITHOUT_THIRD(NAME, ARGUMENTS, THIRD)                                                                \
    namespace points {                                                                                                 \
    CHAINRULE_REFUSED(NAME, ARGUMENTS, "an argument is missing; pass the function, the point and " THIRD)              \
    }                                                                                                                  \
    inline double NAME(points::arguments_of_##NAME) { return 0; }                                                      \
    template <class X>                                                                                                 \
    double NAME(points::arguments_of_##NAME, const X&) {                                                               \
        return 0;                                                                                                      \
    }
CHAINRULE_WITHOUT_THIRD(jvp, "(f, x, v)", "the direction v")
CHAINRULE_WITHOUT_THIRD(value_and_jvp, "(f, x, v)", "the direction v")
CHAINRULE_WITHOUT_THIRD(vjp, "(f, x, w)", "the weights w of the results")
CHAINRULE_WITHOUT_THIRD(value_and_vjp, "(f, x, w)", "the weights w of the results")
CHAINRULE_WITHOUT_THIRD(hvp, "(f, x, v)", "the direction v")
CHAINRULE_WITHOUT_THIRD(value_gradient_and_hvp, "(f, x, v)", "the direction v")
#undef CHAINRULE_WITHOUT_THIRD
#undef CHAINRULE_REFUSED
#define CHAINRULE_REFUSED(NAME, ARGUMENTS)                                                                             \
    template <class F, class X, class V, class To, class... Further>                                                   \
    requires(sizeof...(Further) > 0 || !points::list_of_numbers<X> || !points::direction<V>)                           \
    double NAME(const F&, const X&, const V&, const To&, const Further&...) {                                          \
        constexpr bool one_list = sizeof(F) == 0;                                                                      \
        static_assert(one_list, #NAME ARGUMENTS ": there is memory for the result, or more, and the point is not one " \
                                                "list of numbers; pass such a list, or take what is returned");        \
        return 0;                                                                                                      \
    }
CHAINRULE_REFUSED(jvp, "(f, x, v, to)")
CHAINRULE_REFUSED(vjp, "(f, x, w, to)")
CHAINRULE_REFUSED(hvp, "(f, x, v, to)")
#undef CHAINRULE_REFUSED

} // namespace chainrule::tape
