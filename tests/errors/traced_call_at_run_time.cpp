// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code is not a constant expression; make each function that it calls constexpr (g++: -fimplicit-constexpr) and read only constant memory, or use tape mode; if the compiler names a limit, raise it: -fconstexpr-ops-limit=, -fconstexpr-loop-limit= (g++), -fconstexpr-steps= (clang)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
double twice(double a) { return 2 * a; }
#else
constexpr double twice(double a) { return 2 * a; }
#endif

auto f = cr::function([](auto x) { return x * twice(2.0); });
