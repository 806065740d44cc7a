// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code computes with a member or branches on it before it meets an input; combine it with inputs first, or make it a number of the trace, as in template <class N> struct residual { N observed; ... }
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

struct in_band {
    double weight;
    template <class T>
    constexpr T operator()(const T& x) const {
#ifdef CHAINRULE_BAD
        if (weight >= 20 && weight <= 100) return -x;
#endif
        return weight * x;
    }
};

auto F = cr::function(in_band{1.0}, cr::members(cr::variable<"w">));
