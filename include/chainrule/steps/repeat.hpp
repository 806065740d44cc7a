// SPDX-License-Identifier: BSL-1.0
//
// repeat(step, state(x), steps(1000), final_cost(g)): steps in time, an iterated map or an unrolled optimiser as one
// function of the start and of parameters, with derivatives. The arguments are checked and put together here;
// steps/repeated_steps.hpp has the class.
#pragma once

#include <chainrule/batch/over.hpp>
#include <chainrule/batch/rows/traced_row.hpp>
#include <chainrule/entry/function.hpp>
#include <chainrule/steps/repeated_steps.hpp>

namespace chainrule {

namespace stepping {

struct data_of_steps {
    template <class A>
    static constexpr bool is = batches::is_data<A>;
};
struct given_parameters {
    template <class A>
    static constexpr bool is = detail::is_parameters<A>;
};
struct nothing {
    using type = core::type_list<>;
};

/// Failed conditions on a variable of a step, named as in graph/variables.hpp.
template <expressions::string_literal Name>
struct the_variable_of_a_step {
    enum : bool { is_bound_by_state_over_wrt_or_given = false, is_bound_once = false };
};
template <class V>
using the_step_variable = the_variable_of_a_step<expressions::string_literal<sizeof(V::text)>(V::text)>;

/// Checks that every variable of expressions is bound.
template <class Inputs, class... E>
consteval bool all_bound(core::type_list<E...>) {
    using variables = typename graph::variables_of<E...>::type;
    constexpr bool all = int{decltype(expressions::without(variables{}, Inputs{}))::size} == 0;
    if constexpr (!all) {
        using variable = the_step_variable<typename graph::first_outside<variables, Inputs>::type>;
        static_assert(variable::is_bound_by_state_over_wrt_or_given,
                      "repeat: a step or a cost has a variable that nothing binds; list it in state(...) or wrt(...), "
                      "bind it to rows in over(...), or give it a value in given(...); a final cost has no row");
    }
    return all;
}
/// Checks that no variable is bound twice.
template <class... V>
consteval bool bound_once(core::type_list<V...>) {
    constexpr int repeated = expressions::first_repeated(core::type_list<V...>{});
    if constexpr (repeated >= 0) {
        using variable = the_step_variable<typename core::type_at<repeated, core::type_list<V...>>::type>;
        static_assert(variable::is_bound_once,
                      "repeat: a variable is in two of state(...), over(...), wrt(...) and given(...); keep it in one");
    }
    return repeated < 0;
}

template <class... Argument>
consteval bool are_known() {
    constexpr bool known = core::all_true(
        {(a_state::is<Argument> || a_final_cost::is<Argument> || a_running_cost::is<Argument> ||
          a_workspace::is<Argument> || a_list::is<Argument> || a_step_count::is<Argument> ||
          a_checkpoint_count::is<Argument> || data_of_steps::is<Argument> || given_parameters::is<Argument>)...,
         true});
    static_assert(known, "repeat: an argument is not one of state(...), steps(n), over(...), wrt(...), "
                         "given(...), final_cost(g), running_cost(l), checkpoints(n) and workspace(memory); write "
                         "repeat(step, state(x), steps(100), wrt(p))");
    constexpr bool once = count_of<a_state, Argument...> <= 1 && count_of<a_final_cost, Argument...> <= 1 &&
                          count_of<a_running_cost, Argument...> <= 1 && count_of<a_workspace, Argument...> <= 1 &&
                          count_of<a_list, Argument...> <= 1 && count_of<a_step_count, Argument...> <= 1 &&
                          count_of<a_checkpoint_count, Argument...> <= 1 && count_of<data_of_steps, Argument...> <= 1 &&
                          count_of<given_parameters, Argument...> <= 1;
    static_assert(once, "repeat: two arguments are of one kind; write each of state(...), wrt(...), given(...) and the "
                        "others once");
    constexpr bool bounded = count_of<a_step_count, Argument...> + count_of<data_of_steps, Argument...> > 0;
    static_assert(bounded, "repeat: the number of steps is missing; write steps(1000), or bind a row of data to each "
                           "step, as in over(u = controls)");
    return known && once && bounded;
}

/// The first Count variables of a list, or the others.
template <bool First, std::size_t Count, class... V>
consteval auto split(core::type_list<V...>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return typename core::joined_lists<
            std::conditional_t<(I < Count) == First, core::type_list<V>, core::type_list<>>...>::type{};
    }(std::index_sequence_for<V...>{});
}

/// What a step, made by function() or not, says of its variables: those of its state, the others, and its parameters.
template <class F>
struct own_inputs {
    using states = core::type_list<>;
    using all = core::type_list<>;
    static constexpr parameters<> bound(const F&) { return {}; }
};
template <class F>
requires detail::is_positional_function<F>
struct own_inputs<F> {
    using all = typename F::variables_list;
    static constexpr std::size_t values = F::outputs_list::size;
    using states = decltype(stepping::split<true, values>(all{}));
    static constexpr const auto& bound(const F& f) { return detail::function_parts::bound(f); }
};

/// A step or a cost as expressions: it is that, or a function, or code of the variables in this order.
template <class F, class Variables>
[[nodiscard]] constexpr auto expressions_in(const F& f, Variables variables) {
    if constexpr (detail::is_positional_function<F>) {
        return detail::function_parts::expressions(f);
    } else if constexpr (detail::is_code<F>()) {
        if constexpr (batches::is_code_to_trace<F>()) {
            constexpr bool accepted = batches::code_takes<F, Variables>;
            static_assert(accepted,
                          "repeat: the traced code does not take the variables of state(...), over(...), wrt(...) and "
                          "given(...) in this order; give it one argument for each, an array for a vector of "
                          "variables; a final cost has no row");
            if constexpr (accepted)
                return batches::expressions_of_code(f, tracing::groups_form<Variables>{}, variables);
            else
                return vector(expressions::exact_zero{}); // adds no errors
        } else {
            return vector(expressions::exact_zero{});
        }
    } else {
        return detail::outputs_of(f);
    }
}

/// The elements of two vectors as one.
template <class... A, class... B>
[[nodiscard]] constexpr auto joined(const expression_vector<A...>& a, const expression_vector<B...>& b) {
    return [&]<std::size_t... I, std::size_t... J>(std::index_sequence<I...>, std::index_sequence<J...>) {
        return expressions::array_of<0>(expressions::element_at<I>(a)..., expressions::element_at<J>(b)...);
    }(std::index_sequence_for<A...>{}, std::index_sequence_for<B...>{});
}
/// A cost as a vector of one expression, or of none.
template <class Variables>
[[nodiscard]] constexpr expression_vector<> cost_in(nothing, Variables) {
    return {};
}
template <class F, class Variables>
[[nodiscard]] constexpr auto cost_in(const F& f, Variables variables) {
    const auto made = stepping::expressions_in(f.cost, variables);
    constexpr bool one = std::size_t{decltype(made)::count} == 1;
    static_assert(one, "final_cost, running_cost: the cost has several values; pass one expression, or code that "
                       "returns one number");
    if constexpr (one)
        return made;
    else
        return vector(expressions::exact_zero{}); // adds no errors
}

template <class Data>
[[nodiscard]] constexpr std::size_t number_of_steps([[maybe_unused]] const Data& data, nothing) {
    return data.rows();
}
template <class Data>
[[nodiscard]] constexpr std::size_t number_of_steps(const Data& data, const step_count& count) {
    if constexpr (Data::columns > 0)
        if (data.rows() != count.steps)
            core::raise(bad_data() << "repeat: there are " << count.steps << " steps and the data have " << data.rows()
                                   << " rows; bind one row for each step");
    return count.steps;
}

template <class States, class Wrt, class Data, class Given, class Step, class Final, class Memory>
[[nodiscard]] constexpr auto made(const Step& step, const Final& cost, const Given& bound, const Data& data,
                                  std::size_t steps, std::size_t checkpoints, const Memory& memory) {
    return repeated_steps<States, Wrt, Data, Given, typename Step::list, typename Final::list, Memory>(
        step, cost, bound, data, steps, checkpoints, memory);
}

} // namespace stepping

/// The function of the start, and of the parameters in wrt(...), that repeats a step: x becomes step(x), as often as
/// steps(n) says or as over(...) has rows. The step is a vector with an expression for each variable in state(x), code
/// that takes the variables of state, over, wrt and given in this order, or a function made by function(), whose first
/// variables are the state if state() does not name it. Its value is the final state, or the sum of running_cost(l)
/// over the steps plus final_cost(g). Further arguments: given(h = 0.01), checkpoints(n), workspace(memory). Example:
/// `const auto run = repeat(x + h * slope, state(x), steps(1000), given(h = 0.01), final_cost(dot(x, x))); auto [value,
/// gradient] = run.value_and_gradient(start);`
template <class F, class... Arguments>
[[nodiscard]] constexpr auto repeat(const F& step, const Arguments&... arguments) {
    using namespace stepping;
    using namespace expressions;
    if constexpr (std::is_same_v<F, tracing::untraced>) {
        return step; // of a function that was refused
    } else if constexpr (are_known<Arguments...>()) {
        using named = decltype(among<a_state>(nothing{}, arguments...));
        using own = own_inputs<F>;
        constexpr bool has_state = count_of<a_state, Arguments...> > 0 || int{own::states::size} > 0;
        static_assert(has_state, "repeat: the state is missing; write state(x), or pass a function made by "
                                 "function(f, wrt(x))");
        if constexpr (has_state) {
            using states =
                std::conditional_t<count_of<a_state, Arguments...> == 0, typename own::states, typename named::type>;
            const auto data = among<data_of_steps>(no_rows{}, arguments...);
            using columns = typename decltype(data)::variables;
            using others = decltype(without(without(typename own::all{}, states{}), columns{}));
            using wrt_list = decltype(among<a_list>(others{}, arguments...));
            const auto bound =
                detail::joined_parameters(own::bound(step), among<given_parameters>(parameters<>{}, arguments...));
            using given_list = typename decltype(bound)::variables;
            if constexpr (bound_once(states{} + columns{} + wrt_list{} + given_list{})) {
                const auto next = expressions_in(step, states{} + columns{} + wrt_list{} + given_list{});
                constexpr bool same = std::size_t{decltype(next)::count} == std::size_t{states::size};
                static_assert(same, "repeat: the step does not return one value for each variable of the state; "
                                    "return as many");
                const auto running = cost_in(among<a_running_cost>(nothing{}, arguments...),
                                             states{} + columns{} + wrt_list{} + given_list{});
                const auto at_end =
                    cost_in(among<a_final_cost>(nothing{}, arguments...), states{} + wrt_list{} + given_list{});
                if constexpr (same) {
                    const auto both = joined(next, running);
                    constexpr bool bound_in_step =
                        all_bound<decltype(states{} + columns{} + wrt_list{} + given_list{})>(
                            typename decltype(both)::list{});
                    constexpr bool bound_at_end =
                        all_bound<decltype(states{} + wrt_list{} + given_list{})>(typename decltype(at_end)::list{});
                    if constexpr (bound_in_step && bound_at_end) {
                        const std::size_t count = number_of_steps(data, among<a_step_count>(nothing{}, arguments...));
                        std::size_t kept = 0;
                        if constexpr (count_of<a_checkpoint_count, Arguments...> > 0) {
                            kept = among<a_checkpoint_count>(nothing{}, arguments...).states;
                            if (kept == 0) kept = core::checkpointing::usual_snapshots(count);
                        }
                        return made<states, wrt_list>(both, at_end, bound, data, count, kept,
                                                      among<a_workspace>(own_memory{}, arguments...));
                    }
                }
            }
        }
    }
}

} // namespace chainrule
