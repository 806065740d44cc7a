// SPDX-License-Identifier: BSL-1.0
// expect: custom_function: value() does not return the type of its argument, for instance because it takes double only; make it a template, or call the function with that type
#include <chainrule/custom_function.hpp>

namespace cr = chainrule;

struct half_function : cr::custom_function<half_function, 1> {
    static constexpr char name[] = "half";
    static constexpr double value(double u) { return u / 2; }
    template <int K, class T>
    static constexpr auto derivative(const T&, const T&) {
        return 0.5;
    }
};

#ifdef CHAINRULE_BAD
constexpr auto h = half_function{}(3.0f);
#else
constexpr auto h = half_function{}(3.0);
#endif
