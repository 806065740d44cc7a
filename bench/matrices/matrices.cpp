// SPDX-License-Identifier: BSL-1.0
//
// Inverses, linear systems, determinants and Cholesky factors of fixed_matrix, 2 x 2 to 6 x 6, against plain arrays and
// loops, and against Eigen's matrices of fixed size. Contestants alternate, and answers are compared first. Prints
// nanoseconds per matrix of the hand-written code and the other times as ratios to it. Compile with -O3
// -march=native.
#include <chainrule/fixed_matrix.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <utility>

#include "by_hand.hpp"

#if __has_include(<Eigen/Dense>)
#include <Eigen/Dense>
#define BENCH_EIGEN
#endif

namespace cr = chainrule;

namespace {

bool quick = false; // --quick: one round, to see that answers are equal

constexpr std::size_t matrices = 64; // 6 x 6 and their results fit into the first cache

template <std::size_t N>
struct problems {
    // Positive definite, so that each contestant can factor each matrix.
    cr::fixed_matrix<double, N> a[matrices];
    cr::fixed_vector<double, N> b[matrices];

    problems() {
        std::mt19937_64 random(7);
        std::uniform_real_distribution<double> number(-1.0, 1.0);
        for (std::size_t m = 0; m < matrices; ++m) {
            cr::fixed_matrix<double, N> g;
            for (double& x : g) x = number(random);
            a[m] = g * transpose(g);
            for (std::size_t i = 0; i < N; ++i) a[m](i, i) += 0.5;
            for (double& x : b[m]) x = number(random);
        }
    }
};

#ifdef BENCH_EIGEN
template <std::size_t N>
using eigen_matrix = Eigen::Matrix<double, int{N}, int{N}, Eigen::RowMajor>;
template <std::size_t N>
using eigen_vector = Eigen::Matrix<double, int{N}, 1>;
template <std::size_t N>
Eigen::Map<const eigen_matrix<N>> as_eigen(const cr::fixed_matrix<double, N>& a) {
    return Eigen::Map<const eigen_matrix<N>>(a.numbers);
}
template <std::size_t N>
Eigen::Map<const eigen_vector<N>> as_eigen(const cr::fixed_vector<double, N>& v) {
    return Eigen::Map<const eigen_vector<N>>(v.numbers);
}
template <std::size_t N>
auto written(const eigen_matrix<N>& a) {
    cr::fixed_matrix<double, N> r;
    Eigen::Map<eigen_matrix<N>>(r.numbers) = a;
    return r;
}
template <std::size_t N>
auto written(const eigen_vector<N>& v) {
    cr::fixed_vector<double, N> r;
    Eigen::Map<eigen_vector<N>>(r.numbers) = v;
    return r;
}
#endif

template <class Result, std::size_t N, class Compute>
[[gnu::noinline]] void compute_all(const problems<N>& all, Result (&results)[matrices], const Compute& compute) {
    for (std::size_t m = 0; m < matrices; ++m) results[m] = compute(all.a[m], all.b[m]);
}

double numbers_apart(double x, double y) { return std::abs(x - y) / std::max(1.0, std::abs(x)); }
template <class Array>
double numbers_apart(const Array& x, const Array& y) {
    double largest = 0.0;
    for (std::size_t i = 0; i < std::size_t{Array::count}; ++i) {
        const double apart = numbers_apart(x.numbers[i], y.numbers[i]);
        if (!(apart <= largest)) largest = apart == apart ? apart : std::numeric_limits<double>::infinity();
    }
    return largest;
}

/// Compares the answers, runs the contestants in turn and prints the least times; the first is the measure of the
/// others.
template <class Result, std::size_t N, class... Contestant>
void measure(const char* name, const problems<N>& all, const Contestant&... contestants) {
    Result results[sizeof...(Contestant)][matrices] = {};
    std::size_t place = 0;
    (compute_all(all, results[place++], contestants), ...);
    const auto check = [&] {
        for (const auto& theirs : results)
            for (std::size_t m = 0; m < matrices; ++m)
                if (!(numbers_apart(results[0][m], theirs[m]) <= 1e-11)) {
                    std::fprintf(stderr, "%s, %zu x %zu: answers differ\n", name, N, N);
                    std::exit(1);
                }
    };
    check();
    const int rounds = quick ? 1 : 400, repetitions = quick ? 1 : 20;
    double least[sizeof...(Contestant)];
    std::fill(std::begin(least), std::end(least), std::numeric_limits<double>::infinity());
    const auto timed = [&](std::size_t contestant, const auto& compute) {
        const auto begin = std::chrono::steady_clock::now();
        for (int r = 0; r < repetitions; ++r) {
            compute_all(all, results[contestant], compute);
            asm volatile("" : : "g"(&results[contestant]) : "memory");
        }
        const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
        least[contestant] = std::min(least[contestant], time.count() / repetitions / matrices);
    };
    for (int round = 0; round < rounds; ++round) {
        place = 0;
        (timed(place++, contestants), ...);
    }
    check();
    std::printf("%-12s %zu x %zu %8.2f ns", name, N, N, least[0]);
    for (std::size_t i = 1; i < sizeof...(Contestant); ++i) std::printf("%9.3f", least[i] / least[0]);
    std::printf("\n");
}

template <std::size_t N>
void all_of_size() {
    const problems<N> all;
    using matrix = cr::fixed_matrix<double, N>;
    using vector = cr::fixed_vector<double, N>;
    measure<matrix>(
        "inverse", all, [](const matrix& a, const vector&) { return by_hand::inverse(a); },
        [](const matrix& a, const vector&) { return inverse(a); }
#ifdef BENCH_EIGEN
        ,
        [](const matrix& a, const vector&) { return written<N>(eigen_matrix<N>(as_eigen(a).inverse())); }
#endif
    );
    measure<vector>(
        "solve", all, [](const matrix& a, const vector& b) { return by_hand::solve(a, b); },
        [](const matrix& a, const vector& b) { return solve(a, b); }
#ifdef BENCH_EIGEN
        ,
        [](const matrix& a, const vector& b) {
            if constexpr (N <= 4) // Eigen's page on linear algebra advises the inverse up to 4 x 4
                return written<N>(eigen_vector<N>(as_eigen(a).inverse() * as_eigen(b)));
            else
                return written<N>(eigen_vector<N>(as_eigen(a).partialPivLu().solve(as_eigen(b))));
        }
#endif
    );
    measure<double>(
        "determinant", all, [](const matrix& a, const vector&) { return by_hand::determinant(a); },
        [](const matrix& a, const vector&) { return determinant(a); }
#ifdef BENCH_EIGEN
        ,
        [](const matrix& a, const vector&) { return as_eigen(a).determinant(); }
#endif
    );
    measure<matrix>(
        "cholesky", all, [](const matrix& a, const vector&) { return by_hand::cholesky(a); },
        [](const matrix& a, const vector&) { return cholesky(a).lower; }
#ifdef BENCH_EIGEN
        ,
        [](const matrix& a, const vector&) { return written<N>(eigen_matrix<N>(as_eigen(a).llt().matrixL())); }
#endif
    );
    measure<vector>(
        "definite", all, [](const matrix& a, const vector& b) { return by_hand::solve_definite(a, b); },
        [](const matrix& a, const vector& b) { return solve(cholesky(a), b); }
#ifdef BENCH_EIGEN
        ,
        [](const matrix& a, const vector& b) {
            return written<N>(eigen_vector<N>(as_eigen(a).llt().solve(as_eigen(b))));
        }
#endif
    );
    measure<matrix>(
        "product", all, [](const matrix& a, const vector&) { return by_hand::product(a, a); },
        [](const matrix& a, const vector&) { return a * a; }
#ifdef BENCH_EIGEN
        ,
        [](const matrix& a, const vector&) { return written<N>(eigen_matrix<N>(as_eigen(a) * as_eigen(a))); }
#endif
    );
}

} // namespace

int main(int count, char** arguments) {
    quick = count > 1 && std::strcmp(arguments[1], "--quick") == 0;
    std::printf("%-12s %5s %11s%9s%9s\n", "", "", "by hand", "ours", "Eigen");
    all_of_size<2>();
    all_of_size<3>();
    all_of_size<4>();
    all_of_size<5>();
    all_of_size<6>();
}
