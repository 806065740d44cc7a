// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code is not a constant expression; make each function that it calls constexpr (g++: -fimplicit-constexpr) and read only constant memory, or use tape mode; if the compiler names a limit, raise it: -fconstexpr-ops-limit=, -fconstexpr-loop-limit= (g++), -fconstexpr-steps= (clang)
#include <chainrule/chainrule.hpp>

#include <chainrule/batch.hpp>
#include <chainrule/steps.hpp>

#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;

#ifdef CHAINRULE_BAD
template <class T>
T squared(T a) {
#else
template <class T>
constexpr T squared(T a) {
#endif
    return a * a;
}
constexpr auto F = cr::function([](auto a) { return squared(a) + 1; }, cr::wrt(x));

// The uses of the function add no messages.
double uses(const std::vector<double>& xs) {
    (void)cr::repeat(F, cr::steps(4))(1.0);
    return cr::batch(F).gradient(cr::columns(xs))(0, 0) + cr::sum(F, cr::over(x = xs))();
}
