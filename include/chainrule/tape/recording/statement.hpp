// SPDX-License-Identifier: BSL-1.0
//
// The assignment of an expression to an active number. One kernel, derived at compile time, computes its value and its
// partial derivatives with respect to the active numbers in it; the tape stores the partial derivatives.
#pragma once

#include <chainrule/entry/evaluate.hpp>
#include <chainrule/tape/recording/actives_in_expressions.hpp>
#include <chainrule/tape/recording/statement_writer.hpp>

#include <bit>

namespace chainrule {
namespace tape {

// Collects the places of the active numbers of an expression in an array.
template <class T, std::size_t Count>
struct active_places {
    std::array<place, Count> places;
    std::size_t next = 0;

    template <class N>
    [[gnu::always_inline]] constexpr void operator()(const N& number) {
        if constexpr (std::same_as<N, active<T>>) places[next++] = basic_tape<T>::place_of(number);
    }
};

// The numbers of a statement, with the sine and the cosine that the thread keeps.
template <class Numbers, class T>
struct numbers_with_rotation {
    const Numbers& numbers;

    [[gnu::always_inline]] T operator[](std::size_t i) const { return numbers[i]; }
    void refresh() {}
    [[gnu::always_inline]] void sine_cosine(const T& x, T& sine, T& cosine) const {
        rotation<T>& last = heads<T>::last_rotation();
        const auto argument = std::bit_cast<typename rotation<T>::word>(x);
        if (last.argument != argument) {
            kernel::sine_cosine(x, last.sine, last.cosine);
            last.argument = argument;
        }
        sine = last.sine;
        cosine = last.cosine;
    }
};

/// The value, then the partial derivatives, on the tape or in an array that is copied there.
template <class T, class Wide, std::size_t Count, bool OnTape>
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
                write_number(*partial, static_cast<T>(x));
            if constexpr (OnTape)
                if (value == nullptr) CHAINRULE_STORED_ALONE(*partial);
        }
    };
    [[gnu::always_inline]] place operator[](std::size_t k) const {
        return k == 0 ? place{&value, nullptr} : place{nullptr, partials + (k - 1)};
    }
    /// Calls f with outputs that are copied afterwards.
    template <class F>
    [[gnu::always_inline]] void by_copies(const F& f) {
        Wide own_value{};
        std::array<T, Count> own_partials{};
        statement_outputs own{own_value, own_partials.data()};
        f(own);
        value = own_value;
        for_each_index<Count>([&](std::size_t k) CHAINRULE_INLINE { write_number(partials[k], own_partials[k]); });
    }
};

/// Whether a program may give structural zeros as derivatives: those of untaken arms, and those that are zero
/// everywhere, such as that of rint. Other zeros come from arithmetic, as 2 x at 0, where an infinite adjoint must give
/// NaN.
template <class Code>
consteval bool has_structural_zeros() {
    constexpr auto& code = Code::code();
    if (code.conditional) return true;
    for (int i = 0; i < code.size; ++i) {
        const codegen::instruction s = kernel::unpack(code.body[static_cast<std::size_t>(i)]);
        if (s.what == codegen::opcode::output && s.a < code.constant_count &&
            code.constants[static_cast<std::size_t>(s.a)].is_zero())
            return true;
        if (s.what == codegen::opcode::call)
            for (const auto step : {functions::index::share, functions::index::exceeds, functions::index::taken,
                                    functions::index::weighted})
                if (s.function == static_cast<unsigned>(step)) return true;
    }
    return false;
}

/// For each partial derivative the stored numbers that it has as factors: bit i is number i. Where one is zero, the
/// result does not depend on the operand.
template <class Code, std::size_t Count>
consteval std::array<std::uint32_t, Count> factors_of_partials() {
    constexpr auto& code = Code::code();
    std::array<std::uint32_t, Count> result{};
    std::array<std::uint32_t, static_cast<std::size_t>(code.constant_count + code.size + 1)> factors{};
    for (int i = 0; i < code.size; ++i) {
        const codegen::instruction s = kernel::unpack(code.body[static_cast<std::size_t>(i)]);
        const auto of = [&](int slot) { return factors[static_cast<std::size_t>(slot)]; };
        auto& here = factors[static_cast<std::size_t>(code.constant_count + i)];
        if (s.what == codegen::opcode::variable || s.what == codegen::opcode::number)
            here = std::uint32_t{1} << s.a;
        else if (s.what == codegen::opcode::multiply)
            here = of(s.a) | of(s.b);
        else if (s.what == codegen::opcode::negate || s.what == codegen::opcode::divide)
            here = of(s.a);
        else if (s.what == codegen::opcode::output && s.b > 0)
            result[static_cast<std::size_t>(s.b - 1)] = of(s.a);
    }
    return result;
}

/// The program of a statement, with its numbers as arguments of a function. All statements of the same form share one
/// function, and a program of a thousand statements calls it a thousand times. Its arguments and its result are in
/// registers, since passing dependent numbers through memory would take twice as long.
template <class T, class E>
struct statement_program {
    using found = actives_in<E>;
    enum : std::size_t { count = found::count, plain_count = std::size_t{E::numbers} - count };
    using recorded = typename std::conditional_t<found::mixed, recorded_by<T, E>, std::type_identity<E>>::type;
    using wide = computed_in<E>;
    using code = codegen::compiled<count == 0 ? request::values : request::values | request::jacobians,
                                   differentiate::by_actives, core::type_list<>, core::type_list<recorded>>;
    static constexpr bool in_registers = int{E::numbers} <= 16;
    static constexpr bool drops_zeros = has_structural_zeros<code>();
    // Of more numbers, no factor is looked for.
    static constexpr std::array<std::uint32_t, count> factors = [] {
        if constexpr (in_registers)
            return factors_of_partials<code, count>();
        else
            return std::array<std::uint32_t, count>{};
    }();

    /// Computes the value and writes the partial derivatives.
    template <class Numbers>
    [[gnu::always_inline]] static T run(const Numbers& numbers, T* to) {
        wide value{};
        statement_outputs<T, wide, count, !statement_writer<T>::is_short(count)> outputs{value, to};
        if constexpr (rotation<T>::kept && std::same_as<T, wide>)
            kernel::runner<typename code::program>::template run<T>(numbers, numbers_with_rotation<Numbers, T>{numbers},
                                                                    outputs);
        else
            kernel::runner<typename code::program>::template run<wide>(numbers, numbers, outputs);
        return static_cast<T>(value);
    }
};

/// T for each index of a pack.
template <std::size_t, class T>
using each = T;

template <class T, class E, class Actives = std::make_index_sequence<statement_program<T, E>::count>,
          class Plain = std::make_index_sequence<statement_program<T, E>::plain_count>>
struct statement_in_registers;
template <class T, class E, std::size_t... A, std::size_t... P>
struct statement_in_registers<T, E, std::index_sequence<A...>, std::index_sequence<P...>> {
    using program = statement_program<T, E>;
    using wide = typename program::wide;
    static constexpr auto kinds = numbers_by_kind<T, E>(std::make_integer_sequence<int, int{E::numbers}>{});
    // Dual numbers in one direction go in registers too.
    template <class N>
    static constexpr bool by_value = std::is_trivially_copyable_v<N> && sizeof(N) <= 2 * sizeof(void*);
    template <class N>
    using argument = std::conditional_t<by_value<N>, N, const N&>;
    template <std::size_t I>
    using plain = argument<std::remove_cvref_t<decltype(number_at<kinds.plain[I]>(std::declval<const E&>()))>>;

    [[gnu::always_inline]] static active<T> of(const E& e) {
        const auto record_numbers = [](const auto&... numbers) CHAINRULE_INLINE {
            if constexpr (is_part_of_caller)
                return recorded(numbers...);
            else
                return record(numbers...);
        };
        return record_numbers(number_at<kinds.active[A]>(e).value()...,
                              basic_tape<T>::place_of(number_at<kinds.active[A]>(e))...,
                              number_at<kinds.plain[P]>(e)...);
    }

private:
    [[gnu::always_inline]] static T run(T* to, each<A, argument<T>>... values, plain<P>... constants) {
        kernel::buffer<wide, int{E::numbers}> numbers{};
        ((numbers.values[kinds.active[A]] = chainrule::expressions::number_as<wide>(values)), ...);
        ((numbers.values[kinds.plain[P]] = chainrule::expressions::number_as<wide>(constants)), ...);
        return program::run(numbers, to);
    }
    // g++ inlines up to its limit on the growth of functions. clang has no such limit: it would take four times as long
    // to compile a program of a thousand statements.
#if defined(__clang__)
    [[gnu::noinline]]
#endif
    static active<T> record(each<A, argument<T>>... values, each<A, place>... places, plain<P>... constants) {
        return recorded(values..., places..., constants...);
    }
    // An active dual number is three words, which a function returns in memory, so each statement would wait for the
    // one before it. Short statements of them are therefore part of their callers.
    static constexpr bool is_part_of_caller = !std::is_arithmetic_v<T> && by_value<T> && int{E::numbers} <= 6;
    [[gnu::always_inline]] static active<T> recorded(each<A, argument<T>>... values, each<A, place>... places,
                                                     plain<P>... constants) {
        return statement_writer<T>::template record<form>(
            std::array{places...}, std::array<const T*, sizeof...(A)>{&values...},
            [&](T* to) CHAINRULE_INLINE { return run(to, values..., constants...); });
    }
    static constexpr auto form = [] {
        factors_of_operands<sizeof...(A)> result{program::drops_zeros, {}};
        for (std::size_t k = 0; k < sizeof...(A); ++k)
            for (std::size_t j = 0; j < sizeof...(A); ++j)
                if ((program::factors[k] >> kinds.active[j] & 1U) != 0)
                    result.factors[k] = static_cast<std::uint16_t>(result.factors[k] | 1U << j);
        return result;
    }();
};

template <class T>
template <class E>
[[gnu::always_inline]] inline active<T> active<T>::statement_of(const E& e) {
    using found = actives_in<E>;
    if constexpr (std::same_as<typename found::type, of_two_types>)
        return {};
    else if constexpr (is_recorded_as<T, typename found::type>)
        return {static_cast<T>(e), 0};
    else
        return statement_of<E, found>(e);
}

template <class T>
template <class E, class Found>
[[gnu::always_inline]] inline active<T> active<T>::statement_of(const E& e) {
    constexpr bool right_type =
        std::same_as<typename Found::type, T> || std::same_as<typename Found::type, kernel::none>;
    static_assert(right_type, "active: the expression has active numbers of another type; convert the result's type");
    using program = statement_program<T, E>;
    constexpr bool closed = program::code::code().variable_count == 0;
    static_assert(closed, "active: the expression has variables without a value; give each one, as in f(x = 2.0)");
    constexpr bool is_of_another = functions::has_functions_of_table<typename program::wide>; // a dual number
    constexpr bool fits = std::is_constructible_v<T, typename program::wide>;
    static_assert(fits || is_of_another,
                  "active: the expression has a number that the result cannot hold, such as a complex one; keep "
                  "the real and the imaginary part as two numbers");
    static_cast<void>(are_of_nested_derivatives<fits || !is_of_another>());
    if constexpr (right_type && closed && fits) {
        if constexpr (Found::count == 0) {
            return program::run(kernel::numbers_of_expression<typename program::wide>(e), nullptr);
        } else if constexpr (program::in_registers) {
            return statement_in_registers<T, E>::of(e);
        } else {
            active_places<T, Found::count> actives;
            chainrule::expressions::for_each_number(e, actives);
            const auto numbers = kernel::numbers_of_expression<typename program::wide>(e);
            return statement_writer<T>::template record<factors_of_operands<Found::count>{program::drops_zeros, {}}>(
                actives.places, {}, [&](T* to) CHAINRULE_INLINE { return program::run(numbers, to); });
        }
    } else {
        return {};
    }
}

} // namespace tape
} // namespace chainrule
