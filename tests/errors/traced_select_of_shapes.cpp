// SPDX-License-Identifier: BSL-1.0
// expect: select: the arms are neither numbers, nor arrays or structs of numbers of the same shape; choose each number by a select of its own
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
constexpr auto F = cr::function([](auto x) { return select(x > 0, std::array{x, 2 * x}, std::array{x})[0]; });
#else
constexpr auto F = cr::function([](auto x) { return select(x > 0, std::array{x, 2 * x}, std::array{x, x})[0]; });
#endif
