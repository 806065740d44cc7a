// SPDX-License-Identifier: BSL-1.0
// expect: custom_function: the derivative is not a number; compute it from the arguments and numbers, as in 0.5 * x instead of 0.5_c * x
// at most 59 lines on clang: clang prints three lines for each function on the way
// at most 7680 bytes on clang: the types of the call are long
#include <chainrule/chainrule.hpp>
#include <chainrule/custom_function.hpp>

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

double slope = half_square{}(chainrule::variable<"x">)(chainrule::variable<"x"> = 2.0);
double derivative_of_value = chainrule::detail::custom_row<half_square>::derivative<0>(2.0, 1.0);
