// SPDX-License-Identifier: BSL-1.0
//
// Nonlinear programs for Ipopt whose size is known at run time: ipopt_model is put together from functions of few
// variables, each applied at many places, as the steps of a trajectory are or the links of a chain.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/interop/ipopt.hpp>

#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace chainrule {
namespace detail {

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
    static constexpr auto hessian_pattern = F::lagrangian_hessian_sparsity();
    static constexpr std::size_t lower_half = [] {
        std::size_t count = 0;
        for (std::size_t i = 0; i < inputs; ++i)
            for (int k = hessian_pattern.row_starts[i]; k < hessian_pattern.row_starts[i + 1]; ++k)
                count += hessian_pattern.columns[static_cast<std::size_t>(k)] <= static_cast<int>(i) ? 1U : 0U;
        return count;
    }();

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
    // Calls visit(i, j, k) for the entries of the lower half: row, column, place in sparse_lagrangian_hessian.
    template <class Visit>
    static void each_of_lower_half(const Visit& visit) {
        for (std::size_t i = 0; i < inputs; ++i)
            for (int k = hessian_pattern.row_starts[i]; k < hessian_pattern.row_starts[i + 1]; ++k) {
                const auto j = static_cast<std::size_t>(hessian_pattern.columns[static_cast<std::size_t>(k)]);
                if (j > i) break;
                visit(i, j, static_cast<std::size_t>(k));
            }
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

    std::size_t hessian_entries() const override { return applications_.size() * lower_half; }
    ipopt_entry* hessian_places(ipopt_entry* next) const override {
        for (const application& a : applications_)
            each_of_lower_half([&](std::size_t i, std::size_t j, std::size_t) {
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
            each_of_lower_half([&](std::size_t i, std::size_t j, std::size_t k) {
                // Two inputs at one place: both halves fall on the diagonal.
                const bool folded = i != j && a.places[i] == a.places[j];
                *next++ = folded ? 2.0 * entries[k] : entries[k];
            });
        }
        return next;
    }
};

} // namespace detail

/// A nonlinear program of as many variables as a program likes. minimise(F, places) adds the value of F at the
/// variables with these numbers to the objective; constrain(G, places, lower, upper) bounds each value of G there. Each
/// function is a kernel of its few inputs, with parameters of its own; Ipopt gets exact sparse first and second
/// derivatives. Fill in the start and the bounds of the variables, and pass it to
/// Ipopt::IpoptApplication::OptimizeTNLP. Example: `const auto model = make_ipopt_model(2 * n); model->constrain(link,
/// {0, 1, 2, 3}, 0.0, 0.0);`
class ipopt_model : public Ipopt::TNLP {
    using index = Ipopt::Index;
    using number = Ipopt::Number;

    template <class F>
    using places_of = std::array<std::size_t, detail::shape_of<F>::inputs>;

public:
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    std::vector<double> start, lower, upper;                // of the variables
    std::vector<double> constraint_lower, constraint_upper; // in the order of the calls of constrain

    /// The results: where Ipopt ended, why, the value of the objective there, and the multipliers of the constraints.
    std::vector<double> solution, multipliers;
    double objective = std::numeric_limits<double>::quiet_NaN();
    Ipopt::SolverReturn status = Ipopt::UNASSIGNED;

    explicit ipopt_model(std::size_t variables)
        : start(variables, 0.0), lower(variables, -infinity), upper(variables, infinity) {}

    /// Adds F at the variables with these numbers to the objective.
    template <detail::function_of_numbers F>
    void minimise(const F& f, const places_of<F>& places) {
        static_assert(detail::shape_of<F>::outputs == 1,
                      "minimise: the function has several values; give one that returns the term of the objective");
        check("minimise", places);
        terms_of<F, true>().add(f, places, 0);
    }
    /// The same at consecutive variables, from this one on.
    template <detail::function_of_numbers F>
    void minimise(const F& f, std::size_t first) {
        minimise(f, consecutive<F>(first));
    }
    /// Bounds each value of F at the variables with these numbers; equal bounds make an equality, an infinite bound is
    /// none. Returns the number of the first of these constraints.
    template <detail::function_of_numbers F>
    std::size_t constrain(const F& f, const places_of<F>& places, double least, double greatest) {
        check("constrain", places);
        const std::size_t first_row = constraint_lower.size();
        terms_of<F, false>().add(f, places, first_row);
        constraint_lower.insert(constraint_lower.end(), detail::shape_of<F>::outputs, least);
        constraint_upper.insert(constraint_upper.end(), detail::shape_of<F>::outputs, greatest);
        return first_row;
    }
    /// The same at consecutive variables, from this one on.
    template <detail::function_of_numbers F>
    std::size_t constrain(const F& f, std::size_t first, double least, double greatest) {
        return constrain(f, consecutive<F>(first), least, greatest);
    }

    bool get_nlp_info(index& n, index& m, index& jacobian_entries, index& hessian_entries,
                      IndexStyleEnum& style) override {
        std::size_t entries[2]{};
        for (const auto& terms : terms_) {
            entries[0] += terms->jacobian_entries();
            entries[1] += terms->hessian_entries();
        }
        n = static_cast<index>(start.size());
        m = static_cast<index>(constraint_lower.size());
        jacobian_entries = static_cast<index>(entries[0]);
        hessian_entries = static_cast<index>(entries[1]);
        style = C_STYLE;
        return true;
    }

    bool get_bounds_info(index, number* x_l, number* x_u, index, number* g_l, number* g_u) override {
        std::copy(lower.begin(), lower.end(), x_l);
        std::copy(upper.begin(), upper.end(), x_u);
        std::copy(constraint_lower.begin(), constraint_lower.end(), g_l);
        std::copy(constraint_upper.begin(), constraint_upper.end(), g_u);
        return true;
    }

    bool get_starting_point(index, bool, number* x, bool dual_start, number*, number*, index m, bool multiplier_start,
                            number* lambda) override {
        std::copy(start.begin(), start.end(), x);
        if (multiplier_start) {
            multipliers.resize(static_cast<std::size_t>(m));
            std::copy(multipliers.begin(), multipliers.end(), lambda);
        }
        return !dual_start;
    }

    bool eval_f(index, const number* x, bool, number& value) override {
        value = 0.0;
        for (const auto& terms : terms_) value += terms->objective(x);
        return true;
    }

    bool eval_grad_f(index n, const number* x, bool, number* gradient) override {
        std::fill(gradient, gradient + n, 0.0);
        for (const auto& terms : terms_) terms->add_gradient(x, gradient);
        return true;
    }

    bool eval_g(index, const number* x, bool, index, number* g) override {
        for (const auto& terms : terms_) terms->constraints(x, g);
        return true;
    }

    bool eval_jac_g(index, const number* x, bool, index, index entries, index* rows, index* columns,
                    number* values) override {
        if (values) {
            for (const auto& terms : terms_) values = terms->jacobian(x, values);
        } else {
            std::vector<detail::ipopt_entry> places(static_cast<std::size_t>(entries));
            detail::ipopt_entry* next = places.data();
            for (const auto& terms : terms_) next = terms->jacobian_places(next);
            write(places, rows, columns);
        }
        return true;
    }

    bool eval_h(index, const number* x, bool, number objective_factor, index, const number* lambda, bool, index entries,
                index* rows, index* columns, number* values) override {
        if (values) {
            for (const auto& terms : terms_) values = terms->hessian(x, objective_factor, lambda, values);
        } else {
            std::vector<detail::ipopt_entry> places(static_cast<std::size_t>(entries));
            detail::ipopt_entry* next = places.data();
            for (const auto& terms : terms_) next = terms->hessian_places(next);
            write(places, rows, columns);
        }
        return true;
    }

    void finalize_solution(Ipopt::SolverReturn ended, index n, const number* x, const number*, const number*, index m,
                           const number*, const number* lambda, number value, const Ipopt::IpoptData*,
                           Ipopt::IpoptCalculatedQuantities*) override {
        status = ended;
        solution.assign(x, x + n);
        multipliers.assign(lambda, lambda + m);
        objective = value;
    }

private:
    // In the order in which their types were first used. Ipopt adds entries that have the same place.
    std::vector<std::unique_ptr<detail::ipopt_terms>> terms_;

    template <class F, bool Objective>
    detail::ipopt_terms_of<F, Objective>& terms_of() {
        using type = detail::ipopt_terms_of<F, Objective>;
        for (const auto& stored : terms_)
            if (detail::ipopt_terms& terms = *stored; typeid(terms) == typeid(type)) return static_cast<type&>(terms);
        return static_cast<type&>(*terms_.emplace_back(std::make_unique<type>()));
    }

    template <class F>
    static places_of<F> consecutive(std::size_t first) {
        places_of<F> places;
        std::iota(places.begin(), places.end(), first);
        return places;
    }
    template <class Places>
    void check(const char* call, const Places& places) const {
        for (const std::size_t place : places)
            if (place >= start.size())
                core::raise(std::invalid_argument(std::string(call) + ": the variable number " + std::to_string(place) +
                                                  " is not below the number of variables, " +
                                                  std::to_string(start.size()) +
                                                  "; make_ipopt_model(n) has the variables 0 to n - 1"));
    }
    static void write(const std::vector<detail::ipopt_entry>& places, index* rows, index* columns) {
        for (std::size_t k = 0; k < places.size(); ++k) {
            rows[k] = places[k].row;
            columns[k] = places[k].column;
        }
    }
};

/// A nonlinear program of n variables, yet without objective and constraints, as Ipopt holds it.
[[nodiscard]] inline Ipopt::SmartPtr<ipopt_model> make_ipopt_model(std::size_t variables) {
    return new ipopt_model(variables);
}

} // namespace chainrule

#include <chainrule/core/names_end.inc>
