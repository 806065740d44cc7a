// SPDX-License-Identifier: BSL-1.0
//
// The result of the refused operator is used.
// expect: operator: an operand is an object whose operators take numbers of one type; convert the other operand to it, as in T(1.0 / r) * v or T(2.0) * v
// at most 40 lines on clang: it prints how the lambda is compiled twice, for the operator and for the member
#include <chainrule/tape.hpp>

#include <array>

template <class T>
struct vec2 {
    T x, y;
};
template <class T>
vec2<T> operator*(T s, const vec2<T>& a) {
    return {s * a.x, s * a.y};
}

auto slopes(const std::array<double, 2>& p) {
    return chainrule::tape::gradient(
        [](const auto& at) {
            using number = std::remove_cvref_t<decltype(at[0])>;
            const vec2<number> v{at[0], at[1]};
#ifdef CHAINRULE_BAD
            const auto half = (1.0 / at[0]) * v;
#else
            const auto half = number(1.0 / at[0]) * v;
#endif
            return number(half.x);
        },
        p);
}
