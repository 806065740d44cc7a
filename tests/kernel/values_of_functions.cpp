// SPDX-License-Identifier: BSL-1.0
//
// Values equal those of the same plain C++ expression bit for bit: functions, and several outputs together.
// as_written.hpp compares them.
#include "as_written.hpp"

#include <array>
#include <math.h> // signgam

TEMPLATE_TEST_CASE("values are computed as written: functions", "[values]", float, double, long double){
    AS_WRITTEN(log(x) + x * y - sin(y)) AS_WRITTEN(sin(x) * cos(x) + sin(y)) AS_WRITTEN(cos(x * y) - y * sin(x * y))
        AS_WRITTEN(exp(x) / (y + exp(x))) AS_WRITTEN(exp(x) * exp(y)) AS_WRITTEN(sqrt(x) * sqrt(x) + y)
            AS_WRITTEN(x / sqrt(x * x + y * y)) AS_WRITTEN(sqrt(x) / x + log(exp(y)))
                AS_WRITTEN(tan(x) + tanh(y) * tanh(y)) AS_WRITTEN(erf(x) + erfc(x) * y)
                    AS_WRITTEN(pow(x, y) - pow(y, n(2))) AS_WRITTEN(pow(n(2), x) * pow(x, n(-0.5)) + pow(y, n(0)))
                        AS_WRITTEN(n(0.5) * erfc(-x / sqrt(n(2))) - y * exp(-x * x / n(2)))}

TEST_CASE("a value does not depend on the other outputs", "[values]") {
    constexpr auto x = as_written::first;
    constexpr auto y = as_written::second;
    // sqrt(x) * sqrt(x) equals x for a derivative, not for a value.
    constexpr auto F =
        chainrule::function(chainrule::vector(x, sqrt(x) * sqrt(x), x / y * y, x * x / x), chainrule::wrt(x, y));
    for (const double a : {0.1, 0.3, 1.0216021709624712, 7.7, 1e300})
        for (const double b : {0.1, 0.3, 3.0, 49.0}) {
            volatile double hidden = a, hidden_b = b;
            const double u = hidden, v = hidden_b;
            const auto [values, jacobian] = F.value_and_jacobian(u, v);
            CHECK(values == F(u, v));
            CHECK(values[0] == u);
            CHECK(values[1] == std::sqrt(u) * std::sqrt(u));
            CHECK(values[2] == u / v * v);
            CHECK(as_written::identical(values[3], u * u / u));
            CHECK(jacobian[1][0] == 1);
            CHECK(jacobian[3] == std::array{1.0, 0.0});
        }
}

#if defined(__GLIBC__)
TEMPLATE_TEST_CASE("lgamma leaves the global sign alone, which another thread may be using", "[values]", float, double,
                   long double) {
    constexpr auto x = as_written::first;
    signgam = 17;
    for (const TestType at : {TestType(-0.5), TestType(-1.5), TestType(3.25)}) {
        volatile TestType hidden = at;
        const TestType u = hidden;
        const TestType value = lgamma(x)(x = u), again = chainrule::functions::lgamma::value(u);
        CHECK(signgam == 17);
        CHECK(as_written::identical(value, std::lgamma(u)));
        CHECK(value == again);
        signgam = 17;
    }
}
#endif
