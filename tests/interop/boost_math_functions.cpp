// SPDX-License-Identifier: BSL-1.0
//
// Functions and distributions of Boost.Math with numbers that have derivatives, and with expressions of active numbers.
#include "../catch.hpp"

#include <chainrule/dual.hpp>
#include <chainrule/interop/boost_math.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/eager.hpp>
#include <chainrule/tape/replay.hpp>

#include <boost/math/distributions/exponential.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/interpolators/cardinal_cubic_b_spline.hpp>
#include <boost/math/interpolators/pchip.hpp>
#include <boost/math/special_functions/cos_pi.hpp>
#include <boost/math/special_functions/legendre.hpp>
#include <boost/math/special_functions/log1p.hpp>

#include <array>
#include <cmath>
#include <utility>
#include <vector>

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

TEST_CASE("code of Boost.Math that converts numbers to integers has derivatives", "[interop]") {
    // The spline finds the interval by an integer, the cosine whether that is odd.
    const auto spline = [](const auto& x) {
        using T = std::remove_cvref_t<decltype(x[0])>;
        const std::array<T, 7> y{x[0], x[1], T(0.5), T(2), T(1), T(0), T(3)};
        const boost::math::interpolators::cardinal_cubic_b_spline<T> curve(y.begin(), y.end(), T(0), T(0.5));
        return T(curve(T(x[0] + x[1])) + boost::math::cos_pi(T(x[0] + 2)));
    };
    std::array<double, 2> slopes{};
    for (std::size_t i = 0; i < 2; ++i) {
        std::array before{0.25, 0.5}, after = before;
        before[i] -= 1e-5;
        after[i] += 1e-5;
        slopes[i] = (spline(after) - spline(before)) / 2e-5;
    }
    const std::array x{0.25, 0.5};
    const auto duals = spline(chainrule::dual_variables(x));
    const auto found = tape::gradient(tape::eagerly(spline), x);
    auto recording = tape::record(spline, std::array{0.2, 0.35});
    const auto replayed = recording.gradient(x);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(duals.tangents[i] == Approx(slopes[i]).epsilon(1e-6));
        CHECK(found[i] == Approx(slopes[i]).epsilon(1e-6));
        CHECK(replayed[i] == Approx(slopes[i]).epsilon(1e-6));
    }
    CHECK_THROWS_AS(recording(std::array{0.25, 1.0}), tape::comparison_changed);
}

TEST_CASE("Boost.Math asks active numbers whether they are NaN", "[interop]") {
    const auto curve = [](const auto& x) {
        using T = std::remove_cvref_t<decltype(x[0])>;
        std::vector<T> at{T(0), T(1), T(2), T(3)}, y{x[0], x[1], T(1), T(2)};
        return T(boost::math::interpolators::pchip<std::vector<T>>(std::move(at), std::move(y))(T(1)));
    };
    const auto slope = tape::gradient(curve, std::array{0.25, 0.5});
    CHECK(slope[0] == Approx(0.0).margin(1e-14));
    CHECK(slope[1] == Approx(1.0));
}
