// SPDX-License-Identifier: BSL-1.0
//
// The class of what repeat() returns: a function of the start and of the parameters in wrt(), with the final state or a
// cost as its value. Its members are those of a positional function.
#pragma once

#include <chainrule/batch/data/point.hpp>
#include <chainrule/core/is_finite.hpp>
#include <chainrule/dual/dual_variables.hpp>
#include <chainrule/entry/outputs.hpp>
#include <chainrule/steps/memory_for_records.hpp>
#include <chainrule/steps/sweeps.hpp>

#include <algorithm>
#include <concepts>
#include <limits>
#include <vector>

namespace chainrule {

namespace stepping {

/// Whether a call is that of a start and of parameters after it, instead of all numbers in one.
template <class First, class... Rest>
inline constexpr bool starts_with_range =
    sizeof...(Rest) > 0 &&
    detail::source_for<First> != detail::source::number&& detail::source_for<First> != detail::source::unknown;

} // namespace stepping

/// Repeated steps: see repeat(). A point is the start, then the parameters in wrt(...): run(start, p), or all numbers
/// in one range, or by name. Derivatives are with respect to all of these, in this order.
template <class States, class Wrt, class Data, class Given, class Step, class Final, class Memory>
class repeated_steps;

template <class States, class Wrt, class Data, class... Bindings, class... Step, class... Final, class Memory>
class repeated_steps<States, Wrt, Data, parameters<Bindings...>, core::type_list<Step...>, core::type_list<Final...>,
                     Memory> {
    using given_variables = core::type_list<typename Bindings::variable...>;
    using loops_type = stepping::sweeps<States, Wrt, Data, given_variables, Step...>;
    static constexpr std::size_t states = loops_type::states, parameters_in_wrt = loops_type::parameters,
                                 columns = loops_type::columns;
    static constexpr bool has_final = sizeof...(Final) > 0, has_cost = loops_type::has_cost || has_final;
    using variables = decltype(States{} + Wrt{});
    using final_list = core::type_list<Final...>;
    using final_inputs = decltype(variables{} + given_variables{});
    template <unsigned Request>
    using final_code = codegen::compiled<Request, static_cast<int>(columns), final_inputs, final_list>;

    template <class... Point>
    using number = typename kernel::computation<core::type_list<Step..., Final...>, decltype(Bindings::value)...,
                                                typename detail::argument_number<Point>::type...>::type;

public:
    constexpr repeated_steps(const expression_vector<Step...>& step, const expression_vector<Final...>& cost,
                             const parameters<Bindings...>& bound, const Data& data, std::size_t steps,
                             std::size_t snapshots, const Memory& memory)
        : step_(step), final_(cost), bound_(bound), data_(data), steps_(steps), snapshots_(snapshots), memory_(memory) {
    }

    /// Changes the values of parameters: run.set(h = 0.02).
    template <class... Binding>
    constexpr void set(const Binding&... values) {
        detail::set_parameters(bound_, values...);
    }
    /// The number of steps.
    [[nodiscard]] constexpr std::size_t step_count() const { return steps_; }
    /// The numbers that vjp() and gradients keep: for each step its state and what the reverse of a step needs besides;
    /// with checkpoints(n), n states and one record of a step.
    [[nodiscard]] constexpr std::size_t numbers_kept() const {
        constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 2;
        const bool all = snapshots_ == 0 || steps_ == 0;
        const std::size_t count = all ? steps_ : states_kept(), each = all ? loops_type::record : states;
        if (each != 0 && count > (most - loops_type::record) / each)
            core::raise(bad_data() << "steps: the numbers that " << steps_
                                   << " steps keep cannot be counted; take fewer, or keep few by checkpoints(n)");
        return count * each + (all ? 0 : loops_type::record);
    }

    /// The cost, or without costs the final state.
    template <class... Point>
    [[nodiscard]] constexpr auto operator()(const Point&... point) const {
        auto at = place_of<number<Point...>>(point...);
        const auto cost = run(at, [](const auto*) {});
        if constexpr (has_cost)
            return cost;
        else
            return at.state;
    }
    /// The state after the last step.
    template <class... Point>
    [[nodiscard]] constexpr auto final_state(const Point&... point) const {
        auto at = place_of<number<Point...>>(point...);
        (void)run(at, [](const auto*) {});
        return at.state;
    }
    /// The states before each step and after the last.
    template <class... Point>
    [[nodiscard]] auto trajectory(const Point&... point) const {
        using T = number<Point...>;
        auto at = place_of<T>(point...);
        std::vector<std::array<T, states>> all(steps_ + 1);
        auto to = all.begin();
        (void)run(at, [&](const T* x) { std::copy_n(x, states, (to++)->begin()); });
        *to = at.state;
        return all;
    }

    /// The cost and its gradient: with respect to the start, then to the parameters in wrt(...).
    template <class... Point>
    [[nodiscard]] constexpr auto value_and_gradient(const Point&... point) const {
        using T = number<Point...>;
        if constexpr (is_scalar() && stepping::right_memory<Memory, T>())
            return cost_and_gradient(place_of<T>(point...));
        else
            return value_and_gradient_result<T, columns>{};
    }
    /// The gradient of the cost.
    template <class... Point>
    [[nodiscard]] constexpr auto gradient(const Point&... point) const {
        using T = number<Point...>;
        if constexpr (is_scalar() && stepping::right_memory<Memory, T>())
            return cost_and_gradient(place_of<T>(point...)).gradient;
        else
            return std::array<T, columns>{};
    }
    /// The Hessian of the cost times a direction. Keeps twice the numbers, in memory of its own.
    template <class Point, class Direction>
    [[nodiscard]] constexpr auto hvp(const Point& point, const Direction& direction) const {
        return hvp_at(place_of<number<Point, Direction>>(point), direction);
    }
    template <class Start, class Parameters, class Direction>
    [[nodiscard]] constexpr auto hvp(const Start& start, const Parameters& parameters,
                                     const Direction& direction) const {
        return hvp_at(place_of<number<Start, Parameters, Direction>>(start, parameters), direction);
    }

    /// Weights times the Jacobian of the final state, in reverse.
    template <class Point, class Weights>
    [[nodiscard]] constexpr auto vjp(const Point& point, const Weights& weights) const {
        return vjp_at(place_of<number<Point, Weights>>(point), weights);
    }
    template <class Start, class Parameters, class Weights>
    [[nodiscard]] constexpr auto vjp(const Start& start, const Parameters& parameters, const Weights& weights) const {
        return vjp_at(place_of<number<Start, Parameters, Weights>>(start, parameters), weights);
    }
    /// The derivative of the final state, or of the cost, along a direction. Keeps nothing.
    template <class Point, class Direction>
    [[nodiscard]] constexpr auto jvp(const Point& point, const Direction& direction) const {
        return jvp_at(place_of<number<Point, Direction>>(point), direction);
    }
    template <class Start, class Parameters, class Direction>
    [[nodiscard]] constexpr auto jvp(const Start& start, const Parameters& parameters,
                                     const Direction& direction) const {
        return jvp_at(place_of<number<Start, Parameters, Direction>>(start, parameters), direction);
    }

    /// The final state and its Jacobian, forwards: of each step the values once, and a tangent for each column. Keeps
    /// nothing.
    template <class... Point>
    [[nodiscard]] constexpr auto value_and_jacobian(const Point&... point) const {
        using T = number<Point...>;
        values_and_jacobian_result<T, states, columns> result{};
        if constexpr (is_vector()) {
            auto at = place_of<T>(point...);
            std::array<std::array<T, columns>, columns> directions{};
            std::array<T, columns> costs{};
            for (std::size_t d = 0; d < columns; ++d) directions[d][d] = T(1);
            T cost(0);
            if constexpr (loops_type::template complete<request::tangents>())
                loops().with_tangents(steps_, at.state.data(), at.shared, &cost, directions, costs);
            result.values = at.state;
            for (std::size_t i = 0; i < states; ++i)
                for (std::size_t d = 0; d < columns; ++d) result.jacobian[i][d] = directions[d][i];
            for (std::size_t d = 0; d < columns; ++d)
                if (is_undefined(directions[d], at)) {
                    const auto exact = tangents_on_dual_numbers(place_of<T>(point...), unit_direction<T>(d));
                    for (std::size_t i = 0; i < states; ++i) result.jacobian[i][d] = exact.of_state[i];
                }
        }
        return result;
    }
    /// The Jacobian of the final state.
    template <class... Point>
    [[nodiscard]] constexpr auto jacobian(const Point&... point) const {
        return value_and_jacobian(point...).jacobian;
    }

private:
    [[no_unique_address]] expression_vector<Step...> step_;
    [[no_unique_address]] expression_vector<Final...> final_;
    [[no_unique_address]] parameters<Bindings...> bound_;
    [[no_unique_address]] Data data_;
    std::size_t steps_, snapshots_;
    [[no_unique_address]] Memory memory_;

    /// The numbers of a point: the state, then parameters in wrt() and given().
    template <class T>
    struct place {
        std::array<T, states> state;
        T shared[parameters_in_wrt + sizeof...(Bindings) + 1];
    };
    template <class T, class... Point>
    [[nodiscard]] constexpr place<T> place_of(const Point&... point) const {
        std::array<T, columns> all{};
        if constexpr (stepping::starts_with_range<Point...>)
            read_parts(all, point...);
        else
            batches::read_point<core::type_list<Step...>>(variables{}, all, point...);
        place<T> at{};
        for (std::size_t i = 0; i < states; ++i) at.state[i] = all[i];
        for (std::size_t i = 0; i < parameters_in_wrt; ++i) at.shared[i] = all[states + i];
        [[maybe_unused]] const auto values = bound_.template as<T>();
        for (std::size_t i = 0; i < sizeof...(Bindings); ++i) at.shared[parameters_in_wrt + i] = values[i];
        return at;
    }
    template <class T, class Start, class... Rest>
    static constexpr void read_parts(std::array<T, columns>& all, const Start& start, const Rest&... rest) {
        constexpr bool some = parameters_in_wrt > 0;
        static_assert(some, "repeat: the call gives numbers after the start, but there are no parameters; list them in "
                            "wrt(...), or pass the start alone");
        if constexpr (some) {
            std::array<T, states> of_start{};
            std::array<T, parameters_in_wrt> others{};
            batches::read_numbers<core::type_list<Step...>>(States{}, of_start, start);
            batches::read_numbers<core::type_list<Step...>>(Wrt{}, others, rest...);
            for (std::size_t i = 0; i < states; ++i) all[i] = of_start[i];
            for (std::size_t i = 0; i < parameters_in_wrt; ++i) all[states + i] = others[i];
        }
    }

    [[nodiscard]] static consteval bool is_scalar() {
        static_assert(has_cost, "repeat: gradients and Hessian products need a cost; add final_cost(...) or "
                                "running_cost(...), or use vjp(...)");
        return has_cost;
    }
    [[nodiscard]] static consteval bool is_vector() {
        static_assert(!has_cost, "repeat: the value is a cost, which has one value; use gradient(...), or leave out "
                                 "the costs for the Jacobian of the final state");
        return !has_cost;
    }
    [[nodiscard]] constexpr std::size_t states_kept() const { return snapshots_ < steps_ ? snapshots_ : steps_; }
    [[nodiscard]] constexpr loops_type loops() const { return {step_, data_}; }

    /// Runs all steps: the state of the place becomes the final one. Returns the cost.
    template <class T, class Visit>
    constexpr T run(place<T>& at, const Visit& visit) const {
        T cost(0);
        if constexpr (loops_type::template complete<request::values>())
            loops().forwards(0, steps_, at.state.data(), at.shared, &cost, visit);
        if constexpr (has_final) {
            T value[1];
            const stepping::outputs_from<T, 0> outputs{value};
            run_final<request::values>(at, nullptr, outputs);
            cost = cost + value[0];
        }
        return cost;
    }
    template <unsigned Request, class T, class Outputs>
    constexpr void run_final(const place<T>& at, const std::type_identity_t<T>* further, const Outputs& outputs) const {
        if constexpr (codegen::small_enough<Request, static_cast<int>(columns), final_inputs, final_list>()) {
            const stepping::inputs_of_step<T, static_cast<int>(states), static_cast<int>(parameters_in_wrt), 0,
                                           static_cast<int>(sizeof...(Bindings))>
                inputs{at.state.data(), at.shared, nullptr, further};
            kernel::runner<typename final_code<Request>::program>::template run<T>(
                inputs, kernel::numbers_of<T>(final_), outputs);
        }
    }
    /// Adds the final cost, and sets the adjoints from which the reverse pass starts.
    template <class T>
    constexpr void seed([[maybe_unused]] const place<T>& at, [[maybe_unused]] T& cost,
                        std::array<T, columns>& gradient) const {
        if constexpr (has_final) {
            T value[1];
            const detail::value_and_jacobian_outputs<T, 1, columns> outputs{value, gradient.data()};
            run_final<request::values | request::jacobians>(at, nullptr, outputs);
            cost = cost + value[0];
        } else {
            for (T& adjoint : gradient) adjoint = T(0);
        }
    }

    /// Runs all steps, calls begin(cost), which sets the adjoints of the final state, and runs all steps back.
    template <class T, class Begin>
    constexpr T reverse(place<T>& at, std::array<T, columns>& gradient, const Begin& begin) const {
        T cost(0);
        if constexpr (loops_type::template complete<request::cotangents>()) {
            const stepping::numbers_for_records<T> records(numbers_kept(), memory_for<T>());
            const loops_type all = loops();
            T* const memory = records.first();
            if (snapshots_ == 0 || steps_ == 0) {
                all.forwards(0, steps_, at.state.data(), at.shared, &cost, memory, loops_type::record);
                begin(cost);
                all.backwards(0, steps_, gradient.data(), at.shared, memory);
            } else {
                const stepping::checkpointed_sweeps<loops_type, T> both(all, steps_, states_kept(), at.shared, memory);
                both.forwards(at.state.data(), &cost);
                begin(cost);
                both.backwards(gradient.data());
            }
        }
        return cost;
    }
    template <class T>
    [[nodiscard]] constexpr auto memory_for() const {
        if constexpr (stepping::is_memory_of<Memory, T>)
            return memory_;
        else // of dual numbers
            return stepping::own_memory{};
    }

    // Where a derivative that is zero at run time meets an infinite slope, a program gives NaN. Then the derivatives
    // along a direction are computed once more, on dual numbers, in which zeros stay zero; not after a run without
    // finite results.
    template <class T, std::size_t Count>
    [[nodiscard]] static constexpr bool is_undefined(const std::array<T, Count>& derivatives, const place<T>& end) {
        if constexpr (std::floating_point<T>) {
            bool some = false;
            for (const T& each : derivatives) some = some || each != each;
            for (std::size_t i = 0; some && i < states; ++i) some = core::is_finite(end.state[i]);
            return some;
        } else {
            return false;
        }
    }
    template <class T>
    [[nodiscard]] static constexpr std::array<T, columns> unit_direction(std::size_t d) {
        std::array<T, columns> direction{};
        direction[d] = T(1);
        return direction;
    }
    template <class T, class Again>
    static constexpr void replace_undefined(std::array<T, columns>& derivatives, const place<T>& end,
                                            const Again& again) {
        if constexpr (std::floating_point<T>)
            if (is_undefined(derivatives, end))
                for (std::size_t d = 0; d < columns; ++d)
                    if (derivatives[d] != derivatives[d]) derivatives[d] = again(unit_direction<T>(d));
    }
    template <class T>
    struct final_tangents {
        std::array<T, states> of_state;
        T of_cost;
    };
    template <class T>
    [[nodiscard, gnu::noinline, gnu::cold]] constexpr final_tangents<T>
    tangents_on_dual_numbers(const place<T>& at, const std::array<T, columns>& direction) const {
        final_tangents<T> result{};
        if constexpr (std::floating_point<T>) {
            auto with = on_dual_numbers(at, direction);
            result.of_cost = run(with, [](const auto*) {}).tangents[0];
            for (std::size_t i = 0; i < states; ++i) result.of_state[i] = with.state[i].tangents[0];
        }
        return result;
    }
    template <class T>
    [[nodiscard]] static constexpr place<dual<T>> on_dual_numbers(const place<T>& at,
                                                                  const std::array<T, columns>& direction) {
        place<dual<T>> with{};
        for (std::size_t i = 0; i < states; ++i) with.state[i] = dual<T>(at.state[i], {direction[i]});
        for (std::size_t i = 0; i < parameters_in_wrt; ++i)
            with.shared[i] = dual<T>(at.shared[i], {direction[states + i]});
        for (std::size_t i = 0; i < sizeof...(Bindings); ++i)
            with.shared[parameters_in_wrt + i] = at.shared[parameters_in_wrt + i];
        return with;
    }

    template <class T>
    [[nodiscard]] constexpr auto cost_and_gradient(place<T> at) const {
        const place<T> start = at;
        value_and_gradient_result<T, columns> result{};
        result.value = reverse(at, result.gradient, [&](T& cost) { seed(at, cost, result.gradient); });
        replace_undefined(result.gradient, at, [&](const std::array<T, columns>& direction) {
            return tangents_on_dual_numbers(start, direction).of_cost;
        });
        return result;
    }
    template <class T, class Weights>
    [[nodiscard]] constexpr auto vjp_at(place<T> at, const Weights& weights) const {
        const place<T> start = at;
        std::array<T, columns> gradient{};
        if constexpr (is_vector() && stepping::right_memory<Memory, T>() &&
                      detail::right_numbers<detail::role::weights, states, Weights>()) {
            const auto all = detail::numbers_in_order<detail::role::weights, states>(weights);
            for (std::size_t i = 0; i < states; ++i) gradient[i] = static_cast<T>(all.data()[i]);
            (void)reverse(at, gradient, [](T&) {});
            replace_undefined(gradient, at, [&](const std::array<T, columns>& direction) {
                const auto exact = tangents_on_dual_numbers(start, direction);
                T sum(0);
                for (std::size_t i = 0; i < states; ++i) {
                    const T weight = static_cast<T>(all.data()[i]);
                    if (weight != T(0) && exact.of_state[i] != T(0)) sum = sum + weight * exact.of_state[i];
                }
                return sum;
            });
        }
        return gradient;
    }
    template <class T, class Direction>
    [[nodiscard]] constexpr auto jvp_at(place<T> at, const Direction& direction) const {
        const place<T> start = at;
        std::array<std::array<T, columns>, 1> along{};
        std::array<T, 1> of_cost{T(0)};
        if constexpr (detail::right_numbers<detail::role::direction, columns, Direction>() &&
                      loops_type::template complete<request::tangents>()) {
            const auto all = detail::numbers_in_order<detail::role::direction, columns>(direction);
            for (std::size_t i = 0; i < columns; ++i) along[0][i] = static_cast<T>(all.data()[i]);
            const std::array<T, columns> given = along[0];
            T cost(0);
            loops().with_tangents(steps_, at.state.data(), at.shared, &cost, along, of_cost);
            if constexpr (has_final) {
                T tangent[1];
                const stepping::outputs_from<T, 0> outputs{tangent};
                run_final<request::tangents>(at, along[0].data(), outputs);
                of_cost[0] = of_cost[0] + tangent[0];
            }
            if (has_cost ? is_undefined(of_cost, at) : is_undefined(along[0], at)) {
                const auto exact = tangents_on_dual_numbers(start, given);
                of_cost[0] = exact.of_cost;
                for (std::size_t i = 0; i < states; ++i) along[0][i] = exact.of_state[i];
            }
        }
        if constexpr (has_cost) {
            return of_cost[0];
        } else {
            std::array<T, states> tangents{};
            for (std::size_t i = 0; i < states; ++i) tangents[i] = along[0][i];
            return tangents;
        }
    }
    // The gradient, computed with dual numbers.
    template <class T, class Direction>
    [[nodiscard]] constexpr auto hvp_at(const place<T>& at, const Direction& direction) const {
        std::array<T, columns> product{};
        if constexpr (is_scalar() && detail::right_numbers<detail::role::direction, columns, Direction>()) {
            const auto all = detail::numbers_in_order<detail::role::direction, columns>(direction);
            std::array<T, columns> along{};
            for (std::size_t i = 0; i < columns; ++i) along[i] = static_cast<T>(all.data()[i]);
            auto with = on_dual_numbers(at, along);
            std::array<dual<T>, columns> gradient{};
            (void)reverse(with, gradient, [&](dual<T>& cost) { seed(with, cost, gradient); });
            for (std::size_t i = 0; i < columns; ++i) product[i] = gradient[i].tangents[0];
        }
        return product;
    }
};

} // namespace chainrule
