// SPDX-License-Identifier: BSL-1.0
//
// Sparse Hessians of hundreds of variables: the compilers' work grows as the entries, not as the square of the number
// of variables.
#include <chainrule/chainrule.hpp>

namespace {

namespace cr = chainrule;

// f = sum over i of x[i + 1] exp(x[i]): tridiagonal, without the last entry of the diagonal.
template <std::size_t N>
constexpr auto chain = cr::function<N>([](const auto& x) {
    auto sum = x[1] * exp(x[0]);
    for (std::size_t i = 1; i + 1 < N; ++i) sum += x[i + 1] * exp(x[i]);
    return sum;
});

template <std::size_t N>
constexpr bool is_tridiagonal = [] {
    const auto pattern = chain<N>.hessian_sparsity();
    bool right = pattern.size() == 3 * N - 3 && !pattern.contains(N - 1, N - 1);
    for (std::size_t i = 0; i + 1 < N; ++i)
        right = right && pattern.contains(i, i) && pattern.contains(i, i + 1) && pattern.contains(i + 1, i);
    return right;
}();
static_assert(is_tridiagonal<300>);

// The sum of the constraints x[2i] x[2i + 1] + sin(x[i]), weighted.
constexpr std::size_t pairs = 60;
constexpr auto constraints = cr::function<2 * pairs>([](const auto& x) {
    std::array<std::remove_cvref_t<decltype(x[0] * x[1])>, pairs> all{};
    for (std::size_t i = 0; i < pairs; ++i) all[i] = x[2 * i] * x[2 * i + 1] + sin(x[i]);
    return all;
});
static_assert(constraints.lagrangian_hessian_sparsity().size() == 3 * pairs);

} // namespace
