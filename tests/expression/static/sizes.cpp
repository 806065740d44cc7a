// SPDX-License-Identifier: BSL-1.0
//
// Expressions that are deep and lists that are long compile with the default options of every compiler: no template and
// no fold expression nests as deep as they are.
#include "repeated.hpp"

#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
namespace request = chainrule::request;
using namespace cr::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

// The program for a request with this many outputs.
template <unsigned Request, int Outputs, class F>
constexpr bool has_program(const F&) {
    return F::template code<Request>::code().output_count == Outputs;
}

// 400 operations one on top of the other, each of them shared with nothing.
constexpr auto deep = repeated<134>(x, [](auto s) { return sin(s) * x + y; });
static_assert(int{decltype(deep)::depth} == 402);
static_assert(has_program<(request::values | request::jacobians), 3>(cr::function(deep, cr::wrt(x, y))));

// Another expression in place of a variable of it.
static_assert(int{decltype(substitute(deep, y = x * y))::depth} >= 402);

// A sum of terms with stored numbers.
constexpr auto stored = repeated<149>(0.5 * x, [](auto s) { return s + 1.25 * (x * y); });
static_assert(int{decltype(stored)::numbers} == 150);
static_assert(has_program<(request::values | request::jacobians), 3>(cr::function(stored, cr::wrt(x, y))));

// 300 variables, of one vector and one by one.
constexpr auto q = cr::variables<"q", 300>;
static_assert(has_program<request::jacobians, 300>(cr::function(cr::dot(q, q), cr::wrt(q))));
template <std::size_t... I>
constexpr auto listed(std::index_sequence<I...>) {
    return cr::wrt(q.template get<I>()...);
}
static_assert(std::same_as<decltype(listed(std::make_index_sequence<300>{})), decltype(cr::wrt(q))>);
