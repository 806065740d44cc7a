// SPDX-License-Identifier: BSL-1.0
//
// The two-variable example as a user compiles it. Its object file may hold arithmetic and calls of mathematical
// functions, and nothing else.
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

double value_and_gradient(double a, double b, double* gradient) {
    constexpr auto x = cr::variable<"x">;
    constexpr auto y = cr::variable<"y">;
    constexpr auto f = log(x) + x * y - sin(y);
    const auto result = cr::value_and_gradient(f)(x = a, y = b);
    gradient[0] = result[x];
    gradient[1] = result[y];
    return result.value;
}
