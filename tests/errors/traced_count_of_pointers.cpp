// SPDX-License-Identifier: BSL-1.0
// expect: function<inputs<...>>: the code does not take a pointer to traced numbers for each count and a last one for its outputs; correct the errors above, if any, make it a template of the type of number, or state a count for each pointer to inputs, as in function<inputs<9, 3>>(f) of f(camera, point, outputs)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

struct product_of_two {
    template <class T>
    constexpr bool operator()(const T* a, const T* b, T* r) const {
        r[0] = a[0] * b[0];
        return true;
    }
};

#ifdef CHAINRULE_BAD
auto F = cr::function<cr::inputs<1>>(product_of_two{});
#else
auto F = cr::function<cr::inputs<1, 1>>(product_of_two{});
#endif
