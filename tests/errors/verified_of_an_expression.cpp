// SPDX-License-Identifier: BSL-1.0
// expect: verified: the argument is not a custom function; derive its class from custom_function
#include <chainrule/custom_function.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;

struct half_function : cr::custom_function<half_function, 1> {
    static constexpr char name[] = "half";
    static constexpr double domain[][2] = {{-1, 1}};
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
const bool right(cr::verified(sin(x)));
#else
const bool right(cr::verified(half_function{}));
#endif
