// SPDX-License-Identifier: BSL-1.0
//
// The error message for products of derivatives at separate numbers: the last argument is a direction or weights, so
// the point must be one list.
#pragma once

#include <type_traits>

namespace chainrule::detail {

/// A base class of functions.
class refused_products {
    template <class X>
    static constexpr void refuse() {
        constexpr bool is_list = !std::is_arithmetic_v<X>;
        static_assert(is_list, "jvp, hvp, vjp: the point is one list, in front of the direction or the weights; write "
                               "F.jvp(std::array{1.0, 2.0}, direction)");
    }

public:
    template <class X, class Y, class Z, class... More>
    requires std::is_arithmetic_v<X>
    static constexpr void jvp(const X&, const Y&, const Z&, const More&...) {
        refuse<X>();
    }
    template <class X, class Y, class Z, class... More>
    requires std::is_arithmetic_v<X>
    static constexpr void vjp(const X&, const Y&, const Z&, const More&...) {
        refuse<X>();
    }
    template <class X, class Y, class Z, class... More>
    requires std::is_arithmetic_v<X>
    static constexpr void hvp(const X&, const Y&, const Z&, const More&...) {
        refuse<X>();
    }
};

} // namespace chainrule::detail
