// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code is not a constant expression; make each function that it calls constexpr (g++: -fimplicit-constexpr) and read only constant memory, or use tape mode; if the compiler names a limit, raise it: -fconstexpr-ops-limit=, -fconstexpr-loop-limit= (g++), -fconstexpr-steps= (clang)
// at most 35 lines on g++: it prints a line for each function on the way
// at most 5376 bytes on g++: the types of the calls are long
// at most 31 lines on clang: clang prints three lines for each function on the way
#include <chainrule/batch.hpp>
#include <chainrule/chainrule.hpp>

#include <vector>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
inline double half() { return 0.5; }
#else
constexpr double half() { return 0.5; }
#endif
constexpr auto x = cr::variable<"x">;
auto total(const std::vector<double>& xs) {
    return cr::sum([](auto t) { return half() * t; }, cr::over(x = xs))();
}
