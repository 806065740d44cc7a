// SPDX-License-Identifier: BSL-1.0
//
// One error message for arguments that are not expressions or not the right ones, instead of a list of candidates.
#pragma once

#include <chainrule/expression/vector.hpp>

namespace chainrule {

// Requests that need a single expression.
#define CHAINRULE_OF_ONE_EXPRESSION(NAME, REMEDY)                                                                      \
    template <class Elements, class... List>                                                                           \
    constexpr int NAME(const expressions::members_of_vector<Elements>&, List...) {                                     \
        constexpr bool one_expression = sizeof(Elements) == 0;                                                         \
        static_assert(one_expression, #NAME ": f is a vector; " REMEDY);                                               \
        return 0;                                                                                                      \
    }
CHAINRULE_OF_ONE_EXPRESSION(gradient, "use jacobian(f, wrt(x, y))")
CHAINRULE_OF_ONE_EXPRESSION(value_and_gradient, "use jacobian(f, wrt(x, y))")
CHAINRULE_OF_ONE_EXPRESSION(hessian, "take the Hessian of each element, as in hessian(f[0_c])")
#undef CHAINRULE_OF_ONE_EXPRESSION

// The ellipsis is a worse match than any other function: one sentence in place of a list of candidates. Some functions
// have an order as their first parameter.
#define CHAINRULE_OF_EXPRESSIONS(NAME, ...)                                                                            \
    template <__VA_OPT__(__VA_ARGS__, ) class T = int>                                                                 \
    constexpr T NAME(...) {                                                                                            \
        constexpr bool is_expression = sizeof(T) == 0;                                                                 \
        static_assert(is_expression, #NAME ": the first argument is not an expression; of F = function(...) take a "   \
                                           "member, such as F.gradient(2.0, 5.0), and write 2_c for the number 2");    \
        return T();                                                                                                    \
    }
CHAINRULE_OF_EXPRESSIONS(derivative)
CHAINRULE_OF_EXPRESSIONS(derivative, int)
CHAINRULE_OF_EXPRESSIONS(gradient)
CHAINRULE_OF_EXPRESSIONS(value_and_gradient)
CHAINRULE_OF_EXPRESSIONS(hessian)
CHAINRULE_OF_EXPRESSIONS(jacobian)
CHAINRULE_OF_EXPRESSIONS(taylor, int)
#undef CHAINRULE_OF_EXPRESSIONS

} // namespace chainrule
