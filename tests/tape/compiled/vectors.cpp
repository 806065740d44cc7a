// SPDX-License-Identifier: BSL-1.0
//
// Recordings in machine code on vectors: equal parts of a program, and Hessians by tangents of the gradient, in one C
// function and in several, with and without the compiler's vectors.
#include "sentence.hpp"
#include "tape/private_cache.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace {

namespace tape = chainrule::tape;
namespace codegen = chainrule::codegen;

template <class X>
using number_in = std::remove_cvref_t<decltype(std::declval<const X&>()[0])>;

/// The sum of a row of equal terms.
constexpr auto valley = [](const auto& x) {
    number_in<decltype(x)> s = 0.0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
        const number_in<decltype(x)> rise = x[i + 1] - x[i] * x[i], rest = 1.0 - x[i];
        s += 100.0 * (rise * rise) + rest * rest;
    }
    return s;
};
/// So many random operations, each on the results of others, with the functions whose slopes are arithmetic.
struct random_operations {
    int count;
    std::uint32_t seed;

    template <class X>
    auto operator()(const X& x) const {
        using T = number_in<X>;
        std::uint32_t state = seed;
        const auto next = [&](std::size_t below) {
            state = state * 1664525u + 1013904223u;
            return static_cast<std::size_t>(state >> 8) % below;
        };
        std::vector<T> all(x.begin(), x.end());
        for (int k = 0; k < count; ++k) {
            const T a = all[next(all.size())], b = all[next(all.size())];
            switch (next(12)) {
            case 0: all.push_back(a + b); break;
            case 1: all.push_back(a - b); break;
            case 2: all.push_back(0.5 * (a * b)); break;
            case 3: all.push_back(a / (2.0 + b * b)); break;
            case 4: all.push_back(sin(a) * cos(a)); break;
            case 5: all.push_back(exp(-(a * a))); break;
            case 6: all.push_back(sqrt(1.0 + a * a)); break;
            case 7: all.push_back(log(2.0 + a * a) - b); break;
            case 8: all.push_back(tanh(a)); break;
            case 9: all.push_back(atan(a) + 3.0 * b); break;
            case 10: all.push_back(b - a * a); break;
            default: all.push_back(-(cos(b) - a)); break;
            }
        }
        T s = 0.0;
        for (std::size_t i = x.size(); i < all.size(); ++i) s += all[i] / (1.0 + all[i] * all[i]);
        return s;
    }
};
std::vector<double> point_of(std::size_t size, double from = 0.3) {
    std::vector<double> x;
    for (std::size_t i = 0; i < size; ++i) x.push_back(from + 0.13 * static_cast<double>(i * i % 17));
    return x;
}

/// Checks all that a compiled recording computes against its replay.
template <class Recorded>
void check_compiled(Recorded& r, const tape::compile_options& options, const std::vector<double>& x) {
    auto k = tape::compile(r, options);
    CHECK(k(x) == r(x));
    const auto found = k.hessian(x), expected = r.hessian(x);
    CHECK(found.value == r(x));
    const auto once = k.value_and_gradient(x);
    const std::size_t n = x.size();
    double worst = 0;
    const auto compare = [&](double a, double b) {
        const double error = std::abs(a - b) / (1 + std::abs(b));
        if (!(error <= worst)) worst = error; // NaN, too
    };
    for (std::size_t i = 0; i < n; ++i) {
        compare(found.gradient[i], expected.gradient[i]);
        compare(once.gradient[i], expected.gradient[i]);
        for (std::size_t j = 0; j < n; ++j) compare(found.hessian(i, j), expected.hessian(i, j));
    }
    CHECK(worst < 1e-11);
    std::vector<double> gradient(n), matrix(n * n, -1.0);
    CHECK(k.hessian(x, gradient, matrix) == found.value);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) CHECK(matrix[n * i + j] == found.hessian(i, j));
}

/// The programs of a recording's gradient and Hessian on vectors.
template <class Recorded>
auto gradient_on_vectors(const Recorded& r) {
    const tape::replays::recorded_graph graph = tape::replays::graph_builder(r.recording().what()).take();
    return codegen::packed_now(tape::replays::program_of(graph, 3));
}
template <class Recorded>
auto hessian_by_tangents(const Recorded& r, int most = 1 << 20) {
    const tape::replays::recorded_graph graph = tape::replays::graph_builder(r.recording().what()).take();
    const codegen::unpacked_program gradient = tape::replays::program_of(graph, 3);
    return tape::tangents_in_vectors(gradient, graph.inputs, 1 + graph.inputs, false).write(most);
}
int count_of(const codegen::unpacked_program& p, codegen::vector_opcode what) {
    return static_cast<int>(
        std::ranges::count(p.body, static_cast<codegen::opcode>(what), &codegen::instruction::what));
}

} // namespace

TEST_CASE("equal terms of a recording are compiled as vectors", "[tape]") {
    if (!compiles()) return;
    const private_cache cache;
    auto r = tape::record(valley, point_of(30));
    const auto p = gradient_on_vectors(r);
    REQUIRE(p.size > 0);
    CHECK(count_of(p, codegen::vector_opcode::store) == 7); // 28 of 30 elements of the gradient
    check_compiled(r, cache.options(true), point_of(30, -0.7));
    auto short_one = tape::record(valley, point_of(3));
    CHECK(gradient_on_vectors(short_one).size == 0);
    check_compiled(short_one, cache.options(true), point_of(3));
}

TEST_CASE("random recordings have their Hessians by tangents in vectors", "[tape]") {
    if (!compiles()) return;
    const private_cache cache;
    for (const auto& [variables, operations] : {std::pair{5, 60}, {7, 40}, {12, 110}, {13, 160}}) {
        auto r = tape::record(random_operations{operations, 17u + static_cast<unsigned>(operations)},
                              point_of(static_cast<std::size_t>(variables)));
        CAPTURE(variables, operations);
        CHECK(hessian_by_tangents(r).size > 0);
        check_compiled(r, cache.options(true), point_of(static_cast<std::size_t>(variables), 0.1));
    }
}

TEST_CASE("code without the compiler's vectors computes the same", "[tape]") {
    if (!compiles()) return;
    const private_cache cache;
    auto options = cache.options(true);
    options.flags.push_back("-DCHAINRULE_NO_VECTORS");
    auto r = tape::record(random_operations{40, 5}, point_of(7));
    check_compiled(r, options, point_of(7, 0.2));
    auto equal_terms = tape::record(valley, point_of(12));
    check_compiled(equal_terms, options, point_of(12, -0.4));
}

TEST_CASE("Hessians of long recordings on vectors are several functions", "[tape]") {
    if (!compiles()) return;
    const private_cache cache;
    const auto long_one = [](const auto& x) {
        number_in<decltype(x)> s = 0.0;
        for (std::size_t k = 0; k < 120; ++k) {
            const auto &a = x[k % 9], &b = x[(k * k + 3) % 9];
            s += sin(a * b + 0.01 * static_cast<double>(k)) / (1.0 + s * s) + cos(b) * a;
        }
        return s;
    };
    auto r = tape::record(long_one, point_of(9));
    REQUIRE(hessian_by_tangents(r).size > 1000);
    check_compiled(r, cache.options(true), point_of(9, 0.2));
    auto equal_terms = tape::record(valley, point_of(200));
    REQUIRE(gradient_on_vectors(equal_terms).size > 1000);
    auto k = tape::compile(equal_terms, cache.options());
    const std::vector<double> x = point_of(200, -0.4);
    CHECK(k(x) == equal_terms(x));
    const std::vector<double> found = k.gradient(x), expected = equal_terms.gradient(x);
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(found[i] == Approx(expected[i]).epsilon(1e-12));
}

TEST_CASE("Hessians on vectors of every function with an arithmetic slope", "[tape]") {
    if (!compiles()) return;
    const private_cache cache;
    const auto all = [](const auto& x) {
        const auto &a = x[0], &b = x[1], &c = x[2], &d = x[3], &e = x[4];
        return exp(a * b) + exp2(b * c) + exp10(0.1 * c * d) + log(a + b) + log2(b + c) + log10(c + d) + log1p(d * e) +
               sqrt(a * e) + cbrt(a * d) + square(a * c) + cube(b * e) + inverse(a + d) + sin(a * b) * cos(c * d) +
               tan(0.1 * a * e) + cot(b + e) + atan(c * e) + tanh(a * d) + atanh(0.1 * b * d) + logit(0.1 * a * b) +
               erfcx(c * d) * a;
    };
    auto r = tape::record(all, point_of(5));
    REQUIRE(hessian_by_tangents(r).size > 0);
    CHECK(hessian_by_tangents(r, 300).size == 0); // one that is not shorter
    check_compiled(r, cache.options(true), std::vector{0.4, 0.7, 0.9, 0.6, 0.8});
}

TEST_CASE("programs of Hessians that have no tangents in vectors", "[tape]") {
    const auto program_of = [](auto f, std::size_t size) {
        return hessian_by_tangents(tape::record(f, point_of(size)));
    };
    CHECK(program_of([](const auto& x) { return x[0] * x[1] * x[2]; }, 3).size > 0);
    CHECK(program_of([](const auto& x) { return erf(x[0] * x[1]) * x[2]; }, 3).size == 0);  // its derivative calls exp
    CHECK(program_of([](const auto& x) { return hypot(x[0] * x[1], x[2]); }, 3).size == 0); // of two arguments
    CHECK(program_of([](const auto& x) { return select(x[0] < x[1], x[0] * x[1], x[2] * x[2]) * x[2]; }, 3).size == 0);
    CHECK(program_of(valley, 64).size > 0);
    CHECK(program_of(valley, 65).size == 0);
}

TEST_CASE("no store of a compiled Hessian reaches from the gradient into the matrix", "[tape]") {
    if (!compiles()) return;
    const private_cache cache;
    // All elements of both are the exponential times a constant.
    const auto plane = [](const auto& x) {
        number_in<decltype(x)> s = 0.3 * x[0];
        for (std::size_t i = 1; i < x.size(); ++i) s = s + (0.3 + 0.2 * static_cast<double>(i)) * x[i];
        return exp(s);
    };
    for (const std::size_t n : {3u, 4u, 5u, 6u, 7u, 8u, 65u}) {
        std::vector<double> x(n, 0.01);
        auto r = tape::record(plane, x);
        check_compiled(r, cache.options(true), x);
        auto k = tape::compile(r, cache.options(true));
        std::vector<double> gradient(n), matrix(n * n, 7.0);
        const double value = k.hessian(x, gradient, matrix);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                CHECK(matrix[i * n + j] == Approx(gradient[i] * gradient[j] / value).epsilon(1e-14));
    }
}

TEST_CASE("compiled Hessians are mirrored, filled with zeros and left alone where a comparison changes", "[tape]") {
    if (!compiles()) return;
    const private_cache cache;
    const auto branching = [](const auto& x) {
        number_in<decltype(x)> s = 0.0;
        for (std::size_t i = 0; i + 1 < x.size(); ++i)
            if (x[i] < 4.0) s += x[i] * x[i] * x[i + 1] * exp(x[i + 1]) / (1.0 + x[0] * x[i]);
        return s;
    };
    auto r = tape::record(branching, point_of(6));
    check_compiled(r, cache.options(true), point_of(6, 0.1));
    auto k = tape::compile(r, cache.options(true));
    std::vector<double> x = point_of(6), gradient(6, 7.0), matrix(36, 7.0);
    x[2] = 5.0;
    CHECK_THROWS_AS(k.hessian(x, gradient, matrix), tape::comparison_changed);
    CHECK(gradient == std::vector<double>(6, 7.0));
    CHECK(matrix == std::vector<double>(36, 7.0));

    // The point may lie in the memory of the result.
    for (const std::size_t n : {6u, 12u}) {
        auto chain = tape::record(valley, point_of(n));
        auto compiled = tape::compile(chain, cache.options(true));
        std::vector<double> m = point_of(n), in_m(n), at_end(n), apart(n * n);
        compiled.hessian(point_of(n), in_m, apart);
        m.resize(n * n);
        compiled.hessian(std::span<const double>(m).first(n), at_end, m);
        CHECK(at_end == in_m);
        CHECK(m == apart);
        const std::vector<double> again = point_of(n);
        std::copy(again.begin(), again.end(), m.end() - static_cast<std::ptrdiff_t>(n));
        compiled.hessian(std::span<const double>(m).last(n), at_end, m);
        CHECK(m == apart);
    }

    // Mostly zeros, with an element that is zero but not for every input.
    auto sparse =
        tape::record([](const auto& p) { return valley(p) + 0.0 * p[0] * p[7] + p[2] * p[2] * p[9]; }, point_of(10));
    auto of_zeros = tape::compile(sparse, cache.options(true));
    std::vector<double> at = point_of(10), first(10), all(100, 3.0);
    at[2] = 0;
    for (int again = 0; again < 2; ++again) {
        of_zeros.hessian(at, first, all);
        CHECK(all[29] == 0.0);
        CHECK(all[92] == 0.0);
        CHECK(all[99] == 200.0);
        CHECK(all[98] == -400.0 * at[8]);
        CHECK(all[89] == all[98]);
        at[2] = 1.5;
        of_zeros.hessian(at, first, all);
        CHECK(all[29] == 3.0);
        CHECK(all[92] == 3.0);
        at[2] = 0;
    }
    // An infinite slope does not reach variables on which the operand does not depend.
    auto r2 = tape::record([](const auto& p) { return sqrt(p[0]) * p[1] + p[2] * p[3] * p[4] * sin(p[5] * p[1]); },
                           point_of(6));
    auto k2 = tape::compile(r2, cache.options(true));
    std::vector<double> zero = point_of(6), g(6), h(36);
    zero[0] = 0;
    k2.hessian(zero, g, h);
    const auto expected = r2.hessian(zero);
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = 0; j < 6; ++j) CHECK(std::isfinite(h[6 * i + j]) == std::isfinite(expected.hessian(i, j)));
}
