// SPDX-License-Identifier: BSL-1.0
//
// The documented edges (docs/how-it-works.md#kinks-and-edges) in every mode: kernels by position and by name, with
// plain and with dual numbers, dual numbers alone, the tape with its second derivatives, hvp, Taylor coefficients.
// edges.cpp checks the derivatives as expressions. kinks_in_every_mode.cpp and ends_in_every_mode.cpp share the rows.
#pragma once

#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/custom_function.hpp>
#include <chainrule/tape.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace {

namespace cr = chainrule;
namespace tape = chainrule::tape;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

struct edge {
    double at;
    double value;
    double first;
    double second;
};

void same(const char* mode, double found, double expected) {
    CAPTURE(mode, found, expected);
    CHECK((found == expected || (std::isnan(found) && std::isnan(expected)) ||
           std::abs(found - expected) <= 4e-16 * std::abs(expected)));
}

/// Asks for f and its derivatives in every way. f is called with the variable, with dual numbers and with active ones.
template <class F>
void check(const char* name, const F& f, std::initializer_list<edge> edges) {
    using dual = cr::dual<double>;
    const auto expression = f(x);
    const auto kernel = cr::function(expression, cr::wrt(x));
    for (const edge& e : edges) {
        CAPTURE(name, e.at);
        {
            const auto [value, gradient, hessian] = kernel.value_gradient_and_hessian(e.at);
            same("kernel, value", value, e.value);
            same("kernel, first", gradient[0], e.first);
            same("kernel, second", hessian[0][0], e.second);
            same("kernel by name, first", cr::gradient(expression)(x = e.at)[x], e.first);
            const std::array point{e.at}, direction{1.0};
            same("hvp", kernel.hvp(point, direction)[0], e.second);
            const auto coefficients = kernel.template taylor<2>(point, direction);
            same("taylor, first", coefficients[1], e.first);
            same("taylor, second", 2 * coefficients[2], e.second);
        }
        {
            const dual at = dual::variable(e.at);
            const dual by_position = kernel(at), by_name = expression(x = at), slope = kernel.gradient(at)[0];
            same("kernel with a dual number, value", by_position.value, e.value);
            same("kernel with a dual number, first", by_position.tangents[0], e.first);
            same("kernel by name with a dual number, first", by_name.tangents[0], e.first);
            same("gradient of a dual number, first", slope.value, e.first);
            same("gradient of a dual number, second", slope.tangents[0], e.second);
            // An exact constant makes an expression of it.
            if constexpr (!cr::expression<decltype(f(at))>) {
                const dual direct = f(at);
                same("dual number, value", direct.value, e.value);
                same("dual number, first", direct.tangents[0], e.first);
            }
        }
        {
            tape::tape t;
            tape::active<double> at = t.variable(e.at);
            const tape::active<double> result = f(at);
            same("tape, value", result.value(), e.value);
            if (result.is_recorded()) {
                t.backward(result);
                same("tape, first", at.gradient(), e.first);
            }
            const auto on_tape = [&](const auto& p) { return std::remove_cvref_t<decltype(p[0])>(f(p[0])); };
            const auto through_kernel = [&](const auto& p) { return kernel(p[0]); };
            const auto second = tape::hessian(on_tape, std::vector{e.at});
            same("tape::hessian, value", second.value, e.value);
            same("tape::hessian, first", second.gradient[0], e.first);
            same("tape::hessian, second", second.hessian(0, 0), e.second);
            same("tape::hessian_vector_product",
                 tape::hessian_vector_product(on_tape, std::vector{e.at}, std::vector{1.0})[0], e.second);
            same("tape::hessian of a kernel, second", tape::hessian(through_kernel, std::vector{e.at}).hessian(0, 0),
                 e.second);
        }
    }
}

// |2 x|, as a user writes it: its value branches where its derivative has a rule.
struct doubled_magnitude_class : cr::custom_function<doubled_magnitude_class, 1> {
    static constexpr char name[] = "doubled_magnitude";
    template <class T>
    static constexpr T value(const T& v) {
        return v < 0 ? -2 * v : 2 * v;
    }
    template <int, class T>
    static constexpr auto derivative(const T& v, const T&) {
        return 2 * sign(v);
    }
};
constexpr doubled_magnitude_class doubled_magnitude{};

#define ROW(F, ...) check(#F, [](const auto& a) { return F; }, {__VA_ARGS__})

} // namespace
