// SPDX-License-Identifier: BSL-1.0
//
// The programs that are printed in C by write_c.cpp, compiled by the C compiler, and compared with the kernels by
// compare.cpp. CASE(name, function, request)
#pragma once

#include "../custom_functions.hpp"

#include <chainrule/chainrule.hpp>

namespace programs {

namespace cr = chainrule;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;
constexpr auto point = cr::wrt(x, y, z);

constexpr auto first = cr::request::values | cr::request::jacobians;
constexpr auto all = first | cr::request::hessians;

template <class Row>
constexpr auto call_of_row() {
    using namespace cr;
    if constexpr (int{Row::arity} == 1)
        return expressions::node_of<Row, std::remove_const_t<decltype(x)>>{};
    else if constexpr (int{Row::arity} == 2)
        return expressions::node_of<Row, std::remove_const_t<decltype(x)>, std::remove_const_t<decltype(y)>>{};
    else
        return expressions::node_of<Row, std::remove_const_t<decltype(x)>, std::remove_const_t<decltype(y)>,
                                    std::remove_const_t<decltype(z)>>{};
}
/// Whether the value needs no chainrule/special_functions.hpp.
template <class Row>
constexpr bool is_plain = true;
#define CHAINRULE_BOOST_BOOST 1
#define CHAINRULE_BOOST_CMATH 0
#define CHAINRULE_BOOST_BUILTIN 0
#define CHAINRULE_BOOST_FORMULA(...) 0
#define CHAINRULE_BOOST_CHOICE(...) 0
#define CHAINRULE_BOOST_STEPPED(...) 0
#define CHAINRULE_ROW(NAME, VALUE, ...)                                                                                \
    template <>                                                                                                        \
    constexpr bool is_plain<cr::functions::NAME> = !CHAINRULE_BOOST_##VALUE;
CHAINRULE_FUNCTIONS(CHAINRULE_ROW, CHAINRULE_ROW, CHAINRULE_ROW)
#undef CHAINRULE_ROW

/// Every function of the table that needs no Boost.
template <class Chosen, class... Rest>
struct chosen_rows;
template <class... Chosen>
struct chosen_rows<cr::functions::row_list<Chosen...>> {
    static constexpr auto vector() { return cr::vector(call_of_row<Chosen>()...); }
};
template <class... Chosen, class Row, class... Rest>
struct chosen_rows<cr::functions::row_list<Chosen...>, Row, Rest...>
    : chosen_rows<std::conditional_t<is_plain<Row>, cr::functions::row_list<Chosen..., Row>,
                                     cr::functions::row_list<Chosen...>>,
                  Rest...> {};
template <class... Row>
constexpr auto every_plain_row(cr::functions::row_list<Row...>) {
    return chosen_rows<cr::functions::row_list<>, Row...>::vector();
}

constexpr auto every_row = cr::function(every_plain_row(cr::functions::all{}), point);
constexpr auto original = cr::function(log(x) + x * y - sin(y), cr::wrt(x, y));
constexpr auto probability =
    cr::function(-(y * log(sigmoid(x * z)) + (1_c - y) * log1p(-sigmoid(x * z))) + 0.1_c * softplus(z) / 3_c, point);
// clang-format off: it takes the product for a pointer
constexpr auto selections =
    cr::function(select(x < y && !(z == 1_c), sqrt(x),
                        piecewise(x > 2_c, exp(-x * y), y != z || x >= z, pow(x, 2.5) - y * y * z, atan2(y, x))),
                 point);
// clang-format on
constexpr auto stored = cr::function(2.5 * sin(x * 1e-3) * cos(1e-3 * x) - 0.1 * x / y + (-7) * z, point);
constexpr auto parameters = cr::function(exp(-z * x) * (z + y), cr::wrt(x, y), cr::given(z = 0.3));
constexpr auto several =
    cr::function(cr::vector(x * y - z, sin(x) * cos(x) + hypot(x, y), x, 2_c / 3_c, tanh(x / y)), point);
constexpr auto of_the_user =
    cr::function(outside::cubic_root(x * y) * outside::mean(x, z) - outside::leaky(x - y, y, z), point);

// Functions with names that a function in C cannot have, or that mean another one there.
#define CHAINRULE_TEST_NAMED(CLASS, NAME, FACTOR)                                                                      \
    struct CLASS : cr::custom_function<CLASS, 1> {                                                                     \
        static constexpr char name[] = NAME;                                                                           \
        template <class T>                                                                                             \
        static constexpr T value(const T& a) {                                                                         \
            return FACTOR * a * a;                                                                                     \
        }                                                                                                              \
        template <class T>                                                                                             \
        static constexpr auto derivative(const T& a, const T&) {                                                       \
            return 2 * FACTOR * a;                                                                                     \
        }                                                                                                              \
    };
CHAINRULE_TEST_NAMED(of_math_h, "gamma", 2)
CHAINRULE_TEST_NAMED(equal_to_it, "gamma", 3)
CHAINRULE_TEST_NAMED(guarded_already, "custom_gamma_2", 4)
CHAINRULE_TEST_NAMED(in_the_program, "exp", 5)
CHAINRULE_TEST_NAMED(of_the_program, "taken_names", 6)
CHAINRULE_TEST_NAMED(variable_in_c, "t1", 7)
CHAINRULE_TEST_NAMED(parameter_in_c, "in", 8)
CHAINRULE_TEST_NAMED(keyword_in_c, "double", 9)
CHAINRULE_TEST_NAMED(with_a_blank, "my function", 10)
CHAINRULE_TEST_NAMED(with_digits, "2nd", 11)
CHAINRULE_TEST_NAMED(defined_in_c, "chainrule_sigmoid", 12)
#undef CHAINRULE_TEST_NAMED
constexpr auto taken_names =
    cr::function(of_math_h{}(x)*equal_to_it{}(y)-guarded_already{}(x) + in_the_program{}(x)*exp(x) +
                     of_the_program{}(y)*variable_in_c{}(x) + parameter_in_c{}(x) + keyword_in_c{}(y) +
                     with_a_blank{}(x)-with_digits{}(y)*defined_in_c{}(x) + sigmoid(x),
                 cr::wrt(x, y));

} // namespace programs

#define CHAINRULE_TEST_PROGRAMS(CASE)                                                                                  \
    CASE(every_row, cr::request::values)                                                                               \
    CASE(original, all)                                                                                                \
    CASE(probability, all)                                                                                             \
    CASE(selections, first)                                                                                            \
    CASE(stored, all)                                                                                                  \
    CASE(parameters, first)                                                                                            \
    CASE(several, first)                                                                                               \
    CASE(of_the_user, first)                                                                                           \
    CASE(taken_names, first)
