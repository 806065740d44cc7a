// SPDX-License-Identifier: BSL-1.0
//
// saddle: the saddle point of (x1^2 + y1^2) - (x2^2 + y2^2), by the descent to the least of the values that the ascent
// in the other two coordinates reaches. Derivatives are nested: those of the descent go through the ascent.
#pragma once

#include "descent.hpp"

namespace gradbench {

struct saddle {
    static constexpr auto name = "saddle";
    numbers point; // where descent and ascent start

    static saddle of_start(double x, double y) { return {{x, y}}; }
    static saddle read(std::istream& in) { return {read_numbers(in, 2)}; }

    template <class T>
    [[nodiscard]] static T f(const T& x1, const T& y1, const T& x2, const T& y2) {
        return (x1 * x1 + y1 * y1) - (x2 * x2 + y2 * y2);
    }

    /// The ascent from the start to the greatest of f(x, .); slope(at, y): the gradient of -f with respect to y.
    template <class T, class Slope>
    [[nodiscard]] std::array<T, 2> greatest(const std::array<T, 2>& x, const Slope& slope) const {
        return least([&](const auto& y) { return T(-f(x[0], x[1], y[0], y[1])); },
                     [&](const auto& y) { return slope(x, y); }, std::array<T, 2>{point[0], point[1]});
    }
    /// Both points: outer(cost, x) is the gradient of the greatest value, slope as above.
    template <class Outer, class Slope>
    void descend(numbers& result, const Outer& outer, const Slope& slope) const {
        const auto cost = [&]<class T>(const std::array<T, 2>& x) {
            const auto y = greatest(x, slope);
            return f(x[0], x[1], y[0], y[1]);
        };
        const auto x = least(cost, [&](const auto& at) { return outer(cost, at); }, std::array{point[0], point[1]});
        const auto y = greatest(x, slope);
        result = {x[0], x[1], y[0], y[1]};
    }

    template <mode Outer, mode Inner>
    void by_modes(numbers& result) const {
        descend(
            result, [](const auto& cost, const auto& x) { return gradient_by<Outer>(cost, x); },
            []<class T>(const std::array<T, 2>& x, const std::array<T, 2>& y) {
                return gradient_by<Inner>(
                    [&](const auto& at) {
                        using number = number_of<decltype(at)>;
                        return number(-f<number>(x[0], x[1], at[0], at[1]));
                    },
                    y);
            });
    }
    void by_tape(numbers& result) const { by_modes<mode::reverse, mode::reverse>(result); }

    /// The gradient of the greatest value is that of f with y kept, so the ascent is not differentiated.
    void by_hand(numbers& result) const {
        descend(
            result, [](const auto&, const auto& x) { return std::array{2.0 * x[0], 2.0 * x[1]}; },
            [](const auto&, const auto& y) { return std::array{2.0 * y[0], 2.0 * y[1]}; });
    }
    bool by_kernel(numbers& result) const;
};

} // namespace gradbench
