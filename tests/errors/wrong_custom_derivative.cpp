// SPDX-License-Identifier: BSL-1.0
// expect: but_differences_give
// expect: so_correct_it
#include <chainrule/custom_function.hpp>

namespace cr = chainrule;

struct cubed_function : cr::custom_function<cubed_function, 1> {
    static constexpr char name[] = "cubed";
    static constexpr double domain[][2] = {{-1, 1}};
    template <class T>
    static constexpr T value(const T& x) {
        return x * x * x;
    }
    template <int K, class T>
    static constexpr auto derivative(const T& x, const T&) {
#ifdef CHAINRULE_BAD
        return 2 * x * x;
#else
        return 3 * x * x;
#endif
    }
};

static_assert(cr::verified(cubed_function{}));
