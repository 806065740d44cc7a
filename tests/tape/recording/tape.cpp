// SPDX-License-Identifier: BSL-1.0
//
// Tape mode: recording, sweeping, marks, limits, errors.
#include "catch.hpp"
#include "sentence.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/tape.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>
#include <thread>
#include <vector>

namespace {

namespace cr = chainrule;
namespace tape = chainrule::tape;
using namespace chainrule::literals;
using number = tape::active<double>;

Approx near(double v) { return Approx(v).epsilon(1e-14); }

/// A loop with branches and recursion, for numbers of any kind.
template <class T>
T power(const T& x, int n) {
    if (n == 0) return T(1);
    const T half = power(x, n / 2);
    if (n % 2 == 0) return half * half;
    return half * half * x;
}
template <class T>
T branching(const T& x, const T& y) {
    using std::exp, std::sin;
    T s = x;
    for (int i = 0; i < 20; ++i) {
        if (s > y)
            s -= 0.5 * y;
        else
            s = s * 1.25 + sin(y * s);
        while (s > 3.0 * y) s /= 2.0;
    }
    return s + power(y, 5) + exp(-s);
}

} // namespace

TEST_CASE("an expression is one statement with the compile-time half's numbers", "[tape]") {
    tape::tape t;
    const auto x = t.variable(2.0);
    const auto y = t.variable(5.0);
    const number f = log(x) + x * y - sin(y);
    CHECK(f.value() == std::log(2.0) + 2.0 * 5.0 - std::sin(5.0));
    t.backward(f);
    CHECK(x.gradient() == 5.5);
    CHECK(y.gradient() == near(1.7163378145367738));
    CHECK(f.gradient() == 1);
    CHECK(t.memory().statements == 3);
    CHECK(t.memory().operands == 4);
}

TEST_CASE("a statement takes 8 bytes and 12 per operand", "[tape]") {
    tape::tape t;
    const auto x = t.variable(2.0);
    const auto before = t.memory();
    const number y = x * x + 3.0 * x;
    const auto after = t.memory();
    CHECK(after.statements - before.statements == 1);
    CHECK(after.operands - before.operands == 3);
    CHECK(after.bytes_recorded - before.bytes_recorded == 8 + 3 * 12);
    CHECK(y.value() == 10);
}

TEST_CASE("values are those of plain numbers, bit for bit, and branches follow them", "[tape]") {
    for (const double a : {0.1, 0.7, 1.3, 2.9})
        for (const double b : {0.2, 0.9, 1.7}) {
            tape::tape t;
            const auto x = t.variable(a);
            const auto y = t.variable(b);
            const number f = branching(x, y);
            CHECK(f.value() == branching(a, b));
            t.backward(f);
            const auto [dx, dy] = cr::dual_variables(a, b);
            const auto forward = branching(dx, dy);
            CHECK(x.gradient() == Approx(forward.tangents[0]).epsilon(1e-12));
            CHECK(y.gradient() == Approx(forward.tangents[1]).epsilon(1e-12));
        }
}

TEST_CASE("assignments with an operation and steps", "[tape]") {
    tape::tape t;
    const auto x = t.variable(3.0);
    number s = x;
    s += x * x;
    s -= 2.0;
    s *= x;
    s /= 4;
    CHECK((s++).value() == 7.5);
    CHECK((--s).value() == 7.5);
    CHECK((++s).value() == 8.5);
    CHECK((s--).value() == 8.5);
    t.backward(s);
    CHECK(x.gradient() == near((3 * 9 + 2 * 3 - 2) / 4.0));
    const number& same = s;
    s = same;
    CHECK((+s).value() == s.value());
    CHECK(value(-s) == -s.value());
}

TEST_CASE("an expression kept with auto owns its operands", "[tape]") {
    tape::tape t;
    const auto x = t.variable(2.0);
    const auto expression = [&] {
        const number local = x * 3.0;
        return local * local + sin(local);
    }();
    const number a = expression, b = expression * 2.0;
    t.backward(b);
    CHECK(a.value() == 36 + std::sin(6.0));
    CHECK(x.gradient() == near(2 * (2 * 6.0 * 3 + 3 * std::cos(6.0))));
}

TEST_CASE("plain numbers are not recorded", "[tape]") {
    tape::tape t;
    const number plain = 2.0;
    const number also = plain * 3.0 + exp(plain);
    CHECK_FALSE(also.is_recorded());
    CHECK(also.value() == 6 + std::exp(2.0));
    const auto x = t.variable(1.0);
    const auto before = t.memory().operands;
    const number mixed = plain * x + also;
    CHECK(mixed.is_recorded());
    CHECK(t.memory().operands == before + 1);
    t.backward(mixed);
    CHECK(x.gradient() == 2);
    number zero;
    CHECK(zero.value() == 0);
}

TEST_CASE("comparisons and classifications look at values", "[tape]") {
    tape::tape t;
    const auto x = t.variable(2.0);
    const auto y = t.variable(3.0);
    CHECK(x < y);
    CHECK(x * y > 5.5);
    CHECK(7 >= x * y);
    CHECK(x != y);
    CHECK(x + 1.0 == y);
    CHECK(x <= 2);
    CHECK_FALSE(x == y);
    CHECK(std::max(x, y).value() == 3);
    CHECK(isfinite(x));
    CHECK(isinf(x / 0.0));
    CHECK(isnan(0.0 * (x / 0.0)));
    CHECK(signbit(-x));
    CHECK(tape::value(x * y) == 6);
    CHECK(tape::value(4.5) == 4.5);
    std::vector<number> numbers{y, x, x * y, x - y};
    std::sort(numbers.begin(), numbers.end());
    CHECK(numbers[0].value() == -1);
    CHECK(numbers[3].value() == 6);
    std::ostringstream out;
    out << x << ' ' << x * y;
    CHECK(out.str() == "2 6");
}

TEST_CASE("several outputs: seeds, lanes and Jacobians", "[tape]") {
    tape::tape t;
    const std::vector<number> x = t.variables({0.5, 1.5, 2.5});
    std::vector<number> y;
    for (int i = 0; i < 11; ++i) y.push_back(sin(x[0] * double(i)) + x[1] * x[2] * double(i * i));
    y.emplace_back(4.0); // not recorded
    t.backward({{y[1], 2.0}, {y[2], -1.0}});
    CHECK(x[0].gradient() == near(2 * std::cos(0.5) - 2 * std::cos(1.0)));
    CHECK(x[1].gradient() == near(2 * 2.5 - 4 * 2.5));

    const tape::matrix<double> j = tape::jacobian(t, y, x);
    REQUIRE(j.rows() == 12);
    REQUIRE(j.columns() == 3);
    for (std::size_t i = 0; i < 11; ++i) {
        const auto n = double(i);
        CHECK(j(i, 0) == near(n * std::cos(0.5 * n)));
        CHECK(j(i, 1) == near(n * n * 2.5));
        CHECK(j.row(i)[2] == near(n * n * 1.5));
    }
    CHECK(j(11, 0) == 0);

    const auto lanes = t.backward<4>(std::span<const number>(y).first(3));
    CHECK(lanes[x[1]][2] == near(4 * 2.5));
    CHECK(lanes[x[1]][3] == 0);
    CHECK(lanes[number(1.0)][0] == 0);
    CHECK(contains(sentence_of([&] { (void)tape::jacobian(t, y, {number(1.0)}); }),
                   "jacobian: an input is not recorded"));
    CHECK(contains(sentence_of([&] { (void)t.backward<2>(y); }), "backward: 12 outputs are given for 2 lanes"));
    const number later = x[0] * x[1];
    CHECK(contains(sentence_of([&] { (void)lanes[later]; }), "backward: the number was recorded after the sweep"));
}

TEST_CASE("Jacobians by sweeps forwards and backwards", "[tape]") {
    tape::tape t;
    for (const std::size_t inputs : {1U, 2U, 3U, 5U, 8U, 9U, 17U})
        for (const std::size_t outputs : {1U, 2U, 4U, 7U, 12U, 40U}) {
            t.clear();
            std::vector<number> x = t.variables(std::vector<double>(inputs - inputs / 2, 0.5));
            number between = x[0] * 3.0;
            while (x.size() < inputs) { // between statements
                x.push_back(t.variable(0.25 * static_cast<double>(x.size())));
                between = between + sin(x.back());
            }
            x.back() = between; // an input that depends on others
            std::vector<number> y;
            for (std::size_t i = 0; i < outputs; ++i) {
                number s = between * static_cast<double>(i);
                for (std::size_t k = 0; k < inputs; ++k) s += x[k] * x[(k + i) % inputs] + exp(-x[k]);
                y.push_back(s);
            }
            y[outputs / 2] = 4.0; // not recorded
            const tape::matrix<double> j = tape::jacobian(t, y, x);
            REQUIRE(j.rows() == outputs);
            REQUIRE(j.columns() == inputs);
            for (std::size_t i = 0; i < outputs; ++i) {
                if (!y[i].is_recorded()) {
                    for (std::size_t k = 0; k < inputs; ++k) CHECK(j(i, k) == 0);
                    continue;
                }
                t.backward(y[i]);
                for (std::size_t k = 0; k < inputs; ++k)
                    CHECK(j(i, k) == Approx(x[k].gradient()).epsilon(1e-13).margin(1e-13));
            }
        }
}

TEST_CASE("a Jacobian of few inputs over several blocks, and a rewound one", "[tape]") {
    tape::tape t;
    const auto x = t.variables({0.5, 1.5});
    const auto mark = t.mark();
    for (int round = 0; round < 2; ++round) {
        std::vector<number> y{x[0] * x[1]};
        for (std::size_t i = 1; i < 20'000; ++i) y.push_back(y.back() * 0.999 + x[i % 2] * 1e-3);
        const tape::matrix<double> j = tape::jacobian(t, y, x);
        for (const std::size_t i : {1U, 63U, 64U, 777U, 16'384U, 19'999U}) {
            t.backward(y[i]); // in another order: up to 20 000 roundings
            CHECK(j(i, 0) == Approx(x[0].gradient()).epsilon(1e-12));
            CHECK(j(i, 1) == Approx(x[1].gradient()).epsilon(1e-12));
        }
        t.rewind(mark);
    }
}

TEST_CASE("a Jacobian of few inputs keeps structural zeros, and sweeps backwards over operations", "[tape]") {
    tape::tape t;
    const auto x = t.variables({0.0, 2.0});
    std::vector<number> y;
    for (int i = 0; i < 12; ++i) y.push_back(x[1] * double(i));
    y.push_back(sqrt(x[0]));
    y.push_back(relu(x[0] - 1.0));
    y.push_back(sqrt(y.back()));
    const tape::matrix<double> j = tape::jacobian(t, y, x);
    CHECK(j(11, 0) == 0);
    CHECK(j(11, 1) == 11);
    CHECK(j(12, 0) == std::numeric_limits<double>::infinity());
    CHECK(j(12, 1) == 0);
    CHECK(j(14, 0) == 0);

    const auto doubled = t.operation(
        std::array{4.0}, [x](auto results, const auto& adjoint) { adjoint[x[1]] += 2.0 * adjoint[results[0]]; });
    y.push_back(doubled[0] * 3.0);
    CHECK(tape::jacobian(t, y, x)(15, 1) == 6);
}

TEST_CASE("a result that the output does not depend on adds nothing, whatever its derivative", "[tape]") {
    tape::tape t;
    const auto x = t.variable(0.0);
    const number infinite_slope = sqrt(x);
    const number f = 3.0 * x;
    t.backward(f);
    CHECK(x.gradient() == 3);
    const std::vector<number> outputs{f, infinite_slope};
    const auto lanes = t.backward<2>(outputs);
    CHECK(lanes[x][0] == 3);
    CHECK(std::isinf(lanes[x][1]));
}

TEST_CASE("an arm that is not taken adds nothing in the statements that follow", "[tape]") {
    tape::tape t;
    const auto x = t.variable(-1.0), y = t.variable(4.0);
    const number c = relu(x);
    const number root = sqrt(c);
    t.backward(root);
    CHECK(c.gradient() == std::numeric_limits<double>::infinity());
    CHECK(x.gradient() == 0);
    const std::vector<number> outputs{root, y * 2.0};
    const auto lanes = t.backward<2>(outputs);
    CHECK(lanes[x] == std::array{0.0, 0.0});
    CHECK(lanes[y] == std::array{0.0, 2.0});
    t.backward(c); // it is recorded, and depends on nothing
    CHECK(x.gradient() == 0);

    const auto before = t.memory();
    const number larger = max(x, y * y);
    CHECK(t.memory().operands == before.operands + 2); // y twice
    const number infinite = 1.0 / (larger - 16.0);
    t.backward(infinite);
    CHECK(x.gradient() == 0);
    CHECK(y.gradient() == -std::numeric_limits<double>::infinity());

    // Derivatives that are zero everywhere.
    const number whole = rint(x + 1.25);
    t.backward(sqrt(whole));
    CHECK(x.gradient() == 0);
    // An operand that is a plain number beside one that adds nothing.
    const number plain = -2.0;
    const number larger_of_both = max(plain, x);
    t.backward(larger_of_both);
    CHECK(x.gradient() == 1);

    // A zero of arithmetic is not structural: the derivative of log(s) for s = x * x at 0 is not zero.
    const auto z = t.variable(0.0);
    const number s = z * z;
    t.backward(log(s));
    CHECK(std::isnan(z.gradient()));
}

TEST_CASE("a product with a plain zero depends on nothing", "[tape]") {
    cr::tape::tape t;
    const number x = t.variable(3.0), y = t.variable(0.0), zero = 0.0, two = 2.0;
    const auto before = t.memory();
    const number none = x * zero;
    const number further = none / 2.0 + two * zero, same = zero * (x * -1.0);
    CHECK(t.memory().operands == before.operands);
    CHECK(none.value() == 0);
    CHECK_FALSE(none.is_recorded());
    CHECK_FALSE(further.is_recorded());
    CHECK_FALSE(same.is_recorded());
    // A sweep may begin there, whatever its values: no derivative is anything but zero.
    t.backward(further);
    CHECK(x.gradient() == 0);
    t.backward({{none, 2.0}, {x, 3.0}});
    CHECK(x.gradient() == 3);
    CHECK_THROWS_AS(none.gradient(), std::logic_error);
    // An infinite adjoint does not reach the operand.
    const number root = sqrt(none + y);
    t.backward(root);
    CHECK(x.gradient() == 0);
    CHECK(y.gradient() == std::numeric_limits<double>::infinity());

    // Zeros that depend on something, and factors that underflow, are none.
    const number product = x * y, with_plain = x * y + two, tiny = 1e-200;
    t.backward(log(product));
    CHECK(std::isnan(y.gradient()) == false);
    CHECK(std::isnan(x.gradient()));
    t.backward(sqrt(with_plain - 2.0));
    CHECK(std::isnan(x.gradient()));
    const number underflow = x * tiny * tiny;
    CHECK(underflow.is_recorded());
    // A quotient, more operands than a short statement has, and mixtures of the two.
    CHECK_FALSE(number(zero / x).is_recorded());
    CHECK_FALSE(number(zero * x * y * two * x).is_recorded());
    const number sum = two + zero * x + y * two * x + two * two;
    t.backward(sum);
    CHECK(sum.value() == 6);
    CHECK(x.gradient() == 0);
    CHECK(y.gradient() == 6);
}

TEST_CASE("a product with a plain zero of dual or active numbers depends on nothing", "[tape]") {
    cr::tape::basic_tape<cr::dual<double>> t;
    using dual_number = cr::tape::active<cr::dual<double>>;
    const dual_number x = t.variable(cr::dual<double>::variable(3.0)), zero = 0.0;
    CHECK_FALSE(dual_number(x * zero).is_recorded());
    const dual_number moving = cr::dual<double>::variable(0.0);
    const dual_number kept = x * moving; // its second derivative is not zero
    t.backward(kept);
    CHECK(x.gradient().value == 0);
    CHECK(x.gradient().tangents[0] == 1);

    cr::tape::tape inner;
    cr::tape::basic_tape<number> outer;
    using outer_number = cr::tape::active<number>;
    const number p = inner.variable(0.0);
    const outer_number a = outer.variable(number(5.0)), nothing = number(0.0), plain_outside = p;
    CHECK_FALSE(outer_number(a * nothing).is_recorded());
    const outer_number b = a * plain_outside;
    outer.backward(b);
    inner.backward(a.gradient());
    CHECK(p.gradient() == 1);
}

TEST_CASE("statements of up to five operands, each recorded, plain or older than a mark", "[tape]") {
    cr::tape::tape t;
    const std::vector<number> old = t.variables({1.5, 2.5, 3.5, 4.5, 5.5});
    t.rewind(t.mark());
    const std::vector<number> now = t.variables({1.5, 2.5, 3.5, 4.5, 5.5});
    for (int form = 0; form < 243; ++form) {
        std::array<number, 5> x;
        std::array<int, 5> kinds;
        for (std::size_t k = 0, rest = static_cast<std::size_t>(form); k < 5; ++k, rest /= 3) {
            kinds[k] = static_cast<int>(rest % 3);
            x[k] = kinds[k] == 0 ? now[k] : kinds[k] == 1 ? old[k] : number(now[k].value());
        }
        const auto check = [&](const number& y, std::initializer_list<double> partials) {
            if (y.is_recorded()) t.backward(y);
            std::size_t k = 0, recorded = 0;
            for (const double partial : partials) {
                recorded += kinds[k] < 2;
                if (kinds[k] < 2) CHECK(x[k].gradient() == Approx(partial));
                ++k;
            }
            CHECK(y.is_recorded() == (recorded > 0));
        };
        const auto v = [&](std::size_t k) { return x[k].value(); };
        check(exp(x[0]), {std::exp(v(0))});
        check(x[0] * x[1], {v(1), v(0)});
        check(x[0] - x[1] * x[2], {1.0, -v(2), -v(1)});
        check(x[0] - x[1] * x[2] / x[3], {1.0, -v(2) / v(3), -v(1) / v(3), v(1) * v(2) / (v(3) * v(3))});
        check(x[0] - x[1] * x[2] * x[3] + x[4], {1.0, -v(2) * v(3), -v(1) * v(3), -v(1) * v(2), 1.0});
    }
}

TEST_CASE("a kernel with arms is a statement without those that are not taken", "[tape]") {
    constexpr auto u = cr::variable<"u">;
    constexpr auto v = cr::variable<"v">;
    constexpr auto f = cr::function(cr::vector(select(u > 0_c, log(u), v), u * 2_c), cr::wrt(u, v));
    tape::tape t;
    const auto x = t.variable(-1.0), y = t.variable(3.0);
    const auto before = t.memory().operands;
    const auto r = f(x, y);
    CHECK(t.memory().operands == before + 2);
    t.backward(1.0 / (r[0] - 3.0));
    CHECK(x.gradient() == 0);
    CHECK(y.gradient() == -std::numeric_limits<double>::infinity());
    t.backward(r[1]);
    CHECK(x.gradient() == 2);
    CHECK(y.gradient() == 0);
}

TEST_CASE("statements that go on in the next block, in every sweep", "[tape]") {
    tape::tape t;
    const auto x = t.variables({1.0, 2.0, 3.0});
    // Of seven operands, so that blocks of a power of two end within statements of any number of them.
    for (int i = 0; i < 50'000; ++i) {
        const std::vector<number> operands{x[0], x[1], x[2], x[0], x[1], x[2], x[0]};
        const std::vector<double> partials{1, 2, 3, 4, 5, 6, 7};
        const number s = t.statement(1.0, operands, partials);
        if (i % 9973 != 0) continue;
        t.backward(s, 2.0);
        CHECK(x[0].gradient() == 24);
        CHECK(x[1].gradient() == 14);
        CHECK(x[2].gradient() == 18);
        const auto lanes = t.backward<2>(std::vector{s, x[1]});
        CHECK(lanes[x[0]] == std::array{12.0, 0.0});
        CHECK(lanes[x[1]] == std::array{7.0, 1.0});
    }
}

TEST_CASE("a million statements and statements of any length", "[tape]") {
    tape::tape t;
    const auto x = t.variable(1.0);
    number s = x;
    // Three operands each: statements go on in the next block.
    for (int i = 0; i < 1'000'000; ++i) s = s + x * 1e-3 - 0.5e-3 * x;
    t.backward(s);
    CHECK(x.gradient() == Approx(1 + 1e6 * 0.5e-3).epsilon(1e-9));
    CHECK(t.memory().statements == 1'000'001);
    CHECK(t.memory().operands == 3'000'000);

    const std::size_t n = 3 * tape::recording<double>::block_size + 17;
    const std::vector<number> x_again(n, x);
    const std::vector<double> partials(n, 0.5);
    const number sum = t.statement(1.0, x_again, partials);
    t.backward(sum * 2.0);
    CHECK(x.gradient() == Approx(double(n)).epsilon(1e-12));
}

TEST_CASE("long recordings go on in blocks of some MiB, unless there is a limit", "[tape]") {
    const auto reserved_after = [](std::size_t limit) {
        tape::tape t;
        t.limit_memory(limit);
        number s = t.variable(1.0);
        for (int i = 0; i < 450'000; ++i) s = s * 1.00001;
        return t.memory().bytes_reserved;
    };
    const std::size_t recorded = 12 * 450'000, small = 12 * tape::recording<double>::block_size,
                      large = 12 * tape::recording<double>::largest_block_size;
    CHECK(reserved_after(10'000'000) < recorded + 2 * small);
    CHECK(reserved_after(0) > large + 12 * 390'000);
    CHECK(reserved_after(0) < recorded + large);
}

TEST_CASE("marks, rewinding and clearing keep memory and what was before", "[tape]") {
    tape::tape t;
    const auto x = t.variable(2.0);
    const number y = x * x;
    const auto mark = t.mark();
    std::size_t reserved = 0;
    for (int round = 0; round < 3; ++round) {
        number s = y;
        for (int i = 0; i < 50'000; ++i) s = s * 1.00001;
        t.backward(s);
        CHECK(x.gradient() == Approx(4 * std::pow(1.00001, 50'000)));
        if (round > 0) CHECK(t.memory().bytes_reserved == reserved);
        reserved = t.memory().bytes_reserved;
        t.rewind(mark);
        CHECK(t.memory().statements == 2);
    }
    t.backward(y);
    CHECK(x.gradient() == 4);
    t.clear();
    CHECK(t.memory().statements == 0);
    CHECK(t.memory().bytes_reserved == reserved);
    CHECK(contains(sentence_of([&] { t.rewind(mark); }), "rewind: the mark is past the end of the recording"));
    tape::tape other;
    CHECK(contains(sentence_of([&] { t.rewind(other.mark()); }), "rewind: the mark belongs to another tape"));
    const auto z = t.variable(3.0);
    t.backward(z * z);
    CHECK(z.gradient() == 6);
    // As much is recorded now as was at the mark, but it is something else.
    CHECK(t.mark().next >= mark.next);
    CHECK(contains(sentence_of([&] { t.rewind(mark); }), "rewind: the mark is past the end of the recording"));
    t.backward(z * 2.0);
    CHECK(z.gradient() == 2);
}

TEST_CASE("handles to what was rewound are found out", "[tape]") {
    tape::tape t;
    const auto x = t.variable(2.0);
    const auto mark = t.mark();
    const number lost = x * x;
    t.rewind(mark);
    const number again = x * 3.0; // has the place of the lost one
    CHECK(contains(sentence_of([&] {
                       const number bad = lost + x;
                       (void)bad;
                   }),
                   "before the tape was rewound"));
    CHECK(contains(sentence_of([&] { t.backward(lost); }), "before the tape was rewound"));
    t.rewind(mark);
    const auto second = t.mark();
    const number newer = x * 5.0;
    t.rewind(second);
    CHECK(contains(sentence_of([&] { t.backward(again); }), "before the tape was rewound"));
    CHECK(contains(sentence_of([&] { t.backward(newer); }), "before the tape was rewound"));
    const number fine = x * 7.0;
    t.backward(fine);
    CHECK(x.gradient() == 7);
    t.clear();
    CHECK(contains(sentence_of([&] { (void)x.gradient(); }), "before the tape was rewound"));
}

TEST_CASE("a paused tape records nothing", "[tape]") {
    tape::tape t;
    const auto x = t.variable(2.0);
    t.pause();
    CHECK(t.is_paused());
    t.pause();
    t.resume();
    CHECK(t.is_paused());
    const number unseen = x * x;
    CHECK_FALSE(unseen.is_recorded());
    CHECK(unseen.value() == 4);
    CHECK(contains(sentence_of([&] { (void)t.variable(1.0); }), "variable: the tape is paused"));
    CHECK_FALSE(t.statement(1.0, {x}, {1.0}).is_recorded());
    t.resume();
    const number seen = x * unseen;
    t.backward(seen);
    CHECK(x.gradient() == 4);
    CHECK(t.memory().statements == 2);
}

TEST_CASE("a limit of memory ends in an exception, and the tape is as before", "[tape]") {
    tape::tape t;
    t.limit_memory(500'000);
    const auto x = t.variable(1.0);
    number s = x, last;
    std::string sentence;
    try {
        for (int i = 0; i < 1'000'000; ++i) {
            last = s;
            s = s * 1.00001;
        }
    } catch (const tape::recording_full& e) {
        sentence = e.what();
    }
    CHECK(contains(sentence, "tape: the limit of 500000 bytes is reached"));
    CHECK(contains(sentence, "raise limit_memory()"));
    CHECK(t.memory().bytes_reserved <= 500'000);
    // There is no room for derivatives either.
    CHECK_THROWS_AS(t.backward(last), tape::recording_full);
    t.limit_memory(0);
    t.backward(last);
    CHECK(x.gradient() == last.value());
    s = last * 2.0;
    t.backward(s);
    CHECK(x.gradient() == s.value());
}

TEST_CASE("variables beyond a limit of memory are all refused", "[tape]") {
    tape::tape t;
    t.limit_memory(2000);
    const auto x = t.variable(3.0);
    const number square = x * x; // after a statement, variables need memory
    const std::size_t statements = t.memory().statements;
    CHECK_THROWS_AS((void)t.variables(std::vector<double>(500, 1.0)), tape::recording_full);
    CHECK(t.memory().statements == statements);
    const auto y = t.variables(std::vector<double>(5, 1.0));
    CHECK(t.memory().statements == statements + 5);
    t.backward(square * y[4]);
    CHECK(x.gradient() == 6.0);
    CHECK(y[4].gradient() == 9.0);
    CHECK(y[3].gradient() == 0.0);
}

TEST_CASE("the weight of an output may be a derivative of an earlier sweep", "[tape]") {
    tape::tape t;
    const auto x = t.variable(3.0);
    const number y = x * x;
    t.backward(y);
    const number z = sin(x);
    t.backward(z, x.gradient());
    CHECK(x.gradient() == 6.0 * std::cos(3.0));
}

TEST_CASE("the derivatives of consecutive numbers are read at once", "[tape]") {
    tape::tape t;
    const auto x = t.variables({0.5, 1.5, -0.25});
    const number y = x[0] * x[1] * x[2];
    t.backward(y);
    const auto all = t.gradients_from(x[0], 3);
    CHECK(std::vector<double>(all.begin(), all.end()) == std::vector{-0.375, -0.125, 0.75});
    CHECK(t.gradients_from(x[2], 0).empty());
    const std::size_t behind = all.size() + 100;
    CHECK(contains(sentence_of([&] { (void)t.gradients_from(x[0], behind); }), "fewer numbers were recorded"));
}

TEST_CASE("statements of many operands, some of them plain", "[tape]") {
    // As many as an unsigned has bits, and more.
    constexpr std::size_t count = 40;
    tape::tape t;
    std::vector<number> x(count);
    for (std::size_t i = 0; i < count; ++i) x[i] = i == 35 ? number(1.5) : t.variable(1.0 + static_cast<double>(i));
    const number y = [&]<std::size_t... I>(std::index_sequence<I...>) -> number {
        return (... + (x[I] * x[(I + 1) % count]));
    }(std::make_index_sequence<count>{});
    t.backward(y);
    CHECK(x[34].gradient() == 34.0 + 1.5);
    CHECK(x[0].gradient() == 2.0 + 40.0);
}

TEST_CASE("misuse is answered in words", "[tape]") {
    tape::tape t, other;
    const auto x = t.variable(2.0);
    const auto y = other.variable(3.0);
    CHECK(contains(sentence_of([&] {
                       const number bad = x * y;
                       (void)bad;
                   }),
                   "active: an expression has numbers of two tapes"));
    CHECK(contains(sentence_of([&] { t.backward(y); }), "backward: the number belongs to another tape"));
    CHECK(contains(sentence_of([&] { t.backward(number(1.0)); }), "backward: the number is not recorded"));
    CHECK(contains(sentence_of([&] { (void)number(1.0).gradient(); }), "gradient: the number is not recorded"));
    CHECK(contains(sentence_of([&] { (void)x.gradient(); }), "gradient: backward() was not called"));
    t.backward(x);
    const number later = x * 2.0;
    CHECK(contains(sentence_of([&] { (void)later.gradient(); }), "gradient: backward() was not called since"));
    CHECK(contains(sentence_of([&] { (void)t.statement(1.0, {x}, {1.0, 2.0}); }),
                   "statement: 1 operands and 2 partial derivatives"));
    CHECK(t.memory().statements == 2);
    // Mixing fails before anything is recorded.
    CHECK(other.memory().statements == 1);
}

TEST_CASE("one tape per thread", "[tape]") {
    std::vector<double> gradients(4);
    std::vector<std::thread> threads;
    for (std::size_t k = 0; k < gradients.size(); ++k)
        threads.emplace_back([&gradients, k] {
            tape::tape t;
            const auto x = t.variable(0.5 + double(k));
            number s = x;
            for (int i = 0; i < 2000; ++i) s = sin(s) + x;
            t.backward(s);
            gradients[k] = x.gradient();
        });
    for (std::thread& thread : threads) thread.join();
    for (std::size_t k = 0; k < gradients.size(); ++k) {
        double s = 0.5 + double(k), ds = 1;
        for (int i = 0; i < 2000; ++i) {
            ds = std::cos(s) * ds + 1;
            s = std::sin(s) + 0.5 + double(k);
        }
        CHECK(gradients[k] == Approx(ds).epsilon(1e-10));
    }
}

TEMPLATE_TEST_CASE("other number types", "[tape]", float, long double) {
    using T = TestType;
    tape::basic_tape<T> t;
    const auto x = t.variable(T(2));
    const auto y = t.variable(T(5));
    const tape::active<T> f = log(x) + x * y - sin(y);
    CHECK(f.value() == std::log(T(2)) + T(2) * T(5) - std::sin(T(5)));
    t.backward(f);
    CHECK(x.gradient() == T(5.5));
    CHECK(y.gradient() == Approx(1.7163378145367738).epsilon(1e-6));
    // As in C++: a double among floats makes the computation one in double.
    const tape::active<T> mixed = x * 0.1;
    CHECK(mixed.value() == static_cast<T>(T(2) * 0.1));
}

TEMPLATE_TEST_CASE("a sweep starts from zeros, however many numbers there are", "[tape]", float, double, long double) {
    for (std::size_t n = 1; n < 600; n = n < 40 ? n + 1 : n + n / 8) {
        tape::basic_tape<TestType> t;
        const std::vector<tape::active<TestType>> x = t.variables(std::vector<TestType>(n, TestType(2)));
        tape::active<TestType> all = 0;
        for (const auto& v : x) all += v * v;
        t.backward(all);
        for (const auto& v : x) REQUIRE(v.gradient() == 4);
        const tape::active<TestType> last = x.back() * x.front();
        t.backward(last);
        for (std::size_t i = 1; i + 1 < n; ++i) REQUIRE(x[i].gradient() == 0);
        REQUIRE(all.gradient() == 0);
        REQUIRE(x.back().gradient() == (n == 1 ? 4 : 2));
    }
}

TEST_CASE("a function of the compile-time half is one statement", "[tape]") {
    constexpr auto x = cr::variable<"x">;
    constexpr auto y = cr::variable<"y">;
    constexpr auto k = cr::variable<"k">;
    constexpr auto f = log(x) + x * y - sin(y);
    constexpr auto F = cr::function(f, cr::wrt(x, y));
    tape::tape t;
    const auto a = t.variable(2.0);
    const auto b = t.variable(5.0);
    const auto check = [&](const number& r) {
        CHECK(r.value() == F(2.0, 5.0));
        t.backward(r);
        CHECK(a.gradient() == 5.5);
        CHECK(b.gradient() == near(1.7163378145367738));
    };
    check(f(x = a, y = b));
    CHECK(t.memory().statements == 3);
    check(f(y = b, x = a));
    check(F(a, b));
    check(F(a, b * 1.0)); // two statements
    CHECK(t.memory().statements == 7);
    check(F(std::array{a, b}));
    check(F(std::vector{a, b}));
    CHECK(t.memory().statements == 9);

    t.backward(f(x = 2.0, y = b));
    CHECK(a.gradient() == 0);
    CHECK(b.gradient() == near(1.7163378145367738));

    constexpr auto G = cr::function(cr::vector(2.0 * x * y, sin(y)), cr::wrt(x, y));
    const auto before = t.memory().statements;
    const std::array<number, 2> g = G(a, b);
    CHECK(t.memory().statements == before + 2);
    t.backward({{g[0]}, {g[1], 3.0}});
    CHECK(a.gradient() == 10);
    CHECK(b.gradient() == near(4 + 3 * std::cos(5.0)));

    const auto P = cr::function(exp(-k * x), cr::wrt(x), cr::given(k = b));
    t.backward(P(2.0));
    CHECK(b.gradient() == near(-2 * std::exp(-10.0)));

    // Derivatives of derivatives: every operation is a statement.
    const auto gradient = F.gradient(a, b);
    t.backward(gradient[0]);
    CHECK(a.gradient() == -0.25);
    CHECK(b.gradient() == 1);

    // An expression may hold active numbers and have variables.
    t.backward((x * a + y)(x = b, y = 1.0));
    CHECK(a.gradient() == 5);
    CHECK(b.gradient() == 2);
    t.backward((x * a)(x = 3.0));
    CHECK(a.gradient() == 3);
}

TEST_CASE("exact constants are known in statements", "[tape]") {
    tape::tape t;
    const auto x = t.variable(-2.0);
    const number cube = pow(x, 3_c) + 0.5_c * x;
    CHECK(cube.value() == -9);
    t.backward(cube);
    CHECK(x.gradient() == 12.5);
}

TEST_CASE("statements and operations with derivatives of one's own", "[tape]") {
    tape::tape t;
    const auto x = t.variable(2.0);
    const auto y = t.variable(3.0);
    const number z = t.statement(x.value() * y.value(), {x, y}, {y.value(), x.value()});
    t.backward(z * z);
    CHECK(x.gradient() == 2 * 6 * 3);

    // (u, v) = (x y, x + y), whose derivative sees the adjoints of both.
    int calls = 0;
    const std::array values{6.0, 5.0};
    const std::vector<number> r =
        t.operation(values, [=, &calls](std::span<const number> results, const tape::adjoint_view<double>& adjoint) {
            ++calls;
            const double u = adjoint[results[0]], v = adjoint[results[1]];
            adjoint[x] += u * y.value() + v;
            adjoint[y] += u * x.value() + v;
            adjoint[number(7.0)] += 1; // goes nowhere
        });
    const number f = r[0] * r[1] + x;
    t.backward(f);
    CHECK(calls == 1);
    CHECK(x.gradient() == 3 * 5 + 6 + 1);
    CHECK(y.gradient() == 2 * 5 + 6);
    const std::vector<number> outputs{r[0], r[1], f};
    const auto lanes = t.backward<3>(outputs);
    CHECK(calls == 4);
    CHECK(lanes[x] == std::array{3.0, 1.0, 22.0});

    CHECK(t.operation({}, [](auto&&...) { FAIL("an operation without results is not swept"); }).empty());

    // Two in a row, and one that is rewound.
    const auto twice = [](const number& a) {
        return [a](std::span<const number> results, const tape::adjoint_view<double>& adjoint) {
            adjoint[a] += 2 * adjoint[results[0]];
        };
    };
    const auto first = t.operation(std::array{4.0}, twice(x));
    const auto second = t.operation(std::array{8.0}, twice(first[0]));
    t.backward(second[0]);
    CHECK(x.gradient() == 4);
    const auto mark = t.mark();
    (void)t.operation(std::array{8.0}, [&](auto&&...) { FAIL("a rewound operation is not swept"); });
    t.rewind(mark);
    t.backward(second[0]);
    CHECK(x.gradient() == 4);
}

TEST_CASE("second derivatives: forward over reverse", "[tape]") {
    const auto f = [](const auto& x) { return log(x[0]) + x[0] * x[1] - sin(x[1]); };
    const auto r = tape::hessian(f, std::vector{2.0, 5.0});
    CHECK(r.value == near(11.652071455223084));
    CHECK(r.gradient[0] == 5.5);
    CHECK(r.gradient[1] == near(1.7163378145367738));
    CHECK(r.hessian(0, 0) == -0.25);
    CHECK(r.hessian(0, 1) == 1);
    CHECK(r.hessian(1, 0) == 1);
    CHECK(r.hessian(1, 1) == near(std::sin(5.0)));

    // More variables than directions at once; the product agrees with the matrix.
    const auto rosenbrock = [](const auto& x) {
        using T = std::remove_cvref_t<decltype(x[0])>;
        T s = 0;
        for (std::size_t i = 0; i + 1 < x.size(); ++i) {
            const T a = x[i + 1] - x[i] * x[i], b = 1.0 - x[i];
            s += 100.0 * a * a + b * b;
        }
        return s;
    };
    std::vector<double> point, direction;
    for (int i = 0; i < 7; ++i) {
        point.push_back(0.3 + 0.2 * i);
        direction.push_back(1.0 - 0.3 * i);
    }
    const auto full = tape::hessian(rosenbrock, point);
    for (std::size_t i = 0; i < 7; ++i) {
        const double x = point[i];
        if (i < 6) CHECK(full.hessian(i, i) == Approx(1200 * x * x - 400 * point[i + 1] + 2 + (i > 0 ? 200 : 0)));
        if (i > 0) CHECK(full.hessian(i, i - 1) == Approx(-400 * point[i - 1]));
        if (i > 1) CHECK(full.hessian(i, i - 2) == 0);
    }
    const auto product = tape::hessian_vector_product(rosenbrock, point, direction);
    for (std::size_t i = 0; i < 7; ++i) {
        double expected = 0;
        for (std::size_t j = 0; j < 7; ++j) expected += full.hessian(i, j) * direction[j];
        CHECK(product[i] == Approx(expected));
    }
    CHECK(contains(sentence_of([&] { (void)tape::hessian_vector_product(f, point, {1.0}); }),
                   "hessian_vector_product: the point has 7 numbers and the direction 1"));
}

TEST_CASE("a number of an outer tape in second derivatives keeps its place", "[tape]") {
    tape::tape t;
    const number p = t.variable(2.0);
    const auto f = [&](const auto& v) {
        using A = std::remove_cvref_t<decltype(v[0])>;
        return A(v[0] * v[0] * v[0] * p);
    };
    const auto many = [&](const auto& v) { // more numbers than go through registers
        using A = std::remove_cvref_t<decltype(v[0])>;
        return A(v[0] * v[0] * v[0] * p + 1.0 + 2.0 * v[0] + 3.0 * v[0] + 4.0 * v[0] + 5.0 * v[0] + 6.0 * v[0] +
                 7.0 * v[0]);
    };
    const auto check = [&](const number& found) {
        t.backward(found); // 6 v p, where v is p / 2
        CHECK(found.value() == 12);
        CHECK(p.gradient() == 12);
    };
    const std::vector<number> at{p * 0.5};
    check(tape::hessian(f, at).hessian(0, 0));
    check(tape::hvp(f, at, std::vector<number>{1.0})[0]);
    check(tape::hessian(many, at).hessian(0, 0));
    check(tape::gradient([&](const auto& v) { return tape::gradient(many, v)[0]; }, at)[0]);
}

TEST_CASE("variables of a range may follow statements and discarded ones", "[tape]") {
    tape::basic_tape<double> t;
    const number a = t.variable(2.0);
    const auto start = t.mark();
    const std::vector<number> none = t.variables(std::vector<double>{});
    REQUIRE(none.empty());
    for (int round = 0; round < 3; ++round) {
        t.rewind(start);
        const std::vector<number> before = t.variables({3.0, 4.0});
        const number b = a * before[1];
        const std::vector<number> after = t.variables(std::vector<double>(40000, 1.5));
        const number y = b * after.front() + after[20000] * after.back() * before[0];
        t.backward(y);
        CHECK(t.gradient(a) == 4.0 * 1.5);
        CHECK(t.gradient(before[0]) == 1.5 * 1.5);
        CHECK(t.gradient(before[1]) == 2.0 * 1.5);
        CHECK(t.gradient(after.front()) == 8.0);
        CHECK(t.gradient(after[1]) == 0.0);
        CHECK(t.gradient(after[20000]) == 4.5);
        CHECK(t.gradient(after.back()) == 4.5);
    }
}

TEST_CASE("a forward sweep may begin at results of statements", "[tape]") {
    tape::basic_tape<double> t;
    const number a = t.variable(3.0);
    const number b = a * a;
    const number c = t.variable(2.0);
    const std::vector<number> outputs{2.0 * b, b * c, a + b, sin(b), c * c * a, b};
    const auto j = tape::jacobian(t, outputs, std::vector<number>{a, b, c});
    REQUIRE(tape::sweeping::cost(3) < tape::sweeping::cost(6));
    const double expected[6][3] = {{12, 2, 0}, {12, 2, 9}, {7, 1, 0}, {6 * std::cos(9.0), std::cos(9.0), 0},
                                   {4, 0, 12}, {6, 1, 0}};
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t k = 0; k < 3; ++k) CHECK(j(i, k) == near(expected[i][k]));
}

TEST_CASE("sine and cosine of one angle in two statements", "[tape]") {
    tape::tape t;
    for (const double angle : {0.0, -0.0, 0.5, 3.0, std::numeric_limits<double>::quiet_NaN(), 0.5}) {
        const auto x = t.variable(angle);
        const number s = sin(x), c = cos(x), again = sin(x);
        const auto same = [](double a, double b) {
            return std::signbit(a) == std::signbit(b) && (a == b || (a != a && b != b));
        };
        CHECK(same(s.value(), std::sin(angle)));
        CHECK(same(again.value(), std::sin(angle)));
        CHECK(same(c.value(), std::cos(angle)));
        t.backward(c);
        const auto equal = [](double a, double b) { return a == b || (a != a && b != b); };
        CHECK(equal(x.gradient(), -std::sin(angle)));
        t.backward(again);
        CHECK(equal(x.gradient(), std::cos(angle)));
    }
    // For another number type the kernel computes both each time.
    tape::basic_tape<cr::dual<double>> forward;
    const auto x = forward.variable(cr::dual<double>::variable(0.5));
    const tape::active<cr::dual<double>> s = sin(x), c = cos(x);
    forward.backward(s * c);
    CHECK(x.gradient().tangents[0] == near(-2 * std::sin(1.0)));
}

TEST_CASE("a sweep with one adjoint gives what one in lanes gives", "[tape]") {
    tape::tape t;
    const auto x = t.variables({0.5, 1.5, -0.25});
    // Statements that begin with the result before, with another one, and with one number twice; across blocks.
    std::vector<number> v(x.begin(), x.end());
    for (std::size_t i = 0; i < 30'000; ++i) {
        const number last = v.back(), earlier = v[(i * 7919) % v.size()];
        switch (i % 5) {
        case 0: v.push_back(last + sin(earlier)); break;
        case 1: v.push_back(0.5 * earlier * last); break;
        case 2: v.push_back(last * last * 0.125 + last); break;
        case 3: v.push_back(cos(earlier) - 0.75 * earlier); break;
        default: v.push_back(0.25 * last); break;
        }
    }
    const std::vector<number> outputs{v.back(), v[v.size() / 2]};
    const auto lanes = t.backward<2>(outputs);
    for (std::size_t k = 0; k < 2; ++k) {
        t.backward(outputs[k]);
        for (const number& each : v) REQUIRE(each.gradient() == Approx(lanes[each][k]).epsilon(1e-12));
    }
}
