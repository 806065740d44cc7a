// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code is not a constant expression; make each function that it calls constexpr (g++: -fimplicit-constexpr) and read only constant memory, or use tape mode; if the compiler names a limit, raise it: -fconstexpr-ops-limit=, -fconstexpr-loop-limit= (g++), -fconstexpr-steps= (clang)
// at most 28 lines on g++: it prints a line for each function on the way
#include <chainrule/chainrule.hpp>
#include <chainrule/steps.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
inline double half() { return 0.5; }
#else
constexpr double half() { return 0.5; }
#endif
constexpr auto x = cr::variable<"x">;
auto run = cr::repeat([](auto t) { return half() * t; }, cr::state(x), cr::steps(3));
