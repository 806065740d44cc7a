// SPDX-License-Identifier: BSL-1.0
//
// Batched solves: times of implied volatilities, Kepler's equation and many small fits, and of loops over the problems
// in plain scalar code. Contestants alternate, and answers are compared first. Prints nanoseconds per problem of the
// scalar loop and the other's time as a ratio to it. Compile with -O3 -march=native.
#include <chainrule/batch.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "by_hand.hpp"

#if __has_include(<unsupported/Eigen/LevenbergMarquardt>)
#include "by_eigen.hpp"
#endif

namespace cr = chainrule;
using namespace cr::literals;

namespace {

bool quick = false; // --quick: few problems and one round, to see that answers are equal

template <class Contestant>
double once(const Contestant& contestant) {
    const auto begin = std::chrono::steady_clock::now();
    contestant();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
}
/// Runs the contestants in turn and prints the medians; the first is the measure of the others. Before and after,
/// `check` compares their answers.
template <class Check, class... Contestant>
void measure(const char* name, std::size_t problems, const Check& check, const Contestant&... contestants) {
    (contestants(), ...);
    check();
    const std::size_t rounds = quick ? 1 : 21;
    std::vector<double> times[sizeof...(Contestant)];
    for (std::size_t round = 0; round < rounds; ++round) {
        std::size_t place = 0;
        (times[place++].push_back(once(contestants)), ...);
    }
    check();
    double scalar = 0.0;
    std::printf("%-44s", name);
    for (auto& all : times) {
        std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(rounds / 2), all.end());
        const double median = all[rounds / 2] / static_cast<double>(problems);
        if (scalar == 0.0)
            std::printf("%10.1f ns", scalar = median);
        else
            std::printf("%10.3f", median / scalar);
    }
    std::printf("\n");
}

void compare(const char* name, const std::vector<double>& a, const double* b, double tolerance) {
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(std::abs(a[i] - b[i]) <= tolerance * std::abs(a[i]))) {
            std::fprintf(stderr, "%s: the answers of problem %zu differ: %.17g and %.17g\n", name, i, a[i], b[i]);
            std::exit(1);
        }
}

/// Numbers from 0 to 1 that look irregular.
double spread(std::size_t i, std::size_t prime, std::size_t n) {
    return (static_cast<double>(i * prime % n) + 0.5) / static_cast<double>(n);
}

void kepler() {
    constexpr auto anomaly = cr::variable<"E">;
    constexpr auto e = cr::variable<"e">;
    constexpr auto mean = cr::variable<"M">;
    constexpr auto equation =
        cr::function(anomaly - e * sin(anomaly) - mean, cr::wrt(anomaly), cr::given(e = 0.0, mean = 0.0));
    const std::size_t n = quick ? 1000 : 1'000'000;
    std::vector<double> es(n), means(n), starts(n), roots(n), by_loop(n);
    std::vector<int> iterations(n);
    for (std::size_t i = 0; i < n; ++i) {
        es[i] = i % 10 == 0 ? 0.99 : 0.99 * spread(i, 7919, n);
        means[i] = 3.14159 * spread(i, 104729, n);
        starts[i] = means[i] + 0.85 * es[i]; // Danby's
    }
    const auto scalar = [&] {
        by_hand::kepler(n, es.data(), means.data(), starts.data(), by_loop.data(), iterations.data());
    };
    const auto lanes = [&] {
        const auto ends = cr::batch(equation).newton(cr::columns(anomaly = starts, e = es, mean = means), roots);
        if (!ends.all_converged()) std::exit(2);
    };
    const auto check = [&] { compare("Kepler's equation", by_loop, roots.data(), 1e-12); };
    measure("Kepler's equation, e up to 0.99", n, check, scalar, lanes);
}

void volatilities() {
    constexpr auto s = cr::variable<"s">; // the total volatility, sigma sqrt(T)
    constexpr auto k = cr::variable<"k">; // log(strike / forward)
    constexpr auto c = cr::variable<"c">; // the price of the option that is out of the money, over sqrt(forward strike)
    constexpr auto d = abs(k);
    constexpr auto price = exp(-d / 2_c) * normal_cdf(-d / s + s / 2_c) - exp(d / 2_c) * normal_cdf(-d / s - s / 2_c);
    constexpr auto equation = cr::function(1_c / log(price) - 1_c / log(c), cr::wrt(s), cr::given(k = 0.0, c = 0.0));
    const std::size_t n = quick ? 1000 : 1'000'000;
    std::vector<double> ks(n), cs(n), starts(n), roots(n), truths(n), by_loop(n);
    std::vector<int> iterations(n);
    for (std::size_t i = 0; i < n; ++i) {
        truths[i] = 0.05 + 0.75 * spread(i, 7919, n);
        ks[i] = truths[i] * (6.0 * spread(i, 104729, n) - 3.0);
        cs[i] = by_hand::price(truths[i], ks[i]);
        starts[i] = by_hand::start(ks[i], cs[i]);
    }
    const auto scalar = [&] {
        by_hand::volatilities(n, ks.data(), cs.data(), starts.data(), by_loop.data(), iterations.data());
    };
    const auto lanes = [&] {
        const auto ends = cr::batch(equation).newton(cr::columns(s = starts, k = ks, c = cs), roots,
                                                     cr::newton_options{.tolerance = 1e-13});
        if (!ends.all_converged()) std::exit(2);
    };
    const auto check = [&] {
        compare("implied volatilities, and the truth", truths, roots.data(), 1e-12);
        compare("implied volatilities, both", by_loop, roots.data(), 1e-12);
    };
    measure("implied volatilities, 3 deviations", n, check, scalar, lanes);
}

void exponentials() {
    constexpr auto t = cr::variable<"t">;
    constexpr auto y = cr::variable<"y">;
    constexpr auto a = cr::variable<"a">;
    constexpr auto b = cr::variable<"b">;
    constexpr auto c = cr::variable<"c">;
    const std::size_t n = quick ? 100 : 10'000, m = 50;
    std::vector<double> times(m), counts(n * m), by_loop(3 * n), found(3 * n);
    for (std::size_t i = 0; i < m; ++i) times[i] = 0.1 * static_cast<double>(i);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < m; ++j)
            counts[i * m + j] = (1 + 4 * spread(i, 7919, n)) * std::exp(-(0.3 + 1.5 * spread(i, 17, n)) * times[j]) +
                                spread(i, 31, n) + 0.02 * std::sin(12.9898 * static_cast<double>(i * m + j));
    const auto all =
        cr::fits(y - (a * exp(-b * t) + c), cr::over_fits(t = times, y = cr::rows(counts, m)), cr::wrt(a, b, c));
    const auto scalar = [&] { by_hand::exponentials(n, m, times.data(), counts.data(), by_loop.data()); };
    const auto lanes = [&] {
        const auto fits = all.levenberg_marquardt(std::array{2.0, 1.0, 0.5});
        if (!fits.all_converged()) std::exit(2);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < 3; ++j) found[3 * i + j] = fits(i, j);
    };
    const auto check = [&] { compare("fits of an exponential", by_loop, found.data(), 1e-6); };
#if __has_include(<unsupported/Eigen/LevenbergMarquardt>)
    std::vector<double> by_eigen(3 * n);
    const auto eigen = [&] { by_eigen::exponentials(n, m, times.data(), counts.data(), by_eigen.data()); };
    const auto check_all = [&] {
        check();
        compare("fits of an exponential, Eigen", by_loop, by_eigen.data(), 1e-6);
    };
    measure("3-parameter exponential, 50 points; Eigen", n, check_all, scalar, lanes, eigen);
#else
    measure("3-parameter exponential, 50 points", n, check, scalar, lanes);
#endif
}

} // namespace

int main(int count, char** arguments) {
    quick = count > 1 && std::strcmp(arguments[1], "--quick") == 0;
    kepler();
    volatilities();
    exponentials();
}
