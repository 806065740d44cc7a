// SPDX-License-Identifier: BSL-1.0
// expect: function<inputs<...>>: the number of variables in wrt(...) and given(...) is not that of the numbers behind the pointers; name one per number, as in wrt(variables<"c", 9>)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
struct difference {
    template <class T>
    constexpr void operator()(const T* p, const T* q, T* result) const {
        result[0] = p[0] - q[0];
    }
};

#ifdef CHAINRULE_BAD
using function = decltype(cr::function<cr::inputs<1, 2>>(difference{}, cr::wrt(x), cr::given(y = 1.0)));
#else
constexpr auto F = cr::function<cr::inputs<1, 1>>(difference{}, cr::wrt(x), cr::given(y = 1.0));
#endif
