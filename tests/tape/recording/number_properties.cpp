// SPDX-License-Identifier: BSL-1.0
//
// The plain number below all derivatives, and whether a number is NaN or infinite, in every mode.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/eager.hpp>
#include <chainrule/tape/replay.hpp>
#include <chainrule/tape/sparse.hpp>
#include <chainrule/tape/trace.hpp>

#include <array>
#include <cmath>
#include <compare>
#include <concepts>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

namespace cr = chainrule;
namespace tape = chainrule::tape;

constexpr std::array<double, 3> table{1.0, 4.0, 9.0};
// x0^2 times an element of the table, twice where x0 is above 1.
constexpr auto looked_up = [](const auto& x) {
    const double factor = table[static_cast<std::size_t>(cr::plain_value(x[0] * 1.0))];
    const int twice = cr::plain_value(x[0]) > 1 ? 2 : 1;
    static_assert(std::is_arithmetic_v<decltype(cr::plain_value(x[0]))>);
    return twice * factor * x[0] * x[0];
};
// A class whose order is the default one.
template <class T>
struct version {
    T major, minor;
    friend auto operator<=>(const version&, const version&) = default;
};
// x0^2 or x1^2, of the pair that comes first.
constexpr auto smaller_squared = [](const auto& x) {
    using T = std::remove_cvref_t<decltype(x[0])>;
    const version<T> a{x[0], x[1]}, b{x[1], x[0]};
    const auto order = x[0] <=> x[1];
    const bool less = order < 0 && order == (x[0] + 0.0 <=> x[1]) && (x[0] <=> 100) < 0 && (100.0 <=> x[0]) > 0;
    return T(less && a < b ? x[0] * x[0] : b.major * b.major);
};
constexpr auto without_nan = [](const auto& v) {
    return cr::select(cr::isnan(v[0]) || cr::isinf(v[0]) || !cr::isfinite(v[1]), v[1], cr::exp(v[0]) * v[1]);
};

} // namespace

TEST_CASE("numbers have an order in every mode", "[tape]") {
    for (const bool first : {true, false}) {
        const std::vector<double> x = first ? std::vector{2.0, 3.0} : std::vector{3.0, 2.0};
        const std::size_t i = first ? 0 : 1;
        INFO("the smaller one is x" << i);
        CHECK(smaller_squared(x) == 4);
        CHECK(tape::gradient(smaller_squared, x)[i] == 4);
        CHECK(tape::gradient(tape::eagerly(smaller_squared), x)[i] == 4);
        CHECK(tape::hessian(smaller_squared, x).hessian(i, i) == 2);
        auto r = tape::record(smaller_squared, x);
        CHECK(r.gradient(x)[i] == 4);
        CHECK_THROWS_AS(r.gradient(std::vector{x[1], x[0]}), tape::comparison_changed);
    }
    const double nan = std::numeric_limits<double>::quiet_NaN();
    tape::tape t;
    const tape::active<double> a = t.variable(3.0), b = t.variable(nan);
    CHECK((a <=> b) == std::partial_ordering::unordered);
    CHECK((a <=> a * 1.0) == std::partial_ordering::equivalent);
    CHECK((2.0F <=> a + 1) == std::partial_ordering::less);
    CHECK((tape::eager<double>(b) <=> 1) == std::partial_ordering::unordered);
    CHECK((tape::replayable<double>(1.0) <=> nan) == std::partial_ordering::unordered);
    CHECK(std::optional(a) > std::nullopt);
    CHECK(std::optional(a) >= 3.0);
    CHECK(std::optional(a) <=> 2.0 == std::partial_ordering::greater);
    CHECK(std::pair(a, 1) < std::pair(a, 2));
    CHECK(std::vector{a} <= std::vector{a});
}

TEST_CASE("pairs, tuples and arrays hold formulas", "[tape]") {
    tape::tape t;
    const tape::active<double> a = t.variable(2.0), b = t.variable(3.0);
    const std::pair both(a * b, exp(a));
    const std::tuple three(a + b, fma(a, b, a), b * 2.0);
    const std::array products{a * b, b * a};
    const std::optional perhaps(a / b);
    CHECK(value(both.first) + value(std::get<1>(three)) + value(products[1]) == 20);
    CHECK(value(std::get<2>(three) * *perhaps) == Approx(4.0));
}

TEST_CASE("the plain number serves indices and branches in every mode", "[tape]") {
    const std::vector<double> x{1.5}, direction{1.0};
    CHECK(looked_up(x) == 18);
    CHECK(looked_up(std::vector{1.5F}) == 18);
    CHECK(tape::gradient(looked_up, x)[0] == 24);
    CHECK(tape::hessian(looked_up, x).hessian(0, 0) == 16);
    CHECK(tape::hvp(looked_up, x, direction)[0] == 16);
    CHECK(tape::jvp(looked_up, x, direction) == 24);
    CHECK(tape::sparse_hessian(looked_up, x)(0, 0) == 16);
    const auto slope = [](const auto& v) { return tape::gradient(looked_up, v)[0]; };
    CHECK(tape::gradient(slope, x)[0] == 16);
    CHECK(tape::hessian(slope, x).hessian(0, 0) == 0);
    CHECK(cr::plain_value(cr::dual<cr::dual<float>>(2.0F)) == 2);
    static_assert(cr::plain_value(cr::dual<double, 2>(3.0)) == 3);
    tape::tape t;
    const tape::active<double> a = t.variable(3.0);
    const tape::traced<double> b = 4.0;
    CHECK((plain_value(a) == 3 && tape::plain_value(a * a) == 9 && plain_value(b) == 4));

    // A recording holds as long as it is the same.
    auto recorded = tape::record(looked_up, x);
    CHECK(recorded.hessian(x).hessian(0, 0) == 16);
    CHECK(recorded.gradient(x)[0] == 24);
    CHECK_THROWS_AS((void)recorded.gradient(std::vector{1.6}), tape::comparison_changed);
}

TEST_CASE("NaN and infinite numbers are told by the same call in every mode", "[tape]") {
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    const std::vector<double> one{0.0, 3.0};
    CHECK(tape::gradient(without_nan, one) == std::vector{3.0, 1.0});
    CHECK(tape::hessian(without_nan, one).hessian(0, 1) == 1);
    CHECK(tape::jvp(without_nan, one, std::vector{1.0, 0.0}) == 3);
    auto recorded = tape::record(without_nan, one);
    constexpr auto compiled = cr::function<2>(without_nan);
    for (const double first : {nan, infinity, 0.5}) {
        const std::vector<double> at{first, 3.0};
        const std::vector<double> expected =
            first == 0.5 ? std::vector{std::exp(0.5) * 3, std::exp(0.5)} : std::vector{0.0, 1.0};
        CHECK(without_nan(at) == (first == 0.5 ? std::exp(0.5) * 3 : 3));
        CHECK(tape::gradient(without_nan, at) == expected);
        CHECK(tape::hessian(without_nan, at).gradient == expected);
        CHECK(recorded.gradient(at) == expected);
        CHECK(compiled.gradient(first, 3.0) == std::array{expected[0], expected[1]});
    }
    using pair = cr::dual<double, 2>;
    const auto [u, v] = cr::dual_variables(nan, 3.0);
    CHECK(without_nan(std::array<pair, 2>{u, v}).tangents == std::array{0.0, 1.0});
    CHECK((cr::isnan(u) && !cr::isfinite(u) && !cr::isinf(u)));
    CHECK(cr::isinf(cr::dual<pair>(infinity)));
}

TEST_CASE("plain numbers are read from streams in every mode", "[tape]") {
    const auto check = []<class N>(std::type_identity<N>) {
        std::istringstream in("3.5 x 7");
        N z = 1.0;
        in >> z;
        CHECK(cr::plain_value(z) == 3.5);
        in >> z;
        CHECK(in.fail());
        CHECK(cr::plain_value(z) == 3.5);
        in.clear();
        std::string word;
        in >> word >> z;
        CHECK(cr::plain_value(z) == 7);
    };
    check(std::type_identity<cr::dual<double>>{});
    check(std::type_identity<tape::active<float>>{});
    check(std::type_identity<tape::active<cr::dual<double>>>{});
    check(std::type_identity<tape::traced<double>>{});
    check(std::type_identity<tape::replayable<double>>{});
    check(std::type_identity<tape::eager<double>>{});
    tape::tape t;
    const auto x = t.variable(2.0);
    tape::active<double> y = x * x;
    std::istringstream in("4");
    in >> y;
    CHECK(!y.is_recorded());
}

TEST_CASE("frexp and modf split numbers with derivatives as those of std", "[tape]") {
    const auto mantissa = [](const auto& x, int& exponent) {
        using std::frexp;
        return std::remove_cvref_t<decltype(x)>(frexp(x, &exponent));
    };
    const auto fraction = [](const auto& x, auto& whole) {
        using std::modf;
        return std::remove_cvref_t<decltype(x)>(modf(x, &whole));
    };
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double at : {6.0, -0.3, 0.0, 1e-310, 1e300, infinity, std::numeric_limits<double>::quiet_NaN()}) {
        int exponent = 0, expected = 0;
        double whole = 0;
        const double plain = std::frexp(at, &expected), rest = std::modf(at, &whole);
        const auto same = [](double a, double b) { return a == b || (a != a && b != b); };

        const auto x = cr::dual<double, 2>::variable(at, 1);
        auto whole_of_x = x;
        const auto m = mantissa(x, exponent), f = fraction(x, whole_of_x);
        CHECK(exponent == expected);
        CHECK((same(m.value, plain) && same(f.value, rest) && same(whole_of_x.value, whole)));
        CHECK(m.tangents == std::array{0.0, std::ldexp(1.0, -expected)});
        CHECK(f.tangents == std::array{0.0, at == infinity ? 0.0 : 1.0});
        CHECK(whole_of_x.tangents == std::array{0.0, 0.0});

        tape::tape t;
        const auto a = t.variable(at);
        tape::active<double> whole_of_a;
        const auto n = mantissa(a, exponent), g = fraction(a, whole_of_a);
        CHECK(exponent == expected);
        CHECK((same(n.value(), plain) && same(g.value(), rest) && same(whole_of_a.value(), whole)));
        t.backward(n);
        CHECK(a.gradient() == std::ldexp(1.0, -expected));
        if (at == infinity) continue; // the fraction is a constant
        t.backward(g);
        CHECK(a.gradient() == 1.0);
    }
    tape::basic_tape<float> t;
    const auto a = t.variable(3.0f);
    int exponent = 0;
    CHECK(frexp(a * a, &exponent) == 0.5625f);
    CHECK(exponent == 4);
}

TEST_CASE("recordings have frexp and modf while the exponent is the same", "[tape]") {
    const auto f = [](const auto& x) {
        using std::frexp, std::modf;
        using T = std::remove_cvref_t<decltype(x[0])>;
        int exponent = 0;
        T whole = 0.0;
        const T mantissa = frexp(x[0], &exponent), fraction = modf(x[1], &whole);
        return T(mantissa * mantissa + exponent + 10.0 * whole * fraction);
    };
    const auto expected = [](double x, double y) {
        int exponent = 0;
        double whole = 0;
        const double mantissa = std::frexp(x, &exponent), fraction = std::modf(y, &whole);
        return mantissa * mantissa + exponent + 10.0 * whole * fraction;
    };
    auto r = tape::record(f, std::vector{5.0, 2.25});
    const double below = std::nextafter(8.0, 0.0);
    for (const double x : {5.0, 4.0, below})
        for (const double y : {2.25, -7.5}) {
            CHECK(r(std::vector{x, y}) == expected(x, y));
            CHECK(r.gradient(std::vector{x, y})[0] == 2.0 * std::ldexp(x, -6));
            CHECK(r.gradient(std::vector{x, y})[1] == 10.0 * std::trunc(y));
        }
    for (const double x : {8.0, std::nextafter(4.0, 0.0), 0.0, std::numeric_limits<double>::infinity()})
        CHECK_THROWS_AS(r(std::vector{x, 2.25}), tape::comparison_changed);
    for (const double x : {0.0, 1e-310, -std::numeric_limits<double>::infinity()})
        CHECK(tape::record(f, std::vector{x, 2.25})(std::vector{x, 2.25}) == expected(x, 2.25));
    CHECK(r(std::vector{-5.0, -0.5}) == expected(-5.0, -0.5));
    const std::vector infinite{1.0, std::numeric_limits<double>::infinity()};
    CHECK(std::isnan(tape::record(f, infinite)(infinite))); // inf times 0
}

namespace {

struct no_number {};
struct threshold {
    friend bool operator>(double x, threshold) { return x > 2.5; }
};
template <class A, class B>
concept compared = requires(const A& a, const B& b) {
    a == b;
    b < a* a;
};
template <class T>
void is_optional(const T& x) {
    std::optional<T> number, none;
    CHECK(number == std::nullopt);
    number = x;
    CHECK(number != std::nullopt);
    CHECK(number != none);
    CHECK(number == x);
    CHECK(number > 2.5);
    CHECK(none < number);
}

} // namespace

TEST_CASE("a number may be optional", "[tape]") {
    tape::tape t;
    const auto x = t.variable(3.0);
    is_optional(x);
    is_optional(tape::eager<double>(x));
    is_optional(chainrule::dual<double, 2>(3.0));
    tape::trace u;
    is_optional(u.variable(3.0));
    // What cannot be compared is not an error where code asks whether it can.
    STATIC_REQUIRE(compared<tape::active<double>, double>);
    STATIC_REQUIRE_FALSE(compared<tape::active<double>, no_number>);
    CHECK(x > threshold{});
}

TEST_CASE("max, min and clamp are the library's with those of the standard library beside", "[tape]") {
    // At a tie those of the standard library have the derivatives of one operand.
    const auto f = [](const auto& x) {
        using T = std::remove_cvref_t<decltype(x[0])>;
        using std::max, std::min, std::clamp;
        return T(max(x[0], x[1]) + 10.0 * min(x[0], T(1.0)) + 100.0 * clamp(x[1], T(0.0), T(1.0)));
    };
    const std::vector at{1.0, 1.0};
    const std::vector expected{5.5, 100.5};
    CHECK(tape::gradient(f, at) == expected);
    CHECK(tape::gradient(tape::eagerly(f), at) == expected);
    CHECK(tape::record(f, at).gradient(at) == expected);
    CHECK(tape::jvp(f, at, std::vector{1.0, 0.0}) == expected[0]);
}
