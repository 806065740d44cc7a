// SPDX-License-Identifier: BSL-1.0
//
// Calls of compile-time functions with active numbers: one kernel computes all values and partial derivatives, and each
// value is one statement.
#pragma once

#include <chainrule/entry/outputs.hpp>
#include <chainrule/tape/recording/statement.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace chainrule::tape {

// Which inputs of a call may be on a tape, and the others: the places of the first `count` in `all`.
template <bool... Recorded>
struct recorded_inputs {
    std::size_t all[sizeof...(Recorded) + 1]{};
    std::size_t count = 0;

    consteval recorded_inputs() {
        constexpr bool recorded[] = {Recorded..., false};
        for (std::size_t i = 0; i < sizeof...(Recorded); ++i)
            if (recorded[i]) all[count++] = i;
        for (std::size_t i = 0, next = count; i < sizeof...(Recorded); ++i)
            if (!recorded[i]) all[next++] = i;
    }
};

// A call of a compile-time function on a tape. Its program has derivatives with respect to inputs that may be recorded.
template <class T, class Expressions, class Inputs, class Values>
struct recorded_call;
template <class T, class Expressions, class Inputs, class... Value>
struct recorded_call<T, Expressions, Inputs, core::type_list<Value...>> {
    static constexpr recorded_inputs<!detail::is_plain_value<active<T>, Value>...> order{};
    static constexpr std::size_t columns = order.count;
    template <std::size_t... I>
    static auto in_order(std::index_sequence<I...>)
        -> core::type_list<typename core::type_at<static_cast<int>(order.all[I]), Inputs>::type...>;
    using inputs = decltype(in_order(std::make_index_sequence<sizeof...(Value)>{}));
    using code = codegen::compiled<columns == 0 ? request::values : request::values | request::jacobians,
                                   static_cast<int>(columns), inputs, Expressions>;
    static constexpr factors_of_operands<columns> form{has_structural_zeros<code>(), {}};

    template <class Variables>
    struct values {
        const Variables& variables;
        [[gnu::always_inline]] T operator[](std::size_t i) const { return variables[order.all[i]].value(); }
        void refresh() {}
    };

    template <class Variables, class Numbers, class To>
    [[gnu::always_inline]] static void run(const Variables& variables, const Numbers& numbers, To& to) {
        kernel::runner<typename code::program>::template run<T>(values<Variables>{variables}, numbers, to);
    }
    template <class Variables>
    [[gnu::always_inline]] static std::array<place, columns> places(const Variables& variables) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) CHAINRULE_INLINE {
            return std::array<place, columns>{basic_tape<T>::place_of(variables[order.all[I]])...};
        }(std::make_index_sequence<columns>{});
    }
};

template <class T>
template <class Expressions, class Inputs, class Values, std::size_t Rows, class Variables, class Numbers,
          class Outputs>
[[gnu::always_inline]] inline void active<T>::record_call(const Variables& variables, const Numbers& numbers,
                                                          Outputs& outputs) {
    using call = recorded_call<T, Expressions, Inputs, Values>;
    constexpr std::size_t columns = call::columns;
    std::array<T, Rows> values{};
    if constexpr (columns == 0) {
        call::run(variables, numbers, values);
        std::copy_n(values.begin(), Rows, std::begin(outputs));
    } else if constexpr (Rows == 1) {
        outputs[0] = statement_writer<T>::template record_program<call::form>(
            call::places(variables), [&](T* to) CHAINRULE_INLINE {
                detail::value_and_jacobian_outputs<T, 1, columns> all{values.data(), to};
                call::run(variables, numbers, all);
                return values[0];
            });
    } else {
        std::array<T, Rows * columns> partials;
        detail::value_and_jacobian_outputs<T, Rows, columns> all{values.data(), partials.data()};
        call::run(variables, numbers, all);
        const std::array<place, columns> places = call::places(variables);
        for (std::size_t r = 0; r < Rows; ++r)
            outputs[r] = statement_writer<T>::template record<call::form>(places, {}, [&](T* to) CHAINRULE_INLINE {
                std::copy_n(partials.data() + r * columns, columns, to);
                return values[r];
            });
    }
}

} // namespace chainrule::tape
