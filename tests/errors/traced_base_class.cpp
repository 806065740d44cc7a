// SPDX-License-Identifier: BSL-1.0
// expect: function<A, B>: an argument is a class with constructors, private members, a base class or more than 16 members; make it a struct without them, or give it begin() and end()
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

template <class T>
struct position {
    T x;
};
#ifdef CHAINRULE_BAD
template <class T>
struct state : position<T> {
    T speed;
};
#else
template <class T>
struct state {
    position<T> at;
    T speed;
};
#endif

constexpr auto F = cr::function<state<double>>([](const auto& s) { return s.speed * s.speed; });
