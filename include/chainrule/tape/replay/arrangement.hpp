// SPDX-License-Identifier: BSL-1.0
//
// A recording arranged for replay. Operations on which nothing depends are gone, and those of one kind that do not wait
// for others form a run, so that their results and often their operands follow one another in memory.
#pragma once

#include <chainrule/tape/replay/program.hpp>

#include <algorithm>
#include <span>

namespace chainrule::tape::replays {

/// Arranges the steps of a recording. Its inputs are its first steps.
template <class T>
class arrangement {
public:
    arrangement(const recorder<T>& from, std::size_t inputs, std::span<const slot> outputs)
        : from_(from), steps_(from.steps()), live_(steps_.size()), place_(steps_.size()), turn_(steps_.size()),
          group_of_(steps_.size()) {
        to_.inputs = inputs;
        find_live(outputs);
        for (slot s = 0; s < inputs; ++s) place_[s] = s;
        for (slot s = 0; s < steps_.size(); ++s)
            if (live_[s] != 0 && from_.is_constant(s)) {
                place_[s] = static_cast<slot>(to_.first_result());
                to_.constants.push_back(from_.constant_at(s));
            }
        find_kinds();
        order_steps();
        place_results(outputs);
        add_all_runs();
        to_.slots = lists_.take();
        stream_builder<T> stream(to_.runs, to_.slots.data(), inputs);
        to_.forwards = std::move(stream.values);
        to_.backwards = std::move(stream.adjoints);
        for (const slot s : outputs) {
            to_.outputs.push_back(place_[s]);
            to_.output_adjoints.push_back(adjoint_[s]);
        }
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
    // Operations of one kind are the same function, with derivatives with respect to the same operands.
    struct kind {
        const operation<T>* what;
        unsigned char varying;
        std::vector<slot> ready; // whose operands are computed
        std::size_t done = 0;    // of these
    };
    // Operations of one kind that are computed together.
    struct group {
        unsigned kind;
        slot begin, end; // in the order of execution
    };
    // As few operands as this do not fill lanes for long enough.
    static constexpr slot fewest_in_lanes = 8;
    // So many steps of the recording come before the next ones: their values, adjoints and slots stay in a cache of
    // half a MiB, where groups of the whole of a long recording would leave it. (Gaussian mixtures take half the time.)
    static constexpr slot steps_at_once = 8192;

    const recorder<T>& from_;
    const std::vector<step<T>>& steps_;
    std::vector<char> live_;
    std::vector<slot> place_, adjoint_; // slots
    std::vector<slot> order_;           // the results in the order of execution
    std::vector<slot> turn_;            // where a result is among these
    std::vector<slot> group_of_;
    std::vector<group> groups_;
    std::vector<slot> cleared_; // how many blocks of adjoints begin with a group, backwards
    slot_lists lists_;
    std::vector<slot> list_; // one of them
    program<T> to_;
    std::vector<kind> kinds_;
    std::vector<unsigned> kind_of_;
    std::vector<std::vector<slot>> later_; // what is ready in parts of the recording whose turn has not come
    std::size_t part_ = 0;                 // whose turn it is

    void find_live(std::span<const slot> outputs) {
        for (const reading<T>& r : from_.readings()) live_[r.of] = for_reading;
        for (const slot s : outputs) live_[s] = for_output;
        for (std::size_t s = steps_.size(); s-- > 0;) {
            if (live_[s] == 0 || steps_[s].what == nullptr) continue;
            for (unsigned k = 0; k < steps_[s].what->arity; ++k) {
                const slot of = steps_[s].operands[k];
                live_[of] = std::max(live_[of], is_truth(of) ? for_reading : live_[s]);
            }
        }
    }

    [[nodiscard]] bool is_truth(slot s) const { return steps_[s].what != nullptr && steps_[s].what->truth; }
    [[nodiscard]] unsigned char varying_of(slot s) const {
        unsigned varying = 0;
        if (live_[s] == for_output && !steps_[s].what->truth)
            for (unsigned k = 0; k < steps_[s].what->arity; ++k) {
                const slot operand = steps_[s].operands[k];
                if (!from_.is_constant(operand) && !is_truth(operand)) varying |= 1u << k;
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

    // Operations on results of the same groups together, or those of one statement would alternate with those of
    // another; otherwise in the order of recording, or each repetition would shuffle the results.
    [[nodiscard]] bool comes_before(slot a, slot b) const {
        const auto source = [&](slot operand) {
            return steps_[operand].what != nullptr ? 2 + std::uint64_t{group_of_[operand]}
                                                   : std::uint64_t{from_.is_constant(operand)};
        };
        for (unsigned k = 0; k < steps_[a].what->arity; ++k) {
            const auto of_a = source(steps_[a].operands[k]), of_b = source(steps_[b].operands[k]);
            if (of_a != of_b) return of_a < of_b;
        }
        return a < b;
    }

    void becomes_ready(slot s) {
        if (const std::size_t part = s / steps_at_once; part > part_)
            later_[part].push_back(s);
        else
            kinds_[kind_of_[s]].ready.push_back(s);
    }
    // Computes all operations that are ready of the kind with the most of them, those included that become ready
    // meanwhile, and so on.
    void order_steps() {
        later_.resize(steps_.size() / steps_at_once + 1);
        auto [waiting, first, users] = uses_of_results<T>(steps_, live_);
        for (slot s = 0; s < steps_.size(); ++s)
            if (live_[s] != 0 && steps_[s].what != nullptr && waiting[s] == 0) becomes_ready(s);

        for (;;) {
            const auto most = std::max_element(kinds_.begin(), kinds_.end(), [](const kind& a, const kind& b) {
                return a.ready.size() - a.done < b.ready.size() - b.done;
            });
            if (most == kinds_.end()) return;
            if (most->ready.size() == most->done) {
                if (++part_ == later_.size()) return;
                for (const slot s : later_[part_]) becomes_ready(s);
                continue;
            }
            const auto begin = static_cast<slot>(order_.size());
            std::size_t sorted = most->done;
            while (most->done < most->ready.size()) {
                if (most->done == sorted) {
                    std::ranges::sort(std::span(most->ready).subspan(sorted),
                                      [&](slot a, slot b) { return comes_before(a, b); });
                    sorted = most->ready.size();
                }
                const slot s = most->ready[most->done++];
                turn_[s] = static_cast<slot>(order_.size());
                group_of_[s] = static_cast<slot>(groups_.size());
                order_.push_back(s);
                for (slot u = first[s]; u < first[s + 1]; ++u)
                    if (--waiting[users[u]] == 0) becomes_ready(users[u]);
            }
            groups_.push_back({static_cast<unsigned>(most - kinds_.begin()), begin, static_cast<slot>(order_.size())});
            if (most->done > 4096) { // what is done needs no memory
                most->ready.erase(most->ready.begin(), most->ready.begin() + static_cast<std::ptrdiff_t>(most->done));
                most->done = 0;
            }
        }
    }

    [[nodiscard]] std::span<const slot> results_of(const group& g) const {
        return std::span(order_).subspan(g.begin, g.end - g.begin);
    }

    // When the values and adjoints of each group begin and end.
    [[nodiscard]] std::vector<life> lives(std::span<const slot> outputs) const {
        std::vector<life> result(groups_.size());
        const auto stays = [&](slot s) {
            if (steps_[s].what != nullptr) result[group_of_[s]].last_use = life::for_ever;
        };
        for (slot g = 0; g < groups_.size(); ++g) {
            const kind& of = kinds_[groups_[g].kind];
            result[g].count = groups_[g].end - groups_[g].begin;
            result[g].last_use = std::max(result[g].last_use, g);
            unsigned read = 0; // by derivatives
            for (unsigned k = 0; k < of.what->arity; ++k)
                if ((of.varying >> k & 1) != 0) read |= of.what->reads[k];
            if ((read >> of.what->arity & 1) != 0) result[g].last_use = life::for_ever;
            for (const slot s : results_of(groups_[g]))
                for (unsigned k = 0; k < of.what->arity; ++k) {
                    const slot operand = steps_[s].operands[k];
                    if (steps_[operand].what == nullptr) continue;
                    life& its = result[group_of_[operand]];
                    its.last_use = std::max(its.last_use, (read >> k & 1) != 0 ? life::for_ever : g);
                    if ((of.varying >> k & 1) != 0) its.first_adjoint = g;
                }
        }
        for (const slot s : outputs) {
            stays(s);
            if (steps_[s].what != nullptr) result[group_of_[s]].first_adjoint = life::for_ever;
        }
        for (const reading<T>& r : from_.readings()) { // a message states them and their operands
            stays(r.of);
            if (steps_[r.of].what != nullptr)
                for (unsigned k = 0; k < steps_[r.of].what->arity; ++k) stays(steps_[r.of].operands[k]);
        }
        return result;
    }
    void place_results(std::span<const slot> outputs) {
        const std::vector<life> of = lives(outputs);
        const auto nobody = static_cast<slot>(to_.inputs);
        std::vector<slot> values, adjoints;
        to_.operations = order_.size();
        to_.size = replays::place_values(of, static_cast<slot>(to_.first_result()), values);
        cleared_.resize(groups_.size() + 1);
        to_.cleared.push_back({0, nobody + 1});
        to_.adjoints = replays::place_adjoints(of, nobody + 1, adjoints, [&](slot g, block_of_slots block) {
            ++cleared_[g];
            to_.cleared.push_back(block);
        });
        to_.cleared_first = 1 + cleared_.back();
        adjoint_.assign(steps_.size(), nobody);
        for (slot s = 0; s < to_.inputs; ++s) adjoint_[s] = s;
        for (slot g = 0; g < groups_.size(); ++g)
            for (slot at = groups_[g].begin; at < groups_[g].end; ++at) {
                place_[order_[at]] = values[g] + (at - groups_[g].begin);
                if (of[g].first_adjoint != life::never) adjoint_[order_[at]] = adjoints[g] + (at - groups_[g].begin);
            }
    }
    void add_all_runs() {
        for (slot g = 0; g < groups_.size(); ++g) {
            add_runs(kinds_[groups_[g].kind], results_of(groups_[g]));
            to_.runs.back().cleared = cleared_[g];
        }
    }

    [[nodiscard]] slot operand_of(slot s, unsigned k) const { return place_[steps_[s].operands[k]]; }
    // How many operations from `begin` on have operands that follow one another, or are the same; so do their adjoints.
    [[nodiscard]] std::size_t length_in_lanes(const kind& of, std::span<const slot> steps, std::size_t begin,
                                              std::array<pattern, 3>& patterns) const {
        if (begin + 1 == steps.size()) return 1;
        std::array<slot, 3> apart{};
        const auto follow = [&](std::size_t at, unsigned k) {
            const slot before = steps_[steps[at - 1]].operands[k], here = steps_[steps[at]].operands[k];
            return place_[here] - place_[before] == apart[k] &&
                   ((of.varying >> k & 1) == 0 || adjoint_[here] - adjoint_[before] == apart[k]);
        };
        for (unsigned k = 0; k < of.what->arity; ++k) {
            apart[k] = operand_of(steps[begin + 1], k) - operand_of(steps[begin], k);
            if (apart[k] > 1) return 1;
            patterns[k] = apart[k] == 1 ? pattern::consecutive : pattern::same;
        }
        for (std::size_t end = begin + 1; end < steps.size(); ++end)
            for (unsigned k = 0; k < of.what->arity; ++k)
                if (!follow(end, k)) return end - begin;
        return steps.size() - begin;
    }
    void add_runs(const kind& of, std::span<const slot> steps) {
        std::size_t scattered = 0; // where operations begin that are in no run yet
        for (std::size_t begin = 0; begin < steps.size();) {
            std::array<pattern, 3> patterns{};
            const std::size_t length = length_in_lanes(of, steps, begin, patterns);
            // Up to the first that takes a result of the same run.
            const slot result = place_[steps[begin]];
            std::size_t apart = length;
            for (unsigned k = 0; k < of.what->arity; ++k) {
                const slot first = operand_of(steps[begin], k);
                if (first < result) apart = std::min(apart, std::size_t{result - first});
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
        run<T> made{of.what,
                    place_[steps[0]],
                    adjoint_[steps[0]],
                    static_cast<slot>(steps.size()),
                    {},
                    {},
                    patterns,
                    of.varying,
                    false,
                    in_lanes,
                    0};
        const auto list_of = [&](const std::vector<slot>& slots, unsigned k) {
            list_.clear();
            for (const slot s : steps) list_.push_back(slots[steps_[s].operands[k]]);
            return lists_.add(list_);
        };
        for (unsigned k = 0; k < of.what->arity; ++k) {
            for (const slot s : steps)
                if (const slot operand = steps_[s].operands[k];
                    steps_[operand].what != nullptr && turn_[operand] >= turn_[steps[0]])
                    made.dependent = true;
            made.operands[k] = list_of(place_, k);
            if ((of.varying >> k & 1) != 0) made.adjoints[k] = list_of(adjoint_, k);
        }
        to_.runs.push_back(made);
    }
};

} // namespace chainrule::tape::replays
