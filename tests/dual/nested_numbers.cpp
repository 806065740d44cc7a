// SPDX-License-Identifier: BSL-1.0
//
// Numbers with derivatives inside numbers with derivatives: operators and comparisons with numbers of every level, and
// what is not to be lost between the levels. Every function of the table: tests/property/nested.hpp.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/tape.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <ostream>
#include <type_traits>

namespace {

namespace cr = chainrule;
namespace tape = chainrule::tape;
using namespace chainrule::literals;
using dual = cr::dual<double>;
using active = tape::active<double>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// A function of x and of a constant of any level, by every operator.
template <class T, class Constant>
T computed(const T& x, const Constant& c) {
    T s = x;
    s += c;
    s -= 1;
    s *= c;
    s /= 2.0;
    s += x * c;
    s = 2 - s;
    s = c - s * (c * c);
    s = (c + 1.0) / s + s / c + c * s;
    s = fma(s, x, c) + hypot(x, s, c) + max(s, c) + pow(x, 3) - clamp(x, -c, c * 2);
    return (x < c || c == x ? s : -s) + select(c > s, x, T(c)) * (s != c ? 1 : 0);
}

/// The value, the first and the second derivative with respect to x.
struct derivatives {
    double value = 0, first = 0, second = 0;
    friend bool operator==(const derivatives&, const derivatives&) = default;
    friend std::ostream& operator<<(std::ostream& out, const derivatives& d) {
        return out << d.value << ", " << d.first << ", " << d.second;
    }
};

template <class F>
derivatives by_dual_of_dual(const F& f, double x) {
    const cr::dual<dual> r = f(cr::dual<dual>::variable(dual::variable(x)), dual(1.25));
    return {r.value.value, r.value.tangents[0], r.tangents[0].tangents[0]};
}
template <class F>
derivatives by_active_of_dual(const F& f, double x) {
    tape::basic_tape<dual> t;
    const auto v = t.variable(dual::variable(x));
    const tape::active<dual> r = f(v, dual(1.25));
    if (!r.is_recorded()) return {r.value().value};
    t.backward(r);
    return {r.value().value, v.gradient().value, v.gradient().tangents[0]};
}
double derivative(tape::tape& t, const active& y, const active& x) {
    if (!y.is_recorded()) return 0;
    t.backward(y);
    return x.gradient();
}
template <class F>
derivatives by_dual_of_active(const F& f, double x) {
    tape::tape t;
    const active v = t.variable(x);
    const cr::dual<active> r = f(cr::dual<active>::variable(v), active(1.25));
    return {r.value.value(), derivative(t, r.value, v), derivative(t, r.tangents[0], v)};
}
template <class F>
derivatives by_active_of_active(const F& f, double x) {
    tape::tape inner;
    tape::basic_tape<active> outer;
    const active v = inner.variable(x);
    const tape::active<active> w = outer.variable(v);
    const tape::active<active> r = f(w, active(1.25));
    if (!r.is_recorded()) return {r.value().value()};
    outer.backward(r);
    return {r.value().value(), w.gradient().value(), derivative(inner, w.gradient(), v)};
}
/// Two levels of tapes with a dual number between them.
template <class F>
derivatives by_active_of_dual_of_active(const F& f, double x) {
    tape::tape inner;
    tape::basic_tape<cr::dual<active>> outer;
    const active v = inner.variable(x);
    const auto w = outer.variable(cr::dual<active>::variable(v));
    const tape::active<cr::dual<active>> r = f(w, active(1.25));
    if (!r.is_recorded()) return {r.value().value.value()};
    outer.backward(r);
    const double second = w.gradient().tangents[0].value();
    CHECK(derivative(inner, w.gradient().value, v) == Approx(second).epsilon(1e-13));
    return {r.value().value.value(), w.gradient().value.value(), second};
}

template <class F>
std::array<derivatives, 5> by_all(const F& f, double x) {
    return {by_dual_of_dual(f, x), by_active_of_dual(f, x), by_dual_of_active(f, x), by_active_of_active(f, x),
            by_active_of_dual_of_active(f, x)};
}

template <class T>
void check_classification(const T& zero) {
    const T nan = zero + not_a_number, large = zero - infinity, one = 1 - zero;
    CHECK((isnan(nan) && !isnan(large) && !isnan(one)));
    CHECK((!isinf(nan) && isinf(large) && !isinf(one)));
    CHECK((!isfinite(nan) && !isfinite(large) && isfinite(one)));
    CHECK((!isnormal(nan) && !isnormal(large) && isnormal(one) && !isnormal(zero)));
    CHECK((signbit(large) && !signbit(one)));
    CHECK((fpclassify(nan) == FP_NAN && fpclassify(large) == FP_INFINITE && fpclassify(one) == FP_NORMAL));
    CHECK((fpclassify(zero) == FP_ZERO && fpclassify(one * (std::numeric_limits<T>::min() / 2)) == FP_SUBNORMAL));
}

} // namespace

TEST_CASE("numbers of every level meet in operators, functions and comparisons", "[types]") {
    const auto f = [](const auto& x, const auto& c) { return computed(x, c); };
    for (const double at : {0.75, 1.25, 2.75}) {
        CAPTURE(at);
        const auto plain = [&](double x) { return computed(cr::dual<long double>(x), 1.25L).value; };
        // Differences, to see that there is a derivative; to all digits the modes are held against each other.
        constexpr double h = 1e-4;
        const auto all = by_all(f, at);
        for (const derivatives& d : all) {
            CHECK(d.value == Approx(static_cast<double>(plain(at))).epsilon(1e-14));
            CHECK(d.value == all[0].value);
            CHECK(d.first == Approx(all[0].first).epsilon(1e-13));
            CHECK(d.second == Approx(all[0].second).epsilon(1e-12));
        }
        if (at != 1.25) { // there it has a kink
            CHECK(all[0].first == Approx(static_cast<double>((plain(at + h) - plain(at - h)) / (2 * h))).epsilon(1e-5));
            CHECK(all[0].second ==
                  Approx(static_cast<double>((plain(at + h) - 2 * plain(at) + plain(at - h)) / (h * h))).epsilon(1e-5));
        }
    }
}

TEST_CASE("an adjoint that is zero keeps its derivatives", "[types]") {
    // The derivative of x^2 is zero at 0, and that of the derivative is not.
    for (const derivatives& d :
         by_all([](const auto& x, const auto&) { return std::decay_t<decltype(x)>(x * x * 3.0); }, 0.0))
        CHECK(d == derivatives{0, 0, 6});
    for (const derivatives& d : by_all(
             [](const auto& x, const auto& c) {
                 using T = std::decay_t<decltype(x)>;
                 const T square = x * x;
                 return T(sin(square) * c);
             },
             0.0))
        CHECK(d == derivatives{0, 0, 2.5});
}

TEST_CASE("arms that are not taken leak on no level", "[types]") {
    const auto chosen = [](const auto& x, const auto&) {
        using T = std::decay_t<decltype(x)>;
        const T root = sqrt(x), zero = 0.0;
        return T(select(x > 0, root, zero));
    };
    for (const derivatives& d : by_all(chosen, 0.0)) CHECK(d == derivatives{});
    const auto rectified = [](const auto& x, const auto&) {
        using T = std::decay_t<decltype(x)>;
        const T logarithm = log(x);
        return T(relu(logarithm));
    };
    for (const derivatives& d : by_all(rectified, 0.0)) CHECK(d == derivatives{});
}

TEST_CASE("kinks have the same derivatives on every level", "[types]") {
    const auto tie = [](const auto& x, const auto& c) { return std::decay_t<decltype(x)>(max(x, c)); };
    for (const derivatives& d : by_all(tie, 1.25)) CHECK(d == derivatives{1.25, 0.5, 0});
    const auto magnitude = [](const auto& x, const auto&) { return std::decay_t<decltype(x)>(abs(x)); };
    for (const derivatives& d : by_all(magnitude, 0.0)) CHECK(d == derivatives{0, 0, 0});
    const auto series = [](const auto& x, const auto&) { return std::decay_t<decltype(x)>(sinc(x)); };
    for (const derivatives& d : by_all(series, 0.0)) {
        CHECK(d.value == 1);
        CHECK(d.first == 0);
        CHECK(d.second == Approx(-1.0 / 3));
    }
}

TEST_CASE("isnan and its relatives see the value", "[types]") {
    check_classification(dual(0.0));
    check_classification(cr::dual<float, 3>(0.0f));
    check_classification(cr::dual<dual>(0.0));
    check_classification(active(0.0));
    check_classification(cr::dual<active>(0.0));
    check_classification(tape::active<dual>(0.0));
    check_classification(tape::active<active>(0.0));
    check_classification(cr::dual<cr::dual<active>>(0.0));
    static_assert(isnan(dual(not_a_number)) && isfinite(cr::dual<dual>(1.0)));
}

TEST_CASE("one tape for three derivatives", "[types]") {
    // d^3/dx^3 of x^2 exp(x), by a tape of a tape of dual numbers.
    tape::basic_tape<dual> inner;
    tape::basic_tape<tape::active<dual>> outer;
    const auto v = inner.variable(dual::variable(0.5));
    const auto w = outer.variable(v);
    const tape::active<tape::active<dual>> y = square(w) * exp(w);
    outer.backward(y);
    const tape::active<dual> first = w.gradient();
    inner.backward(first);
    const double e = std::exp(0.5);
    CHECK(first.value().value == Approx((0.25 + 2 * 0.5) * e));
    CHECK(v.gradient().value == Approx((0.25 + 4 * 0.5 + 2) * e));
    CHECK(v.gradient().tangents[0] == Approx((0.25 + 6 * 0.5 + 6) * e));
}
