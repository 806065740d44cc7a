// SPDX-License-Identifier: BSL-1.0
//
// The loops that run a replay: an operation on many operands, forwards for values and backwards for adjoints, for plain
// numbers, dual numbers and lanes. Operands that follow one another in memory are computed in SIMD lanes.
#pragma once

#include <chainrule/tape/recording/sweep.hpp>
#include <chainrule/tape/replay/rows.hpp>
#include <chainrule/tape/replay/run.hpp>
#include <chainrule/tape/replay/taylor.hpp>

namespace chainrule::tape::replays {

/// Adds partial times adjoint. A structural zero adds nothing.
template <int K, class Row, class N, class A>
[[gnu::always_inline]] inline void add_share(A& to, const N& partial, const A& adjoint) {
    if constexpr (is_one_of<Row, add, subtract, negate> && std::same_as<N, A>) {
        to = to + partial * adjoint; // 1 or -1, which keep a zero
    } else if constexpr (functions::are_lanes<N> || batches::lane_count<N> != 1) {
        const N none(0);
        const N share = select(adjoint == none, none, partial * adjoint);
        if constexpr (has_structural_zeros<K, Row>)
            to = to + select(partial == none, none, share);
        else
            to = to + share;
    } else {
        if constexpr (has_structural_zeros<K, Row>)
            if (core::is_structural_zero(partial)) return;
        sweeping::add(to, partial, adjoint);
    }
}

// compute(x[i], ...) in each lane.
template <class Compute, class N, class... More>
[[gnu::always_inline]] inline N lane_by_lane(const Compute& compute, const N& x, const More&... more) {
    batches::lane_array<N> result;
    for (std::size_t i = 0; i < batches::lane_count<N>; ++i)
        result.values[i] = compute(batches::to_array(x).values[i], batches::to_array(more).values[i]...);
    return batches::from_array<N>(result);
}
/// Whether a row is computed lane by lane in lanes: that of a custom function.
template <class Row, class N>
inline constexpr bool one_lane_at_a_time = batches::lane_count<N> != 1 && requires { typename Row::function; };

/// Values and derivatives of a row.
template <class Row, class N, class... More>
[[gnu::always_inline]] inline N value_of(const N& x, const More&... more) {
    if constexpr (one_lane_at_a_time<Row, N>)
        return replays::lane_by_lane([](const auto&... a) { return Row::value(a...); }, x, more...);
    else
        return Row::value(x, more...);
}
template <int K, class Row, class N, class... More>
[[gnu::always_inline]] inline N derivative_of(const N& x, const More&... more) {
    if constexpr (one_lane_at_a_time<Row, N>)
        return replays::lane_by_lane([](const auto&... a) { return functions::derivative<K, Row>(a...); }, x, more...);
    else
        return functions::derivative<K, Row>(x, more...);
}

/// The loops of one operation.
template <class Row, class T>
class loops {
    static constexpr std::size_t arity = Row::arity;
    using all_operands = std::make_index_sequence<arity>;
    using lanes = points_at_once<T>;
    static constexpr std::size_t width = batches::lane_count<lanes>;

public:
    /// The values of the results.
    template <class N>
    static void values(const run<T>& r, const slot* slots, N* v) {
        if constexpr (std::same_as<N, T> && width > 1 && is_exact_in_lanes<Row>) {
            if (r.in_lanes) {
                values_in_lanes(r, slots, v, all_operands{});
                return;
            }
        }
        values_anywhere(r, slots, v, all_operands{});
    }
    /// Adds what the adjoints of the results contribute to those of the operands.
    template <class N, class A>
    static void adjoints(const run<T>& r, const slot* slots, const N* v, A* adjoint) {
        if constexpr (!is_truth<Row>) {
            if constexpr (std::same_as<A, T> && width > 1 && arity < 3) {
                if (r.in_lanes) {
                    adjoints_in_lanes(r, slots, v, adjoint, all_operands{});
                    return;
                }
            }
            // Loops of their own where one operand varies: to test each would take longer than most derivatives.
            if constexpr (std::same_as<A, T> && arity < 3) {
                if (r.varying == 1)
                    adjoints_anywhere<1>(r, slots, v, adjoint, all_operands{});
                else if (r.varying == 2)
                    adjoints_anywhere<2>(r, slots, v, adjoint, all_operands{});
                else
                    adjoints_anywhere<3>(r, slots, v, adjoint, all_operands{});
            } else {
                adjoints_anywhere<0>(r, slots, v, adjoint, all_operands{});
            }
        }
    }
    /// The derivatives of the results in several directions.
    static void tangents(const run<T>& r, const slot* slots, const T* v, lane_values<T>* t) {
        if constexpr (is_truth<Row>)
            std::fill_n(t + r.result, r.count, lane_values<T>{});
        else
            tangents_anywhere(r, slots, v, t, all_operands{});
    }

private:
    template <class N, std::size_t... K>
    static void values_anywhere(const run<T>& r, const slot* slots, N* v, std::index_sequence<K...>) {
        const slot* const at[] = {r.operands[K].in(slots)...};
        const N* const x[] = {v + r.operands[K].lowest...};
        N* next = v + r.result;
        if (!r.dependent) {
            for (std::size_t k = 0; k < r.count; ++k) *next++ = replays::value_of<Row>(x[K][at[K][k]]...);
            return;
        }
        // A result that the next operation takes stays in a register: its store and load would take twice as long.
        const N* before = x[0] + at[0][0];
        N last = *before;
        for (std::size_t k = 0; k < r.count; ++k) {
            last = replays::value_of<Row>((x[K] + at[K][k] == before ? last : x[K][at[K][k]])...);
            *next = last;
            before = next++;
        }
    }

    // Varying: the operands that vary, or 0 for those of the run.
    template <unsigned Varying, class N, class A, std::size_t... K>
    static void adjoints_anywhere(const run<T>& r, const slot* slots, const N* v, A* adjoint,
                                  std::index_sequence<K...>) {
        const slot* const at[] = {r.operands[K].in(slots)...};
        const slot* const of[] = {r.adjoints[K].in(slots)...};
        const N* const x[] = {v + r.operands[K].lowest...};
        A* const to[] = {adjoint + r.adjoints[K].lowest...};
        const N* const result = v + r.result;
        const A* const from = adjoint + r.result_adjoint;
        for (std::size_t k = r.count; k-- > 0;) {
            const A w = from[k];
            if constexpr (std::same_as<A, T> && !is_one_of<Row, replays::add, subtract, negate>)
                if (w == T(0)) continue;
            const auto add = [&](auto number) __attribute__((always_inline)) {
                constexpr int operand = number;
                if ((((Varying != 0 ? Varying : r.varying) >> operand) & 1) != 0)
                    replays::add_share<operand, Row>(to[operand][of[operand][k]],
                                                     replays::derivative_of<operand, Row>(x[K][at[K][k]]..., result[k]),
                                                     w);
            };
            (add(std::integral_constant<int, K>{}), ...);
        }
    }

    template <std::size_t... K>
    static void tangents_anywhere(const run<T>& r, const slot* slots, const T* v, lane_values<T>* t,
                                  std::index_sequence<K...>) {
        const slot* const at[] = {r.operands[K].in(slots)...};
        const T* const x[] = {v + r.operands[K].lowest...};
        const lane_values<T>* const from[] = {t + r.operands[K].lowest...};
        for (std::size_t k = 0; k < r.count; ++k) {
            lane_values<T> sum{};
            const auto add = [&](auto number) __attribute__((always_inline)) {
                constexpr int operand = number;
                if (((r.varying >> operand) & 1) != 0)
                    replays::add_share<operand, Row>(
                        sum, replays::derivative_of<operand, Row>(x[K][at[K][k]]..., v[r.result + k]),
                        from[operand][at[operand][k]]);
            };
            (add(std::integral_constant<int, K>{}), ...);
            t[r.result + k] = sum;
        }
    }

    // An operand in lanes: consecutive numbers, or one number in each lane.
    struct operand {
        alignas(lanes) T one[width];
        const T* from;
        std::size_t step = 1;

        operand(pattern p, const T* first) : from(first) {
            if (p == pattern::consecutive) return;
            std::fill_n(one, width, *first);
            from = one;
            step = 0;
        }
        operand(const operand&) = delete;
        operand& operator=(const operand&) = delete;
        [[nodiscard, gnu::always_inline]] lanes at(std::size_t k) const {
            return batches::load<lanes>(from + k * step);
        }
        [[nodiscard, gnu::always_inline]] const T& one_at(std::size_t k) const { return from[k * step]; }
    };

    template <std::size_t... K>
    static void values_in_lanes(const run<T>& r, const slot* slots, T* v, std::index_sequence<K...>) {
        const operand x[] = {{r.patterns[K], v + r.operands[K].at(slots, 0)}...};
        T* const to = v + r.result;
        std::size_t k = 0;
        for (; k + width <= r.count; k += width) batches::store(replays::value_of<Row>(x[K].at(k)...), to + k);
        for (; k < r.count; ++k) to[k] = replays::value_of<Row>(x[K].one_at(k)...);
    }

    template <std::size_t... K>
    static void adjoints_in_lanes(const run<T>& r, const slot* slots, const T* v, T* adjoint,
                                  std::index_sequence<K...>) {
        const operand x[] = {{r.patterns[K], v + r.operands[K].at(slots, 0)}...};
        const auto add = [&](auto number) {
            constexpr int which = number;
            if (((r.varying >> which) & 1) == 0) return;
            const T* const result = v + r.result;
            const T* const from = adjoint + r.result_adjoint;
            T* const to = adjoint + r.adjoints[which].at(slots, 0);
            const auto in_lanes = [&](lanes& sum, std::size_t k) __attribute__((always_inline)) {
                replays::add_share<which, Row>(
                    sum, replays::derivative_of<which, Row>(x[K].at(k)..., batches::load<lanes>(result + k)),
                    batches::load<lanes>(from + k));
            };
            const auto alone = [&](T& sum, std::size_t k) __attribute__((always_inline)) {
                replays::add_share<which, Row>(sum, replays::derivative_of<which, Row>(x[K].one_at(k)..., result[k]),
                                               from[k]);
            };
            std::size_t k = 0;
            if (r.patterns[which] == pattern::consecutive) {
                for (; k + width <= r.count; k += width) {
                    lanes sum = batches::load<lanes>(to + k);
                    in_lanes(sum, k);
                    batches::store(sum, to + k);
                }
                for (; k < r.count; ++k) alone(to[k], k);
            } else {
                lanes sum(0);
                for (; k + width <= r.count; k += width) in_lanes(sum, k);
                *to = *to + batches::sum_of(sum);
                for (; k < r.count; ++k) alone(*to, k);
            }
        };
        (add(std::integral_constant<int, K>{}), ...);
    }
};

template <class Row, int... K>
consteval std::array<unsigned, 3> curvature_of(std::integer_sequence<int, K...>) {
    return {derivative_notes<K, Row>.varies...};
}

template <class Row, int... K>
consteval std::array<unsigned, 3> reads_of(std::integer_sequence<int, K...>) {
    return {derivative_notes<K, Row>.reads...};
}

/// The operation of a row.
template <class Row, class T>
inline constexpr operation<T> operation_of{
    Row::name,
    code_of<Row>,
    Row::arity,
    is_truth<Row>,
    replays::curvature_of<Row>(std::make_integer_sequence<int, int{Row::arity}>{}),
    replays::reads_of<Row>(std::make_integer_sequence<int, int{Row::arity}>{}),
    &loops<Row, T>::template values<T>,
    &loops<Row, T>::template adjoints<T, T>,
    &loops<Row, T>::tangents,
    &loops<Row, T>::template adjoints<T, lane_values<T>>,
    &loops<Row, T>::template values<second<T>>,
    &loops<Row, T>::template adjoints<second<T>, second<T>>,
    &loops<Row, T>::template values<points_at_once<T>>,
    &loops<Row, T>::template adjoints<points_at_once<T>, points_at_once<T>>,
    &taylor_loop<Row, T>::run_series,
};

} // namespace chainrule::tape::replays
