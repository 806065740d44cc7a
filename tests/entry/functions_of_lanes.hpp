// SPDX-License-Identifier: BSL-1.0
//
// Every row of the table of functions, with numbers that are SIMD lanes of other libraries: the value and the gradient
// of its kernel in each lane, against those of the lane's numbers.
#pragma once

#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/functions/domains.hpp>
#include <chainrule/special_functions.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#if __has_include(<experimental/simd>)
#include <experimental/simd>
#endif
#if __has_include(<xsimd/xsimd.hpp>)
#include <xsimd/xsimd.hpp>
#endif

namespace functions_of_lanes {

namespace cr = chainrule;
namespace functions = chainrule::functions;

/// How numbers get into lanes and out of them.
template <class Lanes>
struct access;
#if __has_include(<experimental/simd>)
template <class T, class Abi>
struct access<std::experimental::simd<T, Abi>> {
    using lanes = std::experimental::simd<T, Abi>;
    static constexpr std::size_t count = lanes::size();
    static lanes load(const T* from) { return lanes(from, std::experimental::element_aligned); }
    static void store(const lanes& l, T* to) { l.copy_to(to, std::experimental::element_aligned); }
};
#endif
#if __has_include(<xsimd/xsimd.hpp>)
template <class T, class Abi>
struct access<xsimd::batch<T, Abi>> {
    using lanes = xsimd::batch<T, Abi>;
    static constexpr std::size_t count = lanes::size;
    static lanes load(const T* from) { return lanes::load_unaligned(from); }
    static void store(const lanes& l, T* to) { l.store_unaligned(to); }
};
#endif

/// The kernel of a row, with its type erased: compilation must not grow with the comparisons. Results are the value and
/// the derivative with respect to each argument.
template <class Lanes>
struct subject {
    using T = typename Lanes::value_type;
    std::string name;
    std::size_t arity;
    std::vector<std::array<functions::interval, 3>> boxes;
    void (*of_lanes)(const Lanes*, Lanes*);
    void (*of_numbers)(const T*, T*);
};

inline constexpr auto x = cr::variable<"x">;
inline constexpr auto y = cr::variable<"y">;
inline constexpr auto z = cr::variable<"z">;

template <class Row>
constexpr auto kernel_of() {
    if constexpr (unsigned{Row::arity} == 1)
        return cr::function(cr::expressions::node_of<Row, decltype(x)>{}, cr::wrt(x));
    else if constexpr (unsigned{Row::arity} == 2)
        return cr::function(cr::expressions::node_of<Row, decltype(x), decltype(y)>{}, cr::wrt(x, y));
    else
        return cr::function(cr::expressions::node_of<Row, decltype(x), decltype(y), decltype(z)>{}, cr::wrt(x, y, z));
}

template <class Row, class N>
void run(const N* arguments, N* results) {
    constexpr std::size_t arity{Row::arity};
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        const auto [value, gradient] = kernel_of<Row>().value_and_gradient(arguments[I]...);
        results[0] = value;
        ((results[I + 1] = gradient[I]), ...);
    }(std::make_index_sequence<arity>{});
}

template <class Lanes>
std::vector<subject<Lanes>> subjects() {
    std::vector<subject<Lanes>> made;
    const auto add = [&]<class Row>(Row) {
        made.push_back({Row::name, Row::arity, {}, run<Row, Lanes>, run<Row, typename Lanes::value_type>});
        for (const auto& box : functions::boxes_of<Row>) {
            made.back().boxes.emplace_back();
            std::copy(box.begin(), box.end(), made.back().boxes.back().begin());
        }
    };
    [&]<class... Row>(functions::row_list<Row...>) { (add(Row{}), ...); }(functions::all{});
    return made;
}

/// Equal up to rounding: functions of vectors may round differently from those of <cmath>, and formulas add their
/// errors.
template <class T>
bool same(T found, T expected, T scale) {
    if (std::isnan(expected)) return std::isnan(found);
    if (std::isinf(expected)) return found == expected;
    return std::abs(found - expected) <= 64 * std::numeric_limits<T>::epsilon() * scale;
}

template <class Lanes>
void check_at(const subject<Lanes>& s, const std::vector<std::array<typename Lanes::value_type, 3>>& points) {
    using T = typename Lanes::value_type;
    constexpr std::size_t count = access<Lanes>::count;
    const std::size_t arity = s.arity;
    INFO(s.name);
    for (std::size_t begin = 0; begin + count <= points.size(); begin += count) {
        T numbers[3][count], found[4][count];
        Lanes arguments[3], results[4];
        for (std::size_t j = 0; j < arity; ++j) {
            for (std::size_t i = 0; i < count; ++i) numbers[j][i] = points[begin + i][j];
            arguments[j] = access<Lanes>::load(numbers[j]);
        }
        s.of_lanes(arguments, results);
        for (std::size_t j = 0; j <= arity; ++j) access<Lanes>::store(results[j], found[j]);
        for (std::size_t i = 0; i < count; ++i) {
            T at[3] = {}, expected[4] = {}, scale = 1;
            for (std::size_t j = 0; j < arity; ++j) scale += std::abs(at[j] = numbers[j][i]);
            s.of_numbers(at, expected);
            for (std::size_t j = 0; j <= arity; ++j) scale += std::abs(expected[j]);
            for (std::size_t j = 0; j <= arity; ++j) {
                INFO("result " << j << " at " << at[0] << ", " << at[1] << ", " << at[2] << ": " << found[j][i]
                               << " instead of " << expected[j]);
                if (!same(found[j][i], expected[j], scale)) FAIL_CHECK();
            }
        }
    }
    CHECK(points.size() >= count);
}

/// Checks every row but one at points of its domain, and but one on other sides.
template <class Lanes>
void check_rows(const std::string& left_out = "", const std::string& of_one_side = "") {
    using T = typename Lanes::value_type;
    std::mt19937 random(7);
    for (const auto& s : subjects<Lanes>()) {
        if (s.name == left_out) continue;
        for (const auto& box : s.boxes) {
            if (s.name == of_one_side && &box != s.boxes.data()) break;
            std::vector<std::array<T, 3>> points(64);
            for (auto& point : points)
                for (std::size_t j = 0; j < s.arity; ++j)
                    point[j] = static_cast<T>(std::uniform_real_distribution<>(box[j].low, box[j].high)(random));
            check_at(s, points);
        }
    }
}

} // namespace functions_of_lanes
