// SPDX-License-Identifier: BSL-1.0
//
// The forms of calls of traced code: with separate numbers, with an array, with pointers to inputs and outputs, or with
// structs; and what it may return: a number, or nested arrays and tuples of numbers.
#pragma once

#include <chainrule/functions/device.hpp>
#include <chainrule/trace/shapes.hpp>

#include <array>
#include <utility>

namespace chainrule {

/// The count of numbers behind each pointer parameter, as in function<inputs<9, 3>>(reprojection{}).
template <int... Count>
struct inputs {};
/// The count of numbers written to the last pointer.
template <int Count>
struct outputs {};

namespace tracing {

/// Checks that R is a number or contains only numbers.
template <class R>
consteval bool right_outputs() {
    constexpr bool numbers = are_outputs<std::remove_cvref_t<R>>();
    static_assert(!is_condition<std::remove_cvref_t<R>>, "function: the traced code returns a truth value; return a "
                                                         "number, as in select(x < y, 1.0, 0.0)");
    static_assert(
        numbers || is_condition<std::remove_cvref_t<R>> || after_refusal<R>(),
        "function: the traced code does not return numbers; return a number, a std::array, a std::tuple or a struct of "
        "numbers, or write to a pointer, as in function<inputs<9, 3>>(f)");
    return numbers;
}

/// One call of Code: the graph that it grows, its inputs, and the nodes of its outputs. The forms below call the code
/// from one function each, since compilers print every function on the way to an error in the code. (The type of number
/// is a parameter so that it is compiled only in programs with traced code.)
template <class Code, int Inputs, class Number = traced_number>
struct recorded_call {
    recorder r;
    core::list<Number> x{r.inputs<Number>(Inputs + Code::members)};
    const typename Code::object f = Code::made(r, x.items + Inputs);
    core::list<int> outputs;

    template <class R>
    constexpr void push(const R& result) {
        for_each_number<Number>(result, [this](const auto& number) { outputs.push_back(Number(number).in(r)); });
    }
    template <class Use>
    [[nodiscard]] constexpr auto passed_to(const Use& use) {
        Code::finish(r, outputs);
        return use(r, outputs);
    }
};

/// A T for calls that are compiled and not made: `true || (void((*none<F>())(...)), true)`. clang instantiates what a
/// constant expression names; in a function that calls no other, the context of an error is short. (No variable: g++
/// warns of one that is null.)
template <class T>
[[nodiscard]] constexpr T* none() {
    return nullptr;
}

/// f(x0, x1, ...). The numbers are copies that the code may change, as an argument `auto& x` does.
template <int Inputs>
struct by_position {
    static constexpr int inputs = Inputs;
    template <std::size_t>
    struct number_at { // a class: nvcc writes out an alias, and no pack is left in it
        using type = traced_number;
    };

    using all_inputs = std::make_index_sequence<static_cast<std::size_t>(Inputs)>;
    template <class F, std::size_t... I>
    static auto returned(std::index_sequence<I...>)
        -> decltype(std::declval<const F&>()(std::declval<typename number_at<I>::type&>()...));
    template <class F>
    using result_of = decltype(returned<F>(all_inputs{}));
    // Not std::is_invocable, with which compilers print twenty more lines of context to an error in F.
    template <class F, std::size_t... I>
    [[nodiscard]] static consteval auto accepted_by(std::index_sequence<I...>)
        -> decltype(static_cast<void>(std::declval<const F&>()(std::declval<typename number_at<I>::type&>()...)),
                    bool()) {
        return true;
    }
    // Not of any arguments by `...`: clang takes such a function for one of the host only.
    template <class F, class Other>
    [[nodiscard]] static consteval bool accepted_by(const Other&) {
        return false;
    }

    template <class Code, class Use, std::size_t... I>
    static constexpr auto call(const Use& use, std::index_sequence<I...>) {
        recorded_call<Code, inputs> made;
        auto* const x = made.x.items;
        made.push(made.f(x[I]...));
        return made.passed_to(use);
    }
};

/// f(q), where q is an array
template <int Inputs>
struct by_array {
    static constexpr int inputs = Inputs;
    using all_inputs = std::make_index_sequence<0>;
    using array = std::array<traced_number, static_cast<std::size_t>(Inputs)>;

    template <class F>
    using result_of = decltype(std::declval<const F&>()(std::declval<array&>()));
    template <class Code>
    struct prepared_call : recorded_call<Code, inputs> {
        array q;
        constexpr prepared_call() {
            for (int i = 0; i < Inputs; ++i) q[static_cast<std::size_t>(i)] = this->x.items[i];
        }
    };
    template <class Code, class Use>
    static constexpr auto call(const Use& use, all_inputs) {
        prepared_call<Code> made;
        made.push(made.f(made.q));
        return made.passed_to(use);
    }
};

/// f(p, q, ..., result) with pointers. If the count of outputs is not stated (-1), it is the number of written
/// elements.
template <int Outputs, int... Sizes>
struct by_pointers {
    static constexpr int inputs = core::sum_of({Sizes..., 0});
    static constexpr int most_outputs = 1024;
    using all_inputs = std::make_index_sequence<sizeof...(Sizes)>;

    template <class>
    using result_of = std::array<traced_number, 1>; // more than one number
    // (A function: nvcc does not expand a pack in an expression with a comma operator.)
    template <int>
    static constexpr const traced_number* input() {
        return none<const traced_number>();
    }
    // (Not std::is_invocable, as in by_position.)
    template <class F>
    static constexpr bool accepted_by = requires(const F& f, traced_number*& output) { f(input<Sizes>()..., output); };
    // True. clang compiles the code here, with fewer lines of context to an error in it than where it is traced.
    template <class F>
    static constexpr bool compiled =
        true || (void((*none<const F>())(input<Sizes>()..., *none<traced_number*>())), true);
    template <class Code, class Use, std::size_t... I>
    static constexpr auto call(const Use& use, std::index_sequence<I...>) {
        recorded_call<Code, inputs> made;
        const auto* const x = made.x.items;
        constexpr int room = Outputs < 0 ? most_outputs : Outputs;
        decltype(made.x) written(room, std::remove_cvref_t<decltype(*written.items)>::unassigned());
        constexpr int sizes[] = {Sizes..., 0};
        int starts[sizeof...(I) + 1] = {};
        for (std::size_t i = 0; i < sizeof...(I); ++i) starts[i + 1] = starts[i] + sizes[i];
        using returned = decltype(made.f((x + starts[I])..., written.items));
        if constexpr (std::is_same_v<returned, bool>) {
            if (!made.f((x + starts[I])..., written.items)) made.r.found = fault::returned_false;
        } else {
            made.f((x + starts[I])..., written.items);
        }
        int count = room;
        if (Outputs < 0)
            while (count > 0 && !written.items[count - 1].assigned()) --count;
        if (count == 0) made.r.found = fault::output_not_written;
        for (int i = 0; i < count; ++i) {
            if (!written.items[i].assigned()) made.r.found = fault::output_not_written;
            made.push(written.items[i]);
        }
        return made.passed_to(use);
    }
};

/// Arguments one after the other, each initialised.
template <std::size_t I, class Argument>
struct held_argument {
    Argument value{};
};
template <class Indices, class... Argument>
struct held_arguments;
template <std::size_t... I, class... Argument>
struct held_arguments<std::index_sequence<I...>, Argument...> : held_argument<I, Argument>... {
    template <class Number>
    constexpr void fill(const Number* x) {
        const auto next = [&](Number& number) { number = *x++; };
        [[maybe_unused]] const int done[] = {0,
                                             (for_each_number<Number>(held_argument<I, Argument>::value, next), 0)...};
    }
};

/// f(state, matrix, ...): the types of the arguments with plain numbers.
template <class... Argument>
struct by_shapes {
    static constexpr int inputs = core::sum_of({count_of_numbers<Argument>()..., 0});
    using all_inputs = std::index_sequence_for<Argument...>;

    template <class F>
    static constexpr bool accepted_by = std::is_invocable_v<const F&, with<Argument, traced_number>&...>;
    template <class F>
    using result_of =
        std::remove_cvref_t<decltype(std::declval<const F&>()(std::declval<with<Argument, traced_number>&>()...))>;
    template <class Code, class Use, std::size_t... I>
    static constexpr auto call(const Use& use, std::index_sequence<I...>) {
        recorded_call<Code, inputs> made;
        held_arguments<all_inputs, with<Argument, traced_number>...> arguments;
        arguments.fill(made.x.items);
        made.push(made.f(arguments.held_argument<I, with<Argument, traced_number>>::value...));
        return made.passed_to(use);
    }
};

// Functions of so many arguments of any type.
template <int Count>
struct rival;
template <>
struct rival<1> {
    template <class A>
    void operator()(A) const;
};
template <>
struct rival<2> {
    template <class A, class B>
    void operator()(A, B) const;
};
template <>
struct rival<3> {
    template <class A, class B, class C>
    void operator()(A, B, C) const;
};
template <class F, int Count>
struct with_rival : F, rival<Count> {
    using F::operator();
    using rival<Count>::operator();
};
template <int>
struct any_argument {};
/// The number of arguments of F, up to three, if these are of any type, and else 0: if it is not, then an error in F,
/// and not their number, is why F does not accept numbers. (Beside its rival, a call is ambiguous, so compilers do not
/// look into F. Of traced numbers, clang may have forgotten F by then.)
template <class F>
[[nodiscard]] consteval int count_of_any() {
    if constexpr (!std::is_class_v<F> || std::is_final_v<F>)
        return 0;
    else if constexpr (!requires(const with_rival<F, 1>& f, any_argument<0>& x) { f(x); })
        return 1;
    else if constexpr (!requires(const with_rival<F, 2>& f, any_argument<0>& x, any_argument<1>& y) { f(x, y); })
        return 2;
    else if constexpr (!requires(const with_rival<F, 3>& f, any_argument<0>& x, any_argument<1>& y,
                                 any_argument<2>& z) { f(x, y, z); })
        return 3;
    else
        return 0;
}

/// The same of a lambda, before it is called. (Of other classes a call may not be private, as beside a rival it must
/// not. Of code for devices, clang prefers a lambda for the device to its rival, which is for the host.)
template <class F>
[[nodiscard]] consteval int count_of_any_of_lambda() {
#if !defined(CHAINRULE_FOR_DEVICES)
    if constexpr (std::is_empty_v<F> && !std::is_aggregate_v<F>) return count_of_any<F>();
#endif
    return 0;
}

inline constexpr int most_arguments = 64;
/// The number of parameters of F, up to `Limit`; 0 if it takes no numbers. (Eight counts at a time: each level would be
/// three lines of context to an error in F.)
template <class F, int First = 1, int Limit = most_arguments>
[[nodiscard]] consteval int count_of_arguments() {
    if constexpr (First > Limit)
        return 0;
    else if constexpr (by_position<First>::template accepted_by<F>(typename by_position<First>::all_inputs()))
        return First;
    else if constexpr (by_position<First + 1>::template accepted_by<F>(typename by_position<First + 1>::all_inputs()))
        return First + 1;
    else if constexpr (by_position<First + 2>::template accepted_by<F>(typename by_position<First + 2>::all_inputs()))
        return First + 2;
    else if constexpr (by_position<First + 3>::template accepted_by<F>(typename by_position<First + 3>::all_inputs()))
        return First + 3;
    else if constexpr (by_position<First + 4>::template accepted_by<F>(typename by_position<First + 4>::all_inputs()))
        return First + 4;
    else if constexpr (by_position<First + 5>::template accepted_by<F>(typename by_position<First + 5>::all_inputs()))
        return First + 5;
    else if constexpr (by_position<First + 6>::template accepted_by<F>(typename by_position<First + 6>::all_inputs()))
        return First + 6;
    else if constexpr (by_position<First + 7>::template accepted_by<F>(typename by_position<First + 7>::all_inputs()))
        return First + 7;
    else
        return count_of_arguments<F, First + 8, Limit>();
}

/// F with its call operator taken for const.
template <class F>
struct as_const {
    template <class... A>
    auto operator()(A&&... a) const -> decltype(std::declval<F&>()(std::forward<A>(a)...));
};
/// IsConst: whether code takes its arguments, or would not even if its call operator were const.
template <bool IsConst>
[[nodiscard]] consteval bool has_const_call() {
    static_assert(IsConst, "function: the call operator of the traced code is not const; write const after its "
                           "parameters, or leave out the mutable of a lambda");
    return IsConst;
}

} // namespace tracing
} // namespace chainrule
