// SPDX-License-Identifier: BSL-1.0
//
// Unselected elements do not leak into gradients: an element whose function is infinitely steep or undefined, but which
// a condition, a position or a slice excludes, has the gradient zero and does not affect others. arms_not_taken_*.cpp
// share the functions of the table among them.
#pragma once

#include "catch.hpp"

#include <chainrule/functions/domains.hpp>
#include <chainrule/special_functions.hpp>
#include <chainrule/tensor.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace {

namespace ct = chainrule::tensor;
namespace functions = chainrule::functions;
using ct::tensor;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
const std::vector<double> hard{0.0, -0.0, 1.0, -1.0, -2.5, 1e300, infinity, -infinity, not_a_number};

tensor<double> pair(double a, double b) { return tensor<double>{a, b}; }

using function = std::function<tensor<double>(const std::vector<tensor<double>>&)>;
using choice = std::function<tensor<double>(const tensor<double>&)>;

/// Chooses the first element of y in every way, and checks that the second one has no gradient and changes no other.
/// `arguments` have two elements each.
void check_choices(const function& f, std::vector<tensor<double>> arguments) {
    for (tensor<double>& a : arguments) a.requires_grad(true);
    std::vector<double> alone;
    const auto check = [&](const char* how, const choice& choose) {
        CAPTURE(how);
        for (tensor<double>& a : arguments) a.zero_grad();
        ct::sum(choose(f(arguments))).backward();
        for (std::size_t k = 0; k < arguments.size(); ++k) {
            CAPTURE(k, arguments[k](1));
            CHECK(arguments[k].grad()(1) == 0);
            CHECK(arguments[k].grad()(0) == alone[k]);
        }
    };
    {
        std::vector<tensor<double>> first;
        for (const tensor<double>& a : arguments) first.push_back(tensor<double>{a(0)}.requires_grad(true));
        ct::sum(f(first)).backward();
        for (const tensor<double>& a : first) alone.push_back(a.grad()(0));
    }
    const tensor<bool> mask{true, false};
    check("where", [&](const auto& y) { return ct::where(mask, y, 0); });
    check("where, the other arm", [&](const auto& y) { return ct::where(!mask, 0, y); });
    check("slice", [](const auto& y) { return ct::slice(y, 0, 0, 1); });
    check("select", [](const auto& y) { return ct::select(y, 0, 0); });
    check("take", [](const auto& y) { return ct::take(y, {0}); });
    check("gather", [](const auto& y) { return ct::gather(y, 0, tensor<ct::index>{ct::index{0}}); });
    check("element by element", [&](const auto& y) { return ct::where(mask, y + y * 2.0 - 2.0 * y, 0); });
}

// The functions of Boost.Math refuse some points by an assertion or an exception; at the pole and at NaN they answer.
#define CHAINRULE_IS_CMATH false
#define CHAINRULE_IS_BUILTIN false
#define CHAINRULE_IS_BOOST true
#define CHAINRULE_IS_FORMULA(...) false
#define CHAINRULE_IS_CHOICE(...) false
#define CHAINRULE_IS_STEPPED(...) false
template <class Row>
inline constexpr bool is_of_boost = false;
#define CHAINRULE_ROW(NAME, VALUE, ...)                                                                                \
    template <>                                                                                                        \
    inline constexpr bool is_of_boost<functions::NAME> = CHAINRULE_IS_##VALUE;
CHAINRULE_FUNCTIONS(CHAINRULE_ROW, CHAINRULE_ROW, CHAINRULE_ROW)
#undef CHAINRULE_ROW

template <class Row>
bool takes(double point) {
    return !is_of_boost<Row> || point != point || (point == 0 && Row::arity == 1);
}

template <class Row, class... T>
tensor<double> called(const T&... x) {
    return ct::operations::apply<ct::operations::of_table<Row>>(x...);
}

inline double inside(functions::interval domain) { return domain.low + 0.4 * (domain.high - domain.low); }

template <class Row>
void check_row() {
    CAPTURE(std::string(Row::name));
    for (const double bad : hard) {
        if (!takes<Row>(bad)) continue;
        if constexpr (Row::arity == 1) {
            check_choices([](const auto& a) { return called<Row>(a[0]); },
                          {pair(inside(chainrule::functions::domain_of<Row>[0]), bad)});
        } else if constexpr (Row::arity == 2) {
            const double u = inside(chainrule::functions::domain_of<Row>[0]),
                         v = inside(chainrule::functions::domain_of<Row>[1]);
            const function f = [](const auto& a) { return called<Row>(a[0], a[1]); };
            check_choices(f, {pair(u, bad), pair(v, v)});
            check_choices(f, {pair(u, u), pair(v, bad)});
            check_choices(f, {pair(u, bad), pair(v, bad)});
        }
    }
}

/// Checks of every `Parts` rows one.
template <unsigned Part, unsigned Parts>
void check_rows() {
    const auto one = []<class Row>(Row) {
        if constexpr (Row::position % Parts == Part) check_row<Row>();
    };
    [&]<class... Row>(functions::row_list<Row...>) { (one(Row{}), ...); }(functions::all{});
}

} // namespace
