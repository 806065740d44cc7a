// SPDX-License-Identifier: BSL-1.0
// expect: function: a variable is both in wrt(...) and in given(...); keep it in wrt if it is an argument, in given if it is a parameter
// expect: the_variable<chainrule::expressions::string_literal<2>{"k"}>::is_not_both_in_wrt_and_in_given
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto k = cr::variable<"k">;

#ifdef CHAINRULE_BAD
double value = cr::function(k * x, x, k, cr::given(k = 0.3))(2.0, 0.3);
#else
double value = cr::function(k * x, x, k)(2.0, 0.3);
#endif
