// SPDX-License-Identifier: BSL-1.0
//
// The results of fits: the parameters of each, how it ended, and covariances.
#pragma once

#include <chainrule/batch/data/bad_data.hpp>
#include <chainrule/batch/data/results.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace chainrule {

/// The outcome of a fit.
enum class fit_status : std::uint8_t {
    converged,      ///< the last step, or what it gained, was small
    not_finite,     ///< residuals or their derivatives are infinite or NaN at the start
    no_convergence, ///< more evaluations than fit_options allow, or no step lowers the sum of squares
};

/// The fits of many data sets: result(i, j) is parameter j of fit i.
template <class T, std::size_t Size>
class fit_results {
public:
    fit_results(std::size_t fits, bool covariances)
        : values(fits), ends_(fits), covariances_(covariances ? fits * Size * Size : 0) {}

    /// The parameters; the best that were found where a fit failed.
    batch_result<T, Size> values;

    /// The number of fits.
    [[nodiscard]] std::size_t size() const { return ends_.size(); }
    /// A parameter of one fit.
    [[nodiscard]] const T& operator()(std::size_t fit, std::size_t parameter) const { return values(fit, parameter); }
    /// A parameter of all fits.
    [[nodiscard]] auto column(std::size_t parameter) const { return values.column(parameter); }
    /// Half the (weighted) sum of the squared residuals.
    [[nodiscard]] T half_squares(std::size_t fit) const { return ends_[fit].half_squares; }
    /// Why a fit ended.
    [[nodiscard]] fit_status status(std::size_t fit) const { return ends_[fit].status; }
    /// Whether a fit converged.
    [[nodiscard]] bool converged(std::size_t fit) const { return status(fit) == fit_status::converged; }
    /// The number of evaluations of all residuals and their Jacobian.
    [[nodiscard]] int iterations(std::size_t fit) const { return ends_[fit].iterations; }
    /// The number of residuals that are not masked; 0 of a fit with status not_finite.
    [[nodiscard]] std::size_t residuals(std::size_t fit) const { return ends_[fit].residuals; }
    /// The number of fits with this status.
    [[nodiscard]] std::size_t count(fit_status how) const {
        std::size_t all = 0;
        for (const end& each : ends_) all += each.status == how ? 1u : 0u;
        return all;
    }
    /// Whether every fit converged.
    [[nodiscard]] bool all_converged() const { return count(fit_status::converged) == size(); }
    /// The estimated covariance of two parameters, s^2 (J^T J)^-1, if with_covariance was an argument: s^2 is the sum
    /// of squares divided by the number of residuals less that of parameters. NaN where J^T J is singular.
    [[nodiscard]] T covariance(std::size_t fit, std::size_t i, std::size_t j) const {
        if (covariances_.empty())
            core::raise(
                bad_data() << "fits: covariances were not computed; pass with_covariance to levenberg_marquardt");
        return covariances_[(fit * Size + i) * Size + j];
    }

    /// For the solver: the half_squares, iterations, residuals and status of one fit.
    struct end {
        T half_squares;
        int iterations;
        std::size_t residuals;
        fit_status status;
    };
    /// For the solver: sets the results of a fit.
    void note(std::size_t fit, const T* parameters, const end& how) {
        for (std::size_t j = 0; j < Size; ++j) {
            const auto to = values.table();
            to.first[static_cast<std::ptrdiff_t>(j) * to.variable_stride + static_cast<std::ptrdiff_t>(fit)] =
                parameters[j];
        }
        ends_[fit] = how;
    }
    /// For the solver: the place of the covariances of a fit, row by row.
    [[nodiscard]] T* covariance_of(std::size_t fit) { return covariances_.data() + fit * Size * Size; }

private:
    std::vector<end> ends_;
    std::vector<T> covariances_;
};

} // namespace chainrule
