// SPDX-License-Identifier: BSL-1.0
//
// Recordings whose operations wait for one another, so that their runs are short and are interpreted as a stream.

#include "catch.hpp"

#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace {

namespace tape = chainrule::tape;

// Every kind of task, on results before, on others, on inputs and constants, with one operand twice.
constexpr auto sequence = [](const auto& x) {
    using T = std::remove_cvref_t<decltype(x[0])>;
    using chainrule::square, std::exp;
    T a = x[0], b = x[1];
    for (int i = 0; i < 40; ++i) {
        const T c = a * b + T(0.5);
        const T d = c - a * a;
        a = T(2.0) / (c * c + x[2]);
        b = square(d) / (T(1.0) + d * d) - T(0.25) * b;
        a = -(a - x[1]) * T(0.75);
        a = T(1.0) + a;
        a = exp(-a) - a / c;
    }
    return a + b * x[0];
};

template <class T>
void check_sequence(double tolerance) {
    auto r = tape::record(sequence, std::array{T(0.5), T(0.25), T(1.5)});
    const std::array<std::array<T, 3>, 3> points{
        {{T(0.4), T(0.3), T(1.25)}, {T(0.7), T(-0.3), T(2)}, {T(0), T(1), T(1)}}};
    // Twice: a sweep leaves no adjoints behind.
    for (int times = 0; times < 2; ++times)
        for (const auto& x : points) {
            CHECK(r(x) == sequence(x));
            const auto expected = tape::gradient(sequence, x), found = r.gradient(x);
            for (std::size_t i = 0; i < 3; ++i)
                CHECK(static_cast<double>(found[i]) == Approx(static_cast<double>(expected[i])).epsilon(tolerance));
        }
}

TEST_CASE("operations that wait for one another are replayed with the bits of the function") {
    check_sequence<double>(1e-12);
    check_sequence<float>(1e-4);
    check_sequence<long double>(1e-14);
}

TEST_CASE("a sweep over short runs leaves no adjoints behind") {
    // The choices between constants do not vary, but products of them take adjoints.
    const auto f = [](const auto& x) {
        using T = std::remove_cvref_t<decltype(x[0])>;
        T s = x[0];
        for (std::size_t i = 0; i < 12; ++i) s = s * select(s < T(1.0), T(1.5), T(0.5)) + x[1] * x[i % 3];
        return s;
    };
    auto r = tape::record(f, std::vector{0.3, 0.2, 0.1});
    for (const double at : {0.1, 0.9, 0.1, -2.0, 0.1}) {
        const std::vector x{at, 0.25, -0.5};
        const auto expected = tape::gradient(f, x), found = r.gradient(x);
        for (std::size_t i = 0; i < 3; ++i) CHECK(found[i] == Approx(expected[i]).epsilon(1e-13));
    }
    // Weights of zero give zeros, also where a derivative is infinite.
    auto root = tape::record([](const auto& x) { return std::array{x[0] / x[1] * x[0], x[1]}; }, std::array{1.0, 1.0});
    CHECK(root.vjp(std::array{1.0, 0.0}, std::array{0.0, 1.0}) == std::array{0.0, 1.0});
    CHECK(root.vjp(std::array{1.0, 2.0}, std::array{2.0, 1.0}) == std::array{2.0, 0.5});
}

TEST_CASE("a long recording is arranged in parts, whose adjoints share memory") {
    const auto terms = [](std::size_t count) {
        return [count](const auto& x) {
            using T = std::remove_cvref_t<decltype(x[0])>;
            using chainrule::square, std::exp;
            T s = 0.0;
            for (std::size_t i = 0; i < count; ++i) {
                const double at = 0.001 * static_cast<double>(i);
                s += (x[0] - at * x[1]) * exp(-at * x[2]) / (1.0 + s * s); // waits for all before it
                s += square(x[1] * at - x[2]);
            }
            return s;
        };
    };
    const std::vector x{0.3, -0.4, 0.5};
    auto r = tape::record(terms(6000), x);
    const auto& all = r.recording().what();
    CHECK(all.operations > 40000);
    CHECK(all.adjoints < 10000); // of one part, not of the whole
    CHECK(r(x) == terms(6000)(x));
    const std::vector<double> found = r.gradient(x), expected = tape::gradient(terms(6000), x);
    for (std::size_t i = 0; i < 3; ++i) CHECK(found[i] == Approx(expected[i]).epsilon(1e-12));
}

} // namespace
