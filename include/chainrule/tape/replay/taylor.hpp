// SPDX-License-Identifier: BSL-1.0
//
// The Taylor coefficients of a run, forwards: those of its results from those of its operands.
#pragma once

#include <chainrule/tape/replay/run.hpp>
#include <chainrule/tape/replay/series.hpp>

#include <algorithm>

namespace chainrule::tape::replays {

/// The coefficients of all values: those of a value follow one another.
template <class T>
struct series_table {
    std::size_t length = 0; // of a series
    std::vector<T> coefficients;
    series_room<T> room;

    [[nodiscard]] T* of(std::size_t place) { return coefficients.data() + place * length; }
};

template <class Row, class T>
class taylor_loop {
    using all_operands = std::make_index_sequence<std::size_t{Row::arity}>;

public:
    static void run_series(const run<T>& r, const slot* slots, const T* v, series_table<T>& table) {
        for (std::size_t k = 0; k < r.count; ++k) {
            T* const to = table.of(r.result + k);
            const T* x[3] = {};
            bool moves = false;
            for (unsigned i = 0; i < Row::arity; ++i) {
                x[i] = table.of(r.operands[i].at(slots, k));
                moves = moves || ((r.varying >> i & 1) != 0 && is_moving(x[i], table.length));
            }
            to[0] = v[r.result + k];
            if (is_truth<Row> || !moves)
                std::fill_n(to + 1, table.length - 1, T(0));
            else
                run_one(to, x, table);
        }
    }

private:
    [[nodiscard]] static bool is_moving(const T* x, std::size_t length) {
        return std::any_of(x + 1, x + length, [](const T& c) { return c != T(0); });
    }
    static void run_one(T* to, const T* const* x, series_table<T>& table) {
        const auto of = [](const T* c) { return [c](std::size_t j) { return c[j]; }; };
        if constexpr (std::same_as<Row, choose>) {
            std::copy_n((x[0][0] != T(0) ? x[1] : x[2]) + 1, table.length - 1, to + 1);
        } else if constexpr (is_one_of<Row, negate, add, subtract, multiply, divide>) {
            for (std::size_t k = 1; k < table.length; ++k)
                if constexpr (std::same_as<Row, negate>)
                    to[k] = -x[0][k];
                else if constexpr (std::same_as<Row, add>)
                    to[k] = x[0][k] + x[1][k];
                else if constexpr (std::same_as<Row, subtract>)
                    to[k] = x[0][k] - x[1][k];
                else if constexpr (std::same_as<Row, multiply>)
                    to[k] = replays::coefficient_of_product<T>(k, of(x[0]), of(x[1]));
                else
                    to[k] = replays::coefficient_of_quotient<T>(k, of(x[0]), of(x[1]), of(to));
        } else if constexpr (!is_truth<Row>) {
            series_room<T>& room = table.room;
            room.start(table.length);
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                const std::array<series<T>, sizeof...(I)> operands{
                    (is_moving(x[I], table.length) ? room.given(x[I]) : series<T>(x[I][0]))...};
                const series<T> result = room.template node<Row>(to[0], operands[I]...);
                for (std::size_t k = 1; k < table.length; ++k) to[k] = result.coefficient(k);
            }(all_operands{});
        }
    }
};

} // namespace chainrule::tape::replays
