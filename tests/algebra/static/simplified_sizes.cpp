// SPDX-License-Identifier: BSL-1.0
//
// Long expressions: simplify and implicit_derivative compile with the default options of all compilers.
#include <chainrule/chainrule.hpp>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

// The sum of I * sin(x * y) for each I.
template <int I, int End, class S>
constexpr auto sum(S s) {
    if constexpr (End - I == 1)
        return s + typename cr::constant<I, 1>::node{} * sin(x * y);
    else
        return sum<(I + End) / 2, End>(sum<I, (I + End) / 2>(s));
}

// 600 nested operations are as simple as they can be; like terms in 300 operations are collected.
template <int Times, class S>
constexpr auto repeated(S s) {
    if constexpr (Times == 1)
        return x * sin(s) + y;
    else
        return repeated<Times - Times / 2>(repeated<Times / 2>(s));
}
static_assert(int{decltype(cr::simplify(repeated<200>(x)))::depth} == int{decltype(repeated<200>(x))::depth});
static_assert(cr::same(cr::simplify(sum<1, 101>(0_c)), 5050_c * sin(x * y)));
static_assert(cr::same(derivative(cr::implicit_derivative(repeated<100>(x) + cr::variable<"z">, cr::variable<"z">, x),
                                  cr::variable<"z">),
                       0_c));

} // namespace
