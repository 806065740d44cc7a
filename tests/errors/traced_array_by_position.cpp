// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code does not take 1 to 64 separate numbers; correct the errors above, if any, or state the count of an array, as in function<10>(f), or the sizes behind pointers, as in function<inputs<9, 3>>(f)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

struct sum {
    template <class A>
    constexpr auto operator()(const A& q) const -> decltype(q[0] + q[1]) {
        return q[0] + q[1];
    }
};

#ifdef CHAINRULE_BAD
using function = decltype(cr::function(sum{}));
#else
constexpr auto F = cr::function<2>(sum{});
#endif
