// SPDX-License-Identifier: BSL-1.0
// expect: custom_function: the class has no value() for this number type; write template <class T> static constexpr T value(const T& x), with one parameter per argument of the function
#include <chainrule/custom_function.hpp>

namespace cr = chainrule;

struct mean_function : cr::custom_function<mean_function, 2> {
    static constexpr char name[] = "mean";
    template <class T>
#ifdef CHAINRULE_BAD
    static constexpr T value(const T& u) {
        return u;
    }
#else
    static constexpr T value(const T& u, const T& v) {
        return (u + v) / 2;
    }
#endif
    template <int K, class T>
    static constexpr auto derivative(const T&, const T&, const T&) {
        return 0.5;
    }
};

constexpr auto m = mean_function{}(3.0, 4.0);
