// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code is not a constant expression; make each function that it calls constexpr
// at most 27 lines on clang: clang prints three lines for each function on the way
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
using function = decltype(cr::function<3>([](const auto& q) { return q[0] * q[3]; }));
#else
using function = decltype(cr::function<3>([](const auto& q) { return q[0] * q[2]; }));
#endif
