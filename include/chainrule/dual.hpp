// SPDX-License-Identifier: BSL-1.0
//
// What carries derivatives forward? A number with its derivatives in N directions, moved along by every operation. The
// rules of the functions are those of the table (functions.hpp). On its own it is forward mode; on a tape
// (chainrule/tape.hpp) it gives second derivatives.
#pragma once

#include <chainrule/functions.hpp>
#include <chainrule/structural_zero.hpp>

#include <array>
#include <compare>
#include <cstddef>
#include <iosfwd>
#include <limits>
#include <utility>

namespace chainrule {

/// A number of type T (float, double, long double, or a dual number again) with its derivatives in N directions.
/// Comparisons compare values, so that programs branch as they would without derivatives.
/// Example: `auto [x, y] = dual_variables(2.0, 5.0); auto f = log(x) + x * y - sin(y); f.tangents[0]; // df/dx`
template <class T, std::size_t N = 1>
struct dual {
    using has_functions_of_table = void;

    T value{};
    std::array<T, N> tangents{};

    constexpr dual() = default;
    template <class U>
        requires std::convertible_to<U, T>
    constexpr dual(const U& v) : value(static_cast<T>(v)) {}
    constexpr dual(const T& v, const std::array<T, N>& t) : value(v), tangents(t) {}

    /// An independent variable: its derivative in the direction with that number is 1.
    [[nodiscard]] static constexpr dual variable(const T& value, std::size_t direction = 0) {
        dual x(value);
        x.tangents[direction] = T(1);
        return x;
    }

    friend constexpr dual operator+(const dual& a) { return a; }
    friend constexpr dual operator-(const dual& a) {
        dual r(-a.value);
        for (std::size_t k = 0; k < N; ++k) r.tangents[k] = -a.tangents[k];
        return r;
    }
    friend constexpr dual operator+(const dual& a, const dual& b) {
        dual r(a.value + b.value);
        for (std::size_t k = 0; k < N; ++k) r.tangents[k] = a.tangents[k] + b.tangents[k];
        return r;
    }
    friend constexpr dual operator-(const dual& a, const dual& b) {
        dual r(a.value - b.value);
        for (std::size_t k = 0; k < N; ++k) r.tangents[k] = a.tangents[k] - b.tangents[k];
        return r;
    }
    friend constexpr dual operator*(const dual& a, const dual& b) {
        return along(a.value * b.value, b.value, a, a.value, b);
    }
    friend constexpr dual operator/(const dual& a, const dual& b) {
        const T quotient = a.value / b.value, reciprocal = T(1) / b.value;
        return along(quotient, reciprocal, a, -quotient * reciprocal, b);
    }
    // A plain number moves in no direction.
    template <class U>
        requires std::convertible_to<U, T>
    friend constexpr dual operator*(const dual& a, const U& b) {
        return along(a.value * static_cast<T>(b), static_cast<T>(b), a);
    }
    template <class U>
        requires std::convertible_to<U, T>
    friend constexpr dual operator*(const U& a, const dual& b) {
        return along(static_cast<T>(a) * b.value, static_cast<T>(a), b);
    }
    template <class U>
        requires std::convertible_to<U, T>
    friend constexpr dual operator/(const dual& a, const U& b) {
        const T quotient = a.value / static_cast<T>(b);
        return along(quotient, T(1) / static_cast<T>(b), a);
    }
    friend constexpr dual operator*(irrational a, const dual& b) { return a.as<T>() * b; }

    constexpr dual& operator+=(const dual& b) { return *this = *this + b; }
    constexpr dual& operator-=(const dual& b) { return *this = *this - b; }
    constexpr dual& operator*=(const dual& b) { return *this = *this * b; }
    constexpr dual& operator/=(const dual& b) { return *this = *this / b; }

    friend constexpr bool operator==(const dual& a, const dual& b) { return a.value == b.value; }
    friend constexpr auto operator<=>(const dual& a, const dual& b) { return a.value <=> b.value; }

#define CHAINRULE_UNARY(NAME, ...)                                                                                     \
    friend constexpr dual NAME(const dual& x) {                                                                        \
        const T r = functions::NAME::value(x.value);                                                                   \
        return along(r, functions::NAME::template derivative<0>(x.value, r), x);                                       \
    }
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    friend constexpr dual NAME(const dual& x, const dual& y) {                                                         \
        const T r = functions::NAME::value(x.value, y.value);                                                          \
        return along(r, functions::NAME::template derivative<0>(x.value, y.value, r), x,                               \
                     functions::NAME::template derivative<1>(x.value, y.value, r), y);                                 \
    }                                                                                                                  \
    template <class U>                                                                                                 \
        requires std::convertible_to<U, T>                                                                             \
    friend constexpr dual NAME(const dual& x, const U& y) {                                                            \
        const T second = static_cast<T>(y), r = functions::NAME::value(x.value, second);                               \
        return along(r, functions::NAME::template derivative<0>(x.value, second, r), x);                               \
    }                                                                                                                  \
    template <class U>                                                                                                 \
        requires std::convertible_to<U, T>                                                                             \
    friend constexpr dual NAME(const U& x, const dual& y) {                                                            \
        const T first = static_cast<T>(x), r = functions::NAME::value(first, y.value);                                 \
        return along(r, functions::NAME::template derivative<1>(first, y.value, r), y);                                \
    }
#define CHAINRULE_TERNARY(NAME, ...)                                                                                   \
    friend constexpr dual NAME(const dual& x, const dual& y, const dual& z) {                                          \
        const T r = functions::NAME::value(x.value, y.value, z.value);                                                 \
        return along(along(r, functions::NAME::template derivative<0>(x.value, y.value, z.value, r), x,                \
                           functions::NAME::template derivative<1>(x.value, y.value, z.value, r), y),                  \
                     functions::NAME::template derivative<2>(x.value, y.value, z.value, r), z);                        \
    }
    CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY

    /// A function of the user's (chainrule/own_function.hpp), of dual and plain numbers.
    template <class Row, class... A>
        requires((false || ... || std::same_as<A, dual>) && (true && ... && std::convertible_to<const A&, dual>))
    friend constexpr dual call_own(Row, const A&... x) {
        const T r = Row::value(plain(x)...);
        dual result(r);
        [&]<int... K>(std::integer_sequence<int, K...>) {
            ((result = along_if_moving(result, x, [&] { return Row::template derivative<K>(plain(x)..., r); })), ...);
        }(std::make_integer_sequence<int, static_cast<int>(sizeof...(A))>{});
        return result;
    }

    /// Whether the value and all derivatives are zero: `== 0` looks at the value alone.
    friend constexpr bool zero_in_every_part(const dual& x) {
        bool zero = is_structural_zero(x.value);
        for (const T& t : x.tangents) zero = zero && is_structural_zero(t);
        return zero;
    }

    template <class Character, class Traits>
    friend std::basic_ostream<Character, Traits>& operator<<(std::basic_ostream<Character, Traits>& out, const dual& x) {
        out << x.value << " (";
        for (std::size_t k = 0; k < N; ++k) out << (k == 0 ? "" : ", ") << x.tangents[k];
        return out << ')';
    }

private:
    // A structural zero stays zero: a constant does not move where its function has an infinite derivative.
    static constexpr T moved(const T& slope, const T& tangent) { return is_structural_zero(tangent) ? tangent : slope * tangent; }

    static constexpr dual along(const T& value, const T& slope, const dual& x) {
        dual r(value);
        if (keeps_zero(slope))
            for (std::size_t k = 0; k < N; ++k) r.tangents[k] = slope * x.tangents[k];
        else
            for (std::size_t k = 0; k < N; ++k) r.tangents[k] = moved(slope, x.tangents[k]);
        return r;
    }
    static constexpr dual along(const dual& others, const T& slope, const dual& x) {
        dual r = along(others.value, slope, x);
        for (std::size_t k = 0; k < N; ++k) r.tangents[k] = others.tangents[k] + r.tangents[k];
        return r;
    }
    static constexpr T plain(const dual& x) { return x.value; }
    template <class U>
        requires std::convertible_to<U, T>
    static constexpr T plain(const U& x) {
        return static_cast<T>(x);
    }
    template <class A, class Slope>
    static constexpr dual along_if_moving(const dual& others, const A& x, [[maybe_unused]] Slope slope) {
        if constexpr (std::same_as<A, dual>)
            return along(others, slope(), x);
        else
            return others;
    }
    static constexpr dual along(const T& value, const T& by_x, const dual& x, const T& by_y, const dual& y) {
        dual r(value);
        if (keeps_zero(by_x) && keeps_zero(by_y))
            for (std::size_t k = 0; k < N; ++k) r.tangents[k] = by_x * x.tangents[k] + by_y * y.tangents[k];
        else
            for (std::size_t k = 0; k < N; ++k) r.tangents[k] = moved(by_x, x.tangents[k]) + moved(by_y, y.tangents[k]);
        return r;
    }
};

/// One independent variable per number, the k-th moving in direction k.
template <class T, std::same_as<T>... Rest>
[[nodiscard]] constexpr auto dual_variables(const T& first, const Rest&... rest) {
    std::array<dual<T, 1 + sizeof...(Rest)>, 1 + sizeof...(Rest)> variables{first, rest...};
    for (std::size_t k = 0; k < variables.size(); ++k) variables[k].tangents[k] = T(1);
    return variables;
}

} // namespace chainrule

/// Those of T.
template <class T, std::size_t N>
class std::numeric_limits<chainrule::dual<T, N>> : public std::numeric_limits<T> {};
