// SPDX-License-Identifier: BSL-1.0
//
// Traces of every function: a trace must have the values and derivatives of a tape, and so must its lines. A new row is
// tested without an edit here. traces_*.cpp share the rows among them.
#pragma once

#include "catch.hpp"

#include <chainrule/functions/domains.hpp>
#include <chainrule/special_functions.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/trace.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

namespace {

namespace cr = chainrule;
namespace tape = chainrule::tape;
using traced = tape::traced<double>;

double derivative_by(const tape::adjoint_sweep_lines<double>& sweep, const std::string& name) {
    for (const auto& derivative : sweep.derivatives)
        if (derivative.by == name) return derivative.value;
    return std::numeric_limits<double>::quiet_NaN();
}

/// A function in the two number types, at 3 x + 1, 3 y + 1 and 3 z + 1. So the comparison is compiled once and not for
/// each function.
struct function_of_row {
    const char* name;
    std::string written;
    unsigned arity;
    tape::active<double> (*recorded)(const tape::active<double>&, const tape::active<double>&,
                                     const tape::active<double>&);
    traced (*noted)(const traced&, const traced&, const traced&);
};

// At the ends and in the middle of the intervals in which the tests draw points.
void check_traced_as_recorded(const function_of_row& f, const std::array<cr::functions::interval, 3>& box) {
    for (const double part : {0.0, 0.25, 0.5, 1.0}) {
        INFO(f.name << " at " << part);
        tape::tape recorded;
        tape::trace noted;
        double point[3] = {};
        for (unsigned k = 0; k < f.arity; ++k) { // each at another place of its interval: equal ones hide much
            const double place = k == 0 ? part : std::fmod(part + 0.37 * k, 1.0);
            point[k] = (box[k].low * (1 - place) + box[k].high * place - 1) / 3;
        }
        auto a = recorded.variable(point[0]), b = recorded.variable(point[1]), e = recorded.variable(point[2]);
        auto c = noted.variable(point[0]), d = noted.variable(point[1]), h = noted.variable(point[2]);
        tape::active<double> active = f.recorded(a, b, e);
        traced number = f.noted(c, d, h);
        CHECK(number.value() == active.value());
        recorded.backward(active);
        noted.backward(number);
        const double scale = std::abs(a.gradient()) + std::abs(b.gradient()) + std::abs(e.gradient());
        CHECK(std::abs(c.gradient() - a.gradient()) <= 1e-14 * scale);
        CHECK(std::abs(d.gradient() - b.gradient()) <= 1e-14 * scale);
        CHECK(std::abs(h.gradient() - e.gradient()) <= 1e-14 * scale);
        const auto sweep = noted.adjoint_lines(number);
        CHECK(derivative_by(sweep, "v-2") == c.gradient());
        if (f.arity >= 2) CHECK(derivative_by(sweep, "v-1") == d.gradient());
        if (f.arity == 3) CHECK(derivative_by(sweep, "v0") == h.gradient());
        CHECK(noted.primal().find(" = " + f.written + "(") != std::string::npos);
    }
}

template <class Row, class T>
T called(const T& x, const T& y, const T& z) {
    const auto u = 3.0 * x + 1.0, v = 3.0 * y + 1.0, w = 3.0 * z + 1.0;
    using operand = std::remove_const_t<decltype(u)>;
    if constexpr (Row::arity == 1)
        return typename cr::unary<Row, operand>::node{{u}};
    else if constexpr (Row::arity == 2)
        return cr::expressions::joined<typename cr::binary<Row, operand, operand>::node>(u, v);
    else
        return cr::expressions::joined<cr::expressions::node_of<Row, operand, operand, operand>>(u, v, w);
}
template <class Row>
void check_traced_as_recorded() {
    const function_of_row f{Row::name, cr::detail::name_of_table_function(Row::position), Row::arity,
                            called<Row, tape::active<double>>, called<Row, traced>};
    for (const auto& box : cr::functions::boxes_of<Row>) {
        std::array<cr::functions::interval, 3> three{};
        std::copy(box.begin(), box.end(), three.begin());
        check_traced_as_recorded(f, three);
    }
}
/// Checks of every `Parts` rows one.
template <unsigned Part, unsigned Parts>
void check_traces() {
    const auto one = []<class Row>(Row) {
        if constexpr (Row::position % Parts == Part) check_traced_as_recorded<Row>();
    };
    [&]<class... Row>(cr::functions::row_list<Row...>) { (one(Row{}), ...); }(cr::functions::all{});
}

} // namespace
