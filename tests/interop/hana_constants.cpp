// SPDX-License-Identifier: BSL-1.0
//
// Integral constants of Boost.Hana and of the standard library beside numbers of every mode: as the integer itself.
#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

#include <boost/hana/integral_constant.hpp>

#include "catch.hpp"

#include <array>
#include <type_traits>

namespace {

namespace cr = chainrule;
namespace tape = chainrule::tape;

constexpr auto hana_three = boost::hana::int_c<3>;
constexpr std::integral_constant<long, 3> standard_three{};

template <class T, class Three>
constexpr T in_every_operator(const T& a, Three three) {
    T r = pow(a, three) + a * three + three * a + (a - three) + (three - a) + a / three + three / a + three + a;
    r += three;
    r *= three;
    return r;
}
template <class T, class Three>
std::array<bool, 12> compared(const T& a, Three three) {
    return {a<three, a <= three, a> three, a >= three, a == three, a != three,
            three<a, three <= a, three> a, three >= a, three == a, three != a};
}

TEST_CASE("integral constants beside dual numbers") {
    for (const double x : {-2.0, 3.0, 3.5}) {
        const auto a = cr::dual<double>::variable(x);
        const auto expected = in_every_operator(a, 3);
        for (const auto& r : {in_every_operator(a, hana_three), in_every_operator(a, standard_three)}) {
            CHECK(r.value == expected.value);
            CHECK(r.tangents == expected.tangents);
        }
        CHECK(compared(a, hana_three) == compared(a, 3));
        CHECK(compared(a, standard_three) == compared(a, 3));
        const auto twice = in_every_operator(cr::dual<cr::dual<double>>(x), hana_three);
        CHECK(twice.value.value == expected.value);
    }
}

TEST_CASE("integral constants beside numbers on a tape") {
    const auto with = [](auto three) { return [three](const auto& a) { return in_every_operator(a, three); }; };
    for (const double x : {-2.0, 3.0, 3.5}) {
        const auto expected = tape::gradient(with(3), x);
        CHECK(tape::gradient(with(hana_three), x) == expected);
        CHECK(tape::gradient(with(standard_three), x) == expected);
        CHECK(tape::record(with(hana_three), x).gradient(x) == tape::record(with(3), x).gradient(x));
        CHECK(tape::record(with(standard_three), x).gradient(x) == tape::record(with(3), x).gradient(x));
    }
    const auto sizes = [](const auto& a) {
        return select(a < hana_three && hana_three != a, a, 2.0 * a) + select(hana_three <= a, a, 3.0 * a);
    };
    auto r = tape::record(sizes, 1.0);
    CHECK(r.gradient(1.0)[0] == 4.0);
    CHECK(r.gradient(4.0)[0] == 3.0);
}

TEST_CASE("integral constants in traced code") {
    constexpr auto expected = cr::function([](auto a) { return in_every_operator(a, 3); });
    constexpr auto of_hana = cr::function([](auto a) { return in_every_operator(a, hana_three); });
    constexpr auto of_standard = cr::function([](auto a) { return in_every_operator(a, standard_three); });
    for (const double x : {-2.0, 3.0, 3.5}) {
        CHECK(of_hana(x) == expected(x));
        CHECK(of_hana.gradient(x) == expected.gradient(x));
        CHECK(of_standard(x) == expected(x));
        CHECK(of_standard.gradient(x) == expected.gradient(x));
    }
    constexpr auto sizes = cr::function(
        [](auto a) { return select(a < hana_three && hana_three != a, a, 2 * a) + select(hana_three <= a, a, 3 * a); });
    static_assert(sizes(1.0) == 4 && sizes(4.0) == 12);
}

} // namespace
