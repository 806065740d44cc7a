// SPDX-License-Identifier: BSL-1.0
//
// Parts of a computation in several threads: values and derivatives against those of one tape, the same bits for any
// number of threads, exceptions and misuse.
#include "sentence.hpp"
#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/parallel.hpp>
#include <chainrule/tape/replay.hpp>

#include <array>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace {

namespace cr = chainrule;
namespace tape = chainrule::tape;
using number = tape::active<double>;

/// Part i of a sum: about i % 7 statements, of some of the parameters.
struct term {
    template <class A>
    A operator()(std::size_t i, const std::vector<A>& p) const {
        const double c = 0.1 * static_cast<double>(i % 13);
        A r = p[i % p.size()] * c;
        for (std::size_t k = 0; k < i % 7; ++k) r = sin(r) * p[(i + k) % p.size()] + c;
        return r;
    }
};

/// The sum of products of neighbouring parts.
template <class Threads>
struct energy {
    Threads threads;
    std::size_t count;

    template <class A>
    A operator()(const std::vector<A>& p) const {
        const std::vector<A> terms = tape::parallel(threads, count, term{}, p);
        A sum = 0.0;
        for (std::size_t i = 0; i < count; ++i) sum += terms[i] * terms[(i + 1) % count];
        return sum;
    }
};
/// The same without threads.
struct plain_energy {
    std::size_t count;

    template <class A>
    A operator()(const std::vector<A>& p) const {
        A sum = 0.0;
        for (std::size_t i = 0; i < count; ++i) sum += term{}(i, p) * term{}((i + 1) % count, p);
        return sum;
    }
};

const std::vector<double> point{0.3, -0.7, 1.1, 0.2, 0.9};

void check_near(const std::vector<double>& a, const std::vector<double>& b) {
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(a[i] == Approx(b[i]).epsilon(1e-12).margin(1e-12));
}

TEST_CASE("parts in threads have the derivatives of one tape, with the same bits for any number of threads", "[tape]") {
    for (const std::size_t count : {1U, 2U, 40U, 127U, 128U, 129U, 1000U}) {
        CAPTURE(count);
        const auto one = tape::value_and_gradient(energy<cr::batches::one_thread>{{}, count}, point);
        const auto plain = tape::value_and_gradient(plain_energy{count}, point);
        CHECK(one.value == Approx(plain.value).epsilon(1e-12));
        check_near(one.gradient, plain.gradient);
        for (const unsigned n : {1U, 2U, 5U}) {
            const auto several =
                tape::value_and_gradient(energy<decltype(cr::threads(n))>{cr::threads(n), count}, point);
            CHECK(several.value == one.value);
            CHECK(several.gradient == one.gradient);
        }
        // Plain numbers.
        CHECK(energy<decltype(cr::threads(3))>{cr::threads(3), count}(point) == one.value);
    }
}

TEST_CASE("parts in threads in other derivatives", "[tape]") {
    const energy<decltype(cr::threads(2))> f{cr::threads(2), 60};
    const plain_energy plain{60};
    const auto hessian = tape::hessian(f, point), expected = tape::hessian(plain, point);
    for (std::size_t i = 0; i < point.size(); ++i)
        for (std::size_t j = 0; j < point.size(); ++j)
            CHECK(hessian.hessian(i, j) == Approx(expected.hessian(i, j)).epsilon(1e-11).margin(1e-11));
    const std::vector<double> direction{1, 2, 3, 4, 5};
    check_near(tape::hvp(f, point, direction), tape::hvp(plain, point, direction));
    CHECK(tape::jvp(f, point, direction) == Approx(tape::jvp(plain, point, direction)).epsilon(1e-12));

    // Several outputs, in lanes.
    const auto terms = [](const auto& p) { return tape::parallel(cr::threads(2), 9, term{}, p); };
    const auto rows = tape::jacobian(terms, point);
    for (std::size_t i = 0; i < 9; ++i)
        check_near(std::vector<double>(rows.row(i).begin(), rows.row(i).end()),
                   tape::gradient([i](const auto& p) { return term{}(i, p); }, point));

    // Numbers of two tapes and replayable ones are computed by one thread.
    const auto slope = [&f](const auto& p) { return tape::gradient(f, p)[1]; };
    const auto row = tape::gradient(slope, point);
    for (std::size_t j = 0; j < point.size(); ++j) CHECK(row[j] == Approx(expected.hessian(1, j)).epsilon(1e-11));
    auto recording = tape::record(f, point);
    const std::vector<double> elsewhere{0.1, 0.2, 0.3, -0.4, 0.5};
    check_near(recording.gradient(elsewhere), tape::gradient(plain, elsewhere));
}

struct oscillator {
    number position, speed;
};

TEST_CASE("arguments and results of parts may be lists, tuples and structs", "[tape]") {
    tape::tape t;
    const number a = t.variable(2.0), b = t.variable(3.0);
    const oscillator start{a, 1.0};
    const std::vector<number> both{a, b};
    const number given[] = {a, b};
    const auto results = tape::parallel(
        cr::threads(2), 3,
        [](std::size_t i, const oscillator& o, const std::tuple<double, number>& w, const auto& list,
           const std::array<number, 2>& array) {
            const double k = static_cast<double>(i + 1);
            return std::tuple(oscillator{o.position * k, o.speed + k},
                              std::vector<number>{get<1>(w), list[0] * array[1]}, k);
        },
        start, std::tuple(0.5, number(a * b)), std::span(both), given);
    REQUIRE(results.size() == 3);
    const auto& [moved, list, k] = results[1];
    CHECK(k == 2);
    CHECK(moved.position.value() == 4);
    CHECK(moved.speed.value() == 3);
    CHECK_FALSE(moved.speed.is_recorded()); // it depends on no input
    CHECK(list[0].value() == 6);
    t.backward(moved.position + list[0] * list[1]); // 2 a + (a b)^2
    CHECK(a.gradient() == 2 + 2 * 2 * 9);
    CHECK(b.gradient() == 2 * 3 * 4);
    t.backward(std::get<0>(results[2]).position);
    CHECK(a.gradient() == 3);
    CHECK(b.gradient() == 0);
}

TEST_CASE("results without recorded numbers, and parts that return inputs or captured numbers", "[tape]") {
    tape::tape t;
    const number a = t.variable(2.0), outside = t.variable(5.0), plain = 3.0;
    const auto squares = tape::parallel(cr::threads(2), 4, [](std::size_t, const number& x) { return x * x; }, plain);
    for (const number& y : squares) CHECK((y.value() == 9 && !y.is_recorded()));
    CHECK(tape::parallel(cr::threads(2), 0, [](std::size_t, const number& x) { return x * x; }, a).empty());
    const auto mixed =
        tape::parallel(cr::threads(2), 2, [&](std::size_t i, const number& x) { return i == 0 ? x : outside; }, a);
    t.backward(mixed[0] * mixed[1]);
    CHECK(a.gradient() == 5);
    CHECK(outside.gradient() == 2);

    t.pause();
    const auto paused = tape::parallel(cr::threads(2), 2, [](std::size_t, const number& x) { return x * x; }, a);
    t.resume();
    CHECK((paused[1].value() == 4 && !paused[1].is_recorded()));
}

TEST_CASE("a part that pauses or limits its tape leaves nothing to later calls", "[tape]") {
    tape::tape t;
    const number a = t.variable(2.0);
    const auto pauses = [](std::size_t, const number& x) {
        x.recorder()->limit_memory(1'000'000);
        x.recorder()->pause();
        return x * x;
    };
    for (int repeated = 0; repeated < 3; ++repeated) {
        CHECK_FALSE(tape::parallel(cr::threads(2), 3, pauses, a)[2].is_recorded());
        const auto y = tape::parallel(cr::threads(2), 3, [](std::size_t, const number& x) { return x * x; }, a);
        t.backward(y[2]);
        CHECK(a.gradient() == 4);
        CHECK(y[0].recorder() == &t);
    }
}

TEST_CASE("an infinite derivative of a part that the output does not depend on adds nothing", "[tape]") {
    tape::tape t;
    const number a = t.variable(0.0);
    const auto roots = tape::parallel(
        cr::threads(2), 2, [](std::size_t i, const number& x) { return i == 0 ? number(sqrt(x)) : x * 3.0; }, a);
    t.backward(roots[1]);
    CHECK(a.gradient() == 3);
}

TEST_CASE("exceptions of parts, after which the tape is as before", "[tape]") {
    tape::tape t;
    const std::vector<number> p = t.variables(point);
    const auto before = t.memory();
    const auto fails = [](std::size_t i, const std::vector<number>& x) {
        if (i >= 3) throw std::runtime_error("part " + std::to_string(i));
        return x[i] * x[i];
    };
    const std::string captured = "active: the function given to parallel(...) uses a number of a tape outside it; pass "
                                 "the number as an argument";
    const auto refused = [&](const auto& f, const auto&... x) {
        CHECK(sentence_of([&] { (void)tape::parallel(cr::threads(3), 100, f, x...); }) == captured);
        CHECK(t.memory().statements == before.statements);
    };
    for (int repeated = 0; repeated < 3; ++repeated) {
        CHECK(sentence_of([&] { (void)tape::parallel(cr::threads(3), 100, fails, p); }) == "part 3");
        CHECK(t.memory().statements == before.statements);
        refused([&](std::size_t, const number& x) { return x * p[1]; }, p[0]);
        refused([&](std::size_t, const number& x) { return x + number(p[1] * p[2]).value(); }, p[0]);
        refused([&](std::size_t, const number& x) { return x * t.statement(2.0, {p[1]}, {3.0}); }, p[0]);
        // Also where no argument is recorded.
        refused([&](std::size_t) { return p[1] * p[2]; });
        refused([&](std::size_t, double x) { return x * p[1]; }, 2.0);
        refused([&](std::size_t, const number& x) { return x * p[1]; }, number(2.0));
    }
    // A part has tapes of its own.
    const auto slopes = tape::parallel(
        cr::threads(2), 5,
        [](std::size_t, double x) {
            static thread_local tape::tape own;
            own.clear();
            const number v = own.variable(x), y = v * v;
            own.backward(y);
            return v.gradient() + tape::gradient([](const auto& z) { return z * z; }, x)[0];
        },
        3.0);
    CHECK(slopes == std::vector<double>(5, 12.0));
    const auto squares = tape::parallel(cr::threads(2), 5, [](std::size_t i, const auto& x) { return x[i] * x[i]; }, p);
    t.backward(squares[4] + p[0]);
    CHECK(p[4].gradient() == 1.8);
    CHECK(p[0].gradient() == 1);
}

struct refers {
    std::span<number> numbers;
};

TEST_CASE("arguments of parts that are refused", "[tape]") {
    tape::tape t, other;
    std::vector<number> p = t.variables(point);
    const number elsewhere = other.variable(1.0);
    const auto first = [](std::size_t, const auto& x, const auto&...) { return x; };
    CHECK(sentence_of([&] { (void)tape::parallel(cr::threads(2), 2, first, p[0], elsewhere); }) ==
          "parallel: the arguments have numbers of two tapes, or of one that is destroyed; record all of them on one "
          "tape");
    const auto sum = [](std::size_t, const refers& x) { return x.numbers[0] * 2.0; };
    CHECK(
        sentence_of([&] { (void)tape::parallel(cr::threads(2), 2, sum, refers{p}); }) ==
        "parallel: an argument refers to numbers elsewhere, as a pointer or a view in a struct does; pass the list of "
        "the numbers");
    CHECK(p[0].recorder() == &t);
    const auto mark = t.mark();
    const number gone = t.variable(1.0);
    t.rewind(mark);
    CHECK(sentence_of([&] { (void)tape::parallel(cr::threads(2), 2, first, gone); }) ==
          "tape: a number is used that was recorded before the tape was rewound or cleared; create it again");
}

TEST_CASE("numbers of two types are computed by one thread", "[tape]") {
    // p is a number of the outer gradient, and v one of both.
    const auto energy = [](const number& p) {
        return tape::gradient(
            [&](const auto& v) {
                using A = std::remove_cvref_t<decltype(v)>;
                const std::vector<A> terms = tape::parallel(
                    cr::threads(4), 400,
                    [](std::size_t i, const number& a, const A& b) {
                        return A(a * b * b / (1.0 + static_cast<double>(i)));
                    },
                    p, v);
                A sum = 0.0;
                for (const A& term : terms) sum += term;
                return sum;
            },
            number(1.5))[0];
    };
    double harmonic = 0;
    for (int i = 1; i <= 400; ++i) harmonic += 1.0 / i;
    CHECK(tape::gradient(energy, 2.0)[0] == Approx(3 * harmonic).epsilon(1e-13));
}

TEST_CASE("arguments without active numbers go to parts as they are", "[tape]") {
    tape::tape t;
    const number a = t.variable(2.0);
    const std::vector<bool> signs{true, false};
    const auto results = tape::parallel(
        cr::threads(2), 2,
        [](std::size_t i, const std::pair<number, double>& x, std::string_view name,
           const std::vector<bool>& positive) {
            const double sign = positive[i] ? 1.0 : -1.0;
            return std::pair(number(x.first * x.second * sign), name.size());
        },
        std::pair(a, 3.0), std::string_view("name"), signs);
    CHECK(results[1].second == 4);
    t.backward(results[1].first);
    CHECK(a.gradient() == -3);
    // One tuple is one argument.
    const auto first = tape::parallel(
        cr::threads(2), 2, [](std::size_t, const std::tuple<number, double>& x) { return get<0>(x) * get<1>(x); },
        std::tuple(a, 4.0));
    t.backward(first[0]);
    CHECK(a.gradient() == 4);
}

TEST_CASE("parts within parts, and many calls on one tape", "[tape]") {
    tape::tape t;
    for (int repeated = 0; repeated < 5; ++repeated) {
        t.clear();
        number y = t.variable(0.5);
        const number start = y;
        double derivative = 1;
        for (int k = 0; k < 10; ++k) {
            const double c = std::cos(y.value());
            const auto outer = tape::parallel(
                cr::threads(2), 3,
                [](std::size_t, const number& x) {
                    const auto inner =
                        tape::parallel(cr::threads(2), 2, [](std::size_t, const number& z) { return sin(z); }, x);
                    return inner[0] + inner[1];
                },
                y);
            y = (outer[0] + outer[1] + outer[2]) / 6.0;
            derivative *= c;
        }
        t.backward(y);
        CHECK(start.gradient() == Approx(derivative).epsilon(1e-13));
    }
}

} // namespace
