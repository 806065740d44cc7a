// SPDX-License-Identifier: BSL-1.0
// expect: text_is: the text of f differs from the expected one; the compiler prints both
// expect: should_be<chainrule::expressions::string_literal<2>{"y"}>::equal
// expect: string_literal<2>{"x"}>
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto k = cr::variable<"k">;

#ifdef CHAINRULE_BAD
static_assert(cr::text_is<"y">(cr::derivative(x * y, y)));
#else
static_assert(cr::text_is<"x">(cr::derivative(x * y, y)));
#endif
