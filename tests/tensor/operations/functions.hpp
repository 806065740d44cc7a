// SPDX-License-Identifier: BSL-1.0
//
// Every function of the table on tensors. A new row is tested without an edit here. functions_*.cpp share the rows
// among them.
#pragma once

#include "../gradients.hpp"

#include <chainrule/functions/domains.hpp>
#include <chainrule/special_functions.hpp>

namespace {

using namespace gradients;
namespace functions = chainrule::functions;

template <class... Rows, class F>
void for_each_row(functions::row_list<Rows...>, F f) {
    (f.template operator()<Rows>(), ...);
}

/// Points well inside an interval, in no order.
tensor<double> inside(functions::interval domain, const extents& shape, std::uint64_t seed) {
    const double margin = 0.02 * (domain.high - domain.low);
    tensor<double> x = drawn(shape, seed, std::max(domain.low + margin, -4.0), std::min(domain.high - margin, 4.0));
    for (double& number : x.mutable_span()) // differences must not step over a kink, and those are at 0 if anywhere
        if (std::abs(number) < 0.01) number = 0.3 * (domain.low + domain.high) + 0.05;
    return x;
}

// What the table has no operator for is called as the tests of its rows call it.
template <class Row, class... T>
auto called(const T&... x) {
    return ct::operations::apply<ct::operations::of_table<Row>>(x...);
}

/// Checks of every `Parts` rows one.
template <unsigned Part, unsigned Parts>
void check_functions() {
    for_each_row(functions::all(), []<class Row>() {
        CAPTURE(std::string(Row::name));
        if constexpr (Row::position % Parts == Part && Row::arity == 1) {
            const tensor<double> x = inside(chainrule::functions::domain_of<Row>[0], {3, 5}, 1);
            const tensor<double> y = called<Row>(x);
            for (ct::index i = 0; i < 3; ++i)
                for (ct::index j = 0; j < 5; ++j) CHECK(y(i, j) == Row::value(x(i, j)));
            check_gradients([](const auto& a) { return called<Row>(a[0]); }, {x}, 2e-4);
        } else if constexpr (Row::position % Parts == Part && Row::arity == 2) {
            const tensor<double> x = inside(chainrule::functions::domain_of<Row>[0], {2, 3}, 1),
                                 y = inside(chainrule::functions::domain_of<Row>[1], {3}, 2);
            const tensor<double> z = called<Row>(x, y);
            for (ct::index i = 0; i < 2; ++i)
                for (ct::index j = 0; j < 3; ++j) CHECK(z(i, j) == Row::value(x(i, j), y(j)));
            check_gradients([](const auto& a) { return called<Row>(a[0], a[1]); }, {x, y}, 2e-4);
        }
    });
}

} // namespace
