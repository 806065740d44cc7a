// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code returned false, but a traced function must succeed for all inputs; use select, or tape mode
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
