// SPDX-License-Identifier: BSL-1.0
//
// Dual numbers: a value with its derivatives in N directions, which every operation propagates by the rules of the
// table (functions/rows.hpp). On their own they are forward mode; on a tape (chainrule/tape.hpp) they give second
// derivatives.
#pragma once

#include <chainrule/functions/standard_constants.hpp>
#include <chainrule/expression/number_functions.hpp>
#include <chainrule/dual/requirements.hpp>
#include <chainrule/dual/tangent_numbers.hpp>
#include <chainrule/functions/order.hpp>
#include <chainrule/functions/derivatives.hpp>
#include <chainrule/functions/standard_functions.hpp>
#include <chainrule/core/from_stream.hpp>
#include <chainrule/core/structural_zero.hpp>

#include <array>
#include <cmath>
#include <compare>
#include <cstddef>
#include <iosfwd>
#include <limits>
#include <type_traits>
#include <utility>

namespace chainrule {

/// A number of type T (float, double, long double, or a dual number again) with its derivatives in N directions.
/// Comparisons compare values, so programs branch as they would without derivatives.
/// Example: `auto [x, y] = dual_variables(2.0, 5.0); auto f = log(x) + x * y - sin(y); f.tangents[0]; // df/dx`
template <class T, std::size_t N = 1>
struct dual {
    static_assert(!std::is_integral_v<T>, "dual: the type of the values is an integer, in which 3 / 2 is 1; write "
                                          "dual<double>");
    using has_functions_of_table = void;
    // For kernels (kernel/emit_dual_numbers.hpp), as is slope().
    enum : int { tangent_count = N };
    /// The derivative of a function, a row of the table, by argument K, from its arguments and its result.
    template <int K, class Row>
    static constexpr T slope(const auto&... arguments_and_result) {
        return functions::derivative<K, Row>(arguments_and_result...);
    }

    // In this order, so that no copy through a register straddles two earlier stores.
    std::array<T, N> tangents; ///< the derivatives in the N directions
    T value;                   ///< the number itself

    constexpr dual() : tangents{}, value{} {}
    template <class U>
    requires detail::becomes_number<U, T>
    constexpr dual(const U& v) : tangents{}, value(static_cast<T>(v)) {}
    constexpr dual(const T& v, const std::array<T, N>& t) : tangents(t), value(v) {}

    /// An independent variable: its derivative in the direction with that number is 1. Throws std::out_of_range if
    /// there is no such direction.
    [[nodiscard]] static constexpr dual variable(const T& value, std::size_t direction = 0) {
        if (direction >= N) detail::no_direction(direction, N);
        dual x(value);
        x.tangents[direction] = T(1);
        return x;
    }

    friend constexpr dual operator+(const dual& a) { return a; }
    friend constexpr dual operator-(const dual& a) {
        return lane_by_lane(-a.value, [](const auto& s) { return -s; }, a.tangents);
    }
    friend constexpr dual operator+(const dual& a, const dual& b) {
        return lane_by_lane(
            a.value + b.value, [](const auto& s, const auto& t) { return s + t; }, a.tangents, b.tangents);
    }
    friend constexpr dual operator-(const dual& a, const dual& b) {
        return lane_by_lane(
            a.value - b.value, [](const auto& s, const auto& t) { return s - t; }, a.tangents, b.tangents);
    }
    friend constexpr dual operator*(const dual& a, const dual& b) {
        return along(T(a.value * b.value), b.value, a, a.value, b);
    }
    friend constexpr dual operator/(const dual& a, const dual& b) {
        const T quotient = a.value / b.value, reciprocal = T(1) / b.value;
        return along(quotient, reciprocal, a, -quotient * reciprocal, b);
    }
    // A plain number has zero derivatives.
    template <class U>
    requires detail::plain_operand<U, T>
    friend constexpr dual operator+(const dual& a, const U& b) {
        return {a.value + static_cast<T>(b), a.tangents};
    }
    template <class U>
    requires detail::plain_operand<U, T>
    friend constexpr dual operator+(const U& a, const dual& b) {
        return {static_cast<T>(a) + b.value, b.tangents};
    }
    template <class U>
    requires detail::plain_operand<U, T>
    friend constexpr dual operator-(const dual& a, const U& b) {
        return {a.value - static_cast<T>(b), a.tangents};
    }
    template <class U>
    requires detail::plain_operand<U, T>
    friend constexpr dual operator-(const U& a, const dual& b) {
        return lane_by_lane(static_cast<T>(a) - b.value, [](const auto& t) { return -t; }, b.tangents);
    }
    template <class U>
    requires detail::plain_operand<U, T>
    friend constexpr dual operator*(const dual& a, const U& b) {
        return along(T(a.value * static_cast<T>(b)), static_cast<T>(b), a);
    }
    template <class U>
    requires detail::plain_operand<U, T>
    friend constexpr dual operator*(const U& a, const dual& b) {
        return along(T(static_cast<T>(a) * b.value), static_cast<T>(a), b);
    }
    template <class U>
    requires detail::plain_operand<U, T>
    friend constexpr dual operator/(const dual& a, const U& b) {
        const T quotient = a.value / static_cast<T>(b);
        return along(quotient, T(1) / static_cast<T>(b), a);
    }
    template <class U>
    requires detail::plain_operand<U, T>
    friend constexpr dual operator/(const U& a, const dual& b) {
        const T quotient = static_cast<T>(a) / b.value, reciprocal = T(1) / b.value;
        return along(quotient, T(-quotient * reciprocal), b);
    }
    friend constexpr dual operator*(irrational a, const dual& b) { return a.as<T>() * b; }

    constexpr dual& operator+=(const dual& b) {
        value = value + b.value;
        tangent_numbers::write(tangents, [](const auto& s, const auto& t) { return s + t; }, tangents, b.tangents);
        return *this;
    }
    constexpr dual& operator-=(const dual& b) {
        value = value - b.value;
        tangent_numbers::write(tangents, [](const auto& s, const auto& t) { return s - t; }, tangents, b.tangents);
        return *this;
    }
    template <std::convertible_to<dual> B>
    constexpr dual& operator*=(const B& b) {
        return *this = *this * b;
    }
    template <std::convertible_to<dual> B>
    constexpr dual& operator/=(const B& b) {
        return *this = *this / b;
    }

    constexpr dual& operator++() { return *this += dual(T(1)); }
    constexpr dual& operator--() { return *this -= dual(T(1)); }
    constexpr dual operator++(int) {
        const dual old = *this;
        ++*this;
        return old;
    }
    constexpr dual operator--(int) {
        const dual old = *this;
        --*this;
        return old;
    }

    // As in std::sin(x).
    template <class U>
    requires std::same_as<U, functions::refused_plain<T>>
    operator U() const {
        return functions::refused_by_standard_functions<dual, U>();
    }
    template <std::integral U>
    explicit operator U() const {
        if constexpr (std::same_as<U, bool>)
            return functions::refused_as_truth<dual>();
        else
            return functions::refused_as_plain<dual, U>();
    }

    friend constexpr bool operator==(const dual& a, const dual& b) { return a.value == b.value; }
    template <class U>
    requires detail::plain_operand<U, T>
    friend constexpr bool operator==(const dual& a, const U& b) {
        return a.value == static_cast<T>(b);
    }
    template <class U>
    requires detail::plain_operand<U, T>
    friend constexpr auto operator<=>(const dual& a, const U& b) {
        return a <=> dual(b);
    }
    friend constexpr auto operator<=>(const dual& a, const dual& b) {
        if constexpr (requires { a.value <=> b.value; })
            return a.value <=> b.value;
        else // as in classes of other libraries
            return functions::order_of(a.value, b.value);
    }

#define CHAINRULE_UNARY(NAME, ...)                                                                                     \
    friend constexpr dual NAME(const dual& x) {                                                                        \
        const T r = functions::NAME::value(x.value);                                                                   \
        return chained(r, functions::derivative<0, functions::NAME>(x.value, r), x);                                   \
    }
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    friend constexpr dual computed(functions::NAME*, const dual& x, const dual& y) {                                   \
        const T r = functions::NAME::value(x.value, y.value);                                                          \
        return chained(r, functions::derivative<0, functions::NAME>(x.value, y.value, r), x,                           \
                       functions::derivative<1, functions::NAME>(x.value, y.value, r), y);                             \
    }                                                                                                                  \
    template <class U>                                                                                                 \
    requires detail::becomes_number<U, T>                                                                              \
    friend constexpr dual NAME(const dual& x, const U& y) {                                                            \
        using row = typename functions::called_with<functions::NAME, U>::type;                                         \
        const T second = static_cast<T>(y), r = row::value(x.value, second);                                           \
        return chained(r, functions::derivative<0, row>(x.value, second, r), x);                                       \
    }                                                                                                                  \
    template <class U>                                                                                                 \
    requires detail::becomes_number<U, T>                                                                              \
    friend constexpr dual NAME(const U& x, const dual& y) {                                                            \
        const T first = static_cast<T>(x), r = functions::NAME::value(first, y.value);                                 \
        return chained(r, functions::derivative<1, functions::NAME>(first, y.value, r), y);                            \
    }
#define CHAINRULE_TERNARY(NAME, ...)                                                                                   \
    friend constexpr dual computed(functions::NAME*, const dual& x, const dual& y, const dual& z) {                    \
        const T r = functions::NAME::value(x.value, y.value, z.value);                                                 \
        const dual first = chained(r, functions::derivative<0, functions::NAME>(x.value, y.value, z.value, r), x,      \
                                   functions::derivative<1, functions::NAME>(x.value, y.value, z.value, r), y);        \
        return chained(first, functions::derivative<2, functions::NAME>(x.value, y.value, z.value, r), z);             \
    }
    CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY

    CHAINRULE_CHOICES_AMONG(dual)
    /// The length of the vector (x, y, z), as std::hypot of three arguments.
    friend constexpr dual hypot(const dual& x, const dual& y, const dual& z) { return hypot3(x, y, z); }

// Classification functions test the value.
#define CHAINRULE_CLASSIFICATION(NAME)                                                                                 \
    friend constexpr bool NAME(const dual& x) {                                                                        \
        if constexpr (std::is_floating_point_v<T>)                                                                     \
            return __builtin_##NAME(x.value) != 0;                                                                     \
        else                                                                                                           \
            return NAME(x.value);                                                                                      \
    }
    CHAINRULE_CLASSIFICATION(isfinite)
    CHAINRULE_CLASSIFICATION(isinf)
    CHAINRULE_CLASSIFICATION(isnan)
    CHAINRULE_CLASSIFICATION(isnormal)
    CHAINRULE_CLASSIFICATION(signbit)
#undef CHAINRULE_CLASSIFICATION
    friend int fpclassify(const dual& x) {
        using std::fpclassify;
        return fpclassify(x.value);
    }

    template <class... A>
    static constexpr bool are_arguments =
        (false || ... || std::is_same_v<A, dual>) && (true && ... && std::is_convertible_v<const A&, dual>);
    /// A custom function (chainrule/custom_function.hpp) of dual and plain numbers.
    template <class Row, class... A>
    requires(are_arguments<A...>)
    friend constexpr dual call_custom(Row, const A&... x) {
        const T r = Row::value(plain(x)...);
        dual result(r);
        [&]<int... K>(std::integer_sequence<int, K...>) {
            ((result = along_if_moving(result, x, [&] { return functions::derivative<K, Row>(plain(x)..., r); })), ...);
        }(std::make_integer_sequence<int, static_cast<int>(sizeof...(A))>{});
        return result;
    }

    /// Whether the value and all derivatives are zero: `== 0` tests only the value.
    friend constexpr bool zero_in_every_part(const dual& x) {
        bool zero = core::is_structural_zero(x.value);
        for (const T& t : x.tangents) zero = zero && core::is_structural_zero(t);
        return zero;
    }
    /// Whether the value and all derivatives are finite.
    friend constexpr bool finite_in_every_part(const dual& x) {
        bool finite = core::keeps_zero(x.value);
        for (const T& t : x.tangents) finite = finite && core::keeps_zero(t);
        return finite;
    }

    /// Copies number by number, from registers. Where parts of a number were computed one by one, compilers copy all of
    /// it through memory instead, and a processor waits a dozen cycles to load together what was stored apart.
    friend constexpr void assign_parts(dual& to, const dual& from) {
        tangent_numbers::write(to.tangents, [](const auto& t) { return t; }, from.tangents);
        to.value = from.value;
    }

    template <class Character, class Traits>
    friend std::basic_ostream<Character, Traits>& operator<<(std::basic_ostream<Character, Traits>& out,
                                                             const dual& x) {
        out << x.value << " (";
        for (std::size_t k = 0; k < N; ++k) out << (k == 0 ? "" : ", ") << x.tangents[k];
        return out << ')';
    }
    /// Reads a plain number.
    template <class Character, class Traits>
    friend std::basic_istream<Character, Traits>& operator>>(std::basic_istream<Character, Traits>& in, dual& x) {
        return core::read_plain<T>(in, x);
    }

private:
    using tangent_numbers = detail::tangent_numbers<T, N>;

    struct unwritten {};
    constexpr dual(unwritten, const T& v) : value(v) {}

    template <class Compute, class... Tangents>
    static constexpr dual lane_by_lane(const T& value, const Compute& compute, const Tangents&... from) {
        dual r(unwritten{}, value);
        tangent_numbers::write(r.tangents, compute, from...);
        return r;
    }

    static constexpr dual along(const T& value, const T& slope, const dual& x) {
        if constexpr (tangent_numbers::in_registers) {
            if (!std::is_constant_evaluated()) {
                const bool zero_kept = core::keeps_zero(slope);
                return lane_by_lane(
                    value, [&](const auto& t) { return tangent_numbers::moved(zero_kept, slope, t); }, x.tangents);
            }
        }
        if (core::keeps_zero(slope)) [[likely]]
            return lane_by_lane(value, [&](const auto& t) { return slope * t; }, x.tangents);
        return {value, tangent_numbers::all_moved(slope, x.tangents)};
    }
    static constexpr dual along(const dual& others, const T& slope, const dual& x) {
        const dual r = along(others.value, slope, x);
        return lane_by_lane(
            others.value, [](const auto& s, const auto& t) { return s + t; }, others.tangents, r.tangents);
    }
    // The chain rule. If the slope is zero, the result does not depend on x, even if the tangent of x is infinite, as
    // in reverse mode, where the adjoint is then zero.
    static constexpr dual chained(const T& value, const T& slope, const dual& x) {
        if (core::is_structural_zero(slope)) return dual(value);
        return along(value, slope, x);
    }
    static constexpr dual chained(const dual& others, const T& slope, const dual& x) {
        if (core::is_structural_zero(slope)) return others;
        return along(others, slope, x);
    }
    static constexpr dual chained(const T& value, const T& by_x, const dual& x, const T& by_y, const dual& y) {
        if (core::is_structural_zero(by_x)) return chained(value, by_y, y);
        if (core::is_structural_zero(by_y)) return along(value, by_x, x);
        return along(value, by_x, x, by_y, y);
    }

    // For two built-in numbers, their sum shows it.
    static constexpr bool keep_zero(const T& a, const T& b) {
        if constexpr (std::is_floating_point_v<T>)
            return core::keeps_zero(T(a + b));
        else
            return core::keeps_zero(a) && core::keeps_zero(b);
    }
    static constexpr T plain(const dual& x) { return x.value; }
    template <class U>
    requires detail::becomes_number<U, T>
    static constexpr T plain(const U& x) {
        return static_cast<T>(x);
    }
    template <class A, class Slope>
    static constexpr dual along_if_moving(const dual& others, const A& x, [[maybe_unused]] Slope slope) {
        if constexpr (std::same_as<A, dual>)
            return chained(others, slope(), x);
        else
            return others;
    }
    static constexpr dual along(const T& value, const T& by_x, const dual& x, const T& by_y, const dual& y) {
        if constexpr (tangent_numbers::in_registers) {
            if (!std::is_constant_evaluated()) {
                const bool zero_kept = keep_zero(by_x, by_y);
                return lane_by_lane(
                    value,
                    [&](const auto& s, const auto& t) { return tangent_numbers::moved(zero_kept, by_x, s, by_y, t); },
                    x.tangents, y.tangents);
            }
        }
        if (keep_zero(by_x, by_y)) [[likely]]
            return lane_by_lane(
                value, [&](const auto& s, const auto& t) { return by_x * s + by_y * t; }, x.tangents, y.tangents);
        dual r(value, tangent_numbers::all_moved(by_x, x.tangents));
        const auto others = tangent_numbers::all_moved(by_y, y.tangents);
        for (std::size_t k = 0; k < N; ++k) r.tangents[k] = r.tangents[k] + others[k];
        return r;
    }
};

// Three arguments, some of them plain numbers: better matches than the functions of <cmath>, to whose types a dual
// number converts for an error message, and than those of any numbers (expression/number_functions.hpp), since each
// says which arguments are dual.
#define CHAINRULE_WITH_PLAIN(NAME, X, Y, Z)                                                                            \
    template <class T, std::size_t N, class U>                                                                         \
    requires detail::becomes_number<U, T>                                                                              \
    constexpr dual<T, N> NAME(const X& x, const Y& y, const Z& z) {                                                    \
        return NAME(dual<T, N>(x), dual<T, N>(y), dual<T, N>(z));                                                      \
    }
#define CHAINRULE_WITH_TWO_PLAIN(NAME, X, Y, Z)                                                                        \
    template <class T, std::size_t N, class U, class V>                                                                \
    requires(detail::becomes_number<U, T> && detail::becomes_number<V, T>)                                             \
    constexpr dual<T, N> NAME(const X& x, const Y& y, const Z& z) {                                                    \
        return NAME(dual<T, N>(x), dual<T, N>(y), dual<T, N>(z));                                                      \
    }
#define CHAINRULE_DUAL() dual<T, N>
#define CHAINRULE_NOT_TERNARY(...)
#define CHAINRULE_TERNARY(NAME, ...)                                                                                   \
    CHAINRULE_SOME_OF_THREE_PLAIN(CHAINRULE_WITH_PLAIN, CHAINRULE_WITH_TWO_PLAIN, NAME, CHAINRULE_DUAL)
CHAINRULE_FUNCTIONS(CHAINRULE_NOT_TERNARY, CHAINRULE_NOT_TERNARY, CHAINRULE_TERNARY)
CHAINRULE_TERNARY(hypot)
#undef CHAINRULE_WITH_PLAIN
#undef CHAINRULE_WITH_TWO_PLAIN
#undef CHAINRULE_DUAL
#undef CHAINRULE_NOT_TERNARY
#undef CHAINRULE_TERNARY

namespace detail {
template <class T>
inline constexpr bool is_dual = false;
template <class T, std::size_t N>
inline constexpr bool is_dual<dual<T, N>> = true;
} // namespace detail

} // namespace chainrule

/// The limits of T.
template <class T, std::size_t N>
struct chainrule::functions::plain_part_of<chainrule::dual<T, N>> {
    using type = T;
};
template <class T, std::size_t N>
class std::numeric_limits<chainrule::dual<T, N>> : public std::numeric_limits<T> {};
