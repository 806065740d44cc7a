// SPDX-License-Identifier: BSL-1.0
//
// Time loops with checkpoints: the derivatives of loops without them, with the memory and the steps of the binomial
// schedule.
#include "catch.hpp"
#include "sentence.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/tape.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace bookkeeping {

/// A number that counts how many of it exist.
struct counted {
    double value = 0;

    counted() { ++alive(); }
    counted(double v) : value(v) { ++alive(); }
    counted(const counted& other) : value(other.value) { ++alive(); }
    counted& operator=(const counted&) = default;
    ~counted() { --alive(); }

    static int& alive() {
        static int count = 0;
        return count;
    }

    friend counted operator-(const counted& a) { return -a.value; }
    friend counted operator+(const counted& a, const counted& b) { return a.value + b.value; }
    friend counted operator-(const counted& a, const counted& b) { return a.value - b.value; }
    friend counted operator*(const counted& a, const counted& b) { return a.value * b.value; }
    friend counted operator/(const counted& a, const counted& b) { return a.value / b.value; }
    friend bool operator==(const counted& a, const counted& b) { return a.value == b.value; }
    friend counted sin(const counted& a) { return std::sin(a.value); }
    friend counted cos(const counted& a) { return std::cos(a.value); }
};

} // namespace bookkeeping

namespace {

namespace cr = chainrule;
namespace tape = chainrule::tape;
namespace checkpointing = chainrule::tape::checkpointing;
using bookkeeping::counted;

/// A nonlinear oscillator with a driving force, so that steps differ; the third number is carried along unchanged.
struct driven_oscillator {
    template <class T>
    std::vector<T> operator()(std::size_t k, const std::vector<T>& x, const std::vector<T>& p) const {
        using std::sin, std::exp;
        constexpr auto h = static_cast<decltype(cr::value(x[0]))>(0.01);
        const auto time = h * static_cast<decltype(cr::value(x[0]))>(k);
        std::vector<T> next = x;
        next[0] = x[0] + h * x[1];
        next[1] = x[1] + h * (-p[0] * sin(x[0]) - p[1] * x[1] * x[2] + p[2] * exp(-time));
        return next;
    }
};

template <class T, class Step>
std::vector<tape::active<T>> plain_loop(std::size_t steps, std::vector<tape::active<T>> x,
                                        const std::vector<tape::active<T>>& p, Step step) {
    for (std::size_t k = 0; k < steps; ++k) x = step(k, x, p);
    return x;
}

const std::vector<double> initial{0.7, -0.2, 1.1}, parameters{1.3, 0.4, 0.25};

/// The fewest advances by trying every place for every snapshot.
std::size_t fewest_by_search(std::size_t steps, std::size_t snapshots) {
    static std::map<std::array<std::size_t, 2>, std::size_t> known;
    if (steps <= 1) return 0;
    if (snapshots == 1) return steps * (steps - 1) / 2;
    const auto found = known.find({steps, snapshots});
    if (found != known.end()) return found->second;
    std::size_t best = steps * steps;
    for (std::size_t m = 1; m < steps; ++m)
        best = std::min(best, m + fewest_by_search(m, snapshots) + fewest_by_search(steps - m, snapshots - 1));
    return known[{steps, snapshots}] = best;
}

} // namespace

TEST_CASE("the longest loops are binomial coefficients", "[tape][checkpoint]") {
    std::vector<std::size_t> row{1}; // Pascal's triangle
    for (std::size_t n = 0; n <= 30; ++n) {
        for (std::size_t s = 0; s <= n; ++s) CHECK(checkpointing::longest_loop(s, n - s) == row[s]);
        std::vector<std::size_t> below{1};
        for (std::size_t s = 1; s <= n; ++s) below.push_back(row[s - 1] + row[s]);
        below.push_back(1);
        row = below;
    }
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
    CHECK(checkpointing::longest_loop(33, 33) == 7219428434016265740u);
    CHECK(checkpointing::longest_loop(40, 40) == most);
    CHECK(checkpointing::longest_loop(most, 2) == most);
    CHECK(checkpointing::longest_loop(most, 0) == 1);
    CHECK(checkpointing::longest_loop(1, 1000000) == 1000001);
}

TEST_CASE("the formula for the fewest advances is what trying every schedule finds", "[tape][checkpoint]") {
    for (std::size_t steps = 1; steps <= 120; ++steps)
        for (std::size_t snapshots = 1; snapshots <= 12; ++snapshots) {
            INFO(steps << " steps, " << snapshots << " snapshots");
            REQUIRE(checkpointing::fewest_advances(steps, snapshots) == fewest_by_search(steps, snapshots));
        }
}

TEST_CASE("steps are computed as often as the formula says, and no more often than the repetitions",
          "[tape][checkpoint]") {
    for (const std::size_t steps : {1u, 2u, 3u, 5u, 10u, 11u, 56u, 57u, 100u, 365u})
        for (const std::size_t snapshots : {1u, 2u, 3u, 4u, 7u, 20u, 400u}) {
            INFO(steps << " steps, " << snapshots << " snapshots");
            tape::tape t;
            const auto x = t.variables(std::vector{0.5});
            std::vector<std::size_t> advanced(steps), recorded(steps);
            const auto step = [&]<class T>(std::size_t k, const std::vector<T>& s, const std::vector<T>&) {
                ++(std::is_same_v<T, double> ? advanced : recorded)[k];
                return std::vector<T>{s[0] * 1.001};
            };
            const auto sum = [](const std::vector<std::size_t>& counts) {
                std::size_t total = 0;
                for (const std::size_t c : counts) total += c;
                return total;
            };
            const auto y = tape::checkpointed(t, steps, snapshots, x, std::vector<double>{}, step);
            CHECK(advanced == std::vector<std::size_t>(steps, 1));
            CHECK(sum(recorded) == 0);

            t.backward(y[0]);
            const std::size_t least = checkpointing::fewest_advances(steps, snapshots);
            CHECK(sum(advanced) == least + 1); // the last step was computed for its result
            CHECK(recorded == std::vector<std::size_t>(steps, 1));
            CHECK(*std::max_element(advanced.begin(), advanced.end()) <=
                  std::max<std::size_t>(1, checkpointing::fewest_repetitions(steps, snapshots)));

            t.backward(y[0]); // from the initial state
            CHECK(sum(advanced) == (steps == 1 ? 1 : 2 * least + 1));
            CHECK(recorded == std::vector<std::size_t>(steps, 2));
            CHECK(x[0].gradient() == Approx(std::pow(1.001, static_cast<double>(steps))).epsilon(1e-13));
        }
}

TEST_CASE("derivatives with checkpoints are those without", "[tape][checkpoint]") {
    for (const std::size_t steps : {0u, 1u, 2u, 7u, 64u, 300u}) {
        tape::tape all;
        const auto x = all.variables(initial), p = all.variables(parameters);
        const auto expected = plain_loop<double>(steps, x, p, driven_oscillator{});
        for (const std::size_t snapshots : {1u, 2u, 5u, 9u, 1000u}) {
            INFO(steps << " steps, " << snapshots << " snapshots");
            tape::tape t;
            const auto u = t.variables(initial), q = t.variables(parameters);
            const auto y = tape::checkpointed(t, steps, snapshots, u, q, driven_oscillator{});
            REQUIRE(y.size() == 3);
            for (std::size_t out = 0; out < 3; ++out) {
                CHECK(y[out].value() == expected[out].value());
                all.backward(expected[out]);
                t.backward(y[out]);
                for (std::size_t i = 0; i < 3; ++i) {
                    CHECK(u[i].gradient() == x[i].gradient());
                    // Sums over all uses, in another order.
                    CHECK(q[i].gradient() == Approx(p[i].gradient()).epsilon(1e-13).margin(1e-15));
                }
            }
        }
    }
}

TEST_CASE("a loop amid other statements, in lanes, with several loops on a tape", "[tape][checkpoint]") {
    const auto program = [](tape::tape& t, const std::vector<tape::active<double>>& x, bool with_checkpoints) {
        const auto loop = [&](std::size_t steps, const auto& from, const auto& with) {
            if (with_checkpoints) return tape::checkpointed(t, steps, 4, from, with, driven_oscillator{});
            return plain_loop<double>(steps, from, with, driven_oscillator{});
        };
        // A parameter that is an initial number too, and one that is not recorded.
        const std::vector<tape::active<double>> from{x[0] * x[1], x[1], 1.0}, with{x[1], exp(x[2]), 0.25};
        const auto half = loop(60, from, with);
        const std::vector<tape::active<double>> then{half[1], half[0] * x[2], half[2] * x[0]};
        auto whole = loop(45, then, with);
        whole[2] = whole[0] * whole[1] + x[0];
        return whole;
    };
    const std::vector<double> point{0.4, 0.9, -0.3};
    tape::tape plain, t;
    const auto x = plain.variables(point), u = t.variables(point);
    const auto expected = tape::jacobian(plain, program(plain, x, false), x);
    const auto found = tape::jacobian(t, program(t, u, true), u);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) CHECK(found(i, j) == Approx(expected(i, j)).epsilon(1e-13).margin(1e-15));
    CHECK(t.memory().statements < 30);
    CHECK(plain.memory().statements > 200);
}

TEST_CASE("memory is logarithmic in the steps", "[tape][checkpoint]") {
    constexpr std::size_t size = 50;
    const auto step = []<class T>(std::size_t k, const std::vector<T>& x, const std::vector<T>& p) {
        std::vector<T> next = x;
        next[k % size] = sin(p[0] * x[(k + 1) % size]) + x[k % size];
        return next;
    };
    using number = tape::active<counted>;
    std::map<std::size_t, int> most;
    for (const std::size_t steps : {64u, 512u, 4096u}) {
        int& highest = most[steps];
        const auto watched = [&](std::size_t k, const auto& x, const auto& p) {
            highest = std::max(highest, counted::alive());
            return step(k, x, p);
        };
        tape::basic_tape<counted> t;
        const auto x = t.variables(std::vector<double>(size, 0.5)), p = t.variables(std::vector{0.9});
        const int before = counted::alive();
        const auto y = tape::checkpointed(t, steps, x, p, watched);
        const int forwards = highest - before;
        const auto states = static_cast<int>(size * (checkpointing::usual_snapshots(steps) + 6));
        CHECK(forwards < states);
        CHECK(counted::alive() - before < states + static_cast<int>(tape::recording<counted>::block_size));
        t.backward(y[0]);
        CHECK(t.memory().statements == 2 * size + 1);

        tape::basic_tape<counted> all;
        const auto u = all.variables(std::vector<double>(size, 0.5)), q = all.variables(std::vector{0.9});
        all.backward(plain_loop<counted>(steps, u, q, step)[0]);
        CHECK(p[0].gradient().value == Approx(q[0].gradient().value).epsilon(1e-13));
    }
    // Three more binary digits are three more snapshots: beside them nothing grows.
    CHECK(most[512] - most[64] <= static_cast<int>(3 * size) + 20);
    CHECK(most[4096] - most[512] <= static_cast<int>(3 * size) + 20);
    CHECK(most[4096] > most[64]);
    CHECK(std::is_same_v<decltype(number{}.value()), const counted&>);
}

TEMPLATE_TEST_CASE("loops of other number types", "[tape][checkpoint]", float, long double) {
    using T = TestType;
    const std::vector<T> x0(initial.begin(), initial.end()), p0(parameters.begin(), parameters.end());
    tape::basic_tape<T> all, t;
    const auto x = all.variables(x0), p = all.variables(p0), u = t.variables(x0), q = t.variables(p0);
    const auto expected = plain_loop<T>(50, x, p, driven_oscillator{});
    const auto y = tape::checkpointed(t, 50, 3, u, q, driven_oscillator{});
    all.backward(expected[0]);
    t.backward(y[0]);
    CHECK(y[0].value() == expected[0].value());
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(u[i].gradient() == x[i].gradient());
        const T difference = q[i].gradient() - p[i].gradient();
        CHECK(std::abs(difference) <= 20 * std::numeric_limits<T>::epsilon());
    }
}

TEST_CASE("second derivatives through a loop", "[tape][checkpoint]") {
    const auto last = [](const auto& x, auto loop) {
        using number = std::remove_cvref_t<decltype(x[0])>;
        const std::vector<number> from{x[0], x[1], 1.0};
        return loop(from, std::vector<number>{x[2], x[3], 0.25});
    };
    const std::vector<double> point{0.7, -0.2, 1.3, 0.4};
    const auto expected = tape::hessian<double>(
        [&](const auto& x) {
            return last(x, [](const auto& from, const auto& with) {
                return plain_loop<cr::dual<double, 4>>(30, from, with, driven_oscillator{})[0];
            });
        },
        point);
    // The step sees dual numbers, plain and active.
    using number = cr::dual<double, 4>;
    tape::basic_tape<number> t;
    std::vector<tape::active<number>> x;
    for (std::size_t i = 0; i < 4; ++i) x.push_back(t.variable(number::variable(point[i], i)));
    const auto y = last(x, [&](const auto& from, const auto& with) {
        return tape::checkpointed(t, 30, 3, from, with, driven_oscillator{})[0];
    });
    CHECK(y.value().value == expected.value);
    t.backward(y);
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(x[i].gradient().value == Approx(expected.gradient[i]).epsilon(1e-13));
        for (std::size_t j = 0; j < 4; ++j)
            CHECK(x[i].gradient().tangents[j] == Approx(expected.hessian(i, j)).epsilon(1e-12).margin(1e-15));
    }
}

TEST_CASE("what a loop does not depend on has no part in it", "[tape][checkpoint]") {
    tape::tape t;
    const auto x = t.variables(initial);
    SECTION("nothing recorded: no operation") {
        const auto before = t.memory().statements;
        const auto y = tape::checkpointed(t, 10, initial, parameters, driven_oscillator{});
        CHECK(t.memory().statements == before);
        CHECK(!y[0].is_recorded());
        CHECK(y[0].value() == tape::checkpointed(t, 10, x, parameters, driven_oscillator{})[0].value());
    }
    SECTION("a paused tape") {
        t.pause();
        const auto y = tape::checkpointed(t, 10, x, parameters, driven_oscillator{});
        CHECK(!y[0].is_recorded());
    }
    SECTION("a state that is forgotten on the way: an infinite derivative before does not show") {
        const auto step = []<class T>(std::size_t k, const std::vector<T>& s, const std::vector<T>& p) {
            if (k == 3) return std::vector<T>{T(2.0)};
            return std::vector<T>{sqrt(s[0] * 0.0) + s[0] * p[0]};
        };
        const auto p = t.variables(std::vector{1.5});
        const auto y = tape::checkpointed(t, 6, 2, std::vector{x[0]}, p, step);
        t.backward(y[0]);
        CHECK(x[0].gradient() == 0.0);
        const auto forgotten = tape::checkpointed(t, 4, 2, std::vector{x[0]}, p, step);
        t.backward(forgotten[0]);
        CHECK(x[0].gradient() == 0.0);
        CHECK(p[0].gradient() == 0.0);
    }
}

TEST_CASE("misuse of loops is answered in words, and the tape is as before", "[tape][checkpoint]") {
    tape::tape t;
    const auto x = t.variables(initial), p = t.variables(parameters);
    const auto before = t.mark();
    CHECK(sentence_of([&] { (void)tape::checkpointed(t, 10, 0, x, p, driven_oscillator{}); }) ==
          "checkpointed: the number of snapshots is 0; allow at least one, or omit the number");
    const auto shrinking = [](std::size_t k, auto s, const auto&) {
        if (k == 4) s.pop_back();
        return s;
    };
    CHECK(sentence_of([&] { (void)tape::checkpointed(t, 10, 2, x, p, shrinking); }) ==
          "checkpointed: step 4 returns 2 numbers for a state of 3; return as many");
    tape::tape other;
    const auto foreign = other.variables(parameters);
    CHECK(sentence_of([&] {
              (void)tape::checkpointed(t, 10, 2, x, foreign, driven_oscillator{});
          }).find("another tape") != std::string::npos);

    int calls_left = 7;
    const auto failing = [&](std::size_t k, const auto& s, const auto& q) {
        if (calls_left-- == 0) throw std::runtime_error("diverged");
        return driven_oscillator{}(k, s, q);
    };
    CHECK(sentence_of([&] { (void)tape::checkpointed(t, 10, 2, x, p, failing); }) == "diverged");
    CHECK(t.mark() == before);

    // In a sweep, at every call: the next sweep is right.
    calls_left = 1000000;
    const auto y = tape::checkpointed(t, 10, 2, x, p, failing);
    t.backward(y[0]);
    const double expected = p[0].gradient();
    for (int calls = 0; calls < 20; ++calls) {
        calls_left = calls;
        CHECK(sentence_of([&] { t.backward(y[0]); }) == "diverged");
        CHECK(sentence_of([&] { (void)p[0].gradient(); }).find("backward() was not called") != std::string::npos);
        calls_left = 1000000;
        t.backward(y[0]);
        CHECK(p[0].gradient() == expected);
    }
}
