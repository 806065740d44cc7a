// SPDX-License-Identifier: BSL-1.0
//
// Objectives and constraints for NLopt: nlopt_minimise(optimiser, F), nlopt_inequality(optimiser, G, tolerance). Link
// with NLopt's C++ interface (Debian: libnlopt-cxx-dev).
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/interop/shape.hpp>

#include <nlopt.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace chainrule {
namespace detail {

/// Checks that the optimiser has as many variables as the function has inputs.
template <class F>
void check_nlopt_function(const nlopt::opt& optimiser) {
    static_assert(function_of_numbers<F>, "nlopt: the argument is not what cr::function(...) returns; pass "
                                          "cr::function(f, cr::wrt(...)) or a traced function");
    if (optimiser.get_dimension() != shape_of<F>::inputs)
        core::raise(
            wrong_size("nlopt: the optimiser does not have one variable per input of the function; make it with as "
                       "many as wrt(...) lists"));
}

// NLopt calls this with the address of F as its data.
template <class F>
double nlopt_value(const std::vector<double>& x, std::vector<double>& gradient, void* f) {
    const std::span<const double, shape_of<F>::inputs> point(x);
    const F& function = *static_cast<const F*>(f);
    if (gradient.empty()) return values_as_array(function, point)[0];
    const auto [values, rows] = values_and_rows_of(function, point);
    std::copy(rows[0].begin(), rows[0].end(), gradient.begin());
    return values[0];
}

// The same of several values; the gradients come one after the other.
template <class F>
void nlopt_values(unsigned, double* values, unsigned, const double* x, double* gradients, void* f) {
    const std::span<const double, shape_of<F>::inputs> point(x, shape_of<F>::inputs);
    const F& function = *static_cast<const F*>(f);
    if (!gradients) {
        const auto result = values_as_array(function, point);
        std::copy(result.begin(), result.end(), values);
        return;
    }
    const auto [result, rows] = values_and_rows_of(function, point);
    std::copy(result.begin(), result.end(), values);
    for (const auto& row : rows) gradients = std::copy(row.begin(), row.end(), gradients);
}

// Whether F is an objective: one value.
template <class F>
constexpr bool is_nlopt_objective() {
    if constexpr (function_of_numbers<F>) {
        constexpr bool one_value = shape_of<F>::outputs == 1;
        static_assert(one_value, "nlopt_minimise, nlopt_maximise: the function has several values; give one that "
                                 "returns the objective alone");
        return one_value;
    } else {
        return false; // check_nlopt_function() says so
    }
}

template <class F>
void* nlopt_data(const F& f) {
    return const_cast<void*>(static_cast<const void*>(&f)); // NLopt only hands it back
}

} // namespace detail

/// Sets the objective of an optimiser: the value of F, with its gradient for the algorithms that use one. The optimiser
/// keeps the address of F, which must live as long; parameters of F may be set between runs.
template <class F>
void nlopt_minimise(nlopt::opt& optimiser, const F& f) {
    detail::check_nlopt_function<F>(optimiser);
    if constexpr (detail::is_nlopt_objective<F>())
        optimiser.set_min_objective(detail::nlopt_value<F>, detail::nlopt_data(f));
}
template <class F>
void nlopt_minimise(nlopt::opt&, const F&&) = delete; // keep the function in a variable
/// The same for a maximum.
template <class F>
void nlopt_maximise(nlopt::opt& optimiser, const F& f) {
    detail::check_nlopt_function<F>(optimiser);
    if constexpr (detail::is_nlopt_objective<F>())
        optimiser.set_max_objective(detail::nlopt_value<F>, detail::nlopt_data(f));
}
template <class F>
void nlopt_maximise(nlopt::opt&, const F&&) = delete;

/// Adds the constraints F <= 0, one per value of F, each within the tolerance.
template <class F>
void nlopt_inequality(nlopt::opt& optimiser, const F& f, double tolerance = 0.0) {
    detail::check_nlopt_function<F>(optimiser);
    optimiser.add_inequality_mconstraint(detail::nlopt_values<F>, detail::nlopt_data(f),
                                         std::vector<double>(detail::shape_of<F>::outputs, tolerance));
}
template <class F>
void nlopt_inequality(nlopt::opt&, const F&&, double = 0.0) = delete;
/// Adds the constraints F = 0.
template <class F>
void nlopt_equality(nlopt::opt& optimiser, const F& f, double tolerance = 0.0) {
    detail::check_nlopt_function<F>(optimiser);
    optimiser.add_equality_mconstraint(detail::nlopt_values<F>, detail::nlopt_data(f),
                                       std::vector<double>(detail::shape_of<F>::outputs, tolerance));
}
template <class F>
void nlopt_equality(nlopt::opt&, const F&&, double = 0.0) = delete;

} // namespace chainrule

#include <chainrule/core/names_end.inc>
