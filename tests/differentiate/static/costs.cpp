// SPDX-License-Identifier: BSL-1.0
//
// The cost of derivatives relative to the value, in weighted operations, so that the bounds hold on every machine, for
// the Helmholtz energy of a mixture of ten components (Griewank and Walther, Evaluating Derivatives, 2008).
#include <chainrule/chainrule.hpp>

namespace {

namespace cr = chainrule;
using namespace cr::literals;
using cr::request::hessians;
using cr::request::jacobians;
using cr::request::values;

constexpr auto x = cr::variables<"x", 10>;
constexpr auto a = cr::variables<"a", 10>;
constexpr auto bound = cr::wrt(x);

// The matrix of interactions is that of a mixing rule, a_i a_j; a and the covolumes are parameters.
constexpr auto b = cr::variables<"b", 10>;
constexpr auto bx = dot(b, x);
constexpr auto ax = dot(a, x);
constexpr auto mixing = []<std::size_t... I>(std::index_sequence<I...>) {
    return (... + (x.get<I>() * log(x.get<I>() / (1_c - bx))));
}(std::make_index_sequence<10>{});
constexpr auto energy = 2.479_c * mixing - ax * ax / (sqrt(8_c) * bx) *
                                               log((1_c + (1_c + sqrt(2_c)) * bx) / (1_c + (1_c - sqrt(2_c)) * bx));
constexpr auto helmholtz = []<std::size_t... I>(std::index_sequence<I...>) {
    return cr::function(energy, bound, cr::given((a.get<I>() = 0.5)..., (b.get<I>() = 0.03)...));
}(std::make_index_sequence<10>{});

constexpr int value = cr::operation_count<values>(helmholtz).cost;
static_assert(cr::operation_count<(values | jacobians)>(helmholtz).cost < 2 * value);
static_assert(cr::operation_count<hessians>(helmholtz).cost < 2 * value); // 55 different entries
static_assert(cr::operation_count<(values | jacobians | hessians)>(helmholtz).cost < 3 * value);

// A difference is computed the way round that leaves no sign for the output: y * c - z * s for -(z * s - y * c).
constexpr auto t = cr::variable<"t">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;
constexpr auto wave = cr::function(exp(-z * t) * sin(y * t), cr::wrt(t, y, z));
static_assert(cr::operation_count(wave).total == cr::operation_count<values>(wave).total + 7); // and one sign
constexpr auto falling = cr::function(exp(y - t * z), cr::wrt(t), cr::given(y = 1.0, z = 1.0));
static_assert(cr::operation_count(falling).total == cr::operation_count<values>(falling).total + 2);

// A stored number times a variable stays in the sum of the value, as in 1 + 2 * x, where an operation is fused with it:
// 1 - 2 * (x / (1 + 2 * x)) is fused too, and needs no product kept from there.
constexpr auto kinetics = cr::function(y / (1.0 + 2.0 * y) * (z / (1.0 + 3.0 * z)), cr::wrt(y, z));
static_assert(cr::operation_count(kinetics).total == 11 && cr::operation_count(kinetics).fused == 4);

} // namespace
