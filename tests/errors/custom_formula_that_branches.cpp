// SPDX-License-Identifier: BSL-1.0
// expect: derivative: the derivative of a custom function branches on its arguments, which have no values at compile time; use select(x > 0, a, b)
// at most 26 lines on g++: it prints a line for each function on the way
// at most 7680 bytes on g++: the types of the call are long
// at most 31 lines on clang: clang prints three lines for each function on the way
#include <chainrule/chainrule.hpp>
#include <chainrule/custom_function.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;

struct ramp_function : cr::custom_function<ramp_function, 1> {
    static constexpr char name[] = "ramp";
    template <class T>
    static constexpr T value(const T& u) {
        return u < 0 ? T(0) : u;
    }
    template <int K, class T>
    static constexpr auto derivative(const T& u, const T&) {
#ifdef CHAINRULE_BAD
        return u < 0 ? 0 : 1;
#else
        return select(u < 0, 0, 1);
#endif
    }
};

constexpr double slope = cr::derivative(ramp_function{}(x * x), x)(x = 3.0);
