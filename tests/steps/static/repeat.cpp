// SPDX-License-Identifier: BSL-1.0
//
// Repeated steps in constant expressions: values, gradients with all states and with checkpoints, Jacobians.
#include <chainrule/chainrule.hpp>
#include <chainrule/steps.hpp>

#include <array>

namespace cr = chainrule;
using namespace cr::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto p = cr::variable<"p">;

// x becomes p x + x^2, three times, from 1 with p = 2: 3, 15, 255. The derivatives of a step are p + 2 x and x.
constexpr auto run = cr::repeat(p * x + x * x, cr::state(x), cr::wrt(p), cr::steps(3));
static_assert(run(1.0, 2.0)[0] == 255);
static_assert(run.jacobian(1.0, 2.0)[0] == std::array{4.0 * 8.0 * 32.0, (1.0 * 8.0 + 3.0) * 32.0 + 15.0});
static_assert(run.vjp(std::array{1.0, 2.0}, 1.0) == run.jacobian(1.0, 2.0)[0]);

constexpr auto cost =
    cr::repeat(p * x + x * x, cr::state(x), cr::wrt(p), cr::steps(3), cr::final_cost(x), cr::running_cost(p* x));
static_assert(cost(1.0, 2.0) == 2 + 6 + 30 + 255);
constexpr auto few = cr::repeat(p * x + x * x, cr::state(x), cr::wrt(p), cr::steps(3), cr::final_cost(x),
                                cr::running_cost(p* x), cr::checkpoints(1));
static_assert(few.gradient(1.0, 2.0) == cost.gradient(1.0, 2.0));
static_assert(cost.jvp(std::array{1.0, 2.0}, std::array{1.0, 0.0}) == cost.gradient(1.0, 2.0)[0]);
static_assert(cost.step_count() == 3);

int main() {}
