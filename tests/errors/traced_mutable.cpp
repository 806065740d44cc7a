// SPDX-License-Identifier: BSL-1.0
// expect: function: the call operator of the traced code is not const; write const after its parameters, or leave out the mutable of a lambda
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

struct product {
    template <class T>
#ifdef CHAINRULE_BAD
    constexpr T operator()(const T& x, const T& y){
#else
    constexpr T operator()(const T& x, const T& y) const {
#endif
        return x * y;
}
}
;

constexpr auto F = cr::function(product{});

inline double at_three() { return F(3.0, 2.0) + F.gradient(3.0, 2.0)[0]; }
