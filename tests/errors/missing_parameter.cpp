// SPDX-License-Identifier: BSL-1.0
// expect: function: f has a variable that is neither in wrt(...) nor in given(...); add it to one of them, as in function(f, wrt(x), given(k = 0.3))
// expect: the_variable<chainrule::expressions::string_literal<2>{"k"}>::is_an_argument_or_a_parameter
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto k = cr::variable<"k">;

#ifdef CHAINRULE_BAD
double value = cr::function(k * x, x)(2.0);
#else
double value = cr::function(k * x, x, cr::given(k = 0.3))(2.0);
#endif
