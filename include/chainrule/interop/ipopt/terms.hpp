// SPDX-License-Identifier: BSL-1.0
//
// The terms of a nonlinear program for Ipopt: functions of few variables, each applied at many places.
#pragma once

#include <chainrule/interop/ipopt/program.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace chainrule::detail {

// One entry of a sparse matrix in Ipopt's order: where it stands.
struct ipopt_entry {
    Ipopt::Index row, column;
};

// The applications of functions of one type.
class ipopt_terms {
public:
    virtual ~ipopt_terms() = default;
    virtual double objective(const double* x) const = 0;
    virtual void add_gradient(const double* x, double* gradient) const = 0;
    virtual void constraints(const double* x, double* values) const = 0;
    // Each writes its entries from `next` on and returns where it stops.
    virtual ipopt_entry* jacobian_places(ipopt_entry* next) const = 0;
    virtual double* jacobian(const double* x, double* next) const = 0;
    virtual ipopt_entry* hessian_places(ipopt_entry* next) const = 0;
    virtual double* hessian(const double* x, double factor, const double* multipliers, double* next) const = 0;
    virtual std::size_t jacobian_entries() const = 0;
    virtual std::size_t hessian_entries() const = 0;
};

// Of the objective, or of the constraints.
template <function_of_numbers F, bool Objective>
class ipopt_terms_of final : public ipopt_terms {
    static constexpr std::size_t inputs = shape_of<F>::inputs, outputs = shape_of<F>::outputs;
    static constexpr auto pattern = F::jacobian_sparsity();
    using lower_half = lower_half_of<F>;

    struct application {
        std::array<std::size_t, inputs> places;
        std::size_t first_row;
        [[no_unique_address]] F function;
    };
    std::vector<application> applications_;

    static std::array<double, inputs> point(const application& a, const double* x) {
        std::array<double, inputs> result;
        for (std::size_t j = 0; j < inputs; ++j) result[j] = x[a.places[j]];
        return result;
    }

public:
    void add(const F& f, const std::array<std::size_t, inputs>& places, std::size_t first_row) {
        applications_.push_back({places, first_row, f});
    }

    double objective(const double* x) const override {
        double sum = 0.0;
        if constexpr (Objective)
            for (const application& a : applications_) sum += values_as_array(a.function, point(a, x))[0];
        return sum;
    }
    void add_gradient(const double* x, double* gradient) const override {
        if constexpr (Objective)
            for (const application& a : applications_) {
                const auto entries = a.function.sparse_jacobian(point(a, x));
                for (std::size_t k = 0; k < entries.size(); ++k)
                    gradient[a.places[static_cast<std::size_t>(pattern.columns[k])]] += entries[k];
            }
    }
    void constraints(const double* x, double* values) const override {
        if constexpr (!Objective)
            for (const application& a : applications_) {
                const auto at = values_as_array(a.function, point(a, x));
                std::copy(at.begin(), at.end(), values + a.first_row);
            }
    }

    std::size_t jacobian_entries() const override { return Objective ? 0 : applications_.size() * pattern.size(); }
    ipopt_entry* jacobian_places(ipopt_entry* next) const override {
        if constexpr (!Objective)
            for (const application& a : applications_)
                for (std::size_t i = 0; i < outputs; ++i)
                    for (int k = pattern.row_starts[i]; k < pattern.row_starts[i + 1]; ++k) {
                        const auto column = static_cast<std::size_t>(pattern.columns[static_cast<std::size_t>(k)]);
                        *next++ = {static_cast<Ipopt::Index>(a.first_row + i),
                                   static_cast<Ipopt::Index>(a.places[column])};
                    }
        return next;
    }
    double* jacobian(const double* x, double* next) const override {
        if constexpr (!Objective)
            for (const application& a : applications_) {
                const auto entries = a.function.sparse_jacobian(point(a, x));
                next = std::copy(entries.begin(), entries.end(), next);
            }
        return next;
    }

    std::size_t hessian_entries() const override { return applications_.size() * lower_half::entries; }
    ipopt_entry* hessian_places(ipopt_entry* next) const override {
        for (const application& a : applications_)
            lower_half::for_each([&](std::size_t i, std::size_t j, std::size_t) {
                const auto [column, row] = std::minmax(a.places[i], a.places[j]);
                *next++ = {static_cast<Ipopt::Index>(row), static_cast<Ipopt::Index>(column)};
            });
        return next;
    }
    double* hessian(const double* x, double factor, const double* multipliers, double* next) const override {
        for (const application& a : applications_) {
            std::array<double, outputs> weights{};
            if constexpr (Objective)
                weights[0] = factor;
            else
                std::copy(multipliers + a.first_row, multipliers + a.first_row + outputs, weights.begin());
            const auto entries = a.function.sparse_lagrangian_hessian(point(a, x), weights);
            lower_half::for_each([&](std::size_t i, std::size_t j, std::size_t k) {
                // Two inputs at one place: both halves fall on the diagonal.
                const bool folded = i != j && a.places[i] == a.places[j];
                *next++ = folded ? 2.0 * entries[k] : entries[k];
            });
        }
        return next;
    }
};

} // namespace chainrule::detail
