// SPDX-License-Identifier: BSL-1.0
//
// Jacobians of 300 rows and 60 columns, which each depend on three variables: forward sweeps over all nodes for each
// column exceeded the compilers' steps from 150 rows on, and on clang from 100.
#include <chainrule/chainrule.hpp>

#include <array>
#include <utility>

namespace {

namespace cr = chainrule;

constexpr std::size_t rows = 300, columns = 60;
constexpr auto x = cr::variables<"x", columns>;

template <std::size_t I>
constexpr auto at() {
    return x[boost::hana::size_c<I % columns>];
}
template <std::size_t I>
constexpr auto row() {
    return sin(at<I>()) * at<7 * I + 3>() + exp(0.1 * at<11 * I + 5>());
}
constexpr auto F = []<std::size_t... I>(std::index_sequence<I...>) {
    return cr::function(cr::vector(row<I>()...), cr::wrt(x));
}(std::make_index_sequence<rows>{});

// A row has three entries.
static_assert(F.jacobian_sparsity().size() == 3 * rows);
static_assert(F.jacobian_sparsity().contains(299, 59) && F.jacobian_sparsity().contains(299, 56));

} // namespace

std::array<std::array<double, columns>, rows> full(const std::array<double, columns>& point) {
    return F.jacobian(point);
}
auto sparse(const std::array<double, columns>& point) { return F.sparse_jacobian(point); }
