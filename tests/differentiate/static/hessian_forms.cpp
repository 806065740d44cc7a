// SPDX-License-Identifier: BSL-1.0
//
// The form of a Hessian, reverse or forward sweeps, is the cheaper one: the operations of functions for which the
// cheaper form differs. The other form takes the number of operations in the comment.
#include <chainrule/chainrule.hpp>

#include <cstddef>

namespace {

namespace cr = chainrule;

template <class F>
constexpr int operations(const F& f) {
    return cr::operation_count<cr::request::hessians>(f).total;
}

// x'Ax inside an exponential. Rows of a matrix that repeat are summed once in reverse, too.
constexpr auto repeating_rows = cr::function<12>([](const auto& x) {
    auto form = 0.0 * x[0];
    for (std::size_t i = 0; i < 12; ++i) {
        auto row = 0.0 * x[0];
        for (std::size_t j = 0; j < 12; ++j) row += (1.0 + static_cast<double>((i * 7 + j * 3) % 5)) * x[j];
        form += x[i] * row;
    }
    return exp(-0.5 * form);
});
static_assert(operations(repeating_rows) <= 314); // 358

// Rows that differ, and one sum of all products.
constexpr auto different_rows = cr::function<8>([](const auto& x) {
    auto form = 0.0 * x[0];
    for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t j = 0; j <= i; ++j) form += 1.0 / (3.0 + static_cast<double>(i * i + 2 * j)) * x[i] * x[j];
    return exp(-0.5 * form);
});
static_assert(operations(different_rows) <= 295); // 519

// Three long sums below other functions. Compilers evaluate operands in different orders, which changes the count a
// little.
constexpr auto composition = cr::function<6>([](const auto& x) {
    const auto t = x[0] + 2.0 * x[1] - x[2] + 3.0 * x[3] + x[4] - x[5];
    const auto u = 1.5 * x[0] - x[1] + x[2] + x[3] - 2.0 * x[4] + x[5];
    const auto v = x[0] + x[1] + x[2] + x[3] + x[4] + x[5];
    const auto s = x[0] * x[1] + x[2] * x[3] + x[4] * x[5];
    return exp(sin(t) * cos(u) * v / (1.0 + s * s));
});
static_assert(operations(composition) < 300); // 317

// The length of three sums.
constexpr auto length = cr::function<6>([](const auto& x) {
    const auto t = x[0] + 2.0 * x[1] - x[2] + 3.0 * x[3] + x[4] - x[5];
    const auto u = 1.5 * x[0] - x[1] + x[2] + x[3] - 2.0 * x[4] + x[5];
    const auto v = x[0] + x[1] + x[2] + x[3] + x[4] + x[5];
    return sqrt(1.0 + t * t + u * u + v * v);
});
static_assert(operations(length) <= 87); // 113

constexpr auto price = cr::function([](auto spot, auto strike, auto rate, auto sigma, auto time) {
    const auto spread = sigma * sqrt(time);
    const auto d1 = (log(spot / strike) + (rate + 0.5 * sigma * sigma) * time) / spread;
    return spot * cr::normal_cdf(d1) - strike * exp(-rate * time) * cr::normal_cdf(d1 - spread);
});
static_assert(operations(price) <= 98); // 100

// One form or the other.
constexpr auto valley = cr::function<10>([](const auto& x) {
    auto sum = 0.0 * x[0];
    for (std::size_t i = 0; i + 1 < 10; ++i) {
        const auto rise = x[i + 1] - x[i] * x[i], rest = 1.0 - x[i];
        sum += 100.0 * (rise * rise) + rest * rest;
    }
    return sum;
});
static_assert(operations(valley) <= 45);

} // namespace
