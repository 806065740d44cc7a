// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code takes plain numbers, such as a double; make its arguments generic, as in [](auto x, auto y) { return x * y; }
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
auto f = cr::function([](double x) { return x * x; });
#else
auto f = cr::function([](auto x) { return x * x; });
#endif
