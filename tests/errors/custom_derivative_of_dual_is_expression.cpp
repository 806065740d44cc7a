// SPDX-License-Identifier: BSL-1.0
// expect: custom_function: the derivative is not a number; compute it from the arguments and numbers, as in 0.5 * x instead of 0.5_c * x
// at most 30 lines on clang: clang prints three lines for each function on the way
#include <chainrule/custom_function.hpp>
#include <chainrule/dual.hpp>

using namespace chainrule::literals;

struct half_square : chainrule::custom_function<half_square, 1> {
    static constexpr char name[] = "half_square";
    template <class T>
    static constexpr T value(const T& x) {
        return x * x / T(4);
    }
    template <class T>
    static constexpr auto derivative(const T& x, const T&) {
#ifdef CHAINRULE_BAD
        return 0.5_c * x;
#else
        return 0.5 * x;
#endif
    }
};

auto slope = half_square{}(chainrule::dual<double>(2.0));
