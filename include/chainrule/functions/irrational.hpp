// SPDX-License-Identifier: BSL-1.0
//
// Irrational constants of the table's formulas.
#pragma once

#include <chainrule/functions/number_kinds.hpp>

#include <concepts>
#include <type_traits>

namespace chainrule {

/// An irrational constant as an unevaluated sum of two doubles (106 bits), so formulas keep the precision of every
/// floating-point type: ln_2, ln_10, log2_e, log10_e, pi, sqrt_half (the root of 1/2), sqrt_two_pi,
/// one_over_sqrt_two_pi and two_over_sqrt_pi. (Not a double_word: a formula multiplies a number of any type by it, and
/// it has no arithmetic of its own.)
struct irrational {
    double high; ///< the nearest double
    double low;  ///< the double nearest to the rest

    static const irrational ln_2, ln_10, log2_e, log10_e, pi, sqrt_half, sqrt_two_pi, one_over_sqrt_two_pi,
        two_over_sqrt_pi;

    /// The constant rounded to a number type.
    template <class T>
    [[nodiscard]] constexpr T as() const {
        if constexpr (requires { typename T::plain_number; })
            return static_cast<T>(as<typename T::plain_number>()); // a constant is not recorded on a tape
        else if constexpr (functions::are_lanes<T>)
            return T(as<typename T::value_type>());
        else
            return static_cast<T>(high) + static_cast<T>(low);
    }
    [[nodiscard]] constexpr irrational operator-() const { return {-high, -low}; }

    template <class T>
    requires(std::floating_point<T> ||
             (std::is_class_v<T> && !functions::has_functions_of_table<T> && functions::closed_under_arithmetic<T>))
    friend constexpr T operator*(irrational constant, const T& x) {
        return constant.as<T>() * x;
    }
};

inline constexpr irrational irrational::ln_2{0.6931471805599453, 2.3190468138462996e-17};
inline constexpr irrational irrational::ln_10{2.302585092994046, -2.1707562233822494e-16};
inline constexpr irrational irrational::log2_e{1.4426950408889634, 2.0355273740931033e-17};
inline constexpr irrational irrational::log10_e{0.4342944819032518, 1.098319650216765e-17};
inline constexpr irrational irrational::pi{3.141592653589793, 1.2246467991473532e-16};
inline constexpr irrational irrational::sqrt_half{0.7071067811865476, -4.833646656726457e-17};
inline constexpr irrational irrational::sqrt_two_pi{2.5066282746310007, -1.8328579980459167e-16};
inline constexpr irrational irrational::one_over_sqrt_two_pi{0.3989422804014327, -2.49232720227773e-17};
inline constexpr irrational irrational::two_over_sqrt_pi{1.1283791670955126, 1.533545961316588e-17};

} // namespace chainrule
