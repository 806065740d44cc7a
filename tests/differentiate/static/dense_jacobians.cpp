// SPDX-License-Identifier: BSL-1.0
//
// Jacobians without zeros of dozens of variables, which exceeded the steps of a constant evaluation: in sweeps that
// find more products than they add, and in the passes, where outputs outnumber nodes.
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

// Entry (i, j) is 2 x_i x_j, once for both halves, and on the diagonal plus the dot product: 1275 products and as many
// doublings, squares and sums as variables.
constexpr auto x = cr::variables<"x", 50>;
constexpr auto counted = cr::operation_count<cr::request::jacobians>(cr::function(x * dot(x, x), x));
static_assert(counted.calls == 0 && counted.divisions == 0);
static_assert(counted.total < 1275 + 3 * 50);

// Entry (i, j) is 2 exp(v_i d) v_i v_j, with d = dot(v, v), and on the diagonal plus exp(v_i d) d: a product each, and
// for each row a few more.
template <std::size_t... I>
constexpr auto exponentials(std::index_sequence<I...>) {
    constexpr auto v = cr::variables<"v", int{sizeof...(I)}>;
    return cr::function(vector(exp(v.template get<I>() * dot(v, v))...), v);
}
constexpr auto of_exponentials =
    cr::operation_count<cr::request::jacobians>(exponentials(std::make_index_sequence<40>{}));
static_assert(of_exponentials.calls == 40 && of_exponentials.divisions == 0);
static_assert(of_exponentials.total < 1600 + 7 * 40);
