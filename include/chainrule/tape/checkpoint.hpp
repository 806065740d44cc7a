// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of long time loops in little memory. The loop is one operation on the tape: it runs on plain numbers and
// keeps a few snapshots of its state. The sweep repeats parts of the loop from these, and records one step at a time on
// a separate tape. core/checkpointing.hpp has the schedule of the snapshots.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/core/checkpointing.hpp>
#include <chainrule/core/raise.hpp>
#include <chainrule/tape/recording/recorded_call.hpp>

#include <concepts>
#include <functional>
#include <memory>
#include <ranges>
#include <utility>

namespace chainrule::tape {

/// The schedule, in numbers of steps: core/checkpointing.hpp.
namespace checkpointing {

using namespace core::checkpointing;

/// A loop with its snapshots. `Step` maps (step index, state, parameters) to the next state.
template <class T, class Step>
class loop {
public:
    loop(std::size_t steps, std::size_t snapshots, std::vector<active<T>> initial, std::vector<active<T>> parameters,
         Step step)
        : steps_(steps), snapshots_(snapshots), step_(std::move(step)), initial_(std::move(initial)),
          parameters_(std::move(parameters)), state_(values_of(initial_)), parameter_values_(values_of(parameters_)) {}

    /// Runs the loop without snapshots.
    [[nodiscard]] std::vector<T> run() {
        advance(steps_);
        return std::move(state_);
    }
    /// Runs the loop and stores snapshots. Requires at least one step.
    [[nodiscard]] std::vector<T> run_and_keep() {
        kept_.push_back({0, state_});
        reach(steps_ - 1);
        return after_step(at_, state_, parameter_values_);
    }

    /// Adds the contributions of the final state's adjoints to the adjoints of the initial state and the parameters.
    void reverse(std::span<const active<T>> final_state, const adjoint_view<T>& adjoints) {
        std::vector<T> adjoint, parameter_adjoints(parameters_.size());
        for (const active<T>& x : final_state) adjoint.push_back(adjoints[x]);
        const auto is_zero = [](const T& x) { return core::is_structural_zero(x); };

        basic_tape<T> one_step;
        const std::vector<active<T>> parameters = variables_like(parameters_, one_step);
        const position start = one_step.mark();
        // An earlier sweep used up all snapshots but the first.
        if (at_ != steps_ - 1) kept_.erase(kept_.begin() + 1, kept_.end());
        for (std::size_t k = steps_; k-- > 0 && !std::ranges::all_of(adjoint, is_zero);) {
            reach(k);
            one_step.rewind(start);
            const std::vector<active<T>> state = one_step.variables(state_);
            const std::vector<active<T>> next = after_step(k, state, parameters);
            std::vector<seed<T>> seeds;
            for (std::size_t i = 0; i < next.size(); ++i)
                if (next[i].is_recorded()) seeds.push_back({next[i], adjoint[i]});
            one_step.backward(seeds);
            for (std::size_t i = 0; i < state.size(); ++i) adjoint[i] = state[i].gradient();
            for (std::size_t i = 0; i < parameters.size(); ++i)
                if (parameters[i].is_recorded())
                    parameter_adjoints[i] = parameter_adjoints[i] + parameters[i].gradient();
        }
        // If the reversal ended early, the result does not depend on earlier states.
        add(initial_, adjoint, adjoints);
        add(parameters_, parameter_adjoints, adjoints);
    }

private:
    struct snapshot {
        std::size_t at; // the index of the step that starts from it
        std::vector<T> state;
    };

    std::size_t steps_, snapshots_;
    Step step_;
    std::vector<active<T>> initial_, parameters_;
    std::vector<T> state_; // the state before step at_
    std::size_t at_ = 0;
    std::vector<T> parameter_values_;
    std::vector<snapshot> kept_; // in the order of their steps; the first is always that of step 0

    static std::vector<T> values_of(const std::vector<active<T>>& numbers) {
        std::vector<T> values;
        for (const active<T>& x : numbers) values.push_back(x.value());
        return values;
    }
    static std::vector<active<T>> variables_like(const std::vector<active<T>>& numbers, basic_tape<T>& on) {
        std::vector<active<T>> variables;
        for (const active<T>& x : numbers)
            variables.push_back(x.is_recorded() ? on.variable(x.value()) : active<T>(x.value()));
        return variables;
    }
    static void add(const std::vector<active<T>>& to, const std::vector<T>& contributions,
                    const adjoint_view<T>& adjoints) {
        for (std::size_t i = 0; i < to.size(); ++i)
            if (to[i].is_recorded()) adjoints[to[i]] = adjoints[to[i]] + contributions[i];
    }

    template <class Number>
    std::vector<Number> after_step(std::size_t k, const std::vector<Number>& state,
                                   const std::vector<Number>& parameters) {
        std::vector<Number> next = std::invoke(step_, k, state, parameters);
        if (next.size() != state.size())
            core::raise(std::invalid_argument("checkpointed: step " + std::to_string(k) + " returns " +
                                              std::to_string(next.size()) + " numbers for a state of " +
                                              std::to_string(state.size()) + "; return as many"));
        return next;
    }
    // A step that throws leaves state_ and at_ unchanged.
    void advance(std::size_t to) {
        for (; at_ < to; ++at_) state_ = after_step(at_, state_, parameter_values_);
    }
    // Sets state_ to the state before step k; all later steps are already reversed.
    void reach(std::size_t k) {
        if (at_ == k) return;
        while (kept_.back().at > k) kept_.pop_back();
        std::vector<T> restored = kept_.back().state;
        state_.swap(restored);
        at_ = kept_.back().at;
        while (at_ < k) {
            advance(at_ + next_snapshot(k + 1 - at_, snapshots_ + 1 - kept_.size()));
            if (at_ < k) kept_.push_back({at_, state_});
        }
    }
};

/// Whether a step returns a state of the type of its arguments.
template <class Step, class Number>
inline constexpr bool returns_state =
    std::same_as<std::remove_cvref_t<
                     std::invoke_result_t<Step&, std::size_t, const std::vector<Number>&, const std::vector<Number>&>>,
                 std::vector<Number>>;

} // namespace checkpointing

/// The state after `steps` repetitions of state <- step(k, state, parameters), k = 0, 1, ..., as one operation on the
/// tape. The step is called with std::vectors of T, and of active<T> while derivatives are computed, and returns the
/// next state as such a vector; it must compute the same each time it is called. `initial` and `parameters` are ranges
/// of active or plain numbers; captured values are treated as constants and must live as long as the recording.
///
/// At most `snapshots` states are stored, plus one working copy. The steps run once forwards, and then
/// fewest_advances(steps, snapshots) - (steps - 1) more times, which is minimal, in the first sweep over the tape;
/// later sweeps start from the initial state. Each sweep records every step once.
///
/// Throws std::invalid_argument where no snapshots are allowed or a step changes the size of the state, and what the
/// step throws; the tape is as before. Example: `auto x = checkpointed(t, 1000, 10, initial, parameters,
/// [](std::size_t, const auto& s, const auto& p) { auto next = s; next[0] = s[0] - p[0] * s[0]; return next; });`
template <class T, std::ranges::input_range State, std::ranges::input_range Parameters, class Step>
[[nodiscard]] std::vector<active<T>> checkpointed(basic_tape<T>& on, std::size_t steps, std::size_t snapshots,
                                                  const State& initial, const Parameters& parameters, Step step) {
    constexpr bool state_again = checkpointing::returns_state<Step, T> && checkpointing::returns_state<Step, active<T>>;
    static_assert(state_again, "checkpointed: the step does not return a state; return a std::vector with the "
                               "number type of its arguments, plain or active");
    if (snapshots == 0)
        core::raise(std::invalid_argument("checkpointed: the number of snapshots is 0; allow at least one, or omit the "
                                          "number"));
    const auto numbers_of = [](const auto& range) {
        std::vector<active<T>> numbers;
        for (const auto& x : range) numbers.push_back(active<T>(x));
        return numbers;
    };
    std::vector<active<T>> state = numbers_of(initial), constants = numbers_of(parameters);
    if (steps == 0) return state;
    bool depends = false;
    for (const auto* const list : {&state, &constants})
        for (const active<T>& x : *list) depends = on.number_of(x) != 0 || depends;

    if constexpr (state_again) {
        using loop = checkpointing::loop<T, Step>;
        const auto shared = std::make_shared<loop>(steps, std::min(snapshots, steps), std::move(state),
                                                   std::move(constants), std::move(step));
        if (!depends || on.is_paused()) {
            const std::vector<T> values = shared->run();
            return {values.begin(), values.end()};
        }
        const std::vector<T> values = shared->run_and_keep();
        return on.operation(std::span<const T>(values),
                            [shared](std::span<const active<T>> final_state, const adjoint_view<T>& adjoints) {
                                shared->reverse(final_state, adjoints);
                            });
    } else {
        return state;
    }
}
/// The same; the number of snapshots is the number of binary digits of the step count.
template <class T, std::ranges::input_range State, std::ranges::input_range Parameters, class Step>
[[nodiscard]] std::vector<active<T>> checkpointed(basic_tape<T>& on, std::size_t steps, const State& initial,
                                                  const Parameters& parameters, Step step) {
    return checkpointed(on, steps, std::max<std::size_t>(1, checkpointing::usual_snapshots(steps)), initial, parameters,
                        std::move(step));
}

} // namespace chainrule::tape

#include <chainrule/core/names_end.inc>
