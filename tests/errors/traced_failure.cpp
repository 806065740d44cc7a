// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code has returned false; a traced function has to succeed for all inputs: choose with select, or use tape mode
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

struct residual {
    template <class T>
    constexpr bool operator()(const T* x, T* result) const {
        result[0] = 2.0 * x[0];
#ifdef CHAINRULE_BAD
        return false;
#else
        return true;
#endif
    }
};

using function = decltype(cr::function<cr::inputs<1>>(residual{}));
