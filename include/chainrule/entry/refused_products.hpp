// SPDX-License-Identifier: BSL-1.0
//
// Products of derivatives at separate numbers, which a sentence refuses: the last argument is a direction or weights,
// so the point must be one list.
#pragma once

#include <type_traits>

namespace chainrule::detail {

/// A base class of functions.
struct refused_products {
    template <class X, class Y, class... More>
    requires std::is_arithmetic_v<X> && (sizeof...(More) > 0)
    static constexpr void jvp(const X&, const Y&, const More&...) {
        constexpr bool is_list = sizeof(X) == 0;
        static_assert(is_list, "jvp: the point is one list, in front of the direction; write F.jvp(std::array{1.0, "
                               "2.0}, direction)");
    }
    template <class X, class Y, class... More>
    requires std::is_arithmetic_v<X> && (sizeof...(More) > 0)
    static constexpr void vjp(const X&, const Y&, const More&...) {
        constexpr bool is_list = sizeof(X) == 0;
        static_assert(is_list, "vjp: the point is one list, in front of the weights; write F.vjp(std::array{1.0, 2.0}, "
                               "weights)");
    }
    template <class X, class Y, class... More>
    requires std::is_arithmetic_v<X> && (sizeof...(More) > 0)
    static constexpr void hvp(const X&, const Y&, const More&...) {
        constexpr bool is_list = sizeof(X) == 0;
        static_assert(is_list, "hvp: the point is one list, in front of the direction; write F.hvp(std::array{1.0, "
                               "2.0}, direction)");
    }
};

} // namespace chainrule::detail
