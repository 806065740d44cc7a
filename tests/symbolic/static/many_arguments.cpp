// SPDX-License-Identifier: BSL-1.0
//
// Derivatives by name with respect to hundreds of variables, listed and given values one by one.
#include "../../many_variables.hpp"

namespace cr = chainrule;

constexpr auto f = cr::dot(q, q);
constexpr auto last = q.template get<many - 1>();

static_assert(with_many_named(cr::gradient(f))[last] == 4.0);
static_assert(with_many_named(with_many([](auto... v) { return cr::value_and_gradient(f, v...); })).value ==
              4.0 * many);
static_assert(with_many_named(cr::jacobian(cr::vector(f, sin(f)), last))[0][last] == 4.0);
static_assert(with_many_named(cr::hessian(f, last))(last, last) == 2.0);
