// SPDX-License-Identifier: BSL-1.0
//
// Residuals for Ceres Solver: ceres_cost<9, 3>(F) is a cost function whose blocks of parameters are the inputs of F in
// order. One kernel computes the residuals and their Jacobian. Link with Ceres (Debian: libceres-dev).
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/interop/shape.hpp>

#include <ceres/sized_cost_function.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>

namespace chainrule {

/// A cost function with the residuals F and blocks of parameters of these sizes, as ceres::AutoDiffCostFunction would
/// make from a functor. Parameters of F that given() binds are data; each cost function has its own.
template <detail::function_of_numbers F, int... Blocks>
class ceres_cost_function final
    : public ceres::SizedCostFunction<static_cast<int>(detail::shape_of<F>::outputs), Blocks...> {
    static constexpr std::size_t inputs = detail::shape_of<F>::inputs, residual_count = detail::shape_of<F>::outputs;
    static constexpr std::array<std::size_t, sizeof...(Blocks)> sizes{static_cast<std::size_t>(Blocks)...};

public:
    explicit ceres_cost_function(const F& f) : f_(f) {}

    bool Evaluate(const double* const* parameters, double* residuals, double** jacobians) const override {
        std::array<double, inputs> point;
        for (std::size_t block = 0, first = 0; block < sizes.size(); first += sizes[block++])
            std::copy_n(parameters[block], sizes[block], point.begin() + static_cast<std::ptrdiff_t>(first));
        if (!jacobians) {
            const auto values = detail::values_as_array(f_, point);
            std::copy(values.begin(), values.end(), residuals);
            return true;
        }
        const auto [values, rows] = detail::values_and_rows_of(f_, point);
        std::copy(values.begin(), values.end(), residuals);
        for (std::size_t block = 0, first = 0; block < sizes.size(); first += sizes[block++])
            if (jacobians[block]) // null where Ceres holds the block constant
                for (std::size_t i = 0; i < residual_count; ++i)
                    std::copy_n(rows[i].begin() + static_cast<std::ptrdiff_t>(first), sizes[block],
                                jacobians[block] + i * sizes[block]);
        return true;
    }

private:
    F f_;
};

/// The cost function of residuals F, owned by the caller; ceres::Problem::AddResidualBlock takes `.release()`.
/// Example: `problem.AddResidualBlock(ceres_cost<9, 3>(F).release(), nullptr, camera, point);`
template <int... Blocks, class F>
[[nodiscard]] auto ceres_cost(const F& f) {
    static_assert(detail::function_of_numbers<F>, "ceres_cost: the argument is not what cr::function(...) returns; "
                                                  "pass cr::function(f, cr::wrt(...)) or a traced function");
    if constexpr (detail::function_of_numbers<F>) {
        static_assert(((Blocks > 0) && ... && (sizeof...(Blocks) > 0)) &&
                          (0 + ... + Blocks) == static_cast<int>(detail::shape_of<F>::inputs),
                      "ceres_cost: the sizes of the blocks do not add up to the number of inputs of the function; "
                      "write ceres_cost<9, 3>(F) for a function of 12 inputs");
        return std::make_unique<ceres_cost_function<F, Blocks...>>(f);
    }
}

} // namespace chainrule

#include <chainrule/core/names_end.inc>
