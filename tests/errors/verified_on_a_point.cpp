// SPDX-License-Identifier: BSL-1.0
// expect: verified: an interval of the domain is empty, infinite, or narrower than a thousandth of its bounds; give {low, high} between which the function is smooth
#include <chainrule/custom_function.hpp>

namespace cr = chainrule;

struct half_function : cr::custom_function<half_function, 1> {
    static constexpr char name[] = "half";
#ifdef CHAINRULE_BAD
    static constexpr double domain[][2] = {{1, 1}};
#else
    static constexpr double domain[][2] = {{-1, 1}};
#endif
    template <class T>
    static constexpr T value(const T& u) {
        return u / 2;
    }
    template <int K, class T>
    static constexpr auto derivative(const T&, const T&) {
        return 0.5;
    }
};

const bool right(cr::verified(half_function{}));
