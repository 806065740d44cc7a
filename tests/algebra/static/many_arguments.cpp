// SPDX-License-Identifier: BSL-1.0
//
// Hundreds of variables that are replaced at once, and a function of hundreds of expressions.
#include "../../many_variables.hpp"

namespace cr = chainrule;

constexpr auto f = cr::dot(q, q);
constexpr auto t = cr::variable<"t">;

static_assert(with_many([](auto... v) { return substitute(f, (v = t)...); })(t = 2.0) == 4.0 * many);
static_assert(with_many_named([](auto... x) { return substitute(f, x...); })() == 4.0 * many);

constexpr auto F = with_many([](auto... v) { return cr::function(f, v...); });
static_assert(with_many([](auto... v) {
                  return F((v + t)...);
              })(cr::variables<"q", int{many}> = std::array<double, many>{}, t = 2.0) == 4.0 * many);
