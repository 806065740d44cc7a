// SPDX-License-Identifier: BSL-1.0
//
// Every function of the table returns NaN for an argument that is NaN, and so do the first derivatives of those of one
// and two arguments, and the second ones of one argument. A new row is tested without an edit here. Each
// not_a_number_*.cpp tests a third of the rows.
#pragma once

#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/special_functions.hpp>

#include <cmath>
#include <concepts>
#include <limits>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class E>
inline constexpr bool constant = requires { E::value(); };

template <class Row>
void check_nan() {
    INFO(Row::name);
    if constexpr (Row::arity == 1) {
        constexpr auto f = typename cr::unary<Row, decltype(3_c * x + 1_c)>::node{};
        CHECK(std::isnan(f(x = not_a_number)));
        // A derivative that is a constant is that constant.
        CHECK((constant<decltype(cr::derivative(f, x))> ||
               std::isnan(cr::function(f, cr::wrt(x)).gradient(not_a_number)[0])));
        CHECK((constant<decltype(cr::derivative<2>(f, x))> ||
               std::isnan(cr::function(f, cr::wrt(x)).hessian(not_a_number)[0][0])));
    } else if constexpr (Row::arity == 2) {
        constexpr auto f = typename cr::binary<Row, decltype(3_c * x), decltype(3_c * y)>::node{};
        constexpr auto F = cr::function(f, cr::wrt(x, y));
        // fmax and fmin take the other argument; only of two NaNs the value is one, and its derivatives.
        if constexpr (std::same_as<Row, cr::functions::fmax> || std::same_as<Row, cr::functions::fmin>) {
            CHECK(std::isnan(F(not_a_number, not_a_number)));
            CHECK(std::isnan(F.gradient(not_a_number, not_a_number)[0]));
            CHECK(std::isnan(F.gradient(not_a_number, not_a_number)[1]));
            return;
        }
        CHECK(std::isnan(F(not_a_number, 0.7)));
        // copysign takes the sign of a NaN, as in C++.
        if constexpr (!std::same_as<Row, cr::functions::copysign>) {
            CHECK(std::isnan(F(0.7, not_a_number)));
            CHECK((constant<decltype(cr::derivative(f, x))> || std::isnan(F.gradient(0.7, not_a_number)[0])));
        }
        CHECK((constant<decltype(cr::derivative(f, y))> || std::isnan(F.gradient(not_a_number, 0.7)[1])));
    } else { // derivatives with respect to one argument, as of fma, may not depend on another
        constexpr auto f = typename cr::ternary<Row, decltype(3_c * x), decltype(3_c * y), decltype(3_c * z)>::node{};
        constexpr auto F = cr::function(f, cr::wrt(x, y, z));
        // The order of a derivative is a whole number, and the first operand of a share is one of the others.
        constexpr bool has_order = std::same_as<Row, cr::functions::pow_by_order>;
        constexpr bool is_share = std::same_as<Row, cr::functions::share>;
        CHECK((has_order || std::isnan(F(not_a_number, 0.7, 0.8))));
        CHECK((is_share || std::isnan(F(0.6, not_a_number, 0.8))));
        CHECK((is_share || std::isnan(F(0.6, 0.7, not_a_number))));
    }
}

/// Checks of every `Parts` rows one.
template <unsigned Part, unsigned Parts>
void check_nans() {
    const auto one = []<class Row>(Row) {
        if constexpr (Row::position % Parts == Part) check_nan<Row>();
    };
    [&]<class... Row>(cr::functions::row_list<Row...>) { (one(Row{}), ...); }(cr::functions::all{});
}

} // namespace
