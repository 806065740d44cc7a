// SPDX-License-Identifier: BSL-1.0
//
// The implied volatilities of many options, some per call: a kernel runs in the SIMD numbers of other libraries,
// std::experimental::simd and, where it is installed, xsimd. Lane by lane, Newton's steps are those of plain numbers.
#include <chainrule/chainrule.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

#if __has_include(<experimental/simd>)
#include <experimental/simd>
#endif
#if __has_include(<xsimd/xsimd.hpp>)
#include <xsimd/xsimd.hpp>
#endif

namespace cr = chainrule;

namespace {

// A call with spot 1 and no interest; prices and strikes are fractions of the spot.
constexpr auto price = cr::function([](auto volatility, auto strike, auto years) {
    const auto deviation = volatility * sqrt(years);
    const auto d = 0.5 * deviation - log(strike) / deviation;
    return 0.5 * erfc(-0.70710678118654752440 * d) - 0.5 * strike * erfc(-0.70710678118654752440 * (d - deviation));
});

/// Volatilities from prices by ten of Newton's steps; T is a number or lanes of numbers.
template <class T>
T implied(const T& target, const T& strike, const T& years) {
    T volatility(0.3);
    for (int step = 0; step < 10; ++step) {
        const auto [value, gradient] = price.value_and_gradient(volatility, strike, years);
        volatility = volatility - (value - target) / gradient[0];
    }
    return volatility;
}

constexpr std::size_t count = 64;

struct options {
    std::array<double, count> volatility, strike, years, price;
};

options quotes() {
    options o{};
    for (std::size_t i = 0; i < count; ++i) {
        o.volatility[i] = 0.15 + 0.005 * static_cast<double>(i);
        o.strike[i] = 0.9 + 0.2 * static_cast<double>(i % 8) / 7.0;
        o.years[i] = 0.5 + 0.25 * static_cast<double>(i / 8);
        o.price[i] = price(o.volatility[i], o.strike[i], o.years[i]);
    }
    return o;
}

void report(const char* numbers, const options& o, const std::array<double, count>& found) {
    double error = 0.0;
    for (std::size_t i = 0; i < count; ++i) error = std::max(error, std::abs(found[i] - o.volatility[i]));
    std::printf("%s: %.4f to %.4f, %s\n", numbers, found.front(), found.back(),
                error < 1e-12 ? "as quoted" : "not as quoted");
}

} // namespace

int main() {
    const options o = quotes();
    std::array<double, count> found{};
    for (std::size_t i = 0; i < count; ++i) found[i] = implied(o.price[i], o.strike[i], o.years[i]);
    report("double", o, found);

#if __has_include(<experimental/simd>)
    namespace stdx = std::experimental;
    using lanes = stdx::native_simd<double>;
    found.fill(0.0);
    const auto load = [](const double* from) { return lanes(from, stdx::element_aligned); };
    for (std::size_t i = 0; i < count; i += lanes::size())
        implied(load(&o.price[i]), load(&o.strike[i]), load(&o.years[i])).copy_to(&found[i], stdx::element_aligned);
    report("std::experimental::simd", o, found);
#else
    std::puts("std::experimental::simd: skipped, the standard library has no <experimental/simd>");
#endif

#if __has_include(<xsimd/xsimd.hpp>)
    using batch = xsimd::batch<double>;
    found.fill(0.0);
    for (std::size_t i = 0; i < count; i += batch::size)
        implied(batch::load_unaligned(&o.price[i]), batch::load_unaligned(&o.strike[i]),
                batch::load_unaligned(&o.years[i]))
            .store_unaligned(&found[i]);
    report("xsimd", o, found);
#else
    std::puts("xsimd: skipped, not installed (Debian: libxsimd-dev)");
#endif
}
