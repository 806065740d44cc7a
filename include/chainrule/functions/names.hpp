// SPDX-License-Identifier: BSL-1.0
//
// Irrational constants, and calls that argument-dependent lookup resolves: prerequisites of the formulas of the table.
#pragma once

#include <chainrule/functions/table.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#if defined(__clang__) || defined(__CUDACC__)
#include <chainrule/functions/constant_evaluation.hpp>
#endif
#if defined(__CUDACC__)
#include <cmath>
#endif

namespace chainrule {

namespace functions {

/// Whether the operators of a number type return that type.
template <class T>
concept closed_under_arithmetic = requires(const T& a) {
    { a + a } -> std::same_as<T>;
};

/// Whether a class evaluates the functions of the table by its own rules: dual numbers propagate derivatives, formula
/// terms become nodes. For these classes the derivative of a value's formula is not the derivative of the function.
template <class T>
inline constexpr bool has_functions_of_table = requires { typename T::has_functions_of_table; };

/// An expression, or a number of a class that evaluates the functions of the table by its own rules.
template <class T>
concept has_own_rules = has_functions_of_table<T> || requires { typename T::chainrule_expression; };

/// An integral constant of Boost.Hana or of the standard library, such as boost::hana::int_c<2>.
template <class T>
concept integral_constant = requires {
    typename T::value_type;
    T::value;
    requires std::integral<typename T::value_type>;
    requires std::is_empty_v<T>;
};

/// Whether T is a SIMD number of another library, such as std::experimental::simd or xsimd::batch: its comparisons give
/// other than bool, and its library does not have the functions of the table.
template <class T>
inline constexpr bool are_lanes = false;
template <class T>
requires(std::is_class_v<T> && !has_functions_of_table<T> && requires(const T& x) { x == x; })
inline constexpr bool are_lanes<T> =
    !std::is_same_v<decltype(std::declval<const T&>() == std::declval<const T&>()), bool>;

template <class T>
struct elements {
    typename T::value_type numbers[T::size];
    explicit elements(const T& lanes) { lanes.store_unaligned(numbers); }
};
/// The value of a row for each of the lanes: for functions that loop or that the library of the lanes lacks.
template <class Row, class T, class... Rest>
constexpr T lane_by_lane(const T& x, const Rest&... rest) {
    if constexpr (requires { T([&](auto i) { return x[i]; }); }) {
        return T([&](auto i) { return Row::value(x[i], rest[i]...); }); // std::experimental::simd
    } else {
        typename T::value_type results[T::size];
        [&results](const auto&... arguments) {
            for (std::size_t i = 0; i < T::size; ++i) results[i] = Row::value(arguments.numbers[i]...);
        }(elements<T>(x), elements<T>(rest)...);
        return T::load_unaligned(results);
    }
}

#define CHAINRULE_ROW(NAME, ...) struct NAME;
CHAINRULE_FUNCTIONS(CHAINRULE_ROW, CHAINRULE_ROW, CHAINRULE_ROW)
#undef CHAINRULE_ROW

} // namespace functions

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

// Calls that only argument-dependent lookup resolves; elsewhere the library's functions of these names are in scope.
namespace by_lookup {
// xsimd has none.
template <class T>
requires functions::are_lanes<T>
constexpr T logb(const T& x) {
    return functions::lane_by_lane<functions::logb>(x);
}

#define CHAINRULE_UNARY(NAME, ...)                                                                                     \
    template <class T>                                                                                                 \
    constexpr auto NAME##_of(const T& x) {                                                                             \
        return NAME(x);                                                                                                \
    }
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    template <class T>                                                                                                 \
    constexpr auto NAME##_of(const T& x, const T& y) {                                                                 \
        return NAME(x, y);                                                                                             \
    }
#define CHAINRULE_TERNARY(NAME, ...)                                                                                   \
    template <class T>                                                                                                 \
    constexpr auto NAME##_of(const T& x, const T& y, const T& z) {                                                     \
        return NAME(x, y, z);                                                                                          \
    }
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY

/// Whether a class of numbers lacks the function at a position of the table, which is looked up for it.
#define CHAINRULE_CMATH(...) !requires { __VA_ARGS__; }
#define CHAINRULE_BUILTIN CHAINRULE_CMATH
#define CHAINRULE_BOOST CHAINRULE_CMATH
#define CHAINRULE_FORMULA(...) CHAINRULE_NOT_LOOKED_UP
#define CHAINRULE_CHOICE CHAINRULE_FORMULA
#define CHAINRULE_STEPPED CHAINRULE_FORMULA
#define CHAINRULE_NOT_LOOKED_UP(...) false
#define CHAINRULE_UNARY(NAME, VALUE, ...) CHAINRULE_##VALUE(NAME(*x)),
#define CHAINRULE_BINARY(NAME, VALUE, ...) CHAINRULE_##VALUE(NAME(*x, *x)),
#define CHAINRULE_TERNARY(NAME, VALUE, ...) CHAINRULE_##VALUE(NAME(*x, *x, *x)),
template <class T>
constexpr bool lacks(int position, [[maybe_unused]] const T* x = nullptr) {
    const bool all[] = {CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)};
    return all[position];
}
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY
#undef CHAINRULE_CMATH
#undef CHAINRULE_BUILTIN
#undef CHAINRULE_BOOST
#undef CHAINRULE_FORMULA
#undef CHAINRULE_CHOICE
#undef CHAINRULE_STEPPED
#undef CHAINRULE_NOT_LOOKED_UP

/// The choice by truth values of lanes: select(), or where() as in std::experimental::simd.
template <class C, class T>
[[gnu::always_inline]] constexpr T chosen(const C& c, const T& a, const T& b) {
    if constexpr (requires { select(c, a, b); }) {
        return select(c, a, b);
    } else {
        T result = b;
        where(c, result) = a;
        return result;
    }
}

/// Whether a class type has a function trunc.
template <class T>
inline constexpr bool can_truncate = requires(const T& x) { trunc(x); };
} // namespace by_lookup

} // namespace chainrule
