// SPDX-License-Identifier: BSL-1.0
// expect: sum, residuals, fits: the function of a row has a variable that nothing binds; bind it to a column in over(...), list it in wrt(...), or give it a value in given(...)
#include <chainrule/chainrule.hpp>
#include <chainrule/batch/sum.hpp>

#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto a = cr::variable<"a">;
const std::vector<double> xs(10);

// The uses of the sum add no messages.
double slope() {
#ifdef CHAINRULE_BAD
    const auto loss = cr::sum(a * x, cr::over(x = xs));
#else
    const auto loss = cr::sum(a * x, cr::over(x = xs), cr::wrt(a));
#endif
    const auto [value, gradient] = loss.value_and_gradient(2.0);
    return loss(2.0) + value + gradient[0] + loss.gradient(2.0)[0] + loss.hessian(2.0)[0][0];
}
