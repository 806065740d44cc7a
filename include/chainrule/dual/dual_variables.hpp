// SPDX-License-Identifier: BSL-1.0
//
// The independent variables of a program in dual numbers: each has a direction of its own.
#pragma once

#include <chainrule/dual/dual.hpp>

namespace chainrule {

/// One independent variable per number of a list; integers count as double. The derivative of the k-th in direction k
/// is 1.
template <class Number, std::size_t N>
requires(N > 0)
[[nodiscard]] constexpr auto dual_variables(const std::array<Number, N>& numbers) {
    using T = std::conditional_t<std::is_integral_v<Number>, double, Number>;
    std::array<dual<T, N>, N> variables;
    for (std::size_t k = 0; k < N; ++k) {
        variables[k] = static_cast<T>(numbers[k]);
        variables[k].tangents[k] = T(1);
    }
    return variables;
}
/// The same for separate numbers, of their common type.
template <class... Numbers>
requires(sizeof...(Numbers) > 0)
[[nodiscard]] constexpr auto dual_variables(const Numbers&... numbers) {
    using T = std::common_type_t<std::conditional_t<std::is_integral_v<Numbers>, double, Numbers>...>;
    return dual_variables(std::array<T, sizeof...(Numbers)>{static_cast<T>(numbers)...});
}

} // namespace chainrule
