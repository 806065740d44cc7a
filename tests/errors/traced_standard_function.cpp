// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code makes a plain number of a traced one, which has no value while the code is traced; write auto or T instead of double, sin(x) with using std::sin instead of std::sin(x), and select(x < 1, a, b) instead of v[x]
#include <chainrule/chainrule.hpp>

#include <cmath>

namespace cr = chainrule;

struct decay {
    template <class T>
    constexpr T operator()(const T& x) const {
#ifdef CHAINRULE_BAD
        return x * std::exp(-x);
#else
        using std::exp;
        return x * exp(-x);
#endif
    }
};
using function = decltype(cr::function(decay{}));
