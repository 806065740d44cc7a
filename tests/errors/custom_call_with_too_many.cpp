// SPDX-License-Identifier: BSL-1.0
// expect: custom_function: wrong number of arguments: expected 1
#include <chainrule/custom_function.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;

struct half_function : cr::custom_function<half_function, 1> {
    static constexpr char name[] = "half";
    template <class T>
    static constexpr T value(const T& u) {
        return u / 2;
    }
    template <int K, class T>
    static constexpr auto derivative(const T&, const T&) {
        return 0.5;
    }
};

#ifdef CHAINRULE_BAD
auto f = half_function{}(x, 2.0);
#else
auto f = half_function{}(x);
#endif
