// SPDX-License-Identifier: BSL-1.0
//
// Determinants of singular matrices by elimination, and their derivatives up to the third, against expansions by rows.
#include "catch.hpp"

#include <chainrule/dual.hpp>
#include <chainrule/fixed_matrix.hpp>
#include <chainrule/tape.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace {

namespace cr = chainrule;
using once = cr::dual<double, 1>;
using twice = cr::dual<once, 1>;
using thrice = cr::dual<twice, 1>;

static_assert(determinant(cr::fixed_matrix<once, 5>()).value == 0 &&
              determinant(cr::fixed_matrix<once, 5>()).tangents[0] == 0);
static_assert(determinant(cr::fixed_matrix<twice, 6>::identity()).value.value == 1);

template <class T, std::size_t N>
[[gnu::noinline]] T expanded(const cr::fixed_matrix<T, N>& a) {
    if constexpr (N == 1) {
        return a(0, 0);
    } else {
        T sum(0);
        for (std::size_t j = 0; j < N; ++j) {
            cr::fixed_matrix<T, N - 1> minor;
            for (std::size_t i = 1; i < N; ++i)
                for (std::size_t c = 0; c + 1 < N; ++c) minor(i - 1, c) = a(i, c < j ? c : c + 1);
            sum += (j % 2 == 0 ? 1.0 : -1.0) * a(0, j) * expanded(minor);
        }
        return sum;
    }
}

// Integers of one digit, so that some elements of such products are 0, and zeros are exact.
template <std::size_t N>
cr::fixed_matrix<double, N> of_rank(std::size_t rank, std::mt19937& random) {
    std::uniform_int_distribution<int> digit(-2, 2);
    cr::fixed_matrix<double, N> left, right;
    for (std::size_t i = 0; i < N; ++i)
        for (std::size_t k = 0; k < rank; ++k) {
            left(i, k) = digit(random);
            right(k, i) = digit(random);
        }
    return left * right;
}
template <std::size_t N>
auto singular_matrices() {
    std::mt19937 random(N);
    std::array<cr::fixed_matrix<double, N>, 3 * N + 2 * (N - 1)> all;
    std::size_t count = 0;
    for (std::size_t rank = 0; rank < N; ++rank)
        for (int k = 0; k < 3; ++k) all[count++] = of_rank<N>(rank, random);
    for (std::size_t zeros = 1; zeros < N; ++zeros) { // columns, the first, the last, and others; and rows
        cr::fixed_matrix<double, N> a = of_rank<N>(N, random);
        for (std::size_t i = 0; i < N; ++i)
            for (std::size_t j = 0; j < zeros; ++j) a(i, j * 3 % N) = 0;
        all[count++] = a;
        all[count++] = transpose(a);
    }
    return all;
}

template <std::size_t N>
constexpr auto determinant_of = [](const auto& v) {
    cr::fixed_matrix<std::remove_cvref_t<decltype(v[0])>, N> a;
    for (std::size_t i = 0; i < N * N; ++i) a.numbers[i] = v[i];
    return determinant(a);
};
} // namespace

TEST_CASE("gradients of determinants of singular matrices are their cofactors") {
    constexpr std::size_t N = 5;
    for (const cr::fixed_matrix<double, N>& a : singular_matrices<N>()) {
        std::array<double, N * N> at{};
        for (std::size_t i = 0; i < N * N; ++i) at[i] = a.numbers[i];
        const auto [value, gradient] = cr::tape::value_and_gradient(determinant_of<N>, at);
        CHECK(value == Approx(0).margin(1e-9));
        CHECK(determinant(a) == Approx(0).margin(1e-9));
        for (std::size_t i = 0; i < N * N; ++i) {
            cr::fixed_matrix<once, N> varied(a);
            varied.numbers[i] = once::variable(at[i]);
            CHECK(gradient[i] == Approx(expanded(varied).tangents[0]).margin(1e-9));
        }
    }
}

TEST_CASE("the third derivative of determinants of singular matrices along a line") {
    constexpr std::size_t N = 5;
    for (const cr::fixed_matrix<double, N>& a : singular_matrices<N>()) {
        cr::fixed_matrix<thrice, N> along;
        for (std::size_t i = 0; i < N * N; ++i) {
            const thrice t = thrice::variable(twice::variable(once::variable(0.0)));
            along.numbers[i] = a.numbers[i] + std::sin(double(i) + 1) * t;
        }
        const thrice x = determinant(along), y = expanded(along);
        const auto close = [](double p, double q) { CHECK(p == Approx(q).margin(1e-8)); };
        close(x.value.value.value, 0);
        close(x.value.value.tangents[0], y.value.value.tangents[0]);
        close(x.value.tangents[0].tangents[0], y.value.tangents[0].tangents[0]);
        close(x.tangents[0].tangents[0].tangents[0], y.tangents[0].tangents[0].tangents[0]);
    }
}

TEST_CASE("derivatives of singular determinants of float and long double") {
    cr::fixed_matrix<cr::dual<float, 1>, 7> f;
    for (std::size_t i = 0; i < 7; ++i) f(i, (i + 1) % 7) = i == 3 ? cr::dual<float, 1>::variable(0.0f) : 2.0f;
    CHECK(determinant(f).value == 0.0f);
    CHECK(determinant(f).tangents[0] == 64.0f);
    cr::fixed_matrix<cr::dual<long double, 1>, 5> zeros;
    zeros(2, 3) = cr::dual<long double, 1>::variable(0.0L);
    CHECK(determinant(zeros).value == 0.0L);
    CHECK(determinant(zeros).tangents[0] == 0.0L);
}

TEMPLATE_TEST_CASE_SIG("a regular matrix has the determinant of plain numbers", "", ((std::size_t N), N), 5, 6) {
    std::mt19937 random(2);
    std::uniform_real_distribution<double> in(-1, 1);
    for (int k = 0; k < 20; ++k) {
        cr::fixed_matrix<double, N> a;
        for (double& x : a) x = in(random);
        CHECK(determinant(cr::fixed_matrix<once, N>(a)).value == determinant(a));
        CHECK(log_det(cr::fixed_matrix<once, N>(a)).value == log_det(a));
    }
}

TEMPLATE_TEST_CASE("the log determinant of a singular matrix is minus infinity", "", float, double, long double) {
    constexpr TestType infinity = std::numeric_limits<TestType>::infinity();
    CHECK(log_det(cr::fixed_matrix<TestType, 2>()) == -infinity);
    CHECK(log_det(cr::fixed_matrix<TestType, 5>()) == -infinity);
    cr::fixed_matrix<TestType, 6> a = cr::fixed_matrix<TestType, 6>::identity();
    a(2, 2) = 0;
    CHECK(log_det(a) == -infinity);
    CHECK(determinant(a) == 0);
    CHECK(log_det(cr::fixed_matrix<cr::dual<TestType, 1>, 6>(a)).value == -infinity);
    CHECK(log_det(cr::fixed_matrix<cr::dual<TestType, 1>, 5>()).value == -infinity);
    a(2, 2) = std::numeric_limits<TestType>::quiet_NaN();
    CHECK(std::isnan(log_det(a)));
    CHECK(std::isnan(determinant(cr::fixed_matrix<cr::dual<TestType, 1>, 6>(a)).value));
}
