// SPDX-License-Identifier: BSL-1.0
// expect: select computes both arms: end a recursion by a count, as in if (n == 0)
// at most 26 lines on g++: four calls of the recursion
// at most 4352 bytes on g++: their arguments
// at most 55 lines on clang: three for each of ten calls, and four macros
// at most 5632 bytes on clang: their arguments
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

struct powers {
#ifdef CHAINRULE_BAD
    template <class T>
    constexpr T operator()(const T& x) const {
        return cr::select(x < 1, T(0), (*this)(x / 2) + x);
    }
#else
    template <class T>
    constexpr T operator()(const T& x, int n = 20) const {
        if (n == 0) return T(0);
        return cr::select(x < 1, T(0), (*this)(x / 2, n - 1) + x);
    }
#endif
};
auto F = cr::function(powers{});
