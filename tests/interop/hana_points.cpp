// SPDX-License-Identifier: BSL-1.0
//
// Points as maps and tuples of Boost.Hana at run time: on a tape, of dual numbers, in sums and with ranges.
#include <chainrule/batch.hpp>
#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/interop/hana.hpp>
#include <chainrule/tape.hpp>

#include <boost/hana.hpp>

#include "catch.hpp"

#include <utility>
#include <vector>

namespace {

namespace cr = chainrule;
namespace hana = boost::hana;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto F = cr::function(exp(-x) * y + x / y, cr::wrt(x, y));
constexpr auto two = hana::int_c<2>;

TEST_CASE("maps and tuples of active numbers are recorded") {
    const auto derivative = [](const auto& call) {
        cr::tape::tape t;
        const auto a = t.variable(1.5);
        auto value = call(a);
        t.backward(value);
        return std::pair(value.value(), a.gradient());
    };
    const auto expected = derivative([](const auto& a) { return F(2.0, a); });
    CHECK(derivative([](const auto& a) { return F(hana::make_tuple(2.0, a)); }) == expected);
    CHECK(derivative([](const auto& a) { return F(two, a); }) == expected);
    CHECK(derivative([](const auto& a) { return F(x = two, y = a); }) == expected);
    CHECK(derivative([](const auto& a) { return F(hana::make_map(hana::make_pair(x, two), hana::make_pair(y, a))); }) ==
          expected);
    CHECK(derivative([](const auto& a) {
              return F.expression()(
                  hana::make_map(hana::make_pair(x, 2.0), hana::make_pair(BOOST_HANA_STRING("y"), a)));
          }) == expected);
}

TEST_CASE("maps and tuples of dual numbers carry their derivatives") {
    const auto [a, b] = cr::dual_variables(2.0, 1.5);
    const auto expected = F(a, b);
    const auto map = hana::make_map(hana::make_pair(x, a), hana::make_pair(y, b));
    CHECK(F(map).tangents == expected.tangents);
    CHECK(F(hana::make_tuple(a, b)).tangents == expected.tangents);
    CHECK(F(hana::make_tuple(two, b)).tangents == F(2.0, b).tangents);
}

TEST_CASE("sums take maps and tuples as points") {
    constexpr auto slope = cr::variable<"slope">;
    constexpr auto offset = cr::variable<"offset">;
    const std::vector at{1.0, 2.0, 4.0}, measured{2.0, 3.0, 7.0};
    const auto misfit =
        cr::sum(pow(slope * x + offset - y, two), cr::over(x = at, y = measured), cr::wrt(slope, offset));
    const auto expected = misfit.gradient(1.5, 0.5);
    CHECK(misfit.gradient(hana::make_tuple(1.5, 0.5)) == expected);
    CHECK(misfit.gradient(hana::make_map(hana::make_pair(slope, 1.5), hana::make_pair(offset, 0.5))) == expected);
    CHECK(misfit(two, 0.5) == misfit(2.0, 0.5));
}

TEST_CASE("a tuple may hold the range for a vector of variables") {
    constexpr auto q = cr::variables<"q", 2>;
    const std::vector range{3.0, 4.0};
    CHECK(dot(q, q)(hana::make_tuple(q = range)) == 25.0);
    CHECK_THROWS_AS(dot(q, q)(hana::make_tuple(q = std::vector{3.0})), cr::wrong_size);
}

} // namespace
