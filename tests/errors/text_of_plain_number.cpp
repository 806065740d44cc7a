// SPDX-License-Identifier: BSL-1.0
// expect: to_string(x): a plain number is not an expression; pass an exact constant, such as 2_c, or call std::to_string(x)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;

#ifdef CHAINRULE_BAD
auto text = cr::to_string(2.0);
#else
auto text = cr::to_string(2_c);
#endif
