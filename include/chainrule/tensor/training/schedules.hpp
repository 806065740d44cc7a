// SPDX-License-Identifier: BSL-1.0
//
// Learning-rate schedules: functions of the step number, counted from 0. They have no state, so a training can resume
// at any step.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/core/raise.hpp>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <stdexcept>
#include <string>

namespace chainrule::tensor::training {

/// Throws std::invalid_argument unless the condition holds.
inline void require(bool condition, const char* schedule, const char* fault_and_remedy) {
    if (!condition) core::raise(std::invalid_argument(std::string(schedule) + ": " + fault_and_remedy));
}
/// step / steps, at most 1.
[[nodiscard]] inline double progress(std::size_t step, std::size_t steps) {
    return step >= steps ? 1.0 : static_cast<double>(step) / static_cast<double>(steps);
}
/// Linear interpolation from `first` at 0 to `last` at 1.
[[nodiscard]] inline double along_line(double first, double last, double fraction) {
    return first + (last - first) * fraction;
}
/// From `first` at 0 to `last` at 1 along half a cosine wave, flat at both ends.
[[nodiscard]] inline double along_cosine(double first, double last, double fraction) {
    return last + (first - last) * 0.5 * (1.0 + std::cos(std::numbers::pi * fraction));
}

} // namespace chainrule::tensor::training

/// Learning-rate schedules. Initialise members by name: `schedules::cosine rate{.highest = 0.1, .steps = 1000};`, then
/// call `rate(step)`, which throws std::invalid_argument if the members are inconsistent.
namespace chainrule::tensor::schedules {

/// A constant rate.
struct constant {
    double rate;

    [[nodiscard]] double operator()(std::size_t) const { return rate; }
};

/// first * factor^(step / every), with integer division.
struct step_decay {
    double first;
    double factor = 0.1;
    std::size_t every;

    [[nodiscard]] double operator()(std::size_t step) const {
        training::require(every > 0, "step_decay", "the interval has 0 steps; set .every to 1 or more");
        return first * std::pow(factor, static_cast<double>(step / every));
    }
};

/// first * factor^step.
struct exponential {
    double first;
    double factor;

    [[nodiscard]] double operator()(std::size_t step) const {
        return first * std::pow(factor, static_cast<double>(step));
    }
};

/// first / (1 + decay * step).
struct inverse_time {
    double first;
    double decay;

    [[nodiscard]] double operator()(std::size_t step) const {
        return first / (1.0 + decay * static_cast<double>(step));
    }
};

/// Linear from `first` to `last` over `steps` steps, then `last`.
struct linear {
    double first;
    double last = 0.0;
    std::size_t steps;

    [[nodiscard]] double operator()(std::size_t step) const {
        return training::along_line(first, last, training::progress(step, steps));
    }
};

/// Linear warm-up to `highest` over `warm_up` steps, with no step at rate 0, then down to `last` along half a cosine
/// wave, reached at step `steps`. I. Loshchilov, F. Hutter, "SGDR: stochastic gradient descent with warm restarts",
/// ICLR 2017, equation 5, for one period.
struct cosine {
    double highest;
    double last = 0.0;
    std::size_t steps;
    std::size_t warm_up = 0;

    [[nodiscard]] double operator()(std::size_t step) const {
        training::require(warm_up <= steps, "cosine",
                          "the warm-up is longer than the schedule; set .warm_up to fewer than .steps");
        if (step < warm_up) return highest * static_cast<double>(step + 1) / static_cast<double>(warm_up + 1);
        return training::along_cosine(highest, last, training::progress(step - warm_up, steps - warm_up));
    }
};

/// Up from highest / start_divisor during the fraction `rise` of the steps, then down to highest / end_divisor, each
/// along half a cosine wave. L. N. Smith, N. Topin, "Super-convergence", 2018.
struct one_cycle {
    double highest;
    std::size_t steps;
    double rise = 0.3;
    double start_divisor = 25.0;
    double end_divisor = 250000.0;

    [[nodiscard]] double operator()(std::size_t step) const {
        training::require(rise >= 0.0 && rise <= 1.0, "one_cycle",
                          "the rise is not a fraction of the steps; set .rise between 0 and 1");
        const double at = training::progress(step, steps);
        if (at < rise) return training::along_cosine(highest / start_divisor, highest, at / rise);
        return training::along_cosine(highest, highest / end_divisor, rise < 1.0 ? (at - rise) / (1.0 - rise) : 1.0);
    }
};

} // namespace chainrule::tensor::schedules

#include <chainrule/core/names_end.inc>
