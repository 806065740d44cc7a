// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code does not write all of its outputs; write each of them, or state their count, as in function<inputs<9, 3>, outputs<2>>(f)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

struct residual {
    template <class T>
    constexpr bool operator()(const T* x, T* result) const {
        const T difference = x[0] - 1.0;
#ifdef CHAINRULE_BAD
        (void)difference, (void)result;
#else
        result[0] = difference;
#endif
        return true;
    }
};

constexpr auto F = cr::function<cr::inputs<1>>(residual{});
