// SPDX-License-Identifier: BSL-1.0
//
// The memory in which a program is replayed, and the sweeps over it: values, tangents and adjoints, second derivatives,
// and values and adjoints at several points at once.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/tape/recording/text_of_value.hpp>
#include <chainrule/tape/replay/program.hpp>
#include <chainrule/tape/replay/taylor.hpp>

#include <memory>
#include <stdexcept>
#include <string>

namespace chainrule::tape {

/// A comparison, or a number read by value(), came out otherwise than when the function was recorded, so the recording
/// does not hold at the point.
class comparison_changed : public std::runtime_error {
public:
    comparison_changed(const std::string& sentence, std::size_t number, std::size_t at)
        : std::runtime_error(sentence), comparison(number), point(at) {}

    std::size_t comparison; ///< which one, in the order of recording, counted from 1
    std::size_t point;      ///< the row of the point among several; 0 for one
};

namespace replays {

template <class T>
class memory {
public:
    explicit memory(std::shared_ptr<const program<T>> what) : program_(std::move(what)) { prepare(values_); }

    /// Throws std::logic_error if the recording was moved from.
    [[nodiscard]] const program<T>& what() const {
        if (program_ == nullptr) [[unlikely]]
            report_moved_from();
        return *program_;
    }
    /// Where the inputs are before run().
    [[nodiscard]] T* inputs() { return values_.data(); }
    [[nodiscard]] const T& output(std::size_t i) const { return values_[program_->outputs[i]]; }
    [[nodiscard]] const T& value(slot s) const { return values_[s]; }

    /// Computes all values. False if what the program read has changed.
    [[nodiscard]] bool run_values() {
        replays::run_stream<T>(program_->forwards, values_.data(), [this](slot i) {
            const run<T>& r = program_->runs[i];
            r.what->values(r, program_->slots.data(), values_.data());
        });
        bool same = true;
        for (const reading<T>& r : program_->readings) same = same && same_number(values_[r.of], r.found);
        return same;
    }
    /// Throws comparison_changed after run_values() has returned false.
    [[noreturn, gnu::noinline]] void report_change() const {
        report_change([this](slot s) { return values_[s]; }, 0, "here");
    }

    /// The adjoints of all inputs, from those of the outputs.
    template <class Weight>
    const T* sweep(Weight weight) {
        const program<T>& p = *program_;
        adjoints_.resize(p.adjoints); // zeros, as every sweep leaves them behind the inputs
        discard_unless_done guard{adjoints_};
        std::fill_n(adjoints_.begin(), p.inputs + 1, T(0));
        for (std::size_t i = 0; i < p.outputs.size(); ++i) {
            T& adjoint = adjoints_[p.output_adjoints[i]];
            adjoint = adjoint + weight(i);
        }
        sweep_from_seeds();
        guard.done = true;
        return adjoints_.data();
    }
    /// The same in several lanes: weight(i, lane).
    template <class Weight>
    const lane_values<T>* sweep_lanes(std::size_t count, Weight weight) {
        const auto seed = [&] {
            for (std::size_t i = 0; i < program_->outputs.size(); ++i)
                for (std::size_t k = 0; k < count; ++k) {
                    T& adjoint = lane_adjoints_[program_->output_adjoints[i]][k];
                    adjoint = adjoint + weight(i, k);
                }
        };
        backwards(lane_adjoints_, seed, [&](const run<T>& r, const slot* s) {
            r.what->several_adjoints(r, s, values_.data(), lane_adjoints_.data());
        });
        return lane_adjoints_.data();
    }
    /// The derivatives of all outputs in several directions: direction(i, lane). Output i is at place(i).
    template <class Direction>
    const lane_values<T>* run_tangents(std::size_t count, Direction direction) {
        tangents_.resize(program_->size);
        std::fill_n(tangents_.begin(), program_->first_result(), lane_values<T>{});
        for (std::size_t i = 0; i < program_->inputs; ++i)
            for (std::size_t k = 0; k < count; ++k) tangents_[i][k] = direction(i, k);
        // The values again, since some share their memory.
        for (const run<T>& r : program_->runs) {
            r.what->values(r, program_->slots.data(), values_.data());
            r.what->tangents(r, program_->slots.data(), values_.data(), tangents_.data());
        }
        return tangents_.data();
    }
    /// The Taylor coefficients of all outputs, so many of each: direction(i). They are coefficient(output, order).
    template <class Direction>
    void run_series(std::size_t count, Direction direction) {
        series_.length = count;
        series_.coefficients.assign(program_->size * count, T(0));
        for (std::size_t i = 0; i < program_->first_result(); ++i) series_.of(i)[0] = values_[i];
        if (count > 1)
            for (std::size_t i = 0; i < program_->inputs; ++i) series_.of(i)[1] = direction(i);
        // The values again, since some share their memory.
        for (const run<T>& r : program_->runs) {
            r.what->values(r, program_->slots.data(), values_.data());
            r.what->series(r, program_->slots.data(), values_.data(), series_);
        }
    }
    [[nodiscard]] const T& coefficient(std::size_t output, std::size_t k) { return series_.of(place(output))[k]; }
    [[nodiscard]] slot place(std::size_t output) const { return program_->outputs[output]; }

    /// The gradient of the only output with its derivatives in several directions, after run_values().
    template <class Direction>
    const second<T>* run_second(std::size_t count, Direction direction) {
        if (second_values_.empty()) prepare(second_values_);
        for (std::size_t i = 0; i < program_->inputs; ++i) {
            second<T>& x = second_values_[i];
            x = second<T>(values_[i]);
            for (std::size_t k = 0; k < count; ++k) x.tangents[k] = direction(i, k);
        }
        for (const run<T>& r : program_->runs) r.what->second_values(r, program_->slots.data(), second_values_.data());
        const auto seed = [&] { second_adjoints_[program_->output_adjoints[0]] = second<T>(T(1)); };
        backwards(second_adjoints_, seed, [&](const run<T>& r, const slot* s) {
            r.what->second_adjoints(r, s, second_values_.data(), second_adjoints_.data());
        });
        return second_adjoints_.data();
    }

    using lanes = points_at_once<T>;
    static constexpr std::size_t width = batches::lane_count<lanes>;
    /// The values at `count` points, at most as many as there are lanes: input(i, point). Throws comparison_changed for
    /// the first point at which what the program read has changed; they are counted from `first`.
    template <class Input>
    void run_points(std::size_t first, std::size_t count, Input input) {
        if (point_values_.empty()) prepare(point_values_);
        for (std::size_t i = 0; i < program_->inputs; ++i) {
            batches::lane_array<lanes> x;
            for (std::size_t k = 0; k < width; ++k) x.values[k] = input(i, k < count ? k : count - 1);
            point_values_[i] = batches::from_array<lanes>(x);
        }
        for (const run<T>& r : program_->runs)
            r.what->values_at_points(r, program_->slots.data(), point_values_.data());
        for (std::size_t k = 0; k < count; ++k)
            for (const reading<T>& r : program_->readings)
                if (!same_number(at_point(r.of, k), r.found))
                    report_change([&](slot s) { return at_point(s, k); }, first + k,
                                  "at point " + std::to_string(first + k));
    }
    [[nodiscard]] T at_point(slot s, std::size_t point) const {
        return batches::to_array<lanes>(point_values_[s]).values[point];
    }
    /// The adjoints of all inputs at the points, for a program of one output.
    void sweep_points() {
        const auto seed = [&] { point_adjoints_[program_->output_adjoints[0]] = lanes(1); };
        backwards(point_adjoints_, seed, [&](const run<T>& r, const slot* s) {
            r.what->adjoints_at_points(r, s, point_values_.data(), point_adjoints_.data());
        });
    }
    [[nodiscard]] T adjoint_at_point(std::size_t input, std::size_t point) const {
        return batches::to_array<lanes>(point_adjoints_[input]).values[point];
    }

private:
    std::shared_ptr<const program<T>> program_;
    std::vector<T> values_, adjoints_;
    std::vector<lane_values<T>> tangents_, lane_adjoints_;
    std::vector<second<T>> second_values_, second_adjoints_;
    std::vector<lanes> point_values_, point_adjoints_;
    series_table<T> series_;

    [[noreturn, gnu::cold, gnu::noinline]] static void report_moved_from() {
        core::raise(std::logic_error("replay: the recording was moved from and holds nothing; use the object that it "
                                     "was moved to, or assign another"));
    }

    // The derivative of a custom function may throw, in the middle of a sweep.
    struct discard_unless_done {
        std::vector<T>& adjoints;
        bool done = false;
        ~discard_unless_done() {
            if (!done) adjoints.clear();
        }
    };

    // A function of its own, not a template: the loop over the stream is long, and sweep() differs by the weights.
    void sweep_from_seeds() {
        const program<T>& p = *program_;
        replays::sweep_stream<T>(p.backwards, values_.data(), adjoints_.data(), [this, &p](slot i) {
            const run<T>& r = p.runs[i];
            r.what->adjoints(r, p.slots.data(), values_.data(), adjoints_.data());
            if (r.result_adjoint > p.inputs) std::fill_n(adjoints_.data() + r.result_adjoint, r.count, T(0));
        });
    }

    template <class N>
    void prepare(std::vector<N>& values) const {
        values.assign(program_->size, N(0));
        for (std::size_t i = 0; i < program_->constants.size(); ++i)
            values[program_->inputs + i] = N(program_->constants[i]);
    }
    // Passes the runs to f from the last to the first. The adjoints start from zero, each shortly before it is needed:
    // their memory was that of others.
    template <class A, class Seed, class F>
    void backwards(std::vector<A>& adjoints, Seed seed, F f) const {
        const program<T>& p = *program_;
        adjoints.resize(p.adjoints);
        const block_of_slots* cleared = p.cleared.data();
        const auto clear = [&](std::size_t count) {
            for (; count > 0; --count, ++cleared) std::fill_n(adjoints.data() + cleared->first, cleared->count, A{});
        };
        clear(p.cleared_first);
        seed();
        for (std::size_t i = p.runs.size(); i-- > 0;) {
            const run<T>& r = p.runs[i];
            if (r.cleared != 0) clear(r.cleared);
            if (r.varying != 0) f(r, p.slots.data());
        }
    }

    template <class Value>
    [[noreturn, gnu::noinline]] void report_change(Value value_of, std::size_t point, const std::string& here) const {
        std::size_t number = 0;
        while (same_number(value_of(program_->readings[number].of), program_->readings[number].found)) ++number;
        const reading<T>& r = program_->readings[number];
        const step<T>& behind = program_->read[number];
        const auto text = [&](slot s) { return text_of_value(value_of(s)); };
        std::string sentence = "replay: ";
        if (behind.what != nullptr && behind.what->truth)
            sentence += "comparison " + std::to_string(number + 1) + ", " +
                        (behind.what->arity == 1
                             ? behind.what->name + text(behind.operands[0])
                             : text(behind.operands[0]) + ' ' + behind.what->name + ' ' + text(behind.operands[1])) +
                        ", is " + (r.found != T(0) ? "false " : "true ") + here +
                        " and was not when the function was recorded; record it again";
        else
            sentence += "comparison " + std::to_string(number + 1) + ", of a number that value() reads, finds " +
                        text(r.of) + ' ' + here + " and found " + text_of_value(r.found) +
                        " when the function was recorded; record it again, or compute with the number itself";
        core::raise(comparison_changed(sentence, number + 1, point));
    }
};

} // namespace replays
} // namespace chainrule::tape
