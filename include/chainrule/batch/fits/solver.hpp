// SPDX-License-Identifier: BSL-1.0
//
// The method of Levenberg and Marquardt in SIMD lanes, for fits (batch/fits/fits.hpp): one fit per lane, each of which
// ends independently.
#pragma once

#include <chainrule/batch/data/arguments.hpp>
#include <chainrule/batch/fits/data.hpp>
#include <chainrule/batch/fits/results.hpp>
#include <chainrule/batch/lanes/lane_algebra.hpp>
#include <chainrule/batch/residuals.hpp>
#include <chainrule/batch/roots/solve_options.hpp>
#include <chainrule/core/is_finite.hpp>

#include <cmath>
#include <cstring>
#include <limits>

namespace chainrule::batches {

/// A solver of fits, with a fit in each lane. When one ends, the next takes its lane. The method is that of Marquardt
/// (1963) with the scaling of More (1978) and the damping of Nielsen (1999), as in Madsen, Nielsen and Tingleff,
/// "Methods for non-linear least squares problems" (2004), algorithm 3.16.
template <class Row, class Data, class Options, class Start, class T>
class fitting {
    static constexpr std::size_t size = std::size_t{Row::wrt::size}, per_point = std::size_t{Row::expressions::size};
    static constexpr unsigned wanted = request::values | request::jacobians;
    using L = widest<T>;
    static constexpr std::size_t lanes = lane_count<L>, columns = Data::columns, triangle = size * (size + 1) / 2;
    using form = squares<per_point, size>;
    using runner = split_runner<typename Row::template code<wanted>::program, Row>;
    using numbers_type = decltype(kernel::numbers_of<L>(std::declval<const typename Row::vector&>()));

public:
    using results = fit_results<T, size>;
    /// Numbers of memory that a solver needs for its data.
    static std::size_t memory(const Data& data) { return data.points * columns * lanes; }

    fitting(const Row& row, const Data& data, const Start& start, const std::array<T, Row::shared>& shared,
            const fit_options& options, T* memory, results& to, bool covariances)
        : data_(data), start_(start), numbers_(kernel::numbers_of<L>(row.f)), memory_(memory), to_(to),
          covariances_(covariances), most_(static_cast<T>(options.iterations < 1 ? 1 : options.iterations)),
          first_damping_(static_cast<T>(options.damping)) {
        const T given = static_cast<T>(options.tolerance), usual = sizeof(T) == 4 ? T(1e-5) : T(1e-10);
        tolerance_ = given > T(0) ? given : usual;
        for (std::size_t k = 0; k < Row::shared; ++k) trial_[k] = L(shared[k]);
    }

    /// Solves the fits from `first` to `end`.
    void solve(std::size_t first, std::size_t end) {
        if (first == end) return;
        std::size_t next = first, busy = 0;
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            // Lanes without a fit repeat the last: they raise no exceptions of their own.
            begin(lane, next < end ? next : end - 1);
            in_lane_[lane] = next < end ? next : none;
            if (next < end) ++next, ++busy;
        }
        while (busy != 0) {
            evaluate();
            if (!any_of(take_step())) continue;
            const auto ended = to_array(ended_);
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                if (!(ended.values[lane] >= T(0)) || in_lane_[lane] == none) continue;
                write(lane, static_cast<fit_status>(static_cast<int>(ended.values[lane])));
                if (next < end)
                    begin(lane, in_lane_[lane] = next++);
                else
                    in_lane_[lane] = none, --busy;
            }
        }
    }

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    const Data& data_;
    const Start& start_;
    const numbers_type numbers_;
    T* const memory_;
    results& to_;
    const bool covariances_;
    const T most_, first_damping_;
    T tolerance_;

    std::size_t in_lane_[lanes];
    L trial_[Row::shared];      // the parameters at which residuals are evaluated, then what given() bound
    L best_[size], step_[size]; // where the trial is a step from
    L scales_[size];            // the squares of Marquardt's scales: the largest diagonal so far
    L sums_[form::terms + 1];   // at the trial: half the squares, J^T r, J^T J; and the number of residuals
    L kept_[form::terms + 1];   // the same at best_
    L damping_, growth_, predicted_, last_length_, iterations_, ended_;

    static void put(L& lanes_of, std::size_t lane, T number) {
        std::memcpy(reinterpret_cast<unsigned char*>(&lanes_of) + lane * sizeof(T), &number, sizeof number);
    }
    [[nodiscard]] static T get(const L& lanes_of, std::size_t lane) { return to_array(lanes_of).values[lane]; }

    void begin(std::size_t lane, std::size_t fit) {
        data_.copy(fit, memory_ + lane, lanes);
        for (std::size_t j = 0; j < size; ++j) {
            const T from = start_.number(j, fit);
            put(trial_[j], lane, from);
            put(best_[j], lane, from);
            put(step_[j], lane, T(0));
            put(scales_[j], lane, T(0));
        }
        for (L& each : kept_) put(each, lane, T(0));
        put(kept_[0], lane, std::numeric_limits<T>::infinity());
        put(damping_, lane, first_damping_);
        put(growth_, lane, T(2));
        put(predicted_, lane, T(0));
        put(last_length_, lane, std::numeric_limits<T>::infinity());
        put(iterations_, lane, T(0));
    }

    // Adds the terms of all points at the trials. The only instance of the kernel.
    [[gnu::noinline]] void evaluate() {
        L sums[form::terms + 1], shared[Row::shared];
        for_each_index<form::terms + 1>([&](std::size_t k) __attribute__((always_inline)) { sums[k] = L(0); });
        for_each_index<Row::shared>([&](std::size_t k) __attribute__((always_inline)) { shared[k] = trial_[k]; });
        typename runner::template shared_slots<L> slots;
        runner::prepare(slots, inputs_of_row<Row, L>{shared, nullptr}, numbers_);
        const T* from = memory_;
        for (std::size_t i = 0; i < data_.points; ++i) {
            L point[columns], output[form::outputs], terms[form::terms];
            for_each_index<columns>([&](std::size_t c)
                                        __attribute__((always_inline)) { point[c] = load<L>(from + c * lanes); });
            from += columns * lanes;
            L* const first = output;
            runner::template run<L>(slots, inputs_of_row<Row, L>{shared, point}, numbers_, first);
            form::form(terms, output);
            L counted = L(T(per_point));
            if constexpr (Options::weight >= 0)
                for_each_index<form::terms>([&](std::size_t k) __attribute__((always_inline)) {
                    terms[k] = terms[k] * point[Options::weight];
                });
            if constexpr (Options::mask >= 0) {
                const auto valid = point[Options::mask] != L(0);
                for_each_index<form::terms>(
                    [&](std::size_t k) __attribute__((always_inline)) { terms[k] = select(valid, terms[k], L(0)); });
                counted = select(valid, counted, L(0));
            }
            for_each_index<form::terms>([&](std::size_t k)
                                            __attribute__((always_inline)) { sums[k] = sums[k] + terms[k]; });
            sums[form::terms] = sums[form::terms] + counted;
        }
        for_each_index<form::terms + 1>([&](std::size_t k) __attribute__((always_inline)) { sums_[k] = sums[k]; });
    }

    static constexpr std::size_t diagonal(std::size_t j) { return 1 + size + triangle_place<size>(j, j); }

    // Judges the trials and takes the next step from the best parameters. Returns which fits have ended.
    [[gnu::noinline]] auto take_step() {
        constexpr T infinite = std::numeric_limits<T>::infinity();
        iterations_ = iterations_ + L(1);
        auto finite = core::is_finite(sums_[0]);
        for (std::size_t k = 1; k < form::terms; ++k) finite = finite & core::is_finite(sums_[k]);
        const auto fresh = iterations_ == L(1);

        // Close to the minimum the squares cannot tell whether a step is good, since rounding changes them more than
        // the step does. It is taken for good, and the search ends when steps no longer shrink. epsilon^(2/3) is well
        // above the rounding of most sums.
        constexpr T rounding = sizeof(T) == 4 ? T(2.4e-5) : T(3.7e-11);
        const L least = L(rounding) * kept_[0], gain = kept_[0] - sums_[0];
        const auto below_rounding = (predicted_ <= least) & (magnitude(gain) <= L(T(4)) * least);
        const auto better = finite & (fresh | (gain > L(0)) | below_rounding);
        const L ratio = select(below_rounding, L(1), gain / predicted_), twice = ratio + ratio - L(1);
        const L cube = L(1) - twice * twice * twice, third = L(T(1) / T(3));
        const L factor = select(cube > third, cube, third);
        damping_ = select(fresh, damping_, select(better, damping_ * factor, damping_ * growth_));
        growth_ = select(better, L(2), growth_ + growth_);

        L length = L(0), whole = L(0);
        for (std::size_t j = 0; j < size; ++j) {
            length = length + scales_[j] * step_[j] * step_[j];
            best_[j] = select(better, trial_[j], best_[j]);
            whole = whole + scales_[j] * best_[j] * best_[j];
        }
        for (std::size_t k = 0; k <= form::terms; ++k) kept_[k] = select(better, sums_[k], kept_[k]);
        for (std::size_t j = 0; j < size; ++j)
            scales_[j] = select(scales_[j] < kept_[diagonal(j)], kept_[diagonal(j)], scales_[j]);

        const auto small =
            ((length <= L(tolerance_ * tolerance_) * whole) | (below_rounding & (length >= last_length_))) & !fresh;
        last_length_ = select(below_rounding, length, L(infinite));
        auto flat = kept_[0] == kept_[0];
        for (std::size_t j = 0; j < size; ++j) flat = flat & (kept_[1 + j] == L(0));

        const auto status = [](fit_status s) { return L(static_cast<T>(static_cast<int>(s))); };
        ended_ = select(iterations_ < L(most_), L(-1), status(fit_status::no_convergence));
        ended_ = select(small, status(fit_status::no_convergence), ended_);
        ended_ = select(small & better, status(fit_status::converged), ended_);
        ended_ = select(flat & better, status(fit_status::converged), ended_);
        ended_ = select(fresh & !finite, status(fit_status::not_finite), ended_);

        // (J^T J + damping * scales) step = -J^T r.
        L matrix[triangle], right[size];
        for (std::size_t k = 0; k < triangle; ++k) matrix[k] = kept_[1 + size + k];
        for (std::size_t j = 0; j < size; ++j) {
            const L scale = select(scales_[j] > L(0), scales_[j], L(1));
            L& entry = matrix[triangle_place<size>(j, j)];
            entry = entry + damping_ * scale;
            right[j] = -kept_[1 + j];
        }
        solve_positive<size>(matrix, right);
        L predicted = L(0);
        for (std::size_t j = 0; j < size; ++j) {
            step_[j] = right[j];
            trial_[j] = best_[j] + right[j];
            predicted = predicted + right[j] * (damping_ * scales_[j] * right[j] - kept_[1 + j]);
        }
        predicted_ = L(T(0.5)) * predicted;
        return ended_ >= L(0);
    }

    void write(std::size_t lane, fit_status status) {
        T parameters[size];
        for (std::size_t j = 0; j < size; ++j) parameters[j] = get(best_[j], lane);
        const T squares = get(kept_[0], lane);
        const auto count = static_cast<std::size_t>(get(kept_[form::terms], lane));
        to_.note(in_lane_[lane], parameters, {squares, static_cast<int>(get(iterations_, lane)), count, status});
        if (covariances_) write_covariance(lane, squares, count);
    }
    [[gnu::noinline]] void write_covariance(std::size_t lane, T squares, std::size_t count) {
        T* const to = to_.covariance_of(in_lane_[lane]);
        const T variance = 2 * squares / (static_cast<T>(count) - static_cast<T>(size));
        // Scaled to a diagonal of ones, and solved for each column of the inverse.
        T scale[size];
        for (std::size_t j = 0; j < size; ++j) scale[j] = std::sqrt(get(kept_[diagonal(j)], lane));
        for (std::size_t i = 0; i < size; ++i) {
            T matrix[triangle], column[size] = {};
            for (std::size_t a = 0; a < size; ++a)
                for (std::size_t b = a; b < size; ++b) {
                    const std::size_t at = triangle_place<size>(a, b);
                    matrix[at] = get(kept_[1 + size + at], lane) / (scale[a] * scale[b]);
                }
            column[i] = 1;
            solve_positive<size>(matrix, column);
            for (std::size_t j = 0; j < size; ++j) to[i * size + j] = variance * column[j] / (scale[i] * scale[j]);
        }
    }
};

} // namespace chainrule::batches
