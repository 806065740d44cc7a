// SPDX-License-Identifier: BSL-1.0
// expect: function<n>: the code does not take an array of traced numbers; correct the errors above, if any, or make its argument generic, as in [](const auto& x) { return x[0] * x[1]; }
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
using function = decltype(cr::function<2>([](const auto& a, const auto& b) { return a[0] * b[0]; }));
#else
using function = decltype(cr::function<2>([](const auto& a) { return a[0] * a[1]; }));
#endif
