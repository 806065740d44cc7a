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
#include <span>
#include <string>
#include <vector>

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

/// Value, gradient and the upper triangle of the Hessian of a function at a point.
template <class T>
using results_at = std::vector<T> (*)(const std::vector<T>& at);

/// A function of the table, by type-erased calls: comparisons are compiled once.
struct function_of_table {
    std::string name;
    std::size_t arity;
    results_at<double> at_numbers;
    results_at<tracked> at_tracked;
};

template <class T>
std::vector<T> flat(const T& value, const T* gradient, const T* hessian, std::size_t n) {
    std::vector<T> numbers{value};
    numbers.insert(numbers.end(), gradient, gradient + n);
    for (std::size_t i = 0; i < n; ++i) numbers.insert(numbers.end(), hessian + i * n + i, hessian + (i + 1) * n);
    return numbers;
}

template <class Row>
constexpr auto function_of() {
    constexpr auto u = 3_c * x + 1_c;
    constexpr auto v = 3_c * y + 1_c;
    constexpr auto w = 3_c * z + 1_c;
    if constexpr (Row::arity == 1)
        return cr::function(cr::expressions::node_of<Row, decltype(+u)>{}, cr::wrt(x));
    else if constexpr (Row::arity == 2)
        return cr::function(cr::expressions::node_of<Row, decltype(+u), decltype(+v)>{}, cr::wrt(x, y));
    else
        return cr::function(cr::expressions::node_of<Row, decltype(+u), decltype(+v), decltype(+w)>{},
                            cr::wrt(x, y, z));
}

template <class Row, class T>
std::vector<T> results_of(const std::vector<T>& at) {
    constexpr std::size_t n = Row::arity;
    const auto r = function_of<Row>().value_gradient_and_hessian(std::span<const T, n>(at));
    return flat<T>(r.value, r.gradient.data(), r.hessian[0].data(), n);
}

void check_line(const function_of_table& f, const oracle::line& l) {
    const std::size_t n = f.arity;
    std::vector<double> at;
    std::vector<tracked> tracked_at;
    for (std::size_t i = 0; i < n; ++i) {
        at.push_back(static_cast<double>(l.numbers[i]));
        tracked_at.emplace_back(l.numbers[i], -std::abs(l.numbers[i])); // exact
    }
    const std::vector<double> found = f.at_numbers(at);
    const std::vector<tracked> bounds = f.at_tracked(tracked_at);
    const std::vector<long double> right(l.numbers.begin() + static_cast<std::ptrdiff_t>(n), l.numbers.end());
    REQUIRE(right.size() == found.size());
    const auto second = [&](std::size_t i, std::size_t j) {
        return i <= j ? 1 + n + i * n - i * (i + 1) / 2 + j : 1 + n + j * n - j * (j + 1) / 2 + i;
    };
    for (std::size_t k = 0; k < found.size(); ++k) {
        double bound = oracle::running_error(bounds[k]);
        if (1 <= k && k <= n && !oracle::cancels(f.name)) {
            bound = 4;
            for (std::size_t j = 0; j < n; ++j)
                if (right[k] != 0)
                    bound += static_cast<double>((std::abs(3 * l.numbers[j]) + std::abs(3 * l.numbers[j] + 1)) *
                                                 std::abs(right[second(k - 1, j)] / (3 * right[k])));
        }
        CAPTURE(f.name, k, found[k], right[k], bound);
        CHECK(oracle::units(found[k], right[k]) <= bound);
    }
}

} // namespace

TEST_CASE("every function agrees with 30 digits", "[oracle]") {
    const auto functions = []<class... Row>(cr::functions::row_list<Row...>) {
        return std::vector<function_of_table>{
            {Row::name, std::size_t{Row::arity}, results_of<Row, double>, results_of<Row, tracked>}...};
    }(cr::functions::all{});
    for (const function_of_table& f : functions) DYNAMIC_SECTION(f.name) {
            const auto lines = table().find(f.name);
            REQUIRE(lines != table().end());
            REQUIRE(lines->second.size() == 20);
            for (const oracle::line& l : lines->second) check_line(f, l);
        }
    CHECK(table().size() == functions.size());
}
