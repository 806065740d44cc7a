// SPDX-License-Identifier: BSL-1.0
//
// verified(f) compares the derivatives of a custom function with differences of its value at points of its domain, in a
// static_assert or in a test, and names a point where a derivative is wrong.
#pragma once

#include <chainrule/core/is_finite.hpp>
#include <chainrule/custom_function/differences.hpp>
#include <chainrule/custom_function/custom_row.hpp>
#include <chainrule/custom_function/verification.hpp>

namespace chainrule {

namespace detail {

template <class F, int K>
class derivative_check {
public:
    static constexpr verification at_points(int points, int steps) {
        verification v;
        v.name = F::name;
        v.arity = int{F::arity};
        v.argument = K;
        int decided = 0;
        for (int i = 0; i < points; ++i) {
            for (int j = 0; j < v.arity; ++j)
                v.point[j] = rounded(low(j) + (high(j) - low(j)) * place(i, j), high(j) - low(j));
            const double value = value_at(v.point[0], v.point[1], v.point[2]);
            v.found = derivative_at(v.point[0], v.point[1], v.point[2], value);
            if (!core::is_finite(value) || !core::is_finite(v.found)) {
                v.is = verification::no_number;
                return v;
            }
            const double width = high(K) - low(K), x = v.point[K];
            double h = width / 16;
            if (x - low(K) < h) h = x - low(K);
            if (high(K) - x < h) h = high(K) - x;
            double slope = 0, error = 0;
            extrapolate_differences(on_axis{v.point[0], v.point[1], v.point[2]}, x, h, steps, slope, error);
            // Ten times the error, plus the effect of rounding in the formula itself.
            const double scale = distance_from_zero(slope) + distance_from_zero(value) / width;
            if (!(error <= scale)) continue; // a kink is near: inconclusive
            const double tolerance = 10 * error + 1e-10 * scale;
            if (!(tolerance <= 1e-5 * scale + std::numeric_limits<double>::min())) continue;
            ++decided;
            if (distance_from_zero(v.found - slope) <= tolerance) continue;
            v.is = verification::wrong_derivative;
            v.expected = slope;
            return v;
        }
        if (decided == 0 && points > 0) v.is = verification::rough_values;
        return v;
    }

private:
    // The value as a function of argument K only.
    struct on_axis {
        double x, y, z;
        constexpr double operator()(double moved) const {
            return value_at(K == 0 ? moved : x, K == 1 ? moved : y, K == 2 ? moved : z);
        }
    };

    static constexpr double low(int j) { return F::domain[j][0]; }
    static constexpr double high(int j) { return F::domain[j][1]; }

    // Evenly distributed points for any count: multiples of irrational numbers (Weyl), not too near the edges of the
    // box.
    static constexpr double place(int i, int j) {
        constexpr double steps[] = {0.6180339887498949, 0.7548776662466927, 0.5698402909980532};
        const double u = 0.37 + (i + 1) * steps[j];
        return 0.03 + 0.94 * (u - static_cast<int>(u));
    }
    // Rounded to three decimals of the interval's width, so a point is easy to read and type.
    static constexpr double rounded(double x, double width) {
        double scale = 1;
        while (scale * width < 1000) scale *= 10;
        const double scaled = x * scale;
        if (!(-1e15 < scaled && scaled < 1e15)) return x;
        return static_cast<double>(static_cast<integer>(scaled)) / scale;
    }
    static constexpr double value_at(double x, [[maybe_unused]] double y, [[maybe_unused]] double z) {
        if constexpr (int{F::arity} == 1)
            return custom_row<F>::value(x);
        else if constexpr (int{F::arity} == 2)
            return custom_row<F>::value(x, y);
        else
            return custom_row<F>::value(x, y, z);
    }
    static constexpr double derivative_at(double x, [[maybe_unused]] double y, [[maybe_unused]] double z, double r) {
        if constexpr (int{F::arity} == 1)
            return custom_row<F>::template derivative<K>(x, r);
        else if constexpr (int{F::arity} == 2)
            return custom_row<F>::template derivative<K>(x, y, r);
        else
            return custom_row<F>::template derivative<K>(x, y, z, r);
    }
};

template <class F>
consteval bool has_domain() {
    if constexpr (requires { sizeof(F::domain) / sizeof(F::domain[0]); })
        return sizeof(F::domain) / sizeof(F::domain[0]) == static_cast<std::size_t>(int{F::arity});
    else
        return false;
}

/// Whether all intervals of a domain are finite and wide enough for differences: of a narrow one, the rounding of the
/// values would hide any derivative.
template <class F>
consteval bool has_wide_domain() {
    for (const auto& interval : F::domain) {
        const double low = interval[0], high = interval[1];
        const double size =
            distance_from_zero(low) < distance_from_zero(high) ? distance_from_zero(high) : distance_from_zero(low);
        if (!core::is_finite(high - low) || !(low < high) || high - low < 1e-3 * size) return false;
    }
    return true;
}

template <class F>
constexpr verification verified_at_points(int points, int steps) {
    verification v = derivative_check<F, 0>::at_points(points, steps);
    if constexpr (int{F::arity} > 1)
        if (v.is == verification::right) v = derivative_check<F, 1>::at_points(points, steps);
    if constexpr (int{F::arity} > 2)
        if (v.is == verification::right) v = derivative_check<F, 2>::at_points(points, steps);
    return v;
}

/// Characters as a template argument, visible in compiler messages.
template <std::size_t Size>
struct message_part {
    char text[Size] = {};
};
constexpr message_part<80> in_message(const fixed_text<512>& text) {
    message_part<80> w;
    for (std::size_t i = 0; i < text.size() && i < 79; ++i) w.text[i] = text.data()[i];
    return w;
}
constexpr message_part<80> in_message(double x, double other) {
    fixed_text<512> text;
    verification::put_number(text, x, other);
    return in_message(text);
}

// In a constant expression, the call that fails is of a function whose name, with its template arguments, is the
// message: g++ prints it. clang prints the names of the calling functions, with the numbers that they were called with.
template <class Function, int Argument>
struct the_derivative_of {
    template <message_part Point>
    struct at {
        template <message_part Found>
        struct is {
            template <message_part Expected>
            struct but_differences_give {
                static void so_correct_it() {}
            };
        };
    };
};
template <class Function>
struct the_values_of {
    static void are_too_rough_for_differences_so_give_another_domain() {}
    template <message_part Point>
    struct are_not_finite_at {
        static void so_give_another_domain() {}
    };
};

template <class Sentence>
struct in_numbers {
    static constexpr void but_differences_give(double) { Sentence::so_correct_it(); }
    static constexpr void is(double, const verification& v) { but_differences_give(v.expected); }
    static constexpr void at(double, const verification& v) { is(v.found, v); }
    static constexpr void at(double, double, const verification& v) { is(v.found, v); }
    static constexpr void at(double, double, double, const verification& v) { is(v.found, v); }
    static constexpr void derivative_by_argument(int, const verification& v) {
        if (v.arity == 1) return at(v.point[0], v);
        if (v.arity == 2) return at(v.point[0], v.point[1], v);
        at(v.point[0], v.point[1], v.point[2], v);
    }
};

/// Whether the function can be evaluated in constant expressions.
template <class F>
concept computed_in_constant_expressions =
    requires { typename std::bool_constant<(verified_at_points<F>(5, 5), true)>; };

} // namespace detail

/// Compares every derivative of a custom function with differences of its value, at 60 points of its domain, or at 5 in
/// constant expressions. Points next to a kink or jump are skipped. A derivative is right if it differs from the
/// extrapolated differences by at most 10 times their estimated error, from the extrapolation and from the rounding of
/// the values, plus 1e-10 of their size: about 1e-9 of its size for a smooth function. In a static_assert, the compiler
/// prints the function, the argument, the point, the wrong derivative and the result of the differences; in a test, the
/// result prints as a sentence with the same data.
/// Example: `static_assert(verified(airy));`
template <class F>
[[nodiscard]] constexpr verification verified(const F&) {
    constexpr bool own = requires { typename F::row::function; };
    static_assert(own, "verified: the argument is not a custom function; derive its class from custom_function");
    if constexpr (own) {
        constexpr bool complete = detail::has_domain<F>();
        static_assert(complete,
                      "verified: the class has no domain with one interval per argument; write static constexpr "
                      "double domain[][2] = {{low, high}}");
        constexpr bool wide = [] {
            if constexpr (complete)
                return detail::has_wide_domain<F>();
            else
                return true;
        }();
        static_assert(wide, "verified: an interval of the domain is empty, infinite, or narrower than a thousandth of "
                            "its bounds; give {low, high} between which the function is smooth");
        if constexpr (complete && wide) {
            // (Not in a function, which would be context of the message.)
            if constexpr (detail::computed_in_constant_expressions<F>)
                if (std::is_constant_evaluated()) {
                    constexpr verification v = detail::verified_at_points<F>(5, 5);
                    if constexpr (v.is == verification::wrong_derivative) {
                        using sentence =
                            typename detail::the_derivative_of<F, v.argument + 1>::template at<detail::in_message(
                                v.point_text())>::template is<detail::in_message(v.found, v.expected)>::
                                template but_differences_give<detail::in_message(v.expected, v.found)>;
#if defined(__clang__)
                        detail::in_numbers<sentence>::derivative_by_argument(v.argument + 1, v);
#else
                        sentence::so_correct_it();
#endif
                    }
                    if constexpr (v.is == verification::no_number)
                        detail::the_values_of<F>::template are_not_finite_at<detail::in_message(
                            v.point_text())>::so_give_another_domain();
                    if constexpr (v.is == verification::rough_values)
                        detail::the_values_of<F>::are_too_rough_for_differences_so_give_another_domain();
                    return v;
                }
            return detail::verified_at_points<F>(60, 10);
        }
    }
    return {};
}

} // namespace chainrule
