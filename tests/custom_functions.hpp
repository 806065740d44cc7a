// SPDX-License-Identifier: BSL-1.0
//
// Functions as users write them, from outside the library, for the tests of every mode.
#pragma once

#include <chainrule/custom_function.hpp>

namespace outside {

namespace cr = chainrule;

/// A function of one argument, with functions of the table in value and derivative.
struct gelu_function : cr::custom_function<gelu_function, 1> {
    static constexpr char name[] = "gelu";
    static constexpr double domain[][2] = {{-4, 4}};
    template <class T>
    static constexpr T value(const T& x) {
        return x * normal_cdf(x);
    }
    template <int K, class T>
    static constexpr auto derivative(const T& x, const T&) {
        return normal_cdf(x) + 0.3989422804014327 * x * exp(-0.5 * x * x);
    }
};
inline constexpr gelu_function gelu;

/// The positive root of r^3 + r = x, found by iteration: a value that no formula gives. The derivative is one in the
/// result.
struct depressed_cubic : cr::custom_function<depressed_cubic, 1> {
    static constexpr char name[] = "cubic_root";
    static constexpr double domain[][2] = {{-5, 5}};
    template <class T>
    static constexpr T value(const T& x) {
        T r = x / 2;
        for (int i = 0; i < 40; ++i) {
            const T step = (r * r * r + r - x) / (3 * r * r + 1);
            r = r - step;
            if (step == T(0)) break;
        }
        return r;
    }
    template <class T> // with one argument, its number may be left out
    static constexpr auto derivative(const T&, const T& r) {
        return 1 / (3 * r * r + 1);
    }
};
inline constexpr depressed_cubic cubic_root;

/// Two functions that are each other's derivatives.
struct sine_like;
struct cosine_like : cr::custom_function<cosine_like, 1> {
    static constexpr char name[] = "cosine_like";
    static constexpr double domain[][2] = {{-3, 3}};
    template <class T>
    static constexpr T value(const T& x) {
        return cos(x);
    }
    template <int K, class T>
    static constexpr auto derivative(const T& x, const T&);
};
struct sine_like : cr::custom_function<sine_like, 1> {
    static constexpr char name[] = "sine_like";
    static constexpr double domain[][2] = {{-3, 3}};
    template <class T>
    static constexpr T value(const T& x) {
        return sin(x);
    }
    template <int K, class T>
    static constexpr auto derivative(const T& x, const T&) {
        return cosine_like{}(x);
    }
};
template <int K, class T>
constexpr auto cosine_like::derivative(const T& x, const T&) {
    return -sine_like{}(x);
}
inline constexpr sine_like sine;
inline constexpr cosine_like cosine;

/// A function of two arguments, whose derivative is written with the result.
struct power_mean : cr::custom_function<power_mean, 2> {
    static constexpr char name[] = "power_mean";
    static constexpr double domain[][2] = {{0.1, 4}, {0.1, 4}};
    template <class T>
    static constexpr T value(const T& x, const T& y) {
        return sqrt((x * x + y * y) / 2);
    }
    template <int K, class T>
    static constexpr auto derivative(const T& x, const T& y, const T& r) {
        return (K == 0 ? x : y) / (2 * r);
    }
};
inline constexpr power_mean mean;

/// A function of three arguments with a kink, whose derivative is selected.
struct leaky_line : cr::custom_function<leaky_line, 3> {
    static constexpr char name[] = "leaky_line";
    static constexpr double domain[][2] = {{-2, 2}, {0.1, 2}, {1, 3}};
    template <class T>
    static constexpr T value(const T& x, const T& below, const T& above) {
        return x < 0 ? below * x : above * x;
    }
    template <int K, class T>
    static constexpr auto derivative(const T& x, [[maybe_unused]] const T& below, [[maybe_unused]] const T& above,
                                     const T&) {
        if constexpr (K == 0)
            return select(x < 0, below, above);
        else if constexpr (K == 1)
            return select(x < 0, x, 0);
        else
            return select(!(x < 0), x, 0);
    }
};
inline constexpr leaky_line leaky;

} // namespace outside
