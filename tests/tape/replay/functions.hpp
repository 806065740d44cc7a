// SPDX-License-Identifier: BSL-1.0
//
// Every function of the table, recorded for replay at one point and replayed at others, against the plain call and
// derivatives that are recorded anew. A new row is tested without an edit here. Each replay_functions_*.cpp tests some
// of the rows.
#pragma once

#include "catch.hpp"

#include <chainrule/functions/domains.hpp>
#include <chainrule/special_functions.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>

namespace {

namespace cr = chainrule;
namespace tape = chainrule::tape;
namespace functions = chainrule::functions;

// The functions as a program calls them: by a name that argument-dependent lookup finds.
template <class Row>
struct call;
#define CHAINRULE_ROW(NAME, ...)                                                                                       \
    template <>                                                                                                        \
    struct call<functions::NAME> {                                                                                     \
        template <class... T>                                                                                          \
        static auto of(const T&... x) {                                                                                \
            if constexpr ((std::same_as<T, double> && ...))                                                            \
                return functions::NAME::value(x...);                                                                   \
            else                                                                                                       \
                return NAME(x...);                                                                                     \
        }                                                                                                              \
    };
CHAINRULE_FUNCTIONS(CHAINRULE_ROW, CHAINRULE_ROW, CHAINRULE_ROW)
#undef CHAINRULE_ROW

/// A function of N arguments in every number type of the comparison, so that this is compiled once for each N and not
/// for each function.
template <std::size_t N>
struct row_function {
    template <class T>
    using in = T (*)(const std::array<T, N>&);
    template <class... T>
    using in_all = std::tuple<in<T>...>;
    using plain = double;
    using replayed = tape::replayable<double>;
    using recorded = tape::active<double>;
    using twice = tape::active<cr::dual<double, 1>>;
    in_all<plain, replayed, recorded, twice> calls;

    template <class T>
    T operator()(const std::array<T, N>& x) const {
        return std::get<in<T>>(calls)(x);
    }
};
template <class Row, class T, std::size_t N>
T value_of_row(const std::array<T, N>& x) {
    return std::apply([](const auto&... xi) -> T { return call<Row>::of(xi...); }, x);
}

template <std::size_t N>
std::array<double, N> inside(const std::array<functions::interval, N>& domain, double share) {
    std::array<double, N> x;
    for (std::size_t i = 0; i < N; ++i) {
        x[i] = domain[i].low + (domain[i].high - domain[i].low) * (i % 2 == 0 ? share : 1 - share);
        share = share < 0.5 ? share + 0.11 : share - 0.07;
    }
    return x;
}
Approx near(double expected) { return Approx(expected).epsilon(1e-10).margin(1e-12); }

/// Taylor coefficients against values nearby, at a distance at which each term is a twentieth of the one before or
/// less.
template <class Recorded, std::size_t N>
void check_taylor(Recorded& r, const std::array<double, N>& x, const std::array<double, N>& direction, double slope,
                  double curvature) {
    const auto c = r.template taylor<6>(x, direction);
    CHECK(std::bit_cast<std::uint64_t>(c[0]) == std::bit_cast<std::uint64_t>(r(x)));
    CHECK(c[1] == near(slope));
    CHECK(c[2] == near(curvature / 2));
    double largest = 1;
    for (std::size_t k = 1; k < c.size(); ++k)
        largest = std::max(largest, std::pow(std::abs(c[k]), 1 / static_cast<double>(k)));
    for (const double h : {0.05 / largest, -0.05 / largest}) {
        std::array<double, N> moved = x;
        for (std::size_t i = 0; i < N; ++i) moved[i] += h * direction[i];
        double sum = 0;
        for (std::size_t k = c.size(); k-- > 0;) sum = sum * h + c[k];
        CHECK(std::abs(sum - r(moved)) < 1e-8 + 1e-13 * std::abs(sum));
    }
}

template <std::size_t N>
void check_replay(const row_function<N>& f, const std::array<functions::interval, N>& domain) {
    auto r = tape::record(f, inside(domain, 0.4));
    CHECK(r.comparisons() == 0);
    constexpr double shares[] = {0.05, 0.23, 0.41, 0.6, 0.77, 0.95};
    tape::matrix<double> points(std::size(shares), N);
    for (std::size_t p = 0; p < std::size(shares); ++p) {
        const auto x = inside(domain, shares[p]);
        for (std::size_t i = 0; i < N; ++i) points(p, i) = x[i];
        const double value = f(x);
        CHECK(std::bit_cast<std::uint64_t>(r(x)) == std::bit_cast<std::uint64_t>(value));
        const auto expected = tape::value_and_gradient(f, x);
        const auto found = r.gradient(x);
        std::array<double, N> direction;
        double slope = 0;
        for (std::size_t i = 0; i < N; ++i) {
            CHECK(found[i] == near(expected.gradient[i]));
            direction[i] = 1.0 - 0.3 * static_cast<double>(i);
            slope += direction[i] * expected.gradient[i];
        }
        CHECK(r.jvp(x, direction) == near(slope));
        const auto product = r.hvp(x, direction), expected_product = tape::hvp(f, x, direction);
        double curvature = 0;
        for (std::size_t i = 0; i < N; ++i) {
            CHECK(product[i] == near(expected_product[i]));
            curvature += direction[i] * expected_product[i];
        }
        check_taylor(r, x, direction, slope, curvature);
    }
    const auto in_lanes = r.value_and_gradient(points);
    for (std::size_t p = 0; p < points.rows(); ++p) {
        const auto x = inside(domain, shares[p]);
        CHECK(in_lanes.value[p] == near(f(x)));
        const auto expected = tape::gradient(f, x);
        for (std::size_t i = 0; i < N; ++i) CHECK(in_lanes.gradient(p, i) == near(expected[i]));
    }
}

template <class Row, std::size_t N, class... T>
row_function<N> function_of(const std::tuple<T (*)(const std::array<T, N>&)...>&) {
    return {{&value_of_row<Row, T, N>...}};
}
template <class Row>
void check_row() {
    constexpr std::size_t n = Row::arity;
    INFO(Row::name);
    for (const auto& box : functions::boxes_of<Row>)
        check_replay<n>(function_of<Row, n>(decltype(row_function<n>::calls){}), box);
}

/// Tests each row whose position in the table leaves a remainder.
template <std::size_t Remainder, std::size_t Parts, class... Rows>
void check_rows(functions::row_list<Rows...>) {
    const auto check = []<class Row>(std::type_identity<Row>) {
        if constexpr (Row::position % Parts == Remainder) check_row<Row>();
    };
    (check(std::type_identity<Rows>{}), ...);
}

} // namespace
