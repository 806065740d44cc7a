// SPDX-License-Identifier: BSL-1.0
// expect: function<A, B>: a member of an argument is a plain number, such as an int, instead of a T; make it a T, or a constant
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

template <class T>
struct spring {
    T length;
#ifdef CHAINRULE_BAD
    int count;
#else
    T count;
#endif
};

constexpr auto F = cr::function<spring<double>>([](const auto& s) { return s.length * s.count; });

inline double stretched() { return F(spring<double>{0.5, 2}) + F.gradient(spring<double>{0.5, 2}).length; }
