// SPDX-License-Identifier: BSL-1.0
//
// Functions and distributions of Boost.Math with numbers that have derivatives, and with expressions of active numbers.
#include "../catch.hpp"

#include <chainrule/dual.hpp>
#include <chainrule/interop/boost_math.hpp>
#include <chainrule/tape.hpp>

#include <boost/math/distributions/exponential.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/special_functions/legendre.hpp>
#include <boost/math/special_functions/log1p.hpp>

#include <array>
#include <cmath>

namespace {

namespace tape = chainrule::tape;

template <class F>
void has_derivatives(const F& f, const std::array<double, 2>& exact) {
    const auto found = tape::gradient(f, std::array{0.25, 0.5});
    const auto duals = f(chainrule::dual_variables(0.25, 0.5));
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(found[i] == Approx(exact[i]).margin(1e-14));
        CHECK(duals.tangents[i] == Approx(exact[i]).margin(1e-14));
    }
}

} // namespace

TEST_CASE("functions of Boost.Math have derivatives", "[interop]") {
    has_derivatives([](const auto& x) { return boost::math::log1p(-x[0] * x[1]) + boost::math::log1p(x[1]); },
                    {-0.5 / 0.875, -0.25 / 0.875 + 1 / 1.5});
    has_derivatives([](const auto& x) { return boost::math::legendre_p(3, x[0] + x[1]); },
                    {7.5 * 0.5625 - 1.5, 7.5 * 0.5625 - 1.5});
}

TEST_CASE("distributions of Boost.Math have derivatives by their parameters", "[interop]") {
    has_derivatives(
        [](const auto& x) {
            using T = std::remove_cvref_t<decltype(x[0])>;
            return T(cdf(boost::math::exponential_distribution<T>(x[0]), x[1] * 2.0));
        },
        {std::exp(-0.25), 0.5 * std::exp(-0.25)});
    has_derivatives(
        [](const auto& x) {
            using T = std::remove_cvref_t<decltype(x[0])>;
            return T(cdf(boost::math::normal_distribution<T>(x[0], T(2.0)), x[1] + x[1]));
        },
        {-0.5 * std::exp(-0.0703125) / std::sqrt(2 * 3.141592653589793),
         std::exp(-0.0703125) / std::sqrt(2 * 3.141592653589793)});
}
