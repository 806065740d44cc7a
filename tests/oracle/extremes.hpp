// SPDX-License-Identifier: BSL-1.0
//
// Arguments far out, near singular points and at edges: values, first and second derivatives by kernels, dual numbers
// of dual numbers and the tape, against the reference of extremes.py. Each extremes_*.cpp tests some of the rows.
#pragma once

#include "catch.hpp"

#include "oracle.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/special_functions.hpp>
#include <chainrule/tape.hpp>

#include <array>
#include <map>
#include <tuple>

namespace {

namespace cr = chainrule;

/// The value, the gradient and the upper triangle of the Hessian.
using numbers = std::vector<double>;

/// A function of the table in every mode, by type-erased calls: comparisons are compiled once.
struct modes_of_function {
    std::size_t arity;
    numbers (*kernel)(const double*);
    numbers (*dual)(const double*);
    numbers (*tape)(const double*);
};

#define CHAINRULE_CALL(NAME, ...)                                                                                      \
    template <class... T>                                                                                              \
    constexpr auto call(cr::functions::NAME, const T&... a) {                                                          \
        return NAME(a...);                                                                                             \
    }
CHAINRULE_FUNCTIONS(CHAINRULE_CALL, CHAINRULE_CALL, CHAINRULE_CALL)
#undef CHAINRULE_CALL

template <std::size_t N, class Gradient, class Hessian>
numbers flat(double value, const Gradient& gradient, const Hessian& hessian) {
    numbers all{value};
    for (std::size_t i = 0; i < N; ++i) all.push_back(gradient(i));
    for (std::size_t i = 0; i < N; ++i)
        for (std::size_t j = i; j < N; ++j) all.push_back(hessian(i, j));
    return all;
}

template <class Row>
modes_of_function modes_of() {
    constexpr std::size_t n = Row::arity;
    modes_of_function modes{n, {}, {}, {}};
    modes.kernel = [](const double* from) {
        std::array<double, n> at{};
        std::copy_n(from, n, at.begin());
        constexpr auto f = cr::function<n>(
            [](const auto& a) { return std::apply([](const auto&... x) { return call(Row{}, x...); }, a); });
        const auto [value, gradient, hessian] = f.value_gradient_and_hessian(at);
        return flat<n>(
            value, [&](std::size_t i) { return gradient[i]; },
            [&](std::size_t i, std::size_t j) { return hessian[i][j]; });
    };
    modes.dual = [](const double* from) {
        using inner = cr::dual<double, n>;
        std::array<cr::dual<inner, n>, n> at;
        for (std::size_t i = 0; i < n; ++i) at[i] = cr::dual<inner, n>::variable(inner::variable(from[i], i), i);
        const cr::dual<inner, n> r = std::apply([](const auto&... x) { return call(Row{}, x...); }, at);
        return flat<n>(
            r.value.value, [&](std::size_t i) { return r.value.tangents[i]; },
            [&](std::size_t i, std::size_t j) { return r.tangents[i].tangents[j]; });
    };
    modes.tape = [](const double* from) {
        const auto f = [](const auto& a) {
            using number = std::remove_cvref_t<decltype(a[0])>;
            return [&]<std::size_t... I>(std::index_sequence<I...>) {
                return number(call(Row{}, a[I]...));
            }(std::make_index_sequence<n>{});
        };
        const auto r = cr::tape::hessian(f, std::vector<double>(from, from + n));
        return flat<n>(
            r.value, [&](std::size_t i) { return r.gradient[i]; },
            [&](std::size_t i, std::size_t j) { return r.hessian(i, j); });
    };
    return modes;
}

/// 1e-10 of the number. Where a second derivative is the small difference of larger numbers, as in (1 - x) - (1 + x) at
/// x = 1e-20, it may miss some units in the last place of them, which are the first derivatives over the argument.
double allowed(const numbers& right, std::size_t k, std::size_t n, const double* at) {
    double bound = std::max(1e-10 * std::abs(right[k]), 1e-290);
    if (k <= n) return bound;
    double slope = 0, size = n == 1 ? 1 : 0;
    for (std::size_t i = 0; i < n; ++i) {
        slope = std::max(slope, std::abs(right[1 + i]));
        size = std::max(size, std::abs(at[i]));
    }
    return std::max(bound, 2e-15 * slope / size);
}

void check_line(const std::string& line, const modes_of_function& modes, const std::string& words) {
    std::istringstream rest(words);
    std::array<double, 3> at{};
    numbers right;
    std::string word;
    for (std::size_t i = 0; i < modes.arity && rest >> word; ++i) at[i] = std::strtod(word.c_str(), nullptr);
    while (rest >> word)
        right.push_back(word == "none" ? std::numeric_limits<double>::quiet_NaN() : std::strtod(word.c_str(), nullptr));
    const std::size_t count = 1 + modes.arity + modes.arity * (modes.arity + 1) / 2;
    REQUIRE(right.size() == count);
    const std::tuple<const char*, numbers> found[] = {
        {"kernel", modes.kernel(at.data())}, {"dual numbers", modes.dual(at.data())}, {"tape", modes.tape(at.data())}};
    for (const auto& [mode, results] : found)
        for (std::size_t k = 0; k < count; ++k) {
            if (std::isnan(right[k]) || std::abs(results[k] - right[k]) <= allowed(right, k, modes.arity, at.data()))
                continue;
            CAPTURE(line, mode, k, results[k], right[k]);
            CHECK(results[k] == right[k]);
        }
}

/// Checks of every `Parts` rows one.
template <unsigned Part, unsigned Parts>
void check_extremes() {
    std::map<std::string, modes_of_function> functions;
    const auto add = [&]<class R>(R) {
        if constexpr (R::position % Parts == Part && !std::same_as<R, cr::functions::relaxed>)
            functions[R::name] = modes_of<R>();
    };
    [&]<class... Row>(cr::functions::row_list<Row...>) { (add(Row{}), ...); }(cr::functions::all{});
    std::ifstream in(CHAINRULE_ORACLE_FOLDER "/extremes.txt");
    REQUIRE(in);
    int lines = 0;
    for (std::string line, name; std::getline(in, line);) {
        std::istringstream words(line);
        words >> name;
        const auto function = functions.find(name);
        if (function == functions.end()) continue;
        check_line(line, function->second, line.substr(name.size()));
        ++lines;
    }
    CHECK(lines > 500);
}

} // namespace
