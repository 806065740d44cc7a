// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code does not return numbers; return a number, a std::array, a std::tuple or a struct of numbers, or write to a pointer, as in function<inputs<9, 3>>(f)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
using function = decltype(cr::function([](auto x) { (void)x; }));
#else
constexpr auto F = cr::function([](auto x) { return x * x; });
#endif
