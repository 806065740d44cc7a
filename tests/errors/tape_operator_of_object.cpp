// SPDX-License-Identifier: BSL-1.0
// expect: operator: an operand is an object whose operators take numbers of one type; convert the other operand to it, as in T(1.0 / r) * v or T(2.0) * v
#include <chainrule/tape.hpp>

template <class T>
struct vec2 {
    T x, y;
};
template <class T>
vec2<T> operator*(T s, const vec2<T>& a) {
    return {s * a.x, s * a.y};
}

using number = chainrule::tape::active<double>;

#ifdef CHAINRULE_BAD
vec2<number> half(const vec2<number>& v, const number& r) { return (1.0 / r) * v; }
#else
vec2<number> half(const vec2<number>& v, const number& r) { return number(1.0 / r) * v; }
#endif
