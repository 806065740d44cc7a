// SPDX-License-Identifier: BSL-1.0
// expect: no matching function for call to 'max
// at most 41 lines on g++: the four overloads of std::max
#include <chainrule/chainrule.hpp>

#include <algorithm>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
using function = decltype(cr::function([](auto x) { return std::max(x, 0.0); }));
#else
constexpr auto F = cr::function([](auto x) { return max(x, 0.0); });
#endif
