// SPDX-License-Identifier: BSL-1.0
//
// Every function of the table, with its first and second derivatives, through f(3 x + 1, 3 y + 1, 3 z + 1). The first
// derivatives are held to 4 units in the last place and what their condition numbers explain, the values and second
// derivatives to running error analysis. combinations.cpp continues with pairs.
#include "catch.hpp"

#include "running_error.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/special_functions.hpp>

#include <map>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;
using reference::tracked;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;

const std::map<std::string, std::vector<oracle::line>>& table() {
    static const auto lines = [] {
        std::map<std::string, std::vector<oracle::line>> by_name;
        for (const oracle::line& l : oracle::read(CHAINRULE_ORACLE_FOLDER "/rows.txt"))
            by_name[l.names.at(0)].push_back(l);
        return by_name;
    }();
    return lines;
}

template <std::size_t N, class Result>
auto flat(const Result& r) {
    std::vector<std::decay_t<decltype(r.value)>> numbers{r.value};
    numbers.insert(numbers.end(), r.gradient.begin(), r.gradient.end());
    for (std::size_t i = 0; i < N; ++i)
        numbers.insert(numbers.end(), r.hessian[i].begin() + static_cast<std::ptrdiff_t>(i), r.hessian[i].end());
    return numbers;
}

template <std::size_t N, class F>
void check_line(const F& f, const oracle::line& l) {
    std::array<double, N> at{};
    std::array<tracked, N> tracked_at{};
    for (std::size_t i = 0; i < N; ++i) {
        at[i] = static_cast<double>(l.numbers[i]);
        tracked_at[i] = tracked(l.numbers[i], -std::abs(l.numbers[i])); // exact
    }
    const auto found = flat<N>(f.value_gradient_and_hessian(at));
    const auto bounds = flat<N>(f.value_gradient_and_hessian(tracked_at));
    const std::vector<long double> right(l.numbers.begin() + N, l.numbers.end());
    REQUIRE(right.size() == found.size());
    const auto second = [&](std::size_t i, std::size_t j) {
        return i <= j ? 1 + N + i * N - i * (i + 1) / 2 + j : 1 + N + j * N - j * (j + 1) / 2 + i;
    };
    for (std::size_t k = 0; k < found.size(); ++k) {
        double bound = oracle::running_error(bounds[k]);
        if (1 <= k && k <= N && !oracle::cancels(l.names[0])) {
            bound = 4;
            for (std::size_t j = 0; j < N; ++j)
                if (right[k] != 0)
                    bound += static_cast<double>((std::abs(3 * l.numbers[j]) + std::abs(3 * l.numbers[j] + 1)) *
                                                 std::abs(right[second(k - 1, j)] / (3 * right[k])));
        }
        CAPTURE(l.names[0], k, found[k], right[k], bound);
        CHECK(oracle::units(found[k], right[k]) <= bound);
    }
}

template <class Row>
void check_row() {
    const auto lines = table().find(Row::name);
    REQUIRE(lines != table().end());
    REQUIRE(lines->second.size() == 20);
    constexpr auto u = 3_c * x + 1_c;
    constexpr auto v = 3_c * y + 1_c;
    constexpr auto w = 3_c * z + 1_c;
    for (const oracle::line& l : lines->second) {
        if constexpr (Row::arity == 1)
            check_line<1>(cr::function(cr::expressions::node_of<Row, decltype(+u)>{}, cr::wrt(x)), l);
        else if constexpr (Row::arity == 2)
            check_line<2>(cr::function(cr::expressions::node_of<Row, decltype(+u), decltype(+v)>{}, cr::wrt(x, y)), l);
        else
            check_line<3>(cr::function(cr::expressions::node_of<Row, decltype(+u), decltype(+v), decltype(+w)>{},
                                       cr::wrt(x, y, z)),
                          l);
    }
}

} // namespace

TEST_CASE("every function agrees with 30 digits", "[oracle]") {
    []<class... Row>(cr::functions::row_list<Row...>) {
        const auto one = []<class R>(R) {
            DYNAMIC_SECTION(R::name) { check_row<R>(); }
        };
        (one(Row{}), ...);
        CHECK(table().size() == sizeof...(Row));
    }(cr::functions::all{});
}
