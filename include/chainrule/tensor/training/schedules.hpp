// SPDX-License-Identifier: BSL-1.0
//
// Learning rates by step. A schedule is a function of the number of the step, counted from 0: one of these, or any
// function of yours. They have no state, so a training can be taken up again anywhere.
#pragma once

#include <chainrule/core/raise.hpp>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <stdexcept>
#include <string>

namespace chainrule::tensor::training {

/// Throws where a schedule is not one.
inline void require(bool condition, const char* schedule, const char* fault_and_remedy) {
    if (!condition) raise(std::invalid_argument(std::string(schedule) + ": " + fault_and_remedy));
}
/// How far step is between 0 and steps, at most 1.
[[nodiscard]] inline double progress(std::size_t step, std::size_t steps) {
    return step >= steps ? 1.0 : static_cast<double>(step) / static_cast<double>(steps);
}
/// From `first` at 0 to `last` at 1 along a straight line.
[[nodiscard]] inline double along_line(double first, double last, double fraction) {
    return first + (last - first) * fraction;
}
/// From `first` at 0 to `last` at 1 along half a cosine wave, level at both ends.
[[nodiscard]] inline double along_cosine(double first, double last, double fraction) {
    return last + (first - last) * 0.5 * (1.0 + std::cos(std::numbers::pi * fraction));
}

} // namespace chainrule::tensor::training

/// Learning-rate schedules. Members are given by name: `schedules::cosine rate{.highest = 0.1, .steps = 1000};` and
/// then `rate(step)`. A call throws std::invalid_argument where the members make no schedule.
namespace chainrule::tensor::schedules {

/// The same rate always.
struct constant {
    double rate;

    [[nodiscard]] double operator()(std::size_t) const { return rate; }
};

/// first, multiplied by `factor` at every `every`-th step.
struct step_decay {
    double first;
    double factor = 0.1;
    std::size_t every;

    [[nodiscard]] double operator()(std::size_t step) const {
        training::require(every > 0, "step_decay",
                          "there is no 0th step to change the rate at; set .every to 1 or more");
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

/// From `first` to `last` in a straight line over so many steps, then `last`.
struct linear {
    double first;
    double last = 0.0;
    std::size_t steps;

    [[nodiscard]] double operator()(std::size_t step) const {
        return training::along_line(first, last, training::progress(step, steps));
    }
};

/// Up to `highest` in a straight line over `warm_up` steps, so that step warm_up has it and no step has 0, then down to
/// `last` along half a cosine wave, which is reached at step `steps`. I. Loshchilov, F. Hutter, "SGDR: stochastic
/// gradient descent with warm restarts", ICLR 2017, equation 5, for one period.
struct cosine {
    double highest;
    double last = 0.0;
    std::size_t steps;
    std::size_t warm_up = 0;

    [[nodiscard]] double operator()(std::size_t step) const {
        training::require(warm_up <= steps, "cosine",
                          "the warm-up has more steps than the whole; set .warm_up to fewer than .steps");
        if (step < warm_up) return highest * static_cast<double>(step + 1) / static_cast<double>(warm_up + 1);
        return training::along_cosine(highest, last, training::progress(step - warm_up, steps - warm_up));
    }
};

/// Up from highest / start_divisor over the first `rise` of all steps and down to highest / end_divisor over the rest,
/// both along half a cosine wave. L. N. Smith, N. Topin, "Super-convergence", 2018.
struct one_cycle {
    double highest;
    std::size_t steps;
    double rise = 0.3;
    double start_divisor = 25.0;
    double end_divisor = 250000.0;

    [[nodiscard]] double operator()(std::size_t step) const {
        training::require(rise >= 0.0 && rise <= 1.0, "one_cycle",
                          "the rise is no part of the steps; set .rise between 0 and 1");
        const double at = training::progress(step, steps);
        if (at < rise) return training::along_cosine(highest / start_divisor, highest, at / rise);
        return training::along_cosine(highest, highest / end_divisor, rise < 1.0 ? (at - rise) / (1.0 - rise) : 1.0);
    }
};

} // namespace chainrule::tensor::schedules
