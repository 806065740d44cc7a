// SPDX-License-Identifier: BSL-1.0
//
// The result of function() for code that has no trace, after the error has been reported.
#pragma once

#include <cstddef>
#include <type_traits>

namespace chainrule::tracing {

/// What an untraced function returns: numbers, and arrays of them, of any size.
template <class Element>
struct untraced_array {
    constexpr Element operator[](std::size_t) const { return {}; }
    constexpr double operator()(std::size_t, std::size_t = 0) const { return 0; }
    constexpr const Element* data() const { return nullptr; }
    constexpr const Element* begin() const { return nullptr; }
    constexpr const Element* end() const { return nullptr; }
    constexpr std::size_t size() const { return 0; }
    constexpr Element front() const { return {}; }
    constexpr Element back() const { return {}; }
    template <class T>
    requires(!std::is_arithmetic_v<T>)
    constexpr operator T() const {
        return T{};
    }
};
using untraced_row = untraced_array<double>;
using untraced_matrix = untraced_array<untraced_row>;

/// In place of a function that has no trace: calls of it and of its members add no errors. (What void or the code
/// itself would.)
struct untraced {
    struct with_gradient {
        double value = 0;
        untraced_row gradient;
    };
    struct with_hessian {
        double value = 0;
        untraced_row gradient;
        untraced_matrix hessian;
    };
    struct with_jacobian {
        untraced_row values;
        untraced_matrix jacobian;
    };
#define CHAINRULE_UNTRACED(NAME, RESULT)                                                                               \
    template <class... Arguments>                                                                                      \
    constexpr RESULT NAME(const Arguments&...) const {                                                                 \
        return {};                                                                                                     \
    }
    CHAINRULE_UNTRACED(operator(), double)
    CHAINRULE_UNTRACED(values, untraced_row)
    CHAINRULE_UNTRACED(gradient, untraced_row)
    CHAINRULE_UNTRACED(value_and_gradient, with_gradient)
    CHAINRULE_UNTRACED(hessian, untraced_matrix)
    CHAINRULE_UNTRACED(value_gradient_and_hessian, with_hessian)
    CHAINRULE_UNTRACED(jacobian, untraced_matrix)
    CHAINRULE_UNTRACED(value_and_jacobian, with_jacobian)
    CHAINRULE_UNTRACED(jvp, double)
    CHAINRULE_UNTRACED(vjp, untraced_row)
    CHAINRULE_UNTRACED(hvp, untraced_row)
#undef CHAINRULE_UNTRACED
};

} // namespace chainrule::tracing
