// SPDX-License-Identifier: BSL-1.0
//
// The results of members of a positional function that are more than one array.
#pragma once

#include <array>
#include <cstddef>

namespace chainrule {

/// A value and its gradient; structured bindings work: auto [value, gradient] = ...
template <class T, std::size_t Size>
struct value_and_gradient_result {
    using has_parts = void;       // no text: print/text.hpp
    T value;                      ///< f
    std::array<T, Size> gradient; ///< df/dx_i
};

/// A value, its gradient and its Hessian.
template <class T, std::size_t Size>
struct second_order_result {
    using has_parts = void;                        // no text: print/text.hpp
    T value;                                       ///< f
    std::array<T, Size> gradient;                  ///< df/dx_i
    std::array<std::array<T, Size>, Size> hessian; ///< d^2f/dx_i dx_j: both halves, which are equal
};

/// The values of a vector and its Jacobian: jacobian[i][j] is the derivative of expression i with respect to variable
/// j.
template <class T, std::size_t Rows, std::size_t Columns>
struct values_and_jacobian_result {
    using has_parts = void;                            // no text: print/text.hpp
    std::array<T, Rows> values;                        ///< f_i
    std::array<std::array<T, Columns>, Rows> jacobian; ///< df_i/dx_j
};

} // namespace chainrule
