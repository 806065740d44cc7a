// SPDX-License-Identifier: BSL-1.0
// expect: vector: in traced code it is a fixed_vector; include <chainrule/fixed_matrix.hpp>, or write std::array{x, y}
#include <chainrule/chainrule.hpp>

#include <array>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
constexpr auto F = cr::function([](auto a, auto b) { return cr::vector(a * b, sin(a)); });
#else
constexpr auto F = cr::function([](auto a, auto b) { return std::array{a * b, sin(a)}; });
#endif
