// SPDX-License-Identifier: BSL-1.0
//
// Random programs, recorded at one point and replayed at others: the values have the bits of the plain call, and the
// derivatives are those of the tape.
#include "catch.hpp"

#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace {

namespace tape = chainrule::tape;

/// A program of random operations on earlier results: long runs of one operation on operands that follow one another,
/// chains of sums, and single operations on any operands.
struct random_program {
    std::uint64_t seed;
    std::size_t parts;

    template <class X>
    auto operator()(const X& x) const {
        using T = std::remove_cvref_t<decltype(x[0])>;
        using std::abs, std::atan, std::cos, std::exp, std::log1p, std::max, std::sin, std::sqrt;
        std::mt19937_64 random(seed);
        const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
        std::vector<T> v(x.begin(), x.end());
        const auto operation = [&](std::size_t which, const T& a, const T& b) -> T {
            switch (which) {
            case 0: return a + b;
            case 1: return a - b;
            case 2: return a * b;
            case 3: return a / (1.5 + b * b);
            case 4: return -a;
            case 5: return sin(a);
            case 6: return exp(-a * a);
            case 7: return sqrt(1.0 + a * a);
            case 8: return max(a, b);
            case 9: return abs(a) * 0.5;
            case 10: return log1p(a * a) - 3.0;
            case 11: return atan(a) / 4.0;
            case 12: return a < b ? T(a * 2.0) : b;
            default: return T(0.25) - cos(b);
            }
        };
        for (std::size_t part = 0; part < parts; ++part) {
            const std::size_t which = below(14), length = below(4) == 0 ? 1 + below(40) : 1 + below(3);
            std::size_t a = below(v.size()), b = below(v.size());
            const bool a_moves = below(2) == 0, b_moves = below(2) == 0, chain = below(4) == 0;
            for (std::size_t k = 0; k < length; ++k) {
                v.push_back(operation(which, v[chain ? v.size() - 1 : a], v[b]) * (below(8) == 0 ? 0.5 : 1.0));
                if (v.size() - a > 1 && a_moves) ++a;
                if (v.size() - b > 1 && b_moves) ++b;
            }
        }
        T sum = 0.0;
        for (const T& y : v) sum = sum + y / (1.0 + y * y);
        return sum;
    }
};

std::vector<double> random_point(std::mt19937_64& random, std::size_t size) {
    std::uniform_real_distribution<double> distribution(-1.5, 1.5);
    std::vector<double> x(size);
    for (double& xi : x) xi = distribution(random);
    return x;
}

} // namespace

TEST_CASE("random programs are replayed", "[tape]") {
    std::mt19937_64 random(2024);
    std::size_t replayed = 0, changed = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const std::size_t size = 1 + seed % 13;
        const random_program f{seed, 1 + static_cast<std::size_t>(seed) % 30};
        const std::vector<double> start = random_point(random, size);
        auto r = tape::record(f, start);
        tape::matrix<double> points(7, size);
        bool alike = true;
        for (std::size_t p = 0; p < points.rows(); ++p) {
            std::vector<double> x = p < 2 ? start : random_point(random, size);
            if (p == 1)
                for (double& xi : x) xi += 1e-7;
            for (std::size_t i = 0; i < size; ++i) points(p, i) = x[i];
            try {
                const auto found = r.value_and_gradient(x);
                INFO("seed " << seed << ", point " << p);
                const auto expected = tape::value_and_gradient(f, x);
                CHECK(std::bit_cast<std::uint64_t>(found.value) == std::bit_cast<std::uint64_t>(f(x)));
                for (std::size_t i = 0; i < size; ++i)
                    CHECK(found.gradient[i] == Approx(expected.gradient[i]).epsilon(1e-12).margin(1e-13));
                const std::vector<double> d = random_point(random, size);
                const auto product = r.hvp(x, d), expected_product = tape::hvp(f, x, d);
                double slope = 0;
                for (std::size_t i = 0; i < size; ++i) {
                    CHECK(product[i] == Approx(expected_product[i]).epsilon(1e-11).margin(1e-12));
                    slope += expected.gradient[i] * d[i];
                }
                CHECK(r.jvp(x, d) == Approx(slope).epsilon(1e-11).margin(1e-12));
                tape::matrix<double> weights(3, 1);
                weights(2, 0) = 2.0;
                CHECK(r.vjp(x, weights)(2, 0) == Approx(2 * found.gradient[0]).epsilon(1e-12).margin(1e-13));
                ++replayed;
            } catch (const tape::comparison_changed&) {
                alike = false;
                ++changed;
            }
        }
        if (!alike) {
            CHECK_THROWS_AS(r.gradient(points), tape::comparison_changed);
            continue;
        }
        const auto in_lanes = r.value_and_gradient(points);
        for (std::size_t p = 0; p < points.rows(); ++p) {
            const auto x = std::vector(points.row(p).begin(), points.row(p).end());
            CHECK(in_lanes.value[p] == Approx(f(x)).epsilon(1e-12).margin(1e-13));
            const auto expected = r.gradient(x);
            for (std::size_t i = 0; i < size; ++i)
                CHECK(in_lanes.gradient(p, i) == Approx(expected[i]).epsilon(1e-11).margin(1e-12));
        }
    }
    CHECK(replayed > 400);
    CHECK(changed > 50);
}
