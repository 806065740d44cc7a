// SPDX-License-Identifier: BSL-1.0
//
// A recording arranged for replay. Operations on which nothing depends are gone, and those of one kind that do not wait
// for others form a run, so that their results and often their operands follow one another in memory.
#pragma once

#include <chainrule/tape/replay_recorder.hpp>

#include <algorithm>
#include <span>

namespace chainrule::tape::replays {

/// What a recording computes: the inputs come first, then the constants, then the results in the order of the runs.
template <class T>
struct program {
    std::size_t inputs = 0;
    std::size_t size = 0; // of the memory
    std::vector<T> constants;
    std::vector<run<T>> runs;
    std::vector<slot> operands; // of all runs
    std::vector<slot> outputs;
    std::vector<reading<T>> readings;
    std::vector<step<T>> read; // the steps behind them, for messages

    [[nodiscard]] std::size_t first_result() const { return inputs + constants.size(); }
    /// The number of operations.
    [[nodiscard]] std::size_t operations() const { return size - inputs - constants.size(); }
};

/// Arranges the steps of a recording. Its inputs are its first steps.
template <class T>
class arrangement {
public:
    arrangement(const recorder<T>& from, std::size_t inputs, std::span<const slot> outputs)
        : from_(from), steps_(from.steps()), live_(steps_.size()), place_(steps_.size()) {
        to_.inputs = inputs;
        find_live(outputs);
        for (slot s = 0; s < inputs; ++s) place_[s] = s;
        next_ = static_cast<slot>(inputs);
        for (slot s = 0; s < steps_.size(); ++s)
            if (live_[s] != 0 && from_.is_constant(s)) {
                place_[s] = next_++;
                to_.constants.push_back(from_.constant_at(s));
            }
        find_kinds();
        order_steps();
        to_.size = next_;
        for (const slot s : outputs) to_.outputs.push_back(place_[s]);
        for (const reading<T>& r : from_.readings()) {
            to_.readings.push_back({place_[r.of], r.found});
            step<T> behind = steps_[r.of];
            for (slot& k : behind.operands) k = place_[k];
            to_.read.push_back(behind);
        }
    }
    [[nodiscard]] program<T> take() { return std::move(to_); }

private:
    // Results that an output depends on, and those that only readings depend on, which have no derivative.
    static constexpr char for_output = 2, for_reading = 1;
    // Operations of one kind are the same function, with derivatives by the same operands.
    struct kind {
        const operation<T>* what;
        unsigned char varying;
        std::vector<slot> ready; // whose operands are computed
        std::size_t done = 0;    // of these
    };
    // As few operands as this do not fill lanes for long enough.
    static constexpr slot fewest_in_lanes = 8;

    const recorder<T>& from_;
    const std::vector<step<T>>& steps_;
    std::vector<char> live_;
    std::vector<slot> place_;
    program<T> to_;
    slot next_ = 0;
    std::vector<kind> kinds_;
    std::vector<unsigned> kind_of_;

    void find_live(std::span<const slot> outputs) {
        for (const reading<T>& r : from_.readings()) live_[r.of] = for_reading;
        for (const slot s : outputs) live_[s] = for_output;
        for (std::size_t s = steps_.size(); s-- > 0;) {
            if (live_[s] == 0 || steps_[s].what == nullptr) continue;
            for (unsigned k = 0; k < steps_[s].what->arity; ++k) {
                char& operand = live_[steps_[s].operands[k]];
                operand = std::max(operand, live_[s]);
            }
        }
    }

    [[nodiscard]] unsigned char varying_of(slot s) const {
        unsigned varying = 0;
        if (live_[s] == for_output && !steps_[s].what->truth)
            for (unsigned k = 0; k < steps_[s].what->arity; ++k) {
                const slot operand = steps_[s].operands[k];
                const bool truth = steps_[operand].what != nullptr && steps_[operand].what->truth;
                if (!from_.is_constant(operand) && !truth) varying |= 1u << k;
            }
        return static_cast<unsigned char>(varying);
    }
    void find_kinds() {
        kind_of_.resize(steps_.size());
        for (slot s = 0; s < steps_.size(); ++s) {
            if (live_[s] == 0 || steps_[s].what == nullptr) continue;
            const unsigned char varying = varying_of(s);
            auto found = std::find_if(kinds_.begin(), kinds_.end(),
                                      [&](const kind& k) { return k.what == steps_[s].what && k.varying == varying; });
            if (found == kinds_.end()) found = kinds_.insert(found, {steps_[s].what, varying, {}, 0});
            kind_of_[s] = static_cast<unsigned>(found - kinds_.begin());
        }
    }

    // Computes all operations that are ready of the kind with the most of them, those included that become ready
    // meanwhile, and so on.
    void order_steps() {
        std::vector<slot> waiting(steps_.size()), first(steps_.size() + 1), users;
        const auto for_each_use = [&](auto visit) {
            for (slot s = 0; s < steps_.size(); ++s) {
                if (live_[s] == 0 || steps_[s].what == nullptr) continue;
                for (unsigned k = 0; k < steps_[s].what->arity; ++k)
                    if (const slot operand = steps_[s].operands[k]; steps_[operand].what != nullptr) visit(operand, s);
            }
        };
        for_each_use([&](slot operand, slot s) {
            ++waiting[s];
            ++first[operand + 1];
        });
        for (std::size_t s = 0; s < steps_.size(); ++s) first[s + 1] += first[s];
        users.resize(first.back());
        std::vector<slot> filled(first.begin(), first.end() - 1);
        for_each_use([&](slot operand, slot s) { users[filled[operand]++] = s; });
        for (slot s = 0; s < steps_.size(); ++s)
            if (live_[s] != 0 && steps_[s].what != nullptr && waiting[s] == 0) kinds_[kind_of_[s]].ready.push_back(s);

        for (;;) {
            const auto most = std::max_element(kinds_.begin(), kinds_.end(), [](const kind& a, const kind& b) {
                return a.ready.size() - a.done < b.ready.size() - b.done;
            });
            if (most == kinds_.end() || most->ready.size() == most->done) return;
            const std::size_t begin = most->done;
            while (most->done < most->ready.size()) {
                const slot s = most->ready[most->done++];
                place_[s] = next_++;
                for (slot u = first[s]; u < first[s + 1]; ++u)
                    if (--waiting[users[u]] == 0) kinds_[kind_of_[users[u]]].ready.push_back(users[u]);
            }
            add_runs(*most, std::span(most->ready).subspan(begin));
            if (most->done > 4096) { // what is done needs no memory
                most->ready.erase(most->ready.begin(), most->ready.begin() + static_cast<std::ptrdiff_t>(most->done));
                most->done = 0;
            }
        }
    }

    [[nodiscard]] slot operand_of(slot s, unsigned k) const { return place_[steps_[s].operands[k]]; }
    // How many operations from `begin` on have operands that follow one another, or are the same.
    [[nodiscard]] std::size_t length_in_lanes(std::span<const slot> of, std::size_t begin, unsigned arity,
                                              std::array<pattern, 3>& patterns) const {
        if (begin + 1 == of.size()) return 1;
        std::array<slot, 3> steps{};
        for (unsigned k = 0; k < arity; ++k) {
            steps[k] = operand_of(of[begin + 1], k) - operand_of(of[begin], k);
            if (steps[k] > 1) return 1;
            patterns[k] = steps[k] == 1 ? pattern::consecutive : pattern::same;
        }
        std::size_t end = begin + 2;
        for (; end < of.size(); ++end)
            for (unsigned k = 0; k < arity; ++k)
                if (operand_of(of[end], k) - operand_of(of[end - 1], k) != steps[k]) return end - begin;
        return end - begin;
    }
    void add_runs(const kind& of, std::span<const slot> steps) {
        std::size_t scattered = 0; // where operations begin that are in no run yet
        for (std::size_t begin = 0; begin < steps.size();) {
            std::array<pattern, 3> patterns{};
            const std::size_t length = length_in_lanes(steps, begin, of.what->arity, patterns);
            // Up to the first that takes a result of the same run.
            const slot result = place_[steps[begin]];
            std::size_t apart = length;
            for (unsigned k = 0; k < of.what->arity; ++k) {
                const slot first = operand_of(steps[begin], k);
                apart = std::min(apart, first < result ? std::size_t{result - first} : 0);
            }
            if (apart >= fewest_in_lanes) {
                add_run(of, steps.subspan(scattered, begin - scattered), {}, false);
                add_run(of, steps.subspan(begin, apart), patterns, true);
                begin += apart;
                scattered = begin;
            } else {
                begin += length;
            }
        }
        add_run(of, steps.subspan(scattered), {}, false);
    }
    void add_run(const kind& of, std::span<const slot> steps, const std::array<pattern, 3>& patterns, bool in_lanes) {
        if (steps.empty()) return;
        const slot result = place_[steps[0]];
        run<T> made{of.what,  result, static_cast<slot>(steps.size()), {}, patterns, of.varying, false,
                    in_lanes, result};
        for (unsigned k = 0; k < of.what->arity; ++k) {
            made.operands[k] = static_cast<slot>(to_.operands.size());
            for (const slot s : steps) {
                to_.operands.push_back(operand_of(s, k));
                const slot operand = to_.operands.back();
                if (operand >= result) made.dependent = true;
                if (operand >= to_.first_result()) made.lowest = std::min(made.lowest, operand);
            }
        }
        to_.runs.push_back(made);
    }
};

} // namespace chainrule::tape::replays
