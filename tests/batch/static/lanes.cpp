// SPDX-License-Identifier: BSL-1.0
//
// Lanes as types, and what a batch is before it computes.
#include <chainrule/batch.hpp>

#include <type_traits>

namespace {

namespace cr = chainrule;
namespace batches = chainrule::batches;

static_assert(batches::lane_count<double> == 1);
static_assert(std::is_same_v<batches::element<double>, double>);
static_assert(std::is_same_v<batches::element<batches::vector_number<float, 8>>, float>);
static_assert(batches::lane_count<batches::vector_number<float, 8>> == 8);
static_assert(std::is_same_v<batches::widest<long double>, long double>);
static_assert(batches::lane_count<batches::widest<float>> == 2 * batches::lane_count<batches::widest<double>>);
static_assert(sizeof(batches::widest<double>) == chainrule::simd::register_bytes);
static_assert(std::is_trivially_default_constructible_v<batches::widest<double>>);
static_assert(std::is_trivially_copyable_v<batches::widest<double>>);

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

// A batch of an expression without stored numbers holds nothing.
constexpr auto b = cr::batch(cr::function(x * y, cr::wrt(x, y)));
static_assert(std::is_empty_v<decltype(b)>);

// The outputs of a Hessian, both halves and one.
using full = batches::destinations<cr::request::values | cr::request::hessians, 1, 2, true>;
static_assert(full::count == 4 && full::places == 5);
static_assert(full::of[2].count == 2 && full::of[2].places[0] == 2 && full::of[2].places[1] == 3);
static_assert(batches::destinations<cr::request::hessians, 1, 3, false>::places == 6);

} // namespace
