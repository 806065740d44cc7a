// SPDX-License-Identifier: BSL-1.0
//
// Sparse Jacobians and Hessians of functions on a tape, whose pattern is found at run time: sparse_jacobian(f, x),
// sparse_hessian(f, x). Include this header in addition to chainrule/tape.hpp.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/tape/derivatives/function_derivatives.hpp>
#include <chainrule/tape/sparse/sparse_matrix.hpp>

namespace chainrule::tape {

/// The pattern of the Jacobian of f, which returns a list of numbers, from a recording at a point. It holds at other
/// points where f takes the same branches, and where select() and functions with kinks take the same operands.
template <class F, points::list_of_numbers X>
[[nodiscard]] sparsity_pattern jacobian_sparsity(F&& f, const X& x) {
    using T = points::number_of<X>;
    const kept_tape<T> on;
    const auto at = points::variables(*on, x);
    const auto y = points::several_values<active<T>>(f, at);
    return chainrule::tape::jacobian_sparsity(*on, points::span_of(y), points::span_of(at));
}

/// The pattern of the Hessian of f, both halves: that of the Jacobian of its gradient, which a tape of a tape records.
template <class F, points::list_of_numbers X>
[[nodiscard]] sparsity_pattern hessian_sparsity(F&& f, const X& x) {
    using T = points::number_of<X>;
    const kept_tape<T> inner;
    const auto variables = points::variables(*inner, x);
    std::vector<active<T>> gradient(points::size_of(variables));
    {
        const kept_tape<active<T>> outer;
        const auto at = points::variables(*outer, variables);
        const active<active<T>> y = points::one_value<active<active<T>>>(f, at);
        if (y.is_recorded()) {
            outer->backward(y);
            for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] = points::element(at, i).gradient();
        }
    }
    // Numbers that cancel in one half may remain in the other.
    return chainrule::tape::jacobian_sparsity(*inner, std::span<const active<T>>(gradient), points::span_of(variables))
        .made_symmetric();
}

/// The entries of the Jacobian of f in the order of the plan's pattern: one run of f in forward mode per eight groups
/// of columns, or one recording, which is swept back once per eight groups of rows. Throws std::invalid_argument if the
/// point or the results are not as many as the columns or rows.
template <class F, points::list_of_numbers X>
[[nodiscard]] auto sparse_jacobian(F&& f, const X& x, const jacobian_plan& plan) {
    using T = points::number_of<X>;
    const std::size_t size = points::size_of(x), columns = plan.pattern().column_count();
    if (size != columns)
        core::raise(std::invalid_argument("sparse_jacobian: the point has " + std::to_string(size) +
                                          " numbers and the pattern " + std::to_string(columns) +
                                          " columns; make a plan for this point"));
    const matrix<T> seeds = colours::directions<T>(plan.groups());
    if (plan.by_rows()) return plan.entries_from(points::value_and_vjp(f, x, seeds).product);
    const matrix<T> products = points::value_and_jvp(f, x, seeds).product;
    if (products.columns() != plan.pattern().row_count())
        core::raise(std::invalid_argument("sparse_jacobian: the function returns " +
                                          std::to_string(products.columns()) + " numbers and the pattern has " +
                                          std::to_string(plan.pattern().row_count()) +
                                          " rows; make a plan for this function"));
    return plan.entries_from(products);
}
/// The Jacobian of f, whose pattern is found first.
template <class F, points::list_of_numbers X>
[[nodiscard]] auto sparse_jacobian(F&& f, const X& x) {
    const jacobian_plan plan(chainrule::tape::jacobian_sparsity(f, x));
    auto entries = chainrule::tape::sparse_jacobian(f, x, plan);
    return sparse_matrix<points::number_of<X>>{plan.pattern(), std::move(entries)};
}

/// The entries of the Hessian of f, both halves, in the order of the plan's pattern: one recording and sweep per eight
/// groups. Throws std::invalid_argument if the point does not have as many numbers as the pattern has columns.
template <class F, points::list_of_numbers X>
[[nodiscard]] auto sparse_hessian(F&& f, const X& x, const hessian_plan& plan) {
    using T = points::number_of<X>;
    const std::size_t size = points::size_of(x), columns = plan.pattern().column_count();
    if (size != columns)
        core::raise(std::invalid_argument("sparse_hessian: the point has " + std::to_string(size) +
                                          " numbers and the pattern " + std::to_string(columns) +
                                          " columns; make a plan for this point"));
    const matrix<T> seeds = colours::directions<T>(plan.groups());
    return plan.entries_from(points::value_gradient_and_hvp("sparse_hessian", f, x, seeds).product);
}
/// The Hessian of f, whose pattern is found first.
template <class F, points::list_of_numbers X>
[[nodiscard]] auto sparse_hessian(F&& f, const X& x) {
    const hessian_plan plan(chainrule::tape::hessian_sparsity(f, x));
    auto entries = chainrule::tape::sparse_hessian(f, x, plan);
    return sparse_matrix<points::number_of<X>>{plan.pattern(), std::move(entries)};
}

// A point that is not one list.
#define CHAINRULE_REFUSED(NAME)                                                                                        \
    template <class F, class X>                                                                                        \
    requires(!points::list_of_numbers<X>)                                                                              \
    void NAME(const F&, const X&) {                                                                                    \
        constexpr bool is_list = points::list_of_numbers<X>;                                                           \
        static_assert(is_list, #NAME "(f, x): the point x is not one list of numbers; pass a std::vector of them");    \
    }
CHAINRULE_REFUSED(jacobian_sparsity)
CHAINRULE_REFUSED(hessian_sparsity)
CHAINRULE_REFUSED(sparse_jacobian)
CHAINRULE_REFUSED(sparse_hessian)
#undef CHAINRULE_REFUSED

} // namespace chainrule::tape

#include <chainrule/core/names_end.inc>
