// SPDX-License-Identifier: BSL-1.0
// expect: custom_function: the class has no derivative(); write template <int K, class T> static constexpr auto derivative(const T& x, const T& r), the derivative with respect to argument K
#include <chainrule/custom_function.hpp>
#include <chainrule/symbolic/derivative.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;

struct half_function : cr::custom_function<half_function, 1> {
    static constexpr char name[] = "half";
    template <class T>
    static constexpr T value(const T& u) {
        return u / 2;
    }
#ifndef CHAINRULE_BAD
    template <int K, class T>
    static constexpr auto derivative(const T&, const T&) {
        return 0.5;
    }
#endif
};

constexpr auto d = cr::derivative(half_function{}(x), x);
