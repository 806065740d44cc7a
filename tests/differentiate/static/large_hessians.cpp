// SPDX-License-Identifier: BSL-1.0
//
// Hessians of functions with matrices of numbers: operations grow as the number of entries, and the constant factors,
// all of them different, stay within the steps that compilers allow for an evaluation.
#include <chainrule/chainrule.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace {

namespace cr = chainrule;

// The Helmholtz energy of a mixture of N components (bench/workloads/helmholtz_of_size.hpp) with numbers of 53 bits.
template <std::size_t N>
struct energy {
    std::array<std::array<double, N>, N> a{};
    std::array<double, N> b{};

    constexpr energy() {
        std::uint64_t state = 7;
        const auto next = [&] {
            state = state * 6364136223846793005u + 1442695040888963407u;
            return 0.02 + static_cast<double>(state >> 11) * 0x1p-53;
        };
        for (double& each : b) each = 0.05 * next();
        for (std::size_t i = 0; i < N; ++i)
            for (std::size_t j = 0; j <= i; ++j) a[i][j] = a[j][i] = next();
    }
    constexpr auto operator()(const auto& x) const {
        auto bx = b[0] * x[0];
        for (std::size_t i = 1; i < N; ++i) bx += b[i] * x[i];
        auto mixing = x[0] * log(x[0] / (1.0 - bx));
        for (std::size_t i = 1; i < N; ++i) mixing += x[i] * log(x[i] / (1.0 - bx));
        auto form = 0.0 * x[0];
        for (std::size_t i = 0; i < N; ++i) {
            auto row = a[i][0] * x[0];
            for (std::size_t j = 1; j < N; ++j) row += a[i][j] * x[j];
            form += x[i] * row;
        }
        return 2.479 * mixing - form / bx * log((1.0 + 2.4 * bx) / (1.0 - 0.4 * bx));
    }
};
template <std::size_t N>
constexpr energy<N> mixture{};
template <std::size_t N>
constexpr auto helmholtz = cr::function<N>([](const auto& x) { return mixture<N>(x); });

template <std::size_t N>
constexpr int operations = cr::operation_count<cr::request::hessians>(helmholtz<N>).total;

// 10, 55 and 210 entries. With the rows of the matrix summed anew for each entry, 20 variables would take three times
// as many operations.
static_assert(operations<10> < 4 * operations<4>);
static_assert(operations<20> < 4 * operations<10>);

} // namespace
