// SPDX-License-Identifier: BSL-1.0
//
// Nonlinear programs for Ipopt, with exact sparse Jacobians and Hessians: ipopt_problem(F) of a function whose first
// value is the objective and whose other values are the constraints. Link with Ipopt (Debian: coinor-libipopt-dev).
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/interop/ipopt/program.hpp>
#include <chainrule/interop/number_list.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>

namespace chainrule {

/// The nonlinear program: minimise the first value of F, with bounds of the variables and of F's other values, the
/// constraints. Fill in the start and the bounds, and pass it to Ipopt::IpoptApplication::OptimizeTNLP. Equal bounds
/// make an equality; an infinite bound is no bound. After the run, solution and the other results are set. Ipopt gets
/// the first derivatives, and the Hessian of the Lagrangian, from one kernel each, in the sparsity patterns of F.
/// Example: `Ipopt::SmartPtr<ipopt_problem<...>> problem = make_ipopt_problem(F);`
template <detail::function_of_numbers F>
class ipopt_problem : public detail::ipopt_program<detail::number_list<detail::shape_of<F>::inputs>,
                                                   detail::number_list<detail::shape_of<F>::outputs - 1>,
                                                   std::array<double, detail::shape_of<F>::inputs>> {
    using index = Ipopt::Index;
    using number = Ipopt::Number;

public:
    static constexpr std::size_t variables = detail::shape_of<F>::inputs;        ///< their number
    static constexpr std::size_t constraints = detail::shape_of<F>::outputs - 1; ///< their number

    /// The function with its parameters, which may be set between runs.
    F function;

    explicit ipopt_problem(const F& f) : ipopt_problem::ipopt_program(variables, constraints), function(f) {}

    bool get_nlp_info(index& n, index& m, index& jacobian_entries, index& hessian_entries,
                      Ipopt::TNLP::IndexStyleEnum& style) override {
        n = static_cast<index>(variables);
        m = static_cast<index>(constraints);
        jacobian_entries = static_cast<index>(pattern.size()) - first_entry;
        hessian_entries = static_cast<index>(lower_half::entries);
        style = Ipopt::TNLP::C_STYLE;
        return true;
    }

    bool eval_f(index, const number* x, bool is_new, number& value) override {
        value = values_at(x, is_new)[0];
        return true;
    }

    bool eval_g(index, const number* x, bool is_new, index, number* g) override {
        const auto& values = values_at(x, is_new);
        std::copy(values.begin() + 1, values.end(), g);
        return true;
    }

    bool eval_grad_f(index, const number* x, bool is_new, number* gradient) override {
        const auto& entries = entries_at(x, is_new);
        std::fill(gradient, gradient + variables, 0.0);
        for (std::size_t k = 0; k < static_cast<std::size_t>(first_entry); ++k)
            gradient[pattern.columns[k]] = entries[k];
        return true;
    }

    bool eval_jac_g(index, const number* x, bool is_new, index, index, index* rows, index* columns,
                    number* values) override {
        if (values) {
            const auto& entries = entries_at(x, is_new);
            std::copy(entries.begin() + first_entry, entries.end(), values);
        } else {
            for (std::size_t i = 0; i < constraints; ++i)
                for (int k = pattern.row_starts[i + 1]; k < pattern.row_starts[i + 2]; ++k) {
                    rows[k - first_entry] = static_cast<index>(i);
                    columns[k - first_entry] = pattern.columns[static_cast<std::size_t>(k)];
                }
        }
        return true;
    }

    bool eval_h(index, const number* x, bool is_new, number objective_factor, index, const number* lambda, bool, index,
                index* rows, index* columns, number* values) override {
        std::array<double, constraints + 1> weights{};
        std::array<double, lower_half::pattern.size()> entries{};
        if (values) {
            if (is_new) forget(); // other calls at this point are not told that it is new
            weights[0] = objective_factor;
            std::copy(lambda, lambda + constraints, weights.begin() + 1);
            entries = function.sparse_lagrangian_hessian(point(x), weights);
        }
        lower_half::for_each([&](std::size_t i, std::size_t j, std::size_t k) {
            if (values) {
                *values++ = entries[k];
            } else {
                *rows++ = static_cast<index>(i);
                *columns++ = static_cast<index>(j);
            }
        });
        return true;
    }

private:
    static constexpr auto pattern = F::jacobian_sparsity();
    using lower_half = detail::lower_half_of<F>;
    static constexpr int first_entry = pattern.row_starts[1]; // of the constraints: the entries before are the gradient

    static std::span<const double, variables> point(const number* x) {
        return std::span<const double, variables>(x, variables);
    }

    // What Ipopt asks for in several calls at one point is computed once.
    std::optional<std::array<double, constraints + 1>> values_;
    std::optional<std::array<double, pattern.size()>> entries_;

    const auto& values_at(const number* x, bool is_new) {
        if (is_new) forget();
        if (!values_) values_ = detail::values_as_array(function, point(x));
        return *values_;
    }
    const auto& entries_at(const number* x, bool is_new) {
        if (is_new) forget();
        if (!entries_) entries_ = function.sparse_jacobian(point(x));
        return *entries_;
    }
    void forget() {
        values_.reset();
        entries_.reset();
    }
};

/// The nonlinear program of F as Ipopt holds it, with a count of its references.
template <detail::function_of_numbers F>
[[nodiscard]] Ipopt::SmartPtr<ipopt_problem<F>> make_ipopt_problem(const F& f) {
    return new ipopt_problem<F>(f);
}

} // namespace chainrule

#include <chainrule/core/names_end.inc>
