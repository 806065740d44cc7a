// SPDX-License-Identifier: BSL-1.0
//
// What is made of the table's rows (functions/table.hpp)? The values of the functions for every type of number, their
// derivatives, and a type for each function, by which everything else in the library knows it.
#pragma once

#include <chainrule/functions/table.hpp>

#include <concepts>
#include <type_traits>

#if defined(__clang__) || defined(__CUDACC__)
#include <chainrule/functions/constant_evaluation.hpp>
#endif
#if defined(__CUDACC__)
#include <cmath>
#endif

namespace chainrule {

/// A real constant that no rational number equals, as an unevaluated sum of two doubles (106 bits), so that formulas
/// keep the precision of every floating-point type.
struct irrational {
    double high;
    double low;

    static const irrational ln_2, ln_10, log2_e, log10_e, two_over_sqrt_pi;

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

inline constexpr irrational irrational::ln_2{0.6931471805599453, 2.3190468138462996e-17};
inline constexpr irrational irrational::ln_10{2.302585092994046, -2.1707562233822494e-16};
inline constexpr irrational irrational::log2_e{1.4426950408889634, 2.0355273740931033e-17};
inline constexpr irrational irrational::log10_e{0.4342944819032518, 1.098319650216765e-17};
inline constexpr irrational irrational::two_over_sqrt_pi{1.1283791670955126, 1.533545961316588e-17};

// Calls that only argument-dependent lookup resolves; elsewhere in the library the functions' own names are in scope.
namespace by_lookup {
template <class T>
constexpr auto abs_of(const T& x) {
    return abs(x);
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
#define CHAINRULE_DEFINED(NAME, ...)
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_DEFINED, CHAINRULE_DEFINED)
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

// What formulas use beside the functions of the table ----------------------------------------------------------------

/// a where the condition holds, else b; an integer takes the type of the other.
template <class A, class B>
[[gnu::always_inline]] constexpr auto select(bool condition, const A& a, const B& b) {
    using type = std::conditional_t<std::integral<A>, B, A>;
    return condition ? static_cast<type>(a) : static_cast<type>(b);
}

/// |x|, the sign bit of a NaN or zero cleared.
template <class T>
[[gnu::always_inline]] constexpr T magnitude(const T& x) {
    if constexpr (std::floating_point<T>) {
        CHAINRULE_CONSTANT_CASE(fabs, x)
        CHAINRULE_BUILTIN(fabs, x)
    } else {
        return static_cast<T>(by_lookup::abs_of(x));
    }
}

// The values ------------------------------------------------------------------------------------------------------------

// Declared first: formulas may use functions of later rows.
#define CHAINRULE_UNARY(NAME, ...)                                                                                     \
    template <class T>                                                                                                 \
    constexpr T NAME(const T& x);
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    template <class T>                                                                                                 \
    constexpr T NAME(const T& x, const T& y);
CHAINRULE_FOR_EACH_FUNCTION(CHAINRULE_UNARY, CHAINRULE_BINARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY

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
#define CHAINRULE_DEFINED_UNARY(NAME, VALUE, ...)                                                                      \
    template <class T>                                                                                                 \
    [[gnu::always_inline]] constexpr T NAME(const T& x) {                                                              \
        return static_cast<T>(VALUE);                                                                                  \
    }
#define CHAINRULE_DEFINED_BINARY(NAME, VALUE, ...)                                                                     \
    template <class T>                                                                                                 \
    [[gnu::always_inline]] constexpr T NAME(const T& x, const T& y) {                                                  \
        return static_cast<T>(VALUE);                                                                                  \
    }
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_DEFINED_UNARY, CHAINRULE_DEFINED_BINARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_DEFINED_UNARY
#undef CHAINRULE_DEFINED_BINARY
#undef CHAINRULE_CONSTANT_CASE
#undef CHAINRULE_BUILTIN

// The derivatives -------------------------------------------------------------------------------------------------------

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
#define CHAINRULE_DEFINED_UNARY(NAME, VALUE, ...) CHAINRULE_UNARY(NAME, __VA_ARGS__)
#define CHAINRULE_DEFINED_BINARY(NAME, VALUE, ...) CHAINRULE_BINARY(NAME, __VA_ARGS__)
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_DEFINED_UNARY, CHAINRULE_DEFINED_BINARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_DEFINED_UNARY
#undef CHAINRULE_DEFINED_BINARY

} // namespace evaluation

/// The rows as types. `derivative<K>` is the derivative by the K-th argument, for numbers or for graph terms.
namespace functions {

/// The position of a function in the table.
enum class index : unsigned char {
#define CHAINRULE_ROW(NAME, ...) NAME,
    CHAINRULE_FOR_EACH_FUNCTION(CHAINRULE_ROW, CHAINRULE_ROW)
#undef CHAINRULE_ROW
        count
};

/// Where the tests draw an argument from.
struct interval {
    double low;
    double high;
};

/// The row at a position of the table.
template <unsigned Position>
struct row_at;

#define CHAINRULE_UNARY(NAME, BY_X, LOW, HIGH)                                                                         \
    struct NAME {                                                                                                      \
        static constexpr char name[] = #NAME;                                                                          \
        static constexpr interval domain[] = {{LOW, HIGH}};                                                            \
        enum : unsigned { arity = 1, position = static_cast<unsigned>(index::NAME), code = position };                 \
        template <class T>                                                                                             \
        [[gnu::always_inline]] static constexpr T value(const T& x) {                                                  \
            return evaluation::NAME(x);                                                                                \
        }                                                                                                              \
        template <int, class T>                                                                                        \
        static constexpr T derivative([[maybe_unused]] const T& x, [[maybe_unused]] const T& r) {                      \
            return evaluation::NAME##_by_x(x, r);                                                                      \
        }                                                                                                              \
    };                                                                                                                 \
    template <>                                                                                                        \
    struct row_at<static_cast<unsigned>(index::NAME)> {                                                                \
        using type = NAME;                                                                                             \
    };
#define CHAINRULE_BINARY(NAME, BY_X, BY_Y, LOW_X, HIGH_X, LOW_Y, HIGH_Y)                                               \
    struct NAME {                                                                                                      \
        static constexpr char name[] = #NAME;                                                                          \
        static constexpr interval domain[] = {{LOW_X, HIGH_X}, {LOW_Y, HIGH_Y}};                                       \
        enum : unsigned { arity = 2, position = static_cast<unsigned>(index::NAME), code = position };                 \
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
    };                                                                                                                 \
    template <>                                                                                                        \
    struct row_at<static_cast<unsigned>(index::NAME)> {                                                                \
        using type = NAME;                                                                                             \
    };
#define CHAINRULE_DEFINED_UNARY(NAME, VALUE, ...) CHAINRULE_UNARY(NAME, __VA_ARGS__)
#define CHAINRULE_DEFINED_BINARY(NAME, VALUE, ...) CHAINRULE_BINARY(NAME, __VA_ARGS__)
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_DEFINED_UNARY, CHAINRULE_DEFINED_BINARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_DEFINED_UNARY
#undef CHAINRULE_DEFINED_BINARY

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
using all = without_first<void CHAINRULE_FOR_EACH_FUNCTION(CHAINRULE_ROW, CHAINRULE_ROW)>::type;
#undef CHAINRULE_ROW

} // namespace functions
} // namespace chainrule
