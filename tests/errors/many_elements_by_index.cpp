// SPDX-License-Identifier: BSL-1.0
// expect: vector: the index in v[...] is not a non-negative exact constant; write v[0_c] for the first element
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;

template <class V>
auto first_two(const V& w) {
    return exp(w[0]) / (1.0 + exp(w[1])) - w[0] * w[1];
}

#ifdef CHAINRULE_BAD
auto f = first_two(2.0 * joints);
#else
auto f = joints.get<0>() * joints.get<1>();
#endif
