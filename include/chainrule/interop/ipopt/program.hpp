// SPDX-License-Identifier: BSL-1.0
//
// What all nonlinear programs for Ipopt have: their start, bounds and results, and the lower halves of Hessians.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/entry/points.hpp>
#include <chainrule/interop/shape.hpp>

// Ipopt's headers ask for this macro, which pkg-config sets.
#if !defined(HAVE_CSTDDEF)
#define HAVE_CSTDDEF
#endif
#if __has_include(<IpTNLP.hpp>)
#include <IpTNLP.hpp>
#elif __has_include(<coin-or/IpTNLP.hpp>)
#include <coin-or/IpTNLP.hpp>
#else
#include <coin/IpTNLP.hpp>
#endif

#include <algorithm>
#include <cstddef>
#include <limits>

namespace chainrule::detail {

/// A list of another length than the program has. Ipopt catches its own exceptions, prints their sentence and returns
/// Unrecoverable_Exception; of others it prints that there was one.
class wrong_ipopt_list : public wrong_size, public Ipopt::TNLP::INVALID_TNLP {
public:
    explicit wrong_ipopt_list(const char* sentence)
        : wrong_size(sentence), INVALID_TNLP(sentence, "chainrule/interop/ipopt/program.hpp", __LINE__) {}
};

/// A nonlinear program without its functions. Its lists are arrays, or vectors where their lengths are known at run
/// time.
template <class OfVariables, class OfConstraints, class Solution = OfVariables>
class ipopt_program : public Ipopt::TNLP {
public:
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    OfVariables start, lower, upper;
    OfConstraints constraint_lower, constraint_upper;

    /// The results: where Ipopt ended, why, the value of the objective there, and the multipliers of the constraints.
    Solution solution{};
    OfConstraints multipliers{};
    double objective = std::numeric_limits<double>::quiet_NaN();
    Ipopt::SolverReturn status = Ipopt::UNASSIGNED;

    bool get_bounds_info(Ipopt::Index n, Ipopt::Number* x_l, Ipopt::Number* x_u, Ipopt::Index m, Ipopt::Number* g_l,
                         Ipopt::Number* g_u) override {
        begin_run(n, m);
        std::copy(lower.begin(), lower.end(), x_l);
        std::copy(upper.begin(), upper.end(), x_u);
        std::copy(constraint_lower.begin(), constraint_lower.end(), g_l);
        std::copy(constraint_upper.begin(), constraint_upper.end(), g_u);
        return true;
    }

    bool get_starting_point(Ipopt::Index n, bool, Ipopt::Number* x, bool dual_start, Ipopt::Number*, Ipopt::Number*,
                            Ipopt::Index m, bool multiplier_start, Ipopt::Number* lambda) override {
        begin_run(n, m);
        if (multiplier_start && !multipliers.empty())
            check_length(multipliers, m,
                         "ipopt_model: the multipliers to start from are not one per constraint; give as many, or "
                         "none for zeros");
        std::copy(start.begin(), start.end(), x);
        if (multiplier_start) {
            resize(multipliers, m);
            std::copy(multipliers.begin(), multipliers.end(), lambda);
        }
        return !dual_start;
    }

    void finalize_solution(Ipopt::SolverReturn ended, Ipopt::Index n, const Ipopt::Number* x, const Ipopt::Number*,
                           const Ipopt::Number*, Ipopt::Index m, const Ipopt::Number*, const Ipopt::Number* lambda,
                           Ipopt::Number value, const Ipopt::IpoptData*, Ipopt::IpoptCalculatedQuantities*) override {
        status = ended;
        resize(solution, n);
        std::copy_n(x, solution.size(), solution.begin());
        resize(multipliers, m);
        std::copy_n(lambda, multipliers.size(), multipliers.begin());
        objective = value;
    }

protected:
    ipopt_program(std::size_t variables, std::size_t constraints)
        : start(filled<OfVariables>(variables, 0.0)), lower(filled<OfVariables>(variables, -infinity)),
          upper(filled<OfVariables>(variables, infinity)), constraint_lower(filled<OfConstraints>(constraints, 0.0)),
          constraint_upper(filled<OfConstraints>(constraints, 0.0)) {}

    /// Forgets how the run before ended, as Ipopt may stop before it calls finalize_solution(). Refuses lists that do
    /// not have one number per variable or constraint. Ipopt's own arrays have: a longer list would be written past
    /// their ends, and a shorter one would leave numbers that are not set.
    void begin_run(Ipopt::Index n, Ipopt::Index m) {
        status = Ipopt::UNASSIGNED;
        objective = std::numeric_limits<double>::quiet_NaN();
        for (const OfVariables* list : {&start, &lower, &upper})
            check_length(*list, n,
                         "ipopt_model: start, lower or upper does not have one number per variable; give each of them "
                         "n numbers, as in make_ipopt_model(n)");
        for (const OfConstraints* list : {&constraint_lower, &constraint_upper})
            check_length(*list, m,
                         "ipopt_model: constraint_lower or constraint_upper does not have one number per constraint; "
                         "constrain(...) gives them their numbers, change only these");
    }

private:
    template <class List>
    static void check_length(const List& list, Ipopt::Index size, const char* sentence) {
        if (list.size() != static_cast<std::size_t>(size)) core::raise(wrong_ipopt_list(sentence));
    }
    template <class List>
    static void resize([[maybe_unused]] List& list, [[maybe_unused]] Ipopt::Index size) {
        if constexpr (requires { list.resize(std::size_t{}); }) list.resize(static_cast<std::size_t>(size));
    }
    template <class List>
    static List filled(std::size_t size, double value) {
        List list{};
        resize(list, static_cast<Ipopt::Index>(size));
        std::fill(list.begin(), list.end(), value);
        return list;
    }
};

/// The lower half of the Hessian of a weighted sum of F's values, which is the half that Ipopt takes.
template <class F>
struct lower_half_of {
    static constexpr auto pattern = F::lagrangian_hessian_sparsity();

    /// Calls visit(i, j, k) for its entries: row, column, place in sparse_lagrangian_hessian.
    template <class Visit>
    static constexpr void for_each(const Visit& visit) {
        for (std::size_t i = 0; i < shape_of<F>::inputs; ++i)
            for (int k = pattern.row_starts[i]; k < pattern.row_starts[i + 1]; ++k) {
                const auto j = static_cast<std::size_t>(pattern.columns[static_cast<std::size_t>(k)]);
                if (j > i) break;
                visit(i, j, static_cast<std::size_t>(k));
            }
    }
    static constexpr std::size_t entries = [] {
        std::size_t count = 0;
        for_each([&](std::size_t, std::size_t, std::size_t) { ++count; });
        return count;
    }();
};

} // namespace chainrule::detail
