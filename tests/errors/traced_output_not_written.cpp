// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code does not write all of its outputs; write each of them, or state their count, as in function<inputs<9, 3>, outputs<2>>(f)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

struct second_of_two {
    template <class T>
    constexpr void operator()(const T* x, T* result) const {
#ifndef CHAINRULE_BAD
        result[0] = x[0];
#endif
        result[1] = 2.0 * x[0];
    }
};

using function = decltype(cr::function<cr::inputs<1>>(second_of_two{}));
