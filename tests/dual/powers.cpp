// SPDX-License-Identifier: BSL-1.0
//
// Powers with integer exponents, called with chainrule:: in front as a template does that is shared with plain numbers:
// the same function as without, in every mode.
#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

#include "catch.hpp"

#include <array>
#include <limits>
#include <vector>

namespace cr = chainrule;

namespace {

using twice = cr::dual<cr::dual<double, 1>, 1>;

// x^n and its first two derivatives.
std::array<double, 3> parts(const twice& r) { return {r.value.value, r.value.tangents[0], r.tangents[0].tangents[0]}; }
twice at(double x) {
    twice moved = cr::dual<double, 1>(x, {1.0});
    moved.tangents[0] = 1.0;
    return moved;
}
template <class T>
T polynomial(const T& x) {
    T sum = T(0.0);
    for (int n = 0; n < 4; ++n) sum = sum + (n + 1.0) * cr::pow(x, n);
    return sum;
}

} // namespace

TEST_CASE("dual numbers: integer powers with chainrule:: in front", "[dual]") {
    for (int n = -3; n < 8; ++n)
        for (const double x : {-0.7, 0.3, 1.1}) {
            CAPTURE(n, x);
            CHECK(parts(cr::pow(at(x), n)) == parts(pow(at(x), n)));
            CHECK(cr::pow(x, n) == pow(at(x), n).value.value);
        }
    CHECK(parts(cr::pow(at(0.0), 0)) == std::array{1.0, 0.0, 0.0});
    CHECK(parts(cr::pow(at(0.0), 1)) == std::array{0.0, 1.0, 0.0});
    CHECK(parts(cr::pow(at(0.0), 2)) == std::array{0.0, 0.0, 2.0});
    CHECK(parts(cr::pow(at(0.0), 3)) == std::array{0.0, 0.0, 0.0});
    CHECK(parts(cr::pow(at(std::numeric_limits<double>::quiet_NaN()), 0)) == std::array{1.0, 0.0, 0.0});
}

TEST_CASE("recordings: integer powers with chainrule:: in front", "[tape]") {
    const auto f = [](const auto& x) { return polynomial(x[0]); };
    const std::vector<double> zero = {0.0}, one = {1.0};
    auto recording = cr::tape::record(f, zero);
    CHECK(recording.gradient(zero)[0] == 2.0);
    CHECK(recording.hessian(zero).hessian(0, 0) == 6.0);
    CHECK(cr::tape::jvp(f, zero, one) == 2.0);
    CHECK(cr::tape::gradient(f, zero)[0] == 2.0);
}

TEST_CASE("the second derivatives of log_diff_exp underflow and do not overflow", "[dual]") {
    constexpr auto F = cr::function([](auto x, auto y) { return log_diff_exp(x, y); });
    for (const double x : {1.5, 40.0, 720.0, 1e4}) {
        const auto h = F.hessian(x, 0.0);
        CHECK(h[0][0] == Approx(-h[0][1]));
        CHECK(h[1][1] == Approx(-h[0][1]));
        CHECK(h[0][1] == Approx(std::exp(-x) / (std::expm1(-x) * std::expm1(-x))));
    }
}
