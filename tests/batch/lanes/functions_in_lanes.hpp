// SPDX-License-Identifier: BSL-1.0
//
// Every function of the table in lanes, against the same function of one number and, where a vector library computes
// it, of more precise numbers: at points of its domain, and at edges.
#pragma once

#include "catch.hpp"

#include <chainrule/batch/lanes/lanes.hpp>
#include <chainrule/functions/domains.hpp>
#include <chainrule/special_functions.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace functions_in_lanes {

namespace cr = chainrule;
namespace batches = chainrule::batches;

/// A row of the table, with its number types erased: compilation of the test must not grow with its length.
template <class T>
struct subject {
    using L = batches::widest<T>;
    std::string name;
    unsigned arity;
    std::vector<std::array<cr::functions::interval, 3>> boxes;
    L (*in_lanes)(const L*);
    T (*of_numbers)(const T*);
};

template <class Row, class N, std::size_t... I>
N value(const N* x, std::index_sequence<I...>) {
    return Row::value(x[I]...);
}
template <class Row, class N>
N value(const N* x) {
    return value<Row>(x, std::make_index_sequence<std::size_t{Row::arity}>{});
}

/// Whether Boost.Math computes a function: it throws at some edges, and at others takes all memory.
inline bool is_of_boost(const std::string& name) {
    struct row {
        const char* name;
        const char* source;
    };
    static constexpr row rows[] = {
#define CHAINRULE_ROW(NAME, SOURCE, ...) {#NAME, #SOURCE},
        CHAINRULE_FUNCTIONS(CHAINRULE_ROW, CHAINRULE_ROW, CHAINRULE_ROW)
#undef CHAINRULE_ROW
    };
    return std::any_of(std::begin(rows), std::end(rows),
                       [&](const row& each) { return name == each.name && std::string(each.source) == "BOOST"; });
}

template <class T, class Row>
subject<T> subject_of() {
    subject<T> made{Row::name, unsigned{Row::arity}, {}, value<Row, batches::widest<T>>, value<Row, T>};
    for (const auto& box : cr::functions::boxes_of<Row>) {
        made.boxes.emplace_back();
        std::copy(box.begin(), box.end(), made.boxes.back().begin());
    }
    return made;
}

template <class T>
T ulp(T x) {
    const T magnitude = std::abs(x);
    if (magnitude == std::numeric_limits<T>::max()) return magnitude - std::nextafter(magnitude, T(0));
    return std::nextafter(magnitude, std::numeric_limits<T>::infinity()) - magnitude;
}

/// Compares lanes with numbers at points, which are given in every lane in turn. `units` are units in the last place of
/// the largest argument or result: what cancels in a formula may differ by that.
template <class T>
void compare(const subject<T>& s, const std::vector<std::vector<T>>& points, double units) {
    using L = typename subject<T>::L;
    constexpr std::size_t lanes = batches::lane_count<L>;
    INFO(s.name);
    double worst = 0;
    std::string where;
    for (std::size_t begin = 0; begin < points.size(); begin += lanes) {
        batches::element<L> arguments[3][lanes] = {}, results[lanes];
        for (std::size_t lane = 0; lane < lanes; ++lane)
            for (std::size_t j = 0; j < s.arity; ++j)
                arguments[j][lane] = points[std::min(begin + lane, points.size() - 1)][j];
        L x[3];
        for (std::size_t j = 0; j < s.arity; ++j) x[j] = batches::load<L>(arguments[j]);
        batches::store(s.in_lanes(x), results);
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const T at[3] = {arguments[0][lane], arguments[1][lane], arguments[2][lane]};
            const T expected = s.of_numbers(at), found = results[lane];
            INFO("at " << at[0] << ", " << at[1] << ", " << at[2] << ": " << found << " instead of " << expected);
            if (std::isnan(expected)) {
                if (!std::isnan(found)) FAIL();
            } else if (std::isinf(expected)) {
                if (found != expected) FAIL();
            } else if (expected == 0) {
                if (found != 0 || std::signbit(found) != std::signbit(expected)) FAIL();
            } else {
                if (!std::isfinite(found)) FAIL();
                T scale = std::abs(expected);
                if (s.name == "log_diff_exp" || s.name == "log_sum_exp")
                    scale = std::max({scale, std::abs(at[0]), std::abs(at[1])});
                const double error = std::abs(static_cast<double>((found - expected) / ulp(scale)));
                if (error > worst) {
                    worst = error;
                    where = std::to_string(at[0]) + ", " + std::to_string(at[1]);
                }
            }
        }
    }
    INFO("largest difference at " << where);
    CHECK(worst <= units);
}

template <class T>
std::vector<std::vector<T>> points_of_domain(const subject<T>& s, std::size_t count) {
    std::mt19937_64 random(7);
    std::vector<std::vector<T>> points(count * s.boxes.size(), std::vector<T>(3));
    for (std::size_t i = 0; i < points.size(); ++i)
        for (std::size_t j = 0; j < s.arity; ++j) {
            const auto& side = s.boxes[i / count][j];
            points[i][j] = static_cast<T>(std::uniform_real_distribution<double>(side.low, side.high)(random));
        }
    return points;
}

template <class T>
std::vector<std::vector<T>> edges(const subject<T>& s) {
    using limits = std::numeric_limits<T>;
    const T tiny = limits::denorm_min(), large = limits::max(), infinity = limits::infinity();
    std::vector<T> numbers{0,
                           T(-0.0),
                           1,
                           -1,
                           T(0.5),
                           T(-0.5),
                           2,
                           T(2.5),
                           T(-1.5),
                           3,
                           infinity,
                           -infinity,
                           limits::quiet_NaN(),
                           tiny,
                           -tiny,
                           limits::min(),
                           -limits::min(),
                           large,
                           -large,
                           T(1e-4),
                           T(1e5),
                           T(-1e5),
                           T(1e22),
                           T(89),
                           T(-104),
                           T(710),
                           T(-746),
                           T(0.99999)};
    std::vector<std::vector<T>> points;
    for (const T a : numbers) {
        if (s.arity == 1) points.push_back({a, 0, 0});
        for (const T b : numbers) {
            if (s.arity == 2) points.push_back({a, b, 0});
            if (s.arity == 3)
                for (const T c : numbers) points.push_back({a, b, c});
        }
    }
    return points;
}

} // namespace functions_in_lanes
