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

    struct place {
        std::size_t block, within;
    };
    static constexpr std::array<place, inputs> places = [] {
        std::array<place, inputs> result{};
        std::size_t next = 0;
        for (std::size_t block = 0; block < sizes.size(); ++block)
            for (std::size_t k = 0; k < sizes[block]; ++k) result[next++] = {block, k};
        return result;
    }();

    // Residuals, then the Jacobian row by row, written to the blocks.
    struct in_blocks {
        double* residuals;
        double* const* jacobians;
        [[gnu::always_inline]] double& operator[](std::size_t k) const {
            constexpr std::size_t begin =
                detail::begin_of(request::jacobians, request::values | request::jacobians, residual_count, inputs);
            if (k < begin) return residuals[k];
            const std::size_t row = (k - begin) / inputs;
            const place to = places[(k - begin) % inputs];
            return jacobians[to.block][row * sizes[to.block] + to.within];
        }
    };

public:
    explicit ceres_cost_function(const F& f) : f_(f) {}

    /// Called by Ceres: the residuals, and their derivatives where it asks for them.
    bool Evaluate(const double* const* parameters, double* residuals, double** jacobians) const override {
        const auto input = [parameters](auto i) { return parameters[places[i].block][places[i].within]; };
        if (!jacobians) {
            const auto values =
                detail::with_each_input<inputs>([this](auto... x) { return detail::values_as_array(f_, x...); }, input);
            std::copy(values.begin(), values.end(), residuals);
            return true;
        }
        // Ceres passes null for a block that it holds constant.
        const bool all = std::find(jacobians, jacobians + sizes.size(), nullptr) == jacobians + sizes.size();
        if (all) {
            in_blocks outputs{residuals, jacobians};
            detail::with_each_input<inputs>(
                [&](auto... x) { detail::run_into<request::values | request::jacobians>(f_, outputs, x...); }, input);
            return true;
        }
        const auto [values, rows] =
            detail::with_each_input<inputs>([this](auto... x) { return detail::values_and_rows_of(f_, x...); }, input);
        std::copy(values.begin(), values.end(), residuals);
        for (std::size_t i = 0; i < residual_count; ++i)
            for (std::size_t j = 0; j < inputs; ++j)
                if (double* const block = jacobians[places[j].block])
                    block[i * sizes[places[j].block] + places[j].within] = rows[i][j];
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
        constexpr bool fit = ((Blocks > 0) && ... && (sizeof...(Blocks) > 0)) &&
                             (0 + ... + Blocks) == static_cast<int>(detail::shape_of<F>::inputs);
        static_assert(fit, "ceres_cost: the sizes of the blocks do not add up to the number of inputs of the function; "
                           "write ceres_cost<9, 3>(F) for a function of 12 inputs");
        if constexpr (fit)
            return std::make_unique<ceres_cost_function<F, Blocks...>>(f);
        else
            return std::unique_ptr<ceres::CostFunction>(); // adds no errors
    } else {
        return std::unique_ptr<ceres::CostFunction>();
    }
}

} // namespace chainrule

#include <chainrule/core/names_end.inc>
