// SPDX-License-Identifier: BSL-1.0
//
// Hundreds of columns, by position and by name.
#include "../../many_variables.hpp"

#include <chainrule/batch.hpp>

#include <vector>

namespace cr = chainrule;

constexpr auto f = cr::dot(q, q);
constexpr auto F = with_many([](auto... v) { return cr::function(f, v...); });
constexpr auto b = cr::variable<"b">;

void in_order(const std::vector<double>& column, std::vector<double>& values) {
    with_many([&](auto... v) {
        cr::batch(F).values(cr::columns((static_cast<void>(v), column)...), values);
        cr::batch(F).values(cr::columns((v = column)...), values);
        return 0;
    });
}
double summed(const std::vector<double>& column) {
    return with_many([&](auto... v) {
        return cr::sum(b * f, cr::over((v = column)...), cr::wrt(b))(2.0) +
               with_many_named(cr::sum(b * f, cr::over(b = column), cr::wrt(v...)));
    });
}
