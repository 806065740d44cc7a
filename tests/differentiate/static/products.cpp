// SPDX-License-Identifier: BSL-1.0
//
// Products of derivatives with directions and weights, third derivatives, sparse derivatives, and the mode in which a
// Jacobian is derived.
#include <chainrule/chainrule.hpp>

namespace {

namespace cr = chainrule;
using namespace cr::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;
constexpr auto k = cr::variable<"k">;

constexpr auto f = x * x * y + y * y * y * z + x * z;
constexpr auto F = cr::function(f, cr::wrt(x, y, z));
constexpr std::array at{2.0, 3.0, 5.0}, direction{1.0, -1.0, 2.0};
constexpr auto gradient = F.gradient(at);
constexpr auto hessian = F.hessian(at);

// One expression ------------------------------------------------------------------------------------------------------

static_assert(F.jvp(at, direction) == gradient[0] - gradient[1] + 2 * gradient[2]);
static_assert(F.vjp(at, 2.0) == std::array{2 * gradient[0], 2 * gradient[1], 2 * gradient[2]});
static_assert(F.vjp(at, std::array{2.0}) == F.vjp(at, 2.0));
static_assert(F.lagrangian_hessian(at, 2.0)[0][1] == 2 * hessian[0][1]);
static_assert(F.sparse_lagrangian_hessian(at, 2.0)[1] == 2 * hessian[0][1]);
static_assert(F.hvp(at, direction)[0] == hessian[0][0] - hessian[0][1] + 2 * hessian[0][2]);
static_assert(F.hvp(at, direction)[2] == hessian[2][0] - hessian[2][1] + 2 * hessian[2][2]);

constexpr auto third = F.third_derivatives(at);
static_assert(third[0][0][1] == 2 && third[0][1][0] == 2 && third[1][0][0] == 2);
static_assert(third[1][1][2] == 18 && third[1][2][1] == 18 && third[2][1][1] == 18);
static_assert(third[1][1][1] == 30 && third[0][1][2] == 0 && third[2][2][2] == 0);
static_assert(F.third_derivatives(2.0, 3.0, 5.0) == third);

// Several -------------------------------------------------------------------------------------------------------------

constexpr auto G = cr::function(cr::vector(f, x* y, z* z), cr::wrt(x, y, z));
constexpr auto jacobian = G.jacobian(at);
constexpr std::array weights{1.0, 4.0, -1.0};

static_assert(G.jvp(at, direction) == std::array{F.jvp(at, direction), 3.0 - 2.0, 20.0});
static_assert(G.vjp(at, weights)[0] == jacobian[0][0] + 4 * jacobian[1][0]);
static_assert(G.vjp(at, weights)[2] == jacobian[0][2] - jacobian[2][2]);
static_assert(G.lagrangian_hessian(at, weights)[0][1] == hessian[0][1] + 4);
static_assert(G.lagrangian_hessian(at, weights)[1][0] == hessian[0][1] + 4);
static_assert(G.lagrangian_hessian(at, weights)[2][2] == hessian[2][2] - 2);

// Parameters, stored numbers and float come along.
constexpr auto P = cr::function(k * x * x + 3.0 * y, cr::wrt(x, y), cr::given(k = 2.0));
static_assert(P.jvp(std::array{1.0, 1.0}, std::array{1.0, 10.0}) == 34);
static_assert(P.hvp(std::array{1.0, 1.0}, std::array{1.0, 10.0}) == std::array{4.0, 0.0});
static_assert(std::same_as<decltype(F.jvp(std::array{1.F, 2.F, 3.F}, std::array{1.F, 2.F, 3.F})), float>);
static_assert(std::same_as<decltype(F.jvp(std::array{1.F, 2.F, 3.F}, direction)), double>);

// A direction that does not reach an output, and a variable that does not occur.
constexpr auto Q = cr::function(cr::vector(x, 2_c * y), cr::wrt(x, y, z));
static_assert(Q.jvp(at, std::array{0.0, 0.0, 1.0}) == std::array{0.0, 0.0});
static_assert(Q.vjp(at, std::array{1.0, 1.0}) == std::array{1.0, 2.0, 0.0});

// Sparse derivatives --------------------------------------------------------------------------------------------------

constexpr auto rows = G.jacobian_sparsity();
static_assert(rows.row_starts == std::array{0, 3, 5, 6} && rows.columns == std::array{0, 1, 2, 0, 1, 2});
static_assert(rows.row_count() == 3 && rows.column_count() == 3 && rows.size() == 6);
static_assert(rows.contains(1, 0) && !rows.contains(1, 2));
static_assert(G.sparse_jacobian(at) == std::array{jacobian[0][0], jacobian[0][1], jacobian[0][2], 3.0, 2.0, 10.0});
static_assert(G.jacobian_sparsity() == cr::sparsity(cr::jacobian(cr::vector(f, x* y, z* z), cr::wrt(x, y, z))));

constexpr auto places = F.hessian_sparsity();
static_assert(places.row_starts == std::array{0, 3, 6, 8} && places.columns == std::array{0, 1, 2, 0, 1, 2, 0, 1});
static_assert(F.sparse_hessian(at) == std::array{hessian[0][0], hessian[0][1], hessian[0][2], hessian[1][0],
                                                 hessian[1][1], hessian[1][2], hessian[2][0], hessian[2][1]});
static_assert(places == cr::sparsity(cr::hessian(f)));
static_assert(G.lagrangian_hessian_sparsity().size() == 9);
static_assert(G.sparse_lagrangian_hessian(at, weights)[8] == hessian[2][2] - 2);
// Terms that cancel make no entry, and an entry missing in a row above leaves no gap.
static_assert(cr::sparsity(cr::hessian(x * y - y * x + z * z)).columns == std::array{2});
static_assert(cr::sparsity(cr::hessian(x + y)).size() == 0);
static_assert(cr::function(x + y, cr::wrt(x, y)).sparse_hessian(1.0, 2.0).empty());

// A chain of 30 variables, each tied to the next: 30 entries on the diagonal and 58 beside it.
constexpr auto links = cr::variables<"v", 30>;
constexpr auto chain = []<std::size_t... I>(std::index_sequence<I...>) {
    return (... + exp(links.get<I>() * links.get<I + 1>()));
}(std::make_index_sequence<29>{});
constexpr auto pattern_of_chain = cr::sparsity(cr::hessian(chain, cr::wrt(links)));
static_assert(pattern_of_chain.size() == 88);
static_assert(pattern_of_chain.row_starts[1] == 2 && pattern_of_chain.row_starts[2] == 5);
static_assert(pattern_of_chain.columns[2] == 0 && pattern_of_chain.columns[3] == 1 && pattern_of_chain.columns[4] == 2);

// The way in which a Jacobian is derived ------------------------------------------------------------------------------

constexpr auto line = exp(sin(x * x) * x);
constexpr auto waist = sin(x * y + z * k) * exp(x - z) * k;
static_assert(cr::jacobian_mode_of(cr::function(cr::vector(f, x* y, z* z), cr::wrt(x, y, z))) ==
              cr::jacobian_mode::reverse);
static_assert(cr::jacobian_mode_of(cr::function(cr::vector(sin(waist), cos(waist), exp(waist), log(waist),
                                                           waist* waist),
                                                cr::wrt(x, y, z, k))) == cr::jacobian_mode::cross_country);
static_assert(cr::jacobian_mode_of(cr::function(cr::vector(sin(line), cos(line), exp(line), log(line)), cr::wrt(x))) ==
              cr::jacobian_mode::forward);
static_assert(cr::jacobian_mode_of(F) == cr::jacobian_mode::reverse);

// The cost in additions: two multiplications, an addition, one fused operation, and a sine with its cosine.
static_assert(cr::operation_count(cr::function(sin(x * y) + x, cr::wrt(x, y))).cost ==
              4 + cr::graph::operation_cost::elementary);
static_assert(cr::operation_count(cr::function(x / y, cr::wrt(x, y))).cost > 5);

} // namespace
