// SPDX-License-Identifier: BSL-1.0
//
// Calls of compile-time functions with active numbers: which inputs are operands of the statement, for inputs that are
// plain by their types, plain numbers of active type, and parameters; values and derivatives against statements.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/tape.hpp>

#include <array>
#include <cmath>
#include <vector>

namespace {

namespace cr = chainrule;
namespace tape = chainrule::tape;
using namespace cr::literals;
using number = tape::active<double>;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto k = cr::variable<"k">;
constexpr auto v = cr::variables<"v", 5>;
constexpr auto f = exp(x * y) / k + sin(y);

template <class T>
T by_hand(const T& a, const T& b, const T& c) {
    using std::exp, std::sin;
    return T(exp(a * b) / c + sin(b));
}

struct loss {
    template <class A, class B>
    constexpr auto operator()(const A& w0, const A& w1, const A& w2, const A& w3, const A& w4, const B& x0, const B& x1,
                              const B& x2, const B& x3, const B& x4, const B& label) const {
        return log(1.0 + exp(-label * (w0 * x0 + w1 * x1 + w2 * x2 + w3 * x3 + w4 * x4)));
    }
};
constexpr auto traced = cr::function(loss{});

/// Records r = of() and checks its operands, its value, and its derivatives with respect to numbers.
template <class T, class Of>
void check(tape::basic_tape<T>& t, std::size_t operands, const tape::active<T>& expected,
           const std::vector<tape::active<T>>& inputs, Of of) {
    t.backward(expected);
    std::vector<T> slopes;
    for (const auto& input : inputs) slopes.push_back(input.gradient());
    const auto before = t.memory();
    const tape::active<T> r = of();
    CHECK(t.memory().statements == before.statements + 1);
    CHECK(t.memory().operands == before.operands + operands);
    t.backward(r);
    CHECK(cr::value(r) == expected.value());
    for (std::size_t i = 0; i < inputs.size(); ++i)
        CHECK(cr::value(inputs[i].gradient()) == Approx(cr::value(slopes[i])));
}

} // namespace

TEST_CASE("plain inputs of a call are not operands", "[tape]") {
    tape::tape t;
    const auto a = t.variable(0.5), b = t.variable(1.5), c = t.variable(2.0);
    const number plain = 1.5;
    const auto F = cr::function(f, cr::wrt(x, y, k));
    check<double>(t, 3, by_hand<number>(a, b, c), {a, b, c}, [&] { return F(a, b, c); });
    check<double>(t, 1, by_hand<number>(a, 1.5, 2.0), {a}, [&] { return F(a, 1.5, 2.0); });
    check<double>(t, 1, by_hand<number>(a, 1.5, 2.0), {a}, [&] { return F(a, plain, 2); });
    check<double>(t, 1, by_hand<number>(0.5, b, 2.0), {b}, [&] { return F(0.5, b, 2.0f); });
    check<double>(t, 2, by_hand<number>(0.5, b, c), {b, c}, [&] { return F(0.5, b, c); });
    check<double>(t, 2, by_hand<number>(a, plain, c), {a, c}, [&] { return F(std::array{a, plain, c}); });
    CHECK(!F(plain, plain, 2.0).is_recorded());
    CHECK(F(plain, plain, 2.0).value() == F(1.5, 1.5, 2.0));

    check<double>(t, 1, by_hand<number>(a, 1.5, 2.0), {a}, [&] { return F(k = 2.0, x = a, y = 1.5); });
    check<double>(t, 1, by_hand<number>(a, 1.5, 2.0), {a}, [&] { return f(k = 2.0, x = a, y = plain); });
    check<double>(t, 2, by_hand<number>(a, 1.5, c), {a, c}, [&] { return f(k = c, x = a, y = 1.5); });
    check<double>(t, 1, by_hand<number>(0.5, 1.5, c), {c}, [&] { return f(k = c, x = 0.5, y = 1.5); });
    check<double>(t, 2, by_hand<number>(a, a, 2.0), {a}, [&] { return F(a, a, 2.0); });
}

TEST_CASE("parameters of a call are operands if they are active", "[tape]") {
    tape::tape t;
    const auto a = t.variable(0.5), b = t.variable(1.5), c = t.variable(2.0);
    auto P = cr::function(f, cr::wrt(x, y), cr::given(k = 2.0));
    check<double>(t, 2, by_hand<number>(a, b, 2.0), {a, b}, [&] { return P(a, b); });
    check<double>(t, 1, by_hand<number>(a, 1.5, 2.0), {a}, [&] { return P(a, 1.5); });
    P.set(k = 3.0);
    check<double>(t, 2, by_hand<number>(a, b, 3.0), {a, b}, [&] { return P(a, b); });
    check<double>(t, 2, by_hand<number>(a, b, 3.0), {a, b}, [&] { return P(x = a, y = b); });
    check<double>(t, 2, by_hand<number>(a, b, 4.0), {a, b}, [&] { return P(x = a, y = b, k = 4); });
    check<double>(t, 2, by_hand<number>(0.5, b, c), {b, c}, [&] { return P(x = 0.5, y = b, k = c); });
    check<double>(t, 1, by_hand<number>(0.5, 1.5, c), {c}, [&] { return P(x = 0.5, y = 1.5, k = c); });
    const auto A = cr::function(f, cr::wrt(x, y), cr::given(k = c));
    check<double>(t, 3, by_hand<number>(a, b, c), {a, b, c}, [&] { return A(a, b); });
    check<double>(t, 1, by_hand<number>(0.5, 1.5, c), {c}, [&] { return A(0.5, 1.5); });
    check<double>(t, 1, by_hand<number>(0.5, 1.5, c), {c}, [&] { return A(std::array{0.5, 1.5}); });
    CHECK(A(x = 0.5, y = 1.5, k = 2.0).value() == by_hand(0.5, 1.5, 2.0));
}

TEST_CASE("plain numbers of another type are constants of a call's active numbers", "[tape]") {
    constexpr auto F = cr::function(x * y + sin(x), cr::wrt(x, y));
    const auto G = cr::function(y * x + sin(x), cr::wrt(x), cr::given(y = 2.0));
    tape::basic_tape<float> t;
    const auto a = t.variable(1.5f);
    const auto check = [&](const tape::active<float>& result) {
        t.backward(result);
        CHECK(result.value() == Approx(3.0 + std::sin(1.5)));
        CHECK(a.gradient() == Approx(2.0 + std::cos(1.5)));
    };
    check(F(a, 2.0));
    check(F(a, 2));
    check((x * y + sin(x))(x = a, y = 2.0));
    check((2.0 * x + sin(x))(x = a));
    check(G(a));
    tape::tape wide;
    const auto b = wide.variable(1.5);
    const tape::active<double> result = F(b, 2.0f) + F(1.0L, b);
    wide.backward(result);
    CHECK(b.gradient() == Approx(2.0 + std::cos(1.5) + 1.0));
}

TEST_CASE("a call with many inputs, some of them plain", "[tape]") {
    tape::tape t;
    const std::array at{0.3, -0.7, 1.1, 0.9, -0.2};
    const std::vector<number> w = t.variables(at);
    const number plain = 0.4;
    const auto expected = [&](const std::vector<number>& u) {
        number sum = 0.0;
        for (std::size_t i = 0; i < 5; ++i) sum += u[i] * (0.5 + static_cast<double>(i));
        return number(log(1.0 + exp(1.0 * sum)));
    };
    const auto call = [&](const std::vector<number>& u) {
        return traced(u[0], u[1], u[2], u[3], u[4], 0.5, 1.5, 2.5, 3.5, 4.5, -1.0);
    };
    check<double>(t, 5, expected(w), w, [&] { return call(w); });
    const std::vector<number> some{w[0], plain, w[2], plain, w[4]};
    check<double>(t, 3, expected(some), w, [&] { return call(some); });
    CHECK(!call(std::vector<number>(5, plain)).is_recorded());

    // Numbers from before a rewind, a full block, another tape before.
    const auto mark = t.mark();
    for (int i = 0; i < 4000; ++i) {
        t.rewind(mark);
        check<double>(t, 5, expected(w), w, [&] { return call(w); });
        tape::tape other;
        const auto u = other.variables(at);
        check<double>(other, 5, expected(u), u, [&] { return call(u); });
        if (i == 3) break;
    }
    number sum = 0.0, sum_expected = 0.0;
    for (int i = 0; i < 5000; ++i) {
        sum += call(w);
        sum_expected += expected(w);
    }
    t.backward({{sum, 1.0}, {sum_expected, -1.0}});
    for (const number& each : w) CHECK(std::abs(each.gradient()) < 1e-8);

    // A vector by name, and a vector of parameters.
    constexpr auto product = v[0_c] * v[1_c] * v[2_c] * v[3_c] * v[4_c] * x;
    check<double>(t, 5, number(w[0] * w[1] * w[2] * w[3] * w[4] * 2.0), w, [&] { return product(v = w, x = 2.0); });
    CHECK_THROWS_AS(product(v = std::vector<number>(4, plain), x = 2.0), cr::wrong_size);
    const auto X = t.variable(2.0);
    const auto G = cr::function(product, cr::wrt(x), cr::given(v = at));
    check<double>(t, 1, number(X * (0.3 * -0.7 * 1.1 * 0.9 * -0.2)), {X}, [&] { return G(X); });
    check<double>(t, 6, number(w[0] * w[1] * w[2] * w[3] * w[4] * X), w, [&] { return G(x = X, v = w); });
}

TEST_CASE("calls with several results, structural zeros, and numbers on two tapes", "[tape]") {
    tape::tape t;
    const auto a = t.variable(0.5), b = t.variable(1.5);
    constexpr auto G = cr::function(cr::vector(x * y * k, max(x, 2.0 * y), x - k), cr::wrt(x, y, k));
    const auto before = t.memory();
    const std::array<number, 3> r = G(a, b, 2.0);
    CHECK(t.memory().statements == before.statements + 3);
    t.backward(r[0]);
    CHECK(a.gradient() == 3.0);
    CHECK(b.gradient() == 1.0);
    t.backward(r[1]);
    CHECK(a.gradient() == 0.0);
    CHECK(b.gradient() == 2.0);
    t.backward(r[2]);
    CHECK(a.gradient() == 1.0);
    const auto named = cr::vector(x * y * k, x - k)(x = 0.5, y = b, k = 2.0);
    t.backward(named[0]);
    CHECK(b.gradient() == 1.0);
    t.backward(named[1]);
    CHECK(b.gradient() == 0.0);

    // To an outer tape the numbers of an inner one are plain.
    tape::basic_tape<number> outer;
    const tape::active<number> z = outer.variable(a);
    const auto F = cr::function(x * x * y * y, cr::wrt(x, y));
    const auto s = F(z, b);
    CHECK(outer.memory().operands == 1);
    outer.backward(s);
    const number slope = z.gradient(); // 2 a b^2
    t.backward(slope);
    CHECK(slope.value() == Approx(2.25));
    CHECK(a.gradient() == Approx(4.5));
    CHECK(b.gradient() == Approx(3.0));

    using dual = cr::dual<double, 1>;
    tape::basic_tape<dual> of_duals;
    const auto d = of_duals.variable(dual::variable(0.5, 0));
    const tape::active<dual> q = F(d, 1.5), p = F(d, dual(1.5));
    CHECK(of_duals.memory().operands == 2);
    of_duals.backward(q);
    CHECK(d.gradient().value == Approx(2.25));
    CHECK(d.gradient().tangents[0] == Approx(4.5));
    of_duals.backward(p);
    CHECK(d.gradient().tangents[0] == Approx(4.5));
}
