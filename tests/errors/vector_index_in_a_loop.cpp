// SPDX-License-Identifier: BSL-1.0
// expect: vector: the index in v[...] is not a non-negative exact constant; write v[0_c] for the first element
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto v = cr::vector(x, exp(x), x* x);

template <class V>
auto energy(const V& w) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += sin(w[i]) * w[i];
    return sum;
}

#ifdef CHAINRULE_BAD
auto sum = energy(v);
#else
auto sum = dot(v, v);
#endif
