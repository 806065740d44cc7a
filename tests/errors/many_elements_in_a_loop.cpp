// SPDX-License-Identifier: BSL-1.0
// expect: for (auto e : v): each element has its own type; name them, as in auto [a, b] = v
#include <chainrule/chainrule.hpp>
#include <array>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto A = cr::matrix<6>(joints);

#ifdef CHAINRULE_BAD
void visit() {
    for (auto row : A) (void)row;
}
#else
void visit() {
    for (auto row : A(joints = std::array<double, 60>{})) (void)row;
}
#endif
