// SPDX-License-Identifier: BSL-1.0
//
// The roots of many problems, and how the searches for them ended (batch/roots/roots.hpp).
#pragma once

#include <chainrule/algebra/root_status.hpp>
#include <chainrule/batch/data/results.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace chainrule {

/// How the searches for the roots of many problems ended.
template <class T>
class root_outcomes {
public:
    explicit root_outcomes(std::size_t problems) : ends_(problems), residuals_(problems) {}

    /// The number of problems.
    [[nodiscard]] std::size_t size() const { return ends_.size(); }
    /// Why the search for a root ended.
    [[nodiscard]] root_status status(std::size_t problem) const {
        return static_cast<root_status>(ends_[problem].status);
    }
    /// Whether the root of a problem was found.
    [[nodiscard]] bool converged(std::size_t problem) const { return status(problem) == root_status::converged; }
    /// The number of evaluations.
    [[nodiscard]] int iterations(std::size_t problem) const { return static_cast<int>(ends_[problem].iterations); }
    /// The largest |g| at the last evaluation, which is one step before the root.
    [[nodiscard]] T residual(std::size_t problem) const { return residuals_[problem]; }
    /// How many searches ended so.
    [[nodiscard]] std::size_t count(root_status how) const {
        std::size_t all = 0;
        for (std::size_t i = 0; i < size(); ++i) all += status(i) == how ? 1u : 0u;
        return all;
    }
    /// Whether the roots of all problems were found.
    [[nodiscard]] bool all_converged() const { return count(root_status::converged) == size(); }

    /// For the search: notes how a problem ended.
    void note(std::size_t problem, root_status status, int iterations, T residual) {
        ends_[problem] = {static_cast<std::uint32_t>(status) & 3u,
                          static_cast<std::uint32_t>(iterations) & 0x3fffffffu};
        residuals_[problem] = residual;
    }

private:
    struct end {
        std::uint32_t status : 2, iterations : 30;
    };
    std::vector<end> ends_;
    std::vector<T> residuals_;
};

/// The roots of many problems, and how the searches ended: roots(i), or roots(i, j) for unknown j of problem i.
template <class T, std::size_t... Shape>
struct batch_roots : root_outcomes<T> {
    /// Last iterates where a search failed.
    batch_result<T, Shape...> values;

    explicit batch_roots(std::size_t problems) : root_outcomes<T>(problems), values(problems) {}
    /// The root of a problem, or one unknown of it.
    template <class... Index>
    [[nodiscard]] const T& operator()(std::size_t problem, Index... unknown) const {
        return values(problem, unknown...);
    }
    /// An unknown of all problems.
    template <class... Index>
    [[nodiscard]] auto column(Index... unknown) const {
        return values.column(unknown...);
    }
};

} // namespace chainrule
