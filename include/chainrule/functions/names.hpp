// SPDX-License-Identifier: BSL-1.0
//
// Calls that argument-dependent lookup resolves: prerequisites of the formulas of the table.
#pragma once

#include <chainrule/functions/irrational.hpp>
#include <chainrule/functions/number_kinds.hpp>
#include <chainrule/functions/table.hpp>

#include <cstddef>

#if defined(__clang__) || defined(__CUDACC__)
#include <chainrule/functions/constant_evaluation.hpp>
#endif
#if defined(__CUDACC__)
#include <cmath>
#endif

namespace chainrule {

namespace functions {

template <class T>
struct elements {
    typename T::value_type numbers[T::size];
    explicit elements(const T& lanes) { lanes.store_unaligned(numbers); }
};
// What std::experimental::simd is constructed from: a function of an index. (clang 21 refuses a lambda for it within a
// requires-expression that is not part of a template's head.)
template <class T>
struct generator {
    typename T::value_type operator()(std::size_t) const;
};
/// The value of a row for each of the lanes: for functions that loop or that the library of the lanes lacks.
template <class Row, class T, class... Rest>
constexpr T lane_by_lane(const T& x, const Rest&... rest) {
    if constexpr (std::is_constructible_v<T, generator<T>>) {
        return T([&](auto i) { return Row::value(x[i], rest[i]...); });
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

// Calls that only argument-dependent lookup resolves; elsewhere the library's functions of these names are in scope.
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
#define CHAINRULE_TERNARY(NAME, ...)                                                                                   \
    template <class T>                                                                                                 \
    constexpr auto NAME##_of(const T& x, const T& y, const T& z) {                                                     \
        return NAME(x, y, z);                                                                                          \
    }
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY

// xsimd has none, and that of libstdc++ 12's std::experimental::simd has undefined behaviour as clang compiles it.
template <class T>
requires functions::are_lanes<T>
constexpr T logb_of(const T& x) {
    return functions::lane_by_lane<functions::logb>(x);
}

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
