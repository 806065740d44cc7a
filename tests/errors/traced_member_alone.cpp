// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code computes with a member or branches on it before it meets an input; combine it with inputs first, or make it a number of the trace, as in template <class N> struct residual { N observed; ... }
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

struct hinge {
    double weight;
    template <class T>
    constexpr T operator()(const T& x) const {
#ifdef CHAINRULE_BAD
        if (weight == 0) return T(0);
#endif
        return weight * x;
    }
};

auto F = cr::function(hinge{1.0}, cr::members(cr::variable<"w">));
