// SPDX-License-Identifier: BSL-1.0
// expect: function<A, B>: an argument is a class with constructors, private members, a base class or more than 16 members; make it a struct without them, or give it begin() and end()
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

template <class T>
struct state {
#ifdef CHAINRULE_BAD
    constexpr state() {}
#endif
    T angle{}, speed{};
};
using function = decltype(cr::function<state<double>>([](const auto& s) { return s.angle * s.speed; }));
