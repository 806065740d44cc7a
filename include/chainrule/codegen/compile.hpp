// SPDX-License-Identifier: BSL-1.0
//
// The compiler as a whole, from a request to the type that runs its program. It splits the list of passes
// (codegen/passes.hpp) across constant evaluations, since compilers limit the steps of each: clang to 2^20, g++ to 2^25
// smaller steps.
#pragma once

#include <chainrule/codegen/finished_program.hpp>
#include <chainrule/core/unnamed_state.hpp>

namespace chainrule::codegen {

/// The sizes of a graph above which turning derivatives into code takes more than one or two evaluations.
#if defined(__clang__)
inline constexpr int nodes_in_one_evaluation = 0, nodes_in_two_evaluations = 2500;
#else
inline constexpr int nodes_in_one_evaluation = 2500, nodes_in_two_evaluations = 5000;
#endif
inline constexpr int pairs_in_two_evaluations = 4000;
/// The number of nodes or instructions that a pass visits in one evaluation, if every pass has its own.
#if defined(__clang__)
inline constexpr int visits_in_one_evaluation = 10000;
#else
inline constexpr int visits_in_one_evaluation = 30000;
#endif

/// The cuts of the list of passes after the derivation: a bit for each pass that begins a new evaluation. Each cut
/// costs time, and g++ needs fewer.
[[nodiscard]] constexpr unsigned cuts_of(unsigned request, int node_count, int factor_pairs) {
    constexpr unsigned none = 0, two = 1u << pass_number("schedule"), everywhere = ~0u;
    if (factor_pairs > pairs_in_two_evaluations || node_count > nodes_in_two_evaluations) return everywhere;
    const bool of_second_order = (request & ~(values | jacobians)) != 0;
    return of_second_order || node_count > nodes_in_one_evaluation ? two : none;
}
/// If every pass has its own evaluation, it may have several.
[[nodiscard]] constexpr piece most_of(unsigned cuts) {
    return cuts == ~0u ? piece{-1, visits_in_one_evaluation} : piece{};
}
/// The first pass after `next` that begins a new evaluation.
[[nodiscard]] constexpr int end_of_evaluation(int next, unsigned cuts) {
    for (++next; next < pass_count; ++next)
        if ((cuts >> next & 1) != 0) break;
    return next;
}
/// The operations of expressions up to which one evaluation runs all passes, and saves no state: fewer if their
/// derivatives take several sweeps.
[[nodiscard]] constexpr differentiate::operation_limits most_operations_at_once(unsigned request, int rows,
                                                                                int columns) {
    int sweeps = 1; // third derivatives take one for each entry of a Hessian
    if ((request & ~(values | jacobians)) != 0)
        sweeps = columns + 2 + ((request & thirds) != 0 ? columns * (columns + 1) : 0);
    else if (request != values)
        sweeps = columns < 0 || rows < columns ? rows : columns;
    const int most = 170 / (sweeps > 1 ? sweeps : 1);
    return {most, most};
}

/// The first evaluation of a request: the graph of the expressions and its derivatives, or a piece of them.
template <unsigned Request, int Wrt, class Variables, class Expressions, int Words = default_words,
          relaxed_form Form = relaxed_form::unchosen>
struct first_evaluation : core::unnamed_state<first_evaluation<Request, Wrt, Variables, Expressions, Words, Form>> {
    static constexpr auto make() {
        return begin<Words>(derive<Request, Wrt, Form>(
            Variables{}, Expressions{}, cheapest_jacobian_mode<Request, Wrt, Variables, Form>(Expressions{}),
            most_operations(Request)));
    }
};
/// The first evaluation, with as many words as its state needs.
template <unsigned Request, int Wrt, class Variables, class Expressions>
using begun_evaluation = std::conditional_t<first_evaluation<Request, Wrt, Variables, Expressions>::state().complete(),
                                            first_evaluation<Request, Wrt, Variables, Expressions>,
                                            first_evaluation<Request, Wrt, Variables, Expressions, most_words>>;
/// The parts that saved states contain, or all: each other set would be instantiated anew.
[[nodiscard]] constexpr unsigned parts_in(unsigned saved) {
    return (saved & ~parts::of_short_programs) == 0 ? parts::of_short_programs : parts::all;
}
/// The evaluation that continues where another stopped, up to a cut.
template <class Previous, int Last, piece Most = piece{}, unsigned Parts = parts::all>
struct next_evaluation {
private:
    // As unnamed_state; but a constructor makes the state in place, which g++ copies from a function element by
    // element.
    static auto hold() {
        static constexpr std::remove_cvref_t<decltype(Previous::state())> made(of_parts<Parts>{}, Previous::state(),
                                                                               Last, Most);
        static_assert(made.complete(), "function: the derivatives are too large for the compiler; request fewer at "
                                       "once, or use tape mode");
        struct holder {
            static constexpr const auto& get() { return made; }
        };
        return holder{};
    }

public:
    [[nodiscard]] static constexpr const auto& state() { return decltype(hold())::get(); }
};

// The evaluation with which a graph is complete.
template <class Evaluation, bool Complete = (Evaluation::state().next > 0)>
struct deriving_evaluation : std::type_identity<Evaluation> {};
template <class Evaluation>
struct deriving_evaluation<Evaluation, false> : deriving_evaluation<next_evaluation<Evaluation, 1>> {};

// The last evaluation but one: the remaining passes have no cut.
template <class Evaluation, unsigned Cuts,
          bool Last = (end_of_evaluation(Evaluation::state().next, Cuts) >= pass_count &&
                       (Cuts != ~0u || Evaluation::state().next == pass_count))>
struct advanced_evaluation
    : advanced_evaluation<next_evaluation<Evaluation, end_of_evaluation(Evaluation::state().next, Cuts), most_of(Cuts),
                                          Cuts == ~0u ? parts::all : parts_in(Evaluation::state().all_parts)>,
                          Cuts> {};
template <class Evaluation, unsigned Cuts>
struct advanced_evaluation<Evaluation, Cuts, true> : std::type_identity<Evaluation> {};

/// The nodes of values above which relaxed ones stay as written: clang rearranges 2,900 of them in one evaluation.
inline constexpr int most_nodes_relaxed = 2500;

/// The evaluation with which the graph of a program is complete, after the first one. If values are relaxed, that of
/// the form which costs least, and of equals the one most like the values as written. Without outputs that are zero,
/// values are as written: codegen/pattern.hpp finds these outputs.
template <class First, bool Relaxed = First::state().relaxed>
struct chosen_evaluation : deriving_evaluation<First> {};
template <unsigned Request, int Wrt, class Variables, class Expressions, int Words>
struct chosen_evaluation<first_evaluation<Request, Wrt, Variables, Expressions, Words>, true> {
private:
    template <relaxed_form Form, int W>
    using first = first_evaluation<Request, Wrt, Variables, Expressions, W, Form>;
    template <relaxed_form Form>
    using derived = typename deriving_evaluation<
        std::conditional_t<first<Form, Words>::state().complete(), first<Form, Words>, first<Form, most_words>>>::type;
    template <relaxed_form Form>
    static consteval int cost() {
        constexpr const auto& state = derived<Form>::state();
        using last =
            typename advanced_evaluation<derived<Form>, cuts_of(Request, state.node_count, state.factor_pairs)>::type;
        return cost_after<parts_in(last::state().all_parts)>(last::state());
    }
    // An evaluation of its own for each: the steps of all three would be too many for one.
    template <relaxed_form Form>
    struct cost_of {
        enum : int { value = cost<Form>() };
    };
    static consteval relaxed_form choose() {
        constexpr int nodes = first_evaluation<Request, Wrt, Variables, Expressions, Words>::state().node_count;
        if constexpr ((Request & without_zeros) != 0 || (Request == values && nodes > most_nodes_relaxed)) {
            return relaxed_form::unchosen;
        } else {
            return graph::cheapest_form(cost_of<relaxed_form::rearranged>::value,
                                        cost_of<relaxed_form::reciprocals>::value,
                                        cost_of<relaxed_form::written>::value);
        }
    }

public:
    using type = derived<choose()>;
};

template <class Expressions>
inline constexpr bool are_traced = false;
template <class... E>
inline constexpr bool are_traced<type_list<E...>> = all_true({differentiate::is_traced_output<E>()..., true});

/// The one evaluation of few operations. Its program is not complete if there are more, or if the values may be
/// computed in another form.
template <unsigned Request, int Wrt, class Variables, class Expressions>
struct only_evaluation : core::unnamed_state<only_evaluation<Request, Wrt, Variables, Expressions>> {
    static constexpr auto make() {
        return finish_at_once(derive<Request, Wrt>(Variables{}, Expressions{},
                                                   cheapest_jacobian_mode<Request, Wrt, Variables>(Expressions{}),
                                                   most_operations_at_once(Request, Expressions::size, Wrt)));
    }
};

/// Whether the expressions of a request have no more operations than compilers manage. Asked before `compiled`, which
/// would add errors.
template <unsigned Request, int Wrt, class Variables, class Expressions>
[[nodiscard]] consteval bool has_few_operations() {
    if constexpr (only_evaluation<Request, Wrt, Variables, Expressions>::state().complete())
        return true;
    else
        return first_evaluation<Request, Wrt, Variables, Expressions>::state().node_count >= 0;
}
template <unsigned Request, int Wrt, class Variables, class Expressions>
inline constexpr bool is_small = has_few_operations<Request, Wrt, Variables, Expressions>();

/// Reports that they have more. (Its name is short: compilers write out the expressions in those of other functions.)
template <bool Traced>
struct too_many_operations {};
template <bool Traced>
consteval void report(too_many_operations<Traced>) {
    static_assert(!Traced,
                  "function: the traced code has more operations than CHAINRULE_MAX_OPERATIONS allows; trace one "
                  "round of its loop and call that in an ordinary loop, use tape mode, or define it greater and "
                  "raise -fconstexpr-steps (clang) or -fconstexpr-ops-limit (g++)");
    static_assert(Traced,
                  "function: the expressions have more than 3200 operations, or 2665 for derivatives; trace a function "
                  "or use tape mode, or define CHAINRULE_MAX_OPERATIONS greater than 3200 and raise "
                  "-fconstexpr-steps (clang) or -fconstexpr-ops-limit (g++)");
}
template <unsigned Request, int Wrt, class Variables, class Expressions>
consteval bool small_enough() {
    constexpr bool small = is_small<Request, Wrt, Variables, Expressions>;
    if constexpr (!small) report(too_many_operations<are_traced<Expressions>>{});
    return small;
}

/// All passes in as many evaluations as they need.
template <unsigned Request, int Wrt, class Variables, class Expressions>
struct last_evaluation : core::unnamed_state<last_evaluation<Request, Wrt, Variables, Expressions>> {
private:
    using begun = begun_evaluation<Request, Wrt, Variables, Expressions>;
    static_assert(begun::state().node_count >= 0, "function: the expressions have too many operations for one graph; "
                                                  "divide them among several functions, or use tape mode");
    static_assert(begun::state().complete(), "function: the derivatives are too large for the compiler; request "
                                             "fewer at once, or use tape mode");
    using derived = typename chosen_evaluation<begun>::type;
    using last = typename advanced_evaluation<derived, cuts_of(Request, derived::state().node_count,
                                                               derived::state().factor_pairs)>::type;

public:
    static constexpr auto make() {
        return finish<(derived::state().node_count < 4000 ? 1 << 13 : 1 << 16), parts_in(last::state().all_parts)>(
            last::state());
    }
};

template <unsigned Request, int Wrt, class Variables, class Expressions>
struct compiled {
private:
    using short_evaluation = only_evaluation<Request, Wrt, Variables, Expressions>;
    using evaluation = std::conditional_t<short_evaluation::state().complete(), short_evaluation,
                                          last_evaluation<Request, Wrt, Variables, Expressions>>;

public:
    /// The finished program.
    [[nodiscard]] static constexpr const auto& code() { return evaluation::state(); }
    static_assert(code().complete(), "function: the program needs more than 65000 instructions; request fewer "
                                     "derivatives at once, or use tape mode");

private:
    template <std::size_t... K>
    static auto own(std::index_sequence<K...>) -> type_list<custom_function_type<code().custom_functions[K]>...>;

public:
    /// The custom functions, in the order of their numbers.
    using custom_functions =
        decltype(own(std::make_index_sequence<static_cast<std::size_t>(code().custom_function_count)>{}));

private:
    template <std::size_t... C, std::size_t... I>
    static auto pack(std::index_sequence<C...>, std::index_sequence<I...>) {
        constexpr const auto& made = code(); // one call, not one for each instruction
        return std::type_identity<packed_program<
            constant_slots<constant_slot<made.constants.words[3 * C], made.constants.words[3 * C + 1],
                                         made.constants.words[3 * C + 2]>...>,
            instructions<made.pair_places, made.conditional, made.relaxed, made.body[I]...>, custom_functions>>{};
    }

public:
    using program = typename decltype(pack(std::make_index_sequence<static_cast<std::size_t>(code().constant_count)>{},
                                           std::make_index_sequence<static_cast<std::size_t>(code().size)>{}))::type;
};

} // namespace chainrule::codegen
