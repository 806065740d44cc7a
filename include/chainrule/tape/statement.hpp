// SPDX-License-Identifier: BSL-1.0
//
// What happens when an expression is assigned to an active number? Its value and its partial derivatives by the active
// numbers in it come from one kernel, derived while the program compiles, as in the compile-time half; the tape then
// stores the partial derivatives.
#pragma once

#include <chainrule/kernel/evaluate.hpp>
#include <chainrule/kernel/outputs.hpp>
#include <chainrule/tape/tape.hpp>

namespace chainrule {
namespace tape {

/// Whether numbers of type T are themselves on a tape for numbers of type Inner, as where T is active<Inner>. Beside an
/// active<T>, an active<Inner> is then a plain number.
template <class T, class Inner>
inline constexpr bool is_recorded_as = false;
template <class T, class Inner>
inline constexpr bool is_recorded_as<active<T>, Inner> = std::same_as<T, Inner> || is_recorded_as<T, Inner>;

/// The type of the active numbers in an expression, none where there are none, their count, and whether there are others,
/// which count as plain numbers.
template <class E, int Arity = (int{E::numbers} > 0) ? int{E::arity} : -1>
struct actives_in {
    using type = kernel::none;
    enum : int { count = 0, mixed = 0 };
};
template <class T>
struct actives_in<active<T>, 0> {
    using type = T;
    enum : int { count = 1, mixed = 0 };
};
template <class E>
struct actives_in<E, 1> : actives_in<typename E::first> {};

template <class A, class B>
consteval auto outer_type_of() {
    constexpr bool one = std::same_as<A, B> || std::same_as<A, kernel::none> || std::same_as<B, kernel::none> ||
                         is_recorded_as<A, B> || is_recorded_as<B, A>;
    static_assert(one, "active: an expression has active numbers of two types; convert them to one");
    return std::type_identity<std::conditional_t<std::same_as<A, kernel::none> || is_recorded_as<B, A>, B, A>>{};
}
// What the operands of an operation hold together.
template <class A, class B>
struct actives_of_two {
    using type = typename decltype(outer_type_of<typename A::type, typename B::type>())::type;
    enum : bool {
        by_first = std::same_as<typename A::type, type>,
        by_second = std::same_as<typename B::type, type>,
    };
    enum : int {
        count = (by_first ? int{A::count} : 0) + (by_second ? int{B::count} : 0),
        mixed = int{A::mixed} || int{B::mixed} || (!by_first && int{A::count} > 0) || (!by_second && int{B::count} > 0)
    };
};
template <class E>
struct actives_in<E, 2> : actives_of_two<actives_in<typename E::first>, actives_in<typename E::second>> {};
template <class E>
struct actives_in<E, 3>
    : actives_of_two<actives_of_two<actives_in<typename E::first>, actives_in<typename E::second>>,
                     actives_in<typename E::third>> {};

/// An expression in which only the active<T> are on a tape; other active numbers are stored as they are.
template <class T, class E, int Arity = (int{E::numbers} > 0) ? int{E::arity} : -1>
struct recorded_by {
    using type = E;
};
template <class T, class Inner>
struct recorded_by<T, active<Inner>, 0> {
    using type = std::conditional_t<std::same_as<T, Inner>, active<Inner>, typename number<active<Inner>>::node>;
};
template <class T, class E>
struct recorded_by<T, E, 1> {
    using type = program::node_of<typename E::operation, typename recorded_by<T, typename E::first>::type>;
};
template <class T, class E>
struct recorded_by<T, E, 2> {
    using type = program::node_of<typename E::operation, typename recorded_by<T, typename E::first>::type,
                                  typename recorded_by<T, typename E::second>::type>;
};
template <class T, class E>
struct recorded_by<T, E, 3> {
    using type = program::node_of<typename E::operation, typename recorded_by<T, typename E::first>::type,
                                  typename recorded_by<T, typename E::second>::type,
                                  typename recorded_by<T, typename E::third>::type>;
};

// Passes on the active<T> among the numbers of an expression.
template <class T, class Action>
struct active_visitor {
    Action& action;
    template <class N>
    [[gnu::always_inline]] constexpr void operator()(const N& number) {
        if constexpr (std::same_as<N, active<T>>) action(number);
    }
};

// The numbers of a statement, with the sine and the cosine that its tape remembers.
template <class Numbers, class T>
struct numbers_with_rotation {
    const Numbers& numbers;
    rotation<T>* last;

    [[gnu::always_inline]] T operator[](std::size_t i) const { return numbers[i]; }
    void refresh() {}
    [[gnu::always_inline]] void sine_cosine(const T& x, T& sine, T& cosine) const {
        // A comparison of values would take 0 for -0, whose sines differ in sign.
        if (last != nullptr && last->argument == x && x != 0) {
            sine = last->sine;
            cosine = last->cosine;
            return;
        }
        kernel::sine_cosine(x, sine, cosine);
        if (last != nullptr) *last = {x, sine, cosine};
    }
};

/// The value, then the partial derivatives.
template <class T, class Wide>
struct statement_outputs {
    Wide& value;
    T* partials;

    struct place {
        Wide* value;
        T* partial;
        [[gnu::always_inline]] void operator=(const Wide& x) const {
            if (value != nullptr)
                *value = x;
            else
                *partial = static_cast<T>(x);
        }
    };
    [[gnu::always_inline]] place operator[](std::size_t k) const {
        return k == 0 ? place{&value, nullptr} : place{nullptr, partials + (k - 1)};
    }
};

template <class T>
template <class E>
[[gnu::always_inline]] inline active<T> active<T>::statement_of(const E& e) {
    using found = actives_in<E>;
    if constexpr (is_recorded_as<T, typename found::type>)
        return {static_cast<T>(e), nullptr, 0};
    else
        return statement_of<E, found>(e);
}

template <class T>
template <class E, class Found>
[[gnu::always_inline]] inline active<T> active<T>::statement_of(const E& e) {
    constexpr bool right_type = std::same_as<typename Found::type, T> || std::same_as<typename Found::type, kernel::none>;
    static_assert(right_type, "active: the expression has active numbers of another type; convert the result's type");
    constexpr std::size_t count = Found::count;
    using recorded = typename std::conditional_t<Found::mixed, recorded_by<T, E>, std::type_identity<E>>::type;
    using wide = kernel::plain_number<typename kernel::computation<program::type_list<E>>::type>;
    using code = program::compiled<count == 0 ? program::values : program::values | program::jacobians,
                                   program::by_actives, program::type_list<>, program::type_list<recorded>>;
    constexpr bool closed = code::code.variable_count == 0;
    static_assert(closed, "active: the expression has variables without a value; give each one, as in f(x = 2.0)");
    if constexpr (right_type && closed) {
        const auto numbers = kernel::numbers_of_expression<wide>(e);
        const auto run = [&](T* to, rotation<T>* last) CHAINRULE_INLINE {
            wide value{};
            statement_outputs<T, wide> outputs{value, to};
            if constexpr (std::floating_point<T> && std::same_as<T, wide>)
                code::runner::template run<T>(numbers, numbers_with_rotation<decltype(numbers), T>{numbers, last}, outputs);
            else
                code::runner::template run<wide>(numbers, numbers, outputs);
            return static_cast<T>(value);
        };
        if constexpr (count == 0) {
            return run(nullptr, nullptr);
        } else {
            return basic_tape<T>::template record<count>([&](auto action) CHAINRULE_INLINE {
                active_visitor<T, decltype(action)> visit{action};
                program::for_each_number(e, visit);
            }, run);
        }
    } else {
        return {};
    }
}

// The values of inputs on a tape.
template <class T, class Variables>
struct values_of_inputs {
    const Variables& inputs;
    [[gnu::always_inline]] T operator[](std::size_t i) const { return inputs[i].value(); }
    void refresh() {}
};

template <class T>
template <class Expressions, class Inputs, std::size_t Rows, class Variables, class Numbers, class Outputs>
void active<T>::record_call(const Variables& variables, const Numbers& numbers, Outputs& outputs) {
    constexpr auto columns = static_cast<std::size_t>(Inputs::size);
    using code = program::compiled<program::values | program::jacobians, Inputs::size, Inputs, Expressions>;
    std::array<T, Rows> values;
    std::array<T, Rows * columns> partials;
    kernel::value_and_jacobian_outputs<T, Rows, columns> to{values.data(), partials.data()};
    code::runner::template run<T>(values_of_inputs<T, Variables>{variables}, numbers, to);
    for (std::size_t r = 0; r < Rows; ++r)
        outputs[r] = basic_tape<T>::template record<columns>(
            [&](auto action) CHAINRULE_INLINE {
                for (std::size_t i = 0; i < columns; ++i) action(variables[i]);
            },
            [&](T* at, rotation<T>*) CHAINRULE_INLINE {
                std::copy_n(partials.data() + r * columns, columns, at);
                return values[r];
            });
}

} // namespace tape
} // namespace chainrule
