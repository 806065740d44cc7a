// SPDX-License-Identifier: BSL-1.0
// expect: function<A, B>: an argument type is neither double nor a std::array, nor a class template of its type of numbers, as in template <class T> struct state { T x, v; }; write that
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

template <class T>
struct state {
    T angle, speed;
};
struct plain_state {
    double angle, speed;
};
#ifdef CHAINRULE_BAD
using argument = plain_state;
#else
using argument = state<double>;
#endif
using function = decltype(cr::function<argument>([](const auto& s) { return s.angle * s.speed; }));
