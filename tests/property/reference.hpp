// SPDX-License-Identifier: BSL-1.0
//
// An independent way to values and derivatives, against which the compiler of expressions is held: numbers that carry a
// bound of their rounding error, and forward-mode dual numbers over any number. Both know every function of the table
// (functions/rows.hpp) through its row, so a new row needs no edit here. interpreter.hpp runs programs on the same
// numbers.
#pragma once

#include <chainrule/functions/derivatives.hpp>
#include <chainrule/functions/domains.hpp>
#include <chainrule/special_functions.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <concepts>
#include <string_view>

namespace reference {

/// A number and how far rounding may have moved it, to first order, in units of half an ulp of 1 (2^-64 for x87).
struct tracked {
    long double value = 0;
    long double error = 0;

    tracked() = default;
    tracked(long double v) : value(v) {}
    tracked(long double v, long double propagated) : value(v), error(propagated + std::abs(v)) {}

    friend tracked operator-(const tracked& a) {
        tracked r = a;
        r.value = -a.value;
        return r;
    }
    friend tracked operator+(const tracked& a, const tracked& b) { return {a.value + b.value, a.error + b.error}; }
    friend tracked operator-(const tracked& a, const tracked& b) { return {a.value - b.value, a.error + b.error}; }
    friend tracked operator*(const tracked& a, const tracked& b) {
        return {a.value * b.value, std::abs(a.value) * b.error + std::abs(b.value) * a.error};
    }
    friend tracked operator/(const tracked& a, const tracked& b) {
        const long double q = a.value / b.value;
        return {q, (a.error + std::abs(q) * b.error) / std::abs(b.value)};
    }
    friend tracked operator*(chainrule::irrational c, const tracked& a) { return tracked(c.as<long double>(), 0) * a; }
    friend bool operator==(const tracked& a, const tracked& b) { return a.value == b.value; }
    friend auto operator<=>(const tracked& a, const tracked& b) { return a.value <=> b.value; }
};

/// The error of functions in <cmath>, in the units of tracked::error.
inline constexpr long double cmath_error = 8;

/// The error by one argument. An exact one has none, also where its derivative is NaN, as that of a negative number to
/// the power 5 by the 5; nor has one that is not read, as what has the weight 0.
inline long double error_by(long double derivative, const tracked& x) {
    return x.error == 0 || derivative == 0 ? 0 : std::abs(derivative) * x.error;
}

#define CHAINRULE_UNARY(NAME, ...)                                                                                     \
    inline tracked NAME(const tracked& x) {                                                                            \
        const long double r = chainrule::evaluation::NAME(x.value);                                                    \
        const long double by_x = chainrule::functions::derivative<0, chainrule::functions::NAME>(x.value, r);          \
        return {r, error_by(by_x, x) + cmath_error * std::abs(r)};                                                     \
    }
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    inline tracked NAME(const tracked& x, const tracked& y) {                                                          \
        const long double r = chainrule::evaluation::NAME(x.value, y.value);                                           \
        const long double by_x = chainrule::functions::derivative<0, chainrule::functions::NAME>(x.value, y.value, r); \
        const long double by_y = chainrule::functions::derivative<1, chainrule::functions::NAME>(x.value, y.value, r); \
        return {r, error_by(by_x, x) + error_by(by_y, y) + cmath_error * std::abs(r)};                                 \
    }
#define CHAINRULE_TERNARY(NAME, ...)                                                                                   \
    inline tracked NAME(const tracked& x, const tracked& y, const tracked& z) {                                        \
        const long double r = chainrule::evaluation::NAME(x.value, y.value, z.value);                                  \
        const long double by_x =                                                                                       \
            chainrule::functions::derivative<0, chainrule::functions::NAME>(x.value, y.value, z.value, r);             \
        const long double by_y =                                                                                       \
            chainrule::functions::derivative<1, chainrule::functions::NAME>(x.value, y.value, z.value, r);             \
        const long double by_z =                                                                                       \
            chainrule::functions::derivative<2, chainrule::functions::NAME>(x.value, y.value, z.value, r);             \
        return {r, error_by(by_x, x) + error_by(by_y, y) + error_by(by_z, z) + cmath_error * std::abs(r)};             \
    }
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY

// The functions for numbers of any type. A dual number has its own of each, also of those with a formula for the value.
#define CHAINRULE_UNARY(NAME, ...)                                                                                     \
    template <class T>                                                                                                 \
    T NAME##_of(const T& x) {                                                                                          \
        if constexpr (std::floating_point<T>)                                                                          \
            return chainrule::evaluation::NAME(x);                                                                     \
        else                                                                                                           \
            return NAME(x);                                                                                            \
    }
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    template <class T>                                                                                                 \
    T NAME##_of(const T& x, const T& y) {                                                                              \
        if constexpr (std::floating_point<T>)                                                                          \
            return chainrule::evaluation::NAME(x, y);                                                                  \
        else                                                                                                           \
            return NAME(x, y);                                                                                         \
    }
#define CHAINRULE_TERNARY(NAME, ...)                                                                                   \
    template <class T>                                                                                                 \
    T NAME##_of(const T& x, const T& y, const T& z) {                                                                  \
        if constexpr (std::floating_point<T>)                                                                          \
            return chainrule::evaluation::NAME(x, y, z);                                                               \
        else                                                                                                           \
            return NAME(x, y, z);                                                                                      \
    }
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY

/// A value and its derivative in one direction.
template <class T>
struct dual {
    T value{};
    T tangent{};

    dual() = default;
    dual(long double v) : value(v) {}
    dual(const T& v, const T& t) : value(v), tangent(t) {}

    friend dual operator-(const dual& a) { return {-a.value, -a.tangent}; }
    friend dual operator+(const dual& a, const dual& b) { return {a.value + b.value, a.tangent + b.tangent}; }
    friend dual operator-(const dual& a, const dual& b) { return {a.value - b.value, a.tangent - b.tangent}; }
    friend dual operator*(const dual& a, const dual& b) {
        return {a.value * b.value, a.tangent * b.value + a.value * b.tangent};
    }
    friend dual operator/(const dual& a, const dual& b) {
        const T q = a.value / b.value;
        return {q, (a.tangent - q * b.tangent) / b.value};
    }
    friend dual operator*(chainrule::irrational c, const dual& a) { return {c * a.value, c * a.tangent}; }
    friend bool operator==(const dual& a, const dual& b) { return a.value == b.value; }
    friend auto operator<=>(const dual& a, const dual& b) { return a.value <=> b.value; }
};

#define CHAINRULE_UNARY(NAME, ...)                                                                                     \
    template <class T>                                                                                                 \
    dual<T> NAME(const dual<T>& x) {                                                                                   \
        const T r = NAME##_of(x.value);                                                                                \
        return {r, chainrule::functions::derivative<0, chainrule::functions::NAME>(x.value, r) * x.tangent};           \
    }
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    template <class T>                                                                                                 \
    dual<T> NAME(const dual<T>& x, const dual<T>& y) {                                                                 \
        const T r = NAME##_of(x.value, y.value);                                                                       \
        return {r,                                                                                                     \
                chainrule::functions::derivative<0, chainrule::functions::NAME>(x.value, y.value, r) * x.tangent +     \
                    chainrule::functions::derivative<1, chainrule::functions::NAME>(x.value, y.value, r) * y.tangent}; \
    }
#define CHAINRULE_TERNARY(NAME, ...)                                                                                   \
    template <class T>                                                                                                 \
    dual<T> NAME(const dual<T>& x, const dual<T>& y, const dual<T>& z) {                                               \
        const T r = NAME##_of(x.value, y.value, z.value);                                                              \
        return {r, chainrule::functions::derivative<0, chainrule::functions::NAME>(x.value, y.value, z.value, r) *     \
                           x.tangent +                                                                                 \
                       chainrule::functions::derivative<1, chainrule::functions::NAME>(x.value, y.value, z.value, r) * \
                           y.tangent +                                                                                 \
                       chainrule::functions::derivative<2, chainrule::functions::NAME>(x.value, y.value, z.value, r) * \
                           z.tangent};                                                                                 \
    }
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY

/// The table as an array, by position.
struct row_info {
    std::string_view name;
    unsigned arity;
    std::array<std::array<chainrule::functions::interval, 3>, 4> boxes;
    std::size_t box_count;
};
template <class Row>
constexpr row_info info_of_row() {
    constexpr auto& boxes = chainrule::functions::boxes_of<Row>;
    row_info info{Row::name, Row::arity, {}, boxes.size()};
    for (std::size_t i = 0; i < boxes.size(); ++i) std::copy(boxes[i].begin(), boxes[i].end(), info.boxes[i].begin());
    return info;
}
inline constexpr auto table = []<class... Row>(chainrule::functions::row_list<Row...>) {
    return std::array{info_of_row<Row>()...};
}(chainrule::functions::all{});

/// The function at a position of the table, for numbers of any type. It ignores arguments that it does not have.
template <class T>
T call(unsigned position, const T& a, [[maybe_unused]] const T& b, [[maybe_unused]] const T& c) {
    namespace functions = chainrule::functions;
    switch (static_cast<functions::index>(position)) {
#define CHAINRULE_UNARY(NAME, ...)                                                                                     \
    case functions::index::NAME: return NAME##_of(a);
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    case functions::index::NAME: return NAME##_of(a, b);
#define CHAINRULE_TERNARY(NAME, ...)                                                                                   \
    case functions::index::NAME: return NAME##_of(a, b, c);
        CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY
    case functions::index::count: break;
    }
    return T{};
}

} // namespace reference
