// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of every function of one argument in a program that is compiled with -ffast-math, where compilers assume
// that no number is a NaN or infinite: finite results are those of other programs. The modes are compared with each
// other and with differences of values.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/special_functions.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace {

namespace cr = chainrule;
namespace tape = chainrule::tape;
using namespace chainrule::literals;

constexpr auto u = cr::variable<"u">;

void check(double found, double expected, double tolerance) {
    CAPTURE(found, expected);
    CHECK(std::abs(found - expected) <= tolerance * (1 + std::abs(expected)));
}

// `call` takes numbers of any kind.
template <class Call>
void check_function(const std::string& name, const Call& call, double low, double high) {
    CAPTURE(name);
    const auto kernel = cr::function(call(u), cr::wrt(u));
    tape::tape t;
    for (const double part : {0.11, 0.37, 0.37, 0.83}) { // one twice, as tapes keep the last sine
        const double at = low + part * (high - low), h = 1e-6 * (high - low);
        CAPTURE(at);
        const auto [value, gradient] = kernel.value_and_gradient(at);
        const double of_kernel = gradient[0];
        check(of_kernel, (kernel(at + h) - kernel(at - h)) / (2 * h), 1e-4);
        const auto forward = call(cr::dual_variables(at)[0]);
        check(forward.value, value, 1e-13);
        check(forward.tangents[0], of_kernel, 1e-11);
        t.clear();
        const tape::active<double> x = t.variable(at), y = call(x);
        t.backward(y);
        check(y.value(), value, 1e-13);
        check(x.gradient(), of_kernel, 1e-11);
    }
}

} // namespace

TEST_CASE("functions of one argument with -ffast-math", "[fast math]"){
#define CHAINRULE_ROW(NAME, KIND, RULE, LOW, HIGH)                                                                     \
    check_function(#NAME, [](const auto& x) { return NAME(x); }, LOW, HIGH);
#define CHAINRULE_IGNORED(...)
    CHAINRULE_FUNCTIONS(CHAINRULE_ROW, CHAINRULE_IGNORED, CHAINRULE_IGNORED)
#undef CHAINRULE_ROW
#undef CHAINRULE_IGNORED
}

TEST_CASE("arms, second derivatives and replays with -ffast-math", "[fast math]") {
    const auto f = [](const auto& x) {
        return cr::select(x[0] < x[1], sin(x[0]) * x[1], cos(x[0]) / x[1]) + sqrt(x[0] * x[0] + x[1] * x[1]);
    };
    const auto F = cr::function(f, cr::wrt(cr::variables<"x", 2>));
    auto recorded = tape::record(f, std::vector{0.5, 1.0});
    for (const double first : {0.5, 1.5, 0.5}) {
        const std::array at{first, 1.0};
        const auto [value, gradient, hessian] = F.value_gradient_and_hessian(at);
        const std::vector point(at.begin(), at.end());
        const auto on_tape = tape::gradient(f, point), replayed = recorded.gradient(point);
        const auto second = tape::hessian(f, point);
        check(value, f(at), 1e-13);
        for (std::size_t i = 0; i < 2; ++i) {
            check(on_tape[i], gradient[i], 1e-13);
            check(replayed[i], gradient[i], 1e-13);
            for (std::size_t j = 0; j < 2; ++j) check(second.hessian(i, j), hessian[i][j], 1e-12);
        }
    }
}
