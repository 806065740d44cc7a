// SPDX-License-Identifier: BSL-1.0
//
// The calculus: which elementary functions are there, how is each evaluated, what is its derivative, and where may it
// be tested? Every function is one row below, and everything else in the library reads that row: operators and types
// (expression/), differentiation (program/), text (symbolic/), emission (kernel/) and the tests that loop over the table.
#pragma once

#include <concepts>
#include <type_traits>

#if defined(__clang__) || defined(__CUDACC__)
#include <chainrule/functions/constant_evaluation.hpp>
#endif
#if defined(__CUDACC__)
#include <cmath>
#endif

// A row: NAME, the derivative by each argument, and for each argument the interval from which the tests draw points.
// The formulas are C++ in the arguments x (y) and the result r. They are instantiated with numbers and with graph terms,
// so they may use + - * /, integers, the constants of `irrational`, and any function of this table.
//
// CMATH_*   the value is std::NAME, or what argument-dependent lookup finds for a class type.
// DEFINED_* the value is the formula that follows the name.
//
// Formulas without a source are textbook calculus. xlogy (the name is SciPy's) is y's coefficient in d pow(x, y): its
// value 0 at r = 0 gives the limit of x^y log(x) at x = 0, y > 0.
#define CHAINRULE_FUNCTIONS(CMATH_UNARY, CMATH_BINARY, DEFINED_BINARY)                                   \
    CMATH_UNARY(exp, r, -20, 20)                                                                         \
    CMATH_UNARY(log, 1 / x, 0.01, 100)                                                                   \
    CMATH_UNARY(sqrt, 1 / (2 * r), 0.01, 100)                                                            \
    CMATH_UNARY(sin, cos(x), -20, 20)                                                                    \
    CMATH_UNARY(cos, -sin(x), -20, 20)                                                                   \
    CMATH_UNARY(tan, 1 + r * r, -1.5, 1.5)                                                               \
    CMATH_UNARY(tanh, 1 - r * r, -3, 3)                                                                  \
    CMATH_UNARY(erf, irrational::two_over_sqrt_pi * exp(-(x * x)), -4, 4)                                \
    CMATH_UNARY(erfc, -irrational::two_over_sqrt_pi * exp(-(x * x)), -4, 4)                              \
    CMATH_BINARY(pow, y * pow(x, y - 1), xlogy(r, x), 0.01, 10, -4, 4)                                   \
    DEFINED_BINARY(xlogy, x == 0 && y == y ? x * 0 : x * log(y), log(y), x / y, -4, 4, 0.01, 10)

namespace chainrule {

/// A real constant that no rational number equals, as an unevaluated sum of two doubles (106 bits), so that formulas
/// keep the precision of every floating-point type.
struct irrational {
    double high;
    double low;

    static const irrational two_over_sqrt_pi;

    template <class T>
    [[nodiscard]] constexpr T as() const {
        return static_cast<T>(high) + static_cast<T>(low);
    }
    [[nodiscard]] constexpr irrational operator-() const { return {-high, -low}; }

    template <class T>
        requires(std::floating_point<T>)
    friend constexpr T operator*(irrational constant, T x) {
        return constant.as<T>() * x;
    }
};

inline constexpr irrational irrational::two_over_sqrt_pi{1.1283791670955126, 1.533545961316588e-17};

// Calls that only argument-dependent lookup resolves; elsewhere in the library the functions' own names are in scope.
namespace by_lookup {
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
#define CHAINRULE_DEFINED(NAME, ...)
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_DEFINED)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_DEFINED
} // namespace by_lookup

/// The values of the functions for numbers: <cmath> for the built-in types, argument-dependent lookup for others.
/// In constant expressions clang cannot call <cmath>, so there the library's own versions answer.
namespace evaluation {

// The built-in functions are the ones <cmath> calls; <cmath> itself would double the cost of including this header.
#if defined(__CUDACC__)
#define CHAINRULE_BUILTIN(NAME, ...) return static_cast<T>(std::NAME(__VA_ARGS__));
#else
#define CHAINRULE_BUILTIN(NAME, ...)                                                                                   \
    if constexpr (std::same_as<T, float>)                                                                              \
        return __builtin_##NAME##f(__VA_ARGS__);                                                                       \
    else if constexpr (std::same_as<T, double>)                                                                        \
        return __builtin_##NAME(__VA_ARGS__);                                                                          \
    else                                                                                                               \
        return __builtin_##NAME##l(__VA_ARGS__);
#endif
#if defined(__clang__) || defined(__CUDACC__)
#define CHAINRULE_CONSTANT_CASE(NAME, ...)                                                                             \
    if (std::is_constant_evaluated()) return constant_evaluation::NAME(__VA_ARGS__);
#else
#define CHAINRULE_CONSTANT_CASE(NAME, ...)
#endif

#define CHAINRULE_UNARY(NAME, ...)                                                                                     \
    template <class T>                                                                                                 \
    [[gnu::always_inline]] constexpr T NAME(const T& x) {                                                              \
        if constexpr (std::floating_point<T>) {                                                                        \
            CHAINRULE_CONSTANT_CASE(NAME, x)                                                                           \
            CHAINRULE_BUILTIN(NAME, x)                                                                                 \
        } else {                                                                                                       \
            return static_cast<T>(by_lookup::NAME##_of(x));                                                            \
        }                                                                                                              \
    }
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    template <class T>                                                                                                 \
    [[gnu::always_inline]] constexpr T NAME(const T& x, const T& y) {                                                  \
        if constexpr (std::floating_point<T>) {                                                                        \
            CHAINRULE_CONSTANT_CASE(NAME, x, y)                                                                        \
            CHAINRULE_BUILTIN(NAME, x, y)                                                                              \
        } else {                                                                                                       \
            return static_cast<T>(by_lookup::NAME##_of(x, y));                                                         \
        }                                                                                                              \
    }
#define CHAINRULE_DEFINED(NAME, VALUE, ...)                                                                            \
    template <class T>                                                                                                 \
    [[gnu::always_inline]] constexpr T NAME(const T& x, const T& y) {                                                  \
        return static_cast<T>(VALUE);                                                                                  \
    }
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_DEFINED)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_DEFINED
#undef CHAINRULE_CONSTANT_CASE
#undef CHAINRULE_BUILTIN

#define CHAINRULE_UNARY(NAME, BY_X, ...)                                                                               \
    template <class T>                                                                                                 \
    constexpr T NAME##_by_x([[maybe_unused]] const T& x, [[maybe_unused]] const T& r) {                                \
        return BY_X;                                                                                                   \
    }
#define CHAINRULE_BINARY(NAME, BY_X, BY_Y, ...)                                                                        \
    template <class T>                                                                                                 \
    constexpr T NAME##_by_x([[maybe_unused]] const T& x, [[maybe_unused]] const T& y, [[maybe_unused]] const T& r) {   \
        return BY_X;                                                                                                   \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    constexpr T NAME##_by_y([[maybe_unused]] const T& x, [[maybe_unused]] const T& y, [[maybe_unused]] const T& r) {   \
        return BY_Y;                                                                                                   \
    }
#define CHAINRULE_DEFINED(NAME, VALUE, ...) CHAINRULE_BINARY(NAME, __VA_ARGS__)
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_DEFINED)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_DEFINED

} // namespace evaluation

/// The rows as types. `derivative<K>` is the derivative by the K-th argument, for numbers or for graph terms.
namespace functions {

/// The position of a function in the table.
enum class index : unsigned char {
#define CHAINRULE_ROW(NAME, ...) NAME,
    CHAINRULE_FUNCTIONS(CHAINRULE_ROW, CHAINRULE_ROW, CHAINRULE_ROW)
#undef CHAINRULE_ROW
        count
};

/// Where the tests draw an argument from.
struct interval {
    double low;
    double high;
};

#define CHAINRULE_UNARY(NAME, BY_X, LOW, HIGH)                                                                         \
    struct NAME {                                                                                                      \
        static constexpr char name[] = #NAME;                                                                          \
        static constexpr interval domain[] = {{LOW, HIGH}};                                                            \
        enum : unsigned { arity = 1, position = static_cast<unsigned>(index::NAME), code = static_cast<unsigned>(index::NAME) };                 \
        template <class T>                                                                                             \
        [[gnu::always_inline]] static constexpr T value(const T& x) {                                                  \
            return evaluation::NAME(x);                                                                                \
        }                                                                                                              \
        template <int, class T>                                                                                        \
        static constexpr T derivative([[maybe_unused]] const T& x, [[maybe_unused]] const T& r) {                      \
            return evaluation::NAME##_by_x(x, r);                                                                      \
        }                                                                                                              \
    };
#define CHAINRULE_BINARY(NAME, BY_X, BY_Y, LOW_X, HIGH_X, LOW_Y, HIGH_Y)                                               \
    struct NAME {                                                                                                      \
        static constexpr char name[] = #NAME;                                                                          \
        static constexpr interval domain[] = {{LOW_X, HIGH_X}, {LOW_Y, HIGH_Y}};                                       \
        enum : unsigned { arity = 2, position = static_cast<unsigned>(index::NAME), code = static_cast<unsigned>(index::NAME) };                 \
        template <class T>                                                                                             \
        [[gnu::always_inline]] static constexpr T value(const T& x, const T& y) {                                      \
            return evaluation::NAME(x, y);                                                                             \
        }                                                                                                              \
        template <int K, class T>                                                                                      \
        static constexpr T derivative([[maybe_unused]] const T& x, [[maybe_unused]] const T& y,                        \
                                      [[maybe_unused]] const T& r) {                                                   \
            if constexpr (K == 0)                                                                                      \
                return evaluation::NAME##_by_x(x, y, r);                                                               \
            else                                                                                                       \
                return evaluation::NAME##_by_y(x, y, r);                                                               \
        }                                                                                                              \
    };
#define CHAINRULE_DEFINED(NAME, VALUE, ...) CHAINRULE_BINARY(NAME, __VA_ARGS__)
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_DEFINED)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_DEFINED

/// A list of types, for loops over the table.
template <class...>
struct row_list {};

template <class... Rows>
struct without_first;
template <class First, class... Rows>
struct without_first<First, Rows...> {
    using type = row_list<Rows...>;
};

/// Every row, in the order of the table.
#define CHAINRULE_ROW(NAME, ...) , NAME
using all = without_first<void CHAINRULE_FUNCTIONS(CHAINRULE_ROW, CHAINRULE_ROW, CHAINRULE_ROW)>::type;
#undef CHAINRULE_ROW

} // namespace functions
} // namespace chainrule
