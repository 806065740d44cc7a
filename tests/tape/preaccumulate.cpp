// SPDX-License-Identifier: BSL-1.0
//
// Sections of a recording replaced by their Jacobians: how many statements and operands remain, and values and
// derivatives against those of the plain recording.
#include "sentence.hpp"
#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>
#include <chainrule/tape/sparse.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <stdexcept>
#include <tuple>
#include <vector>

namespace {

namespace cr = chainrule;
namespace tape = chainrule::tape;
using number = tape::active<double>;

struct counts {
    std::size_t statements, operands;
    friend bool operator==(const counts&, const counts&) = default;
};
/// What f adds to a recording.
template <class T, class F>
counts added(const tape::basic_tape<T>& t, F f) {
    const auto before = t.memory();
    f();
    return {t.memory().statements - before.statements, t.memory().operands - before.operands};
}

/// Two inputs, one output, 29 operands.
struct iterated {
    template <class A>
    A operator()(const A& a, const A& b) const {
        A r = a * b;
        for (int i = 0; i < 9; ++i) r = sin(r) * a + b;
        return r;
    }
};

/// Random operations on random earlier results; the outputs are some of them.
struct random_section {
    std::uint64_t seed;
    std::size_t operations, outputs;

    template <class A>
    std::vector<A> operator()(const std::vector<A>& x) const {
        std::mt19937_64 random(seed);
        const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
        std::vector<A> v(x);
        for (std::size_t k = 0; k < operations; ++k) {
            const A a = v[below(v.size())], b = v[below(v.size())];
            switch (below(8)) {
            case 0: v.push_back(a + b); break;
            case 1: v.push_back(a * b - sin(a)); break;
            case 2: v.push_back(a / (1.5 + b * b)); break;
            case 3: v.push_back(exp(-a * a)); break;
            case 4: v.push_back(max(a, b)); break;
            case 5: v.push_back(sqrt(1.0 + a * a)); break;
            case 6: v.push_back(A(0.25)); break;
            default: v.push_back(cos(a) * 0.5 + b); break;
            }
        }
        std::vector<A> y;
        for (std::size_t k = 0; k < outputs; ++k) y.push_back(v[below(v.size())]);
        return y;
    }
};

/// The values of T, one by one: those of a dual number, or the value of an active one.
std::vector<double> parts(double x) { return {x}; }
template <class T>
std::vector<double> parts(const tape::active<T>& x) {
    return parts(x.value());
}
template <class T, std::size_t N>
std::vector<double> parts(const cr::dual<T, N>& x) {
    std::vector<double> all = parts(x.value);
    for (const T& t : x.tangents)
        for (const double p : parts(t)) all.push_back(p);
    return all;
}
template <class A>
void check_equal(const A& found, const A& expected) {
    const std::vector<double> a = parts(found), b = parts(expected);
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(a[i] == Approx(b[i]).epsilon(1e-11).margin(1e-11));
}

/// Records sections of random sizes, the inputs of each being outputs of earlier ones, plainly and preaccumulated, and
/// compares values and gradients. `value(k)` is the value of input k.
template <class T, class Value>
void check_random(std::uint64_t seed, Value value) {
    using active = tape::active<T>;
    tape::basic_tape<T> plain, accumulated;
    std::mt19937_64 random(seed);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    std::vector<active> a, b;
    for (std::size_t k = 0; k < 5; ++k) {
        a.push_back(plain.variable(value(k)));
        b.push_back(accumulated.variable(value(k)));
    }
    const std::vector<active> a_inputs(a), b_inputs(b);
    for (int part = 0; part < 12; ++part) {
        const std::size_t size = 1 + below(part % 3 == 0 ? 40 : 5);
        std::vector<active> from_a, from_b;
        for (std::size_t k = 0; k < size; ++k) {
            const std::size_t which = below(a.size());
            from_a.push_back(a[which]);
            from_b.push_back(b[which]);
        }
        const random_section f{random(), 1 + below(120), 1 + below(part % 4 == 1 ? 90 : 4)};
        for (const active& y : f(from_a)) a.push_back(y);
        // Every third time within another section.
        const auto nested = [&](const std::vector<active>& x) {
            std::vector<active> y = tape::preaccumulate(f, x);
            y[0] = y[0] * x[0] + sin(y[0]);
            return y;
        };
        const std::vector<active> y =
            part % 3 == 2 ? tape::preaccumulate(nested, from_b) : tape::preaccumulate(f, from_b);
        for (const active& each : y) b.push_back(each);
        if (part % 3 == 2) {
            active& first = a[a.size() - y.size()];
            first = first * from_a[0] + sin(first);
        }
    }
    REQUIRE(a.size() == b.size());
    CHECK(accumulated.memory().operands < plain.memory().operands);
    active sum_a = T(0.0), sum_b = T(0.0);
    for (std::size_t k = 0; k < a.size(); ++k) {
        CHECK(parts(a[k].value()) == parts(b[k].value()));
        sum_a += a[k] * (0.5 + static_cast<double>(k % 7));
        sum_b += b[k] * (0.5 + static_cast<double>(k % 7));
    }
    plain.backward(sum_a);
    accumulated.backward(sum_b);
    for (std::size_t k = 0; k < a_inputs.size(); ++k) check_equal(b_inputs[k].gradient(), a_inputs[k].gradient());
}

template <class N>
struct motion {
    N place, speed;
};

} // namespace

TEST_CASE("a section becomes one statement per output", "[tape]") {
    tape::tape t;
    const auto x = t.variable(0.5), y = t.variable(1.5);
    number plain, r;
    CHECK(added(t, [&] { plain = iterated{}(x, y); }) == counts{10, 29});
    CHECK(added(t, [&] { r = tape::preaccumulate(iterated{}, x, y); }) == counts{1, 2});
    CHECK(r.value() == plain.value());
    t.backward(plain);
    const double dx = x.gradient(), dy = y.gradient();
    t.backward(r);
    CHECK(x.gradient() == Approx(dx));
    CHECK(y.gradient() == Approx(dy));
    t.backward({{r, 2.0}, {x, 1.0}});
    CHECK(x.gradient() == Approx(2 * dx + 1));
}

TEST_CASE("a section keeps its statements where its Jacobian has as many entries", "[tape]") {
    tape::tape t;
    const auto x = t.variables({0.5, 1.5, 2.5});
    std::array<number, 2> y;
    number inner;
    const auto of_own = [](const auto& a, const auto& b) { return std::array<number, 2>{sin(a), b * 2.0}; };
    CHECK(added(t, [&] { y = tape::preaccumulate(of_own, x[0], x[1]); }) == counts{2, 2});
    // Six operands, and as many entries: the numbers within stay what they are.
    const auto of_sum = [&](const std::vector<number>& v) {
        inner = v[0] * v[1];
        return std::array<number, 2>{inner * v[2], inner + v[2]};
    };
    CHECK(added(t, [&] { y = tape::preaccumulate(of_sum, x); }) == counts{3, 6});
    CHECK(sin(inner) < 1.0);
    // One operand more.
    const auto of_sine = [&](const std::vector<number>& v) {
        inner = v[0] * v[1];
        inner = sin(inner);
        return std::array<number, 2>{inner * v[2], inner + v[2]};
    };
    CHECK(added(t, [&] { y = tape::preaccumulate(of_sine, x); }) == counts{2, 6});
    CHECK(sentence_of([&] { (void)number(inner + 1.0); }) ==
          "tape: a number is used that was recorded before the tape was rewound or cleared; create it again");
}

TEST_CASE("an entry of a Jacobian is where statements lead from an input to an output", "[tape]") {
    tape::tape t;
    const auto x = t.variables({0.0, 1.0, 2.0, 3.0});
    std::vector<number> y;
    // Two outputs of two inputs each: four of eight elements.
    const auto in_pairs = [](const std::vector<number>& v) {
        std::vector<number> r{iterated{}(v[0], v[1]), iterated{}(v[2], v[3])};
        return r;
    };
    CHECK(added(t, [&] { y = tape::preaccumulate(in_pairs, x); }) == counts{2, 4});
    CHECK(t.backward<2>(y)[x[1]][1] == 0.0);
    // The arm that is not taken has no entry, and the derivative 2 x at 0 has one.
    number z;
    const auto larger = [](const number& a, const number& b) {
        const number square = a * a, other = b * b;
        return number(max(square, other));
    };
    CHECK(added(t, [&] { z = tape::preaccumulate(larger, x[0], x[1]); }) == counts{1, 1});
    const auto power = [](const number& a) {
        const number square = a * a;
        return number(square * 1.0);
    };
    CHECK(added(t, [&] { z = tape::preaccumulate(power, x[0]); }) == counts{1, 1});
    const number root = sqrt(z);
    t.backward(root);
    CHECK(std::isnan(x[0].gradient())); // infinity times zero, as without preaccumulation
    // Statements that lead nowhere are dropped.
    const auto unused = [](const number& a) {
        number u = sin(a);
        for (int i = 0; i < 10; ++i) u = sin(u);
        return number(a * 2.0);
    };
    CHECK(added(t, [&] { z = tape::preaccumulate(unused, x[1]); }) == counts{1, 1});
    // No input at all: an entry without effect.
    const auto constant = [](const number& a) {
        const number u = sin(a) * cos(a);
        return number(rint(u));
    };
    CHECK(added(t, [&] { z = tape::preaccumulate(constant, x[1]); }) == counts{1, 1});
    t.backward(z);
    CHECK(x[1].gradient() == 0.0);
}

TEST_CASE("preaccumulation gives the derivatives of random programs", "[tape]") {
    for (std::uint64_t seed = 1; seed <= 25; ++seed)
        check_random<double>(seed, [](std::size_t k) { return 0.3 + 0.2 * static_cast<double>(k); });
}
TEST_CASE("preaccumulation gives the derivatives of dual numbers on a tape", "[tape]") {
    using dual = cr::dual<double, 2>;
    for (std::uint64_t seed = 1; seed <= 10; ++seed)
        check_random<dual>(seed, [](std::size_t k) {
            dual x(0.3 + 0.2 * static_cast<double>(k));
            x.tangents = {1.0 - static_cast<double>(k), 0.5};
            return x;
        });
}
TEST_CASE("preaccumulation gives the derivatives of tapes on tapes", "[tape]") {
    tape::tape inner;
    const number at = inner.variable(0.4);
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
        check_random<number>(seed, [&](std::size_t k) { return number(at * (0.5 + static_cast<double>(k))); });

    const auto slope_of = [&](auto f) {
        tape::basic_tape<number> outer;
        const tape::active<number> x = outer.variable(at);
        outer.backward(f(x));
        const number slope = x.gradient();
        inner.backward(slope);
        return std::array{slope.value(), at.gradient()};
    };
    const auto f = [](const auto& a) { return iterated{}(a, a); };
    const auto plain = slope_of(f), found = slope_of([&](const auto& a) { return tape::preaccumulate(f, a); });
    CHECK(found[0] == Approx(plain[0]));
    CHECK(found[1] == Approx(plain[1]));
}
TEST_CASE("the Hessian of a function with sections", "[tape]") {
    const auto plain = [](const auto& x) { return iterated{}(x[0], x[1]) * x[0]; };
    const auto f = [](const auto& x) { return tape::preaccumulate(iterated{}, x[0], x[1]) * x[0]; };
    const std::vector x{0.5, 1.5};
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 2; ++j)
            CHECK(tape::hessian(f, x).hessian(i, j) == Approx(tape::hessian(plain, x).hessian(i, j)));
    const auto jvp = [&](const auto& at) { return tape::jvp(f, at, std::vector{1.0, 2.0}); };
    CHECK(jvp(x) == Approx(tape::jvp(plain, x, std::vector{1.0, 2.0})));
}

TEST_CASE("a section is swept forwards if it has fewer inputs than outputs", "[tape]") {
    tape::tape t;
    const auto x = t.variables({0.0, 0.7});
    const auto f = [](const auto& a) {
        std::vector<number> y;
        number r = a;
        for (int i = 0; i < 70; ++i) { // two words of bits
            r = sin(r) + 0.5 * cos(r);
            r = r * r + 0.1;
            y.push_back(r);
        }
        return y;
    };
    const std::vector<number> plain = f(x[1]);
    std::vector<number> y;
    CHECK(added(t, [&] { y = tape::preaccumulate(f, x[1]); }) == counts{70, 70});
    const auto expected = tape::jacobian(t, plain, {x[1]}), found = tape::jacobian(t, y, {x[1]});
    for (std::size_t i = 0; i < 70; ++i) CHECK(found(i, 0) == Approx(expected(i, 0)));

    // Where a derivative is infinite, backwards: a zero stays one.
    const auto infinite = [](const number& a, const number& b) {
        std::vector<number> r;
        for (int i = 0; i < 40; ++i) {
            number u = sqrt(a);
            u = u * 0.5;
            const number v = b * 2.0;
            r.push_back(number(u + v));
            r.push_back(number(sin(sin(v))));
            r.push_back(number(select(v > u, v, u)));
        }
        return r;
    };
    const auto plainly = infinite(x[0], x[1]);
    std::vector<number> z;
    CHECK(added(t, [&] { z = tape::preaccumulate(infinite, x[0], x[1]); }).statements == 120);
    const auto slopes = tape::jacobian(t, plainly, x), slopes_found = tape::jacobian(t, z, x);
    for (std::size_t i = 0; i < 120; ++i)
        for (std::size_t j = 0; j < 2; ++j) {
            if (std::isfinite(slopes(i, j)))
                CHECK(slopes_found(i, j) == Approx(slopes(i, j)));
            else
                CHECK(slopes_found(i, j) == slopes(i, j));
        }
    CHECK(slopes(0, 0) == std::numeric_limits<double>::infinity());
}

TEST_CASE("inputs of a section are found, also those that a function captures", "[tape]") {
    tape::tape t;
    const auto x = t.variables({0.5, 1.5, 2.5});
    const number k = x[1] * x[2];
    const auto f = [&](const number& a) {
        number r = a;
        for (int i = 0; i < 5; ++i) r = sin(r * k) + x[2];
        return r;
    };
    const number plain = f(x[0]);
    number y;
    CHECK(added(t, [&] { y = tape::preaccumulate(f, x[0]); }) == counts{1, 3});
    t.backward(plain);
    const std::array expected{x[0].gradient(), x[1].gradient(), x[2].gradient()};
    t.backward(y);
    for (std::size_t i = 0; i < 3; ++i) CHECK(x[i].gradient() == Approx(expected[i]));

    // A hundred inputs, and operands among the outputs of all earlier sections.
    std::vector<number> many, earlier;
    for (std::size_t i = 0; i < 100; ++i) many.push_back(number(x[i % 3] * static_cast<double>(i)));
    const auto sum = [](const std::vector<number>& v) {
        number r = 0.0;
        for (int repeat = 0; repeat < 2; ++repeat)
            for (const number& a : v) r += sin(a);
        return r;
    };
    for (int i = 0; i < 50; ++i) {
        CHECK(added(t, [&] { earlier.push_back(tape::preaccumulate(sum, many)); }) == counts{1, many.size()});
        many.push_back(earlier.back());
    }
    t.backward(earlier.back());
    std::vector<double> found;
    for (const auto& v : x) found.push_back(v.gradient());
    std::vector<number> again(many.begin(), many.begin() + 100);
    for (int i = 0; i < 50; ++i) again.push_back(sum(again));
    t.backward(again.back());
    CHECK(again.back().value() == earlier.back().value());
    for (std::size_t i = 0; i < 3; ++i) CHECK(found[i] == Approx(x[i].gradient()));
}

TEST_CASE("numbers of earlier sections stay usable, and others are found out", "[tape]") {
    tape::tape t;
    const auto x = t.variable(0.5), p = t.variable(1.1);
    std::vector<number> states{x}, within;
    for (int i = 0; i < 3000; ++i) {
        const auto step = [&](const number& s) {
            const number u = sin(s * p) + 0.1;
            within.push_back(u);
            return number(u * u * p);
        };
        states.push_back(tape::preaccumulate(step, states[states.size() - 1]));
    }
    CHECK(t.memory().statements == 3002);
    CHECK(t.memory().operands == 6000);
    for (std::size_t i = 1; i < states.size(); i += 97) {
        t.backward(states[i]);
        CHECK(t.number_of(states[i]) == i + 2);
        CHECK(sentence_of([&] { (void)number(within[i - 1] * 2.0); }).starts_with("tape: a number is used that was"));
    }
    const auto mark = t.mark();
    const number y = states[10] * states[2000];
    t.rewind(mark);
    const number z = states[10] * states[2000] + p;
    CHECK(sentence_of([&] { (void)number(y + z); }).starts_with("tape: a number is used that was"));
    t.backward(z);
    CHECK(states[10].gradient() != 0.0);
    CHECK(states[1999].gradient() != 0.0);
}

TEST_CASE("outputs are numbers, lists, tuples and structs", "[tape]") {
    tape::tape t;
    const auto x = t.variable(0.5), y = t.variable(1.5);
    const auto check = [&](auto f, std::size_t statements, std::size_t operands) {
        CHECK(added(t, [&] { (void)tape::preaccumulate(f, x, y); }) == counts{statements, operands});
        return tape::preaccumulate(f, x, y);
    };
    const auto slope = [&](const number& of) {
        t.backward(of);
        return x.gradient();
    };
    const number plain = iterated{}(x, y);
    const double expected = slope(plain);
    const auto a = check([](auto u, auto v) { return std::vector<number>{iterated{}(u, v), iterated{}(v, u)}; }, 2, 4);
    CHECK(slope(a[0]) == Approx(expected));
    const auto b =
        check([](auto u, auto v) { return std::tuple(iterated{}(u, v), 3, std::vector<number>(1, v)); }, 1, 2);
    CHECK(slope(std::get<0>(b)) == Approx(expected));
    CHECK(slope(std::get<2>(b)[0]) == 0.0);
    const auto c = check([](auto u, auto v) { return motion<number>{iterated{}(u, v), iterated{}(v, u)}; }, 2, 4);
    CHECK(slope(c.place) == Approx(expected));
    // One result twice, an input, a plain number, an expression.
    const auto d = check(
        [](auto u, auto v) {
            const number r = iterated{}(u, v);
            return std::array<number, 4>{r, r, u, 2.0};
        },
        1, 2);
    CHECK(slope(d[1]) == Approx(expected));
    CHECK(slope(d[2]) == 1.0);
    CHECK(!d[3].is_recorded());
    const number e = check([](auto u, auto v) { return 2.0 * iterated{}(u, v); }, 1, 2);
    CHECK(slope(e) == Approx(2 * expected));
    const auto f =
        tape::preaccumulate([](const auto& all) { return iterated{}(all.place, all.speed); }, motion<number>{x, y});
    CHECK(slope(f) == Approx(expected));
    // An expression as an argument is recorded before the section.
    number g;
    CHECK(added(t, [&] { g = tape::preaccumulate(iterated{}, x, number(y * 2.0)); }) == counts{2, 3});
    CHECK(added(t, [&] { g = tape::preaccumulate([](auto u) { return iterated{}(u, u); }, x * y); }) == counts{2, 3});
}

TEST_CASE("sections of code begin and end where it says", "[tape]") {
    tape::tape t;
    const auto x = t.variable(0.5), y = t.variable(1.5);
    const number plain = iterated{}(x, y);
    tape::section part(t);
    number r = iterated{}(x, y), s = iterated{}(y, x), u = x, v = 2.0;
    std::vector<number> list{r, s};
    CHECK(part.preaccumulate(r, list, u, v));
    CHECK(t.number_of(list[0]) == t.number_of(r));
    CHECK(t.number_of(u) == t.number_of(x));
    t.backward(plain);
    const double expected = x.gradient();
    t.backward(r);
    CHECK(x.gradient() == Approx(expected));
    CHECK(!part.preaccumulate(r)); // nothing was recorded since
    number w;
    CHECK(added(t, [&] {
              w = iterated{}(r, list[1]);
              CHECK(part.preaccumulate(w));
          }) == counts{1, 2});
    CHECK(added(t, [&] {
              const tape::section unfinished(t);
              w = sin(w);
          }) == counts{1, 1});
}

TEST_CASE("a section across blocks, from the start of a tape", "[tape]") {
    tape::tape t;
    const auto x = t.variables({0.5, 1.5});
    const auto f = [](const number& a, const number& b) {
        number r = a;
        for (int i = 0; i < 60'000; ++i) r = r * 0.5 + sin(r) * b;
        return r;
    };
    const number y = tape::preaccumulate(f, x[0], x[1]);
    CHECK(t.memory().operands == 2);
    t.backward(y);
    const std::array found{x[0].gradient(), x[1].gradient()};
    const std::size_t reserved = t.memory().bytes_reserved;
    const number plain = f(x[0], x[1]);
    CHECK(t.memory().bytes_reserved < reserved + (std::size_t{1} << 18));
    t.backward(plain);
    CHECK(found[0] == Approx(x[0].gradient()));
    CHECK(found[1] == Approx(x[1].gradient()));
    t.clear();
    CHECK(t.memory().statements == 0);
}

TEST_CASE("a section with an operation keeps its statements", "[tape]") {
    tape::tape t;
    const auto x = t.variable(0.5);
    const auto with_operation = [&](const number& a) {
        number r = iterated{}(a, a);
        r = t.operation(std::array{2.0 * r.value()},
                        [=](auto results, const auto& adjoint) { adjoint[r] += 2.0 * adjoint[results[0]]; })[0];
        return iterated{}(r, a);
    };
    number y;
    const counts plain = added(t, [&] { y = with_operation(x); });
    t.backward(y);
    const double expected = x.gradient();
    CHECK(added(t, [&] { y = tape::preaccumulate(with_operation, x); }) == plain);
    t.backward(y);
    CHECK(x.gradient() == expected);
    // One before the section does not matter.
    CHECK(added(t, [&] { y = tape::preaccumulate(iterated{}, x, y); }) == counts{1, 2});
}

TEST_CASE("without numbers on a tape preaccumulate calls the function", "[tape]") {
    CHECK(tape::preaccumulate([](double a, double b) { return std::sin(a) * b; }, 0.5, 1.5) == std::sin(0.5) * 1.5);
    const number plain = tape::preaccumulate(iterated{}, number(0.5), number(1.5));
    CHECK(!plain.is_recorded());
    tape::tape t;
    const auto x = t.variable(0.5), y = t.variable(1.5);
    t.pause();
    CHECK(!tape::preaccumulate(iterated{}, x, y).is_recorded());
    t.resume();
    CHECK(tape::preaccumulate(iterated{}, x, number(1.5)).is_recorded());
    number other;
    CHECK(added(t, [&] { other = tape::preaccumulate([](const number& a) { return sin(a.value()); }, x); }) ==
          counts{0, 0});

    // A recording for replay keeps the operations.
    const auto f = [](const auto& v) { return iterated{}(v[0], v[1]); };
    auto r = tape::record(f, std::vector{0.5, 1.5});
    auto s = tape::record([&](const auto& v) { return tape::preaccumulate(f, v); }, std::vector{0.5, 1.5});
    CHECK(s.operations() == r.operations());
    CHECK(s.gradient(std::vector{0.7, 0.2})[0] == r.gradient(std::vector{0.7, 0.2})[0]);
    // Dual numbers alone too.
    const auto [a, b] = cr::dual_variables(0.5, 1.5);
    CHECK(tape::preaccumulate(iterated{}, a, b).tangents == iterated{}(a, b).tangents);
}

TEST_CASE("a pattern is the same with sections", "[tape]") {
    const auto f = [](const auto& x) {
        using N = std::remove_cvref_t<decltype(x[0])>;
        const auto square = [](const N& a) { return N(N(a * a) * 1.0); };
        return std::vector<N>{tape::preaccumulate(square, x[0]), x[1] * 2.0};
    };
    const auto pattern = tape::jacobian_sparsity(f, std::vector{0.0, 1.0});
    CHECK(pattern.contains(0, 0));
    CHECK(pattern.size() == 2);
}

TEST_CASE("misuse of sections is reported", "[tape]") {
    tape::tape t, other;
    const auto x = t.variable(0.5), y = other.variable(1.5);
    number u = sin(x);
    tape::section part(t);
    u = iterated{}(u, u);
    t.rewind({});
    const auto z = t.variable(0.5);
    number w = sin(z);
    CHECK(sentence_of([&] { part.preaccumulate(w); }) ==
          "preaccumulate: the tape was rewound to before the section began; begin the section afterwards");
    tape::section next(t);
    number r = iterated{}(y, y);
    CHECK(sentence_of([&] { next.preaccumulate(r); }) ==
          "preaccumulate: the number belongs to another tape; use that one");
    number in_sweep;
    const auto swept = t.operation(std::array{1.0}, [&](auto, const auto&) {
        tape::section third(t);
        in_sweep = w;
        third.preaccumulate(in_sweep);
    });
    CHECK(sentence_of([&] { t.backward(swept[0]); }).starts_with("preaccumulate: the tape is being swept;"));
    // A function that throws leaves what it has recorded.
    CHECK_THROWS_AS(tape::preaccumulate(
                        [](const number& a) -> number {
                            number b = sin(a);
                            throw std::runtime_error("no");
                            return b;
                        },
                        w),
                    std::runtime_error);
    CHECK(tape::preaccumulate(iterated{}, w, w).is_recorded());
}

TEST_CASE("a section needs no more memory than its statements", "[tape]") {
    tape::tape t;
    const auto x = t.variable(0.5), y = t.variable(1.5);
    number r = x;
    t.limit_memory(100'000);
    for (int i = 0; i < 1000; ++i) r = tape::preaccumulate(iterated{}, r, y);
    CHECK(t.memory().operands == 2000);
    CHECK_THROWS_AS(tape::preaccumulate(
                        [](number a) {
                            for (;;) a = sin(a) * a;
                            return a;
                        },
                        r),
                    tape::recording_full);
    CHECK(r.is_recorded());
}
