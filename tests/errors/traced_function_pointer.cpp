// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code is a pointer to a function, which takes plain numbers; make the function a template and pass a call of it, as in [](auto x) { return f(x); }
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

template <class T>
constexpr T twice(T x) {
    return 2 * x;
}

#ifdef CHAINRULE_BAD
constexpr auto F = cr::function(twice<double>);
#else
constexpr auto F = cr::function([](auto x) { return twice(x); });
#endif

inline double at_three() { return F(3.0) + F.gradient(3.0)[0]; }
