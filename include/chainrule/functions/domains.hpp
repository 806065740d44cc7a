// SPDX-License-Identifier: BSL-1.0
//
// The intervals from which the tests draw the arguments of the functions of the table (functions/table.hpp).
#pragma once

#include <chainrule/functions/rows.hpp>

#include <array>
#include <cstddef>
#include <iterator>

namespace chainrule::functions {

/// The interval from which the tests draw an argument.
struct interval {
    double low;
    double high;
};

/// One interval for each argument of a row.
template <class Row>
inline constexpr interval domain_of[1] = {};
#define CHAINRULE_UNARY(NAME, VALUE, BY_X, LOW, HIGH)                                                                  \
    template <>                                                                                                        \
    inline constexpr interval domain_of<NAME>[1] = {{LOW, HIGH}};
#define CHAINRULE_BINARY(NAME, VALUE, BY_X, BY_Y, LOW_X, HIGH_X, LOW_Y, HIGH_Y)                                        \
    template <>                                                                                                        \
    inline constexpr interval domain_of<NAME>[2] = {{LOW_X, HIGH_X}, {LOW_Y, HIGH_Y}};
#define CHAINRULE_TERNARY(NAME, VALUE, BY_X, BY_Y, BY_Z, LOW_X, HIGH_X, LOW_Y, HIGH_Y, LOW_Z, HIGH_Z)                  \
    template <>                                                                                                        \
    inline constexpr interval domain_of<NAME>[3] = {{LOW_X, HIGH_X}, {LOW_Y, HIGH_Y}, {LOW_Z, HIGH_Z}};
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY

/// A box from which the tests draw the arguments of a function.
template <int Arity>
struct box {
    interval sides[Arity];
};

/// The boxes besides domain_of<Row> for a function with kinks, steps or poles, or whose values are computed otherwise
/// for negative arguments: those on their other sides.
template <class Row>
inline constexpr box<1> other_sides_of[1] = {};
#define CHAINRULE_OTHER_SIDES(NAME, ARITY, ...)                                                                        \
    template <>                                                                                                        \
    inline constexpr box<ARITY> other_sides_of<NAME>[] = {__VA_ARGS__};
#define CHAINRULE_NEGATIVE(NAME, LOW, HIGH) CHAINRULE_OTHER_SIDES(NAME, 1, {{{LOW, HIGH}}})
CHAINRULE_NEGATIVE(cbrt, -100, -0.01)
CHAINRULE_NEGATIVE(inverse, -10, -0.1)
CHAINRULE_OTHER_SIDES(hypot, 2, {{{-10, 10}, {-10, -0.1}}})
CHAINRULE_OTHER_SIDES(tan, 1, {{{1.7, 4.6}}})
CHAINRULE_OTHER_SIDES(sec, 1, {{{1.7, 4.6}}})
CHAINRULE_NEGATIVE(csc, -3, -0.1)
CHAINRULE_NEGATIVE(cot, -3, -0.1)
CHAINRULE_OTHER_SIDES(atan2, 2, {{{0.1, 10}, {-10, -0.1}}}, {{{-10, -0.1}, {-10, -0.1}}})
CHAINRULE_NEGATIVE(sinc, -20, -0.1)
CHAINRULE_NEGATIVE(spherical_j1, -20, -0.1)
CHAINRULE_OTHER_SIDES(spherical_jn, 2, {{{3.2, 3.8}, {-20, -0.1}}})
CHAINRULE_OTHER_SIDES(tgamma, 1, {{{-0.9, -0.1}}}, {{{-1.9, -1.1}}})
CHAINRULE_OTHER_SIDES(lgamma, 1, {{{-0.9, -0.1}}}, {{{-1.9, -1.1}}})
CHAINRULE_NEGATIVE(digamma, -0.9, -0.1)
CHAINRULE_NEGATIVE(trigamma, -0.9, -0.1)
CHAINRULE_OTHER_SIDES(polygamma, 2, {{{2.2, 2.8}, {-0.9, -0.1}}})
CHAINRULE_NEGATIVE(expint, -10, -0.1)
CHAINRULE_NEGATIVE(j0, -20, -0.1)
CHAINRULE_NEGATIVE(j1, -20, -0.1)
CHAINRULE_OTHER_SIDES(jn, 2, {{{3.2, 3.8}, {-20, -0.5}}})
CHAINRULE_NEGATIVE(abs, -20, -0.1)
CHAINRULE_NEGATIVE(fabs, -20, -0.1)
CHAINRULE_NEGATIVE(sign, -20, -0.1)
CHAINRULE_NEGATIVE(relu, -20, -0.1)
CHAINRULE_OTHER_SIDES(max, 2, {{{0.1, 4}, {-4, -0.1}}})
CHAINRULE_OTHER_SIDES(min, 2, {{{0.1, 4}, {-4, -0.1}}})
CHAINRULE_OTHER_SIDES(fmax, 2, {{{0.1, 4}, {-4, -0.1}}})
CHAINRULE_OTHER_SIDES(fmin, 2, {{{0.1, 4}, {-4, -0.1}}})
CHAINRULE_OTHER_SIDES(fdim, 2, {{{-4, 0.4}, {0.5, 4}}})
CHAINRULE_OTHER_SIDES(clamp, 3, {{{-5, -2.1}, {-2, 2}, {2.1, 5}}}, {{{2.1, 5}, {-5, -2.1}, {-2, 2}}})
CHAINRULE_OTHER_SIDES(taken, 2, {{{-4, -0.1}, {0.1, 4}}})
CHAINRULE_OTHER_SIDES(exceeds, 2, {{{-4, -0.1}, {0.1, 4}}})
CHAINRULE_OTHER_SIDES(weighted, 2, {{{-4, -0.1}, {-4, 4}}})
CHAINRULE_OTHER_SIDES(copysign, 2, {{{0.1, 10}, {-10, -0.1}}}, {{{-10, -0.1}, {0.1, 10}}}, {{{-10, -0.1}, {-10, -0.1}}})
CHAINRULE_NEGATIVE(floor, -0.9, -0.1)
CHAINRULE_NEGATIVE(ceil, -0.9, -0.1)
CHAINRULE_NEGATIVE(round, -1.4, -0.6)
CHAINRULE_NEGATIVE(trunc, -0.9, -0.1)
CHAINRULE_NEGATIVE(rint, -1.4, -0.6)
CHAINRULE_NEGATIVE(nearbyint, -1.4, -0.6)
CHAINRULE_NEGATIVE(logb, -1.9, -1.1)
CHAINRULE_OTHER_SIDES(fmod, 2, {{{-2.9, -2.2}, {1, 1.05}}}, {{{2.2, 2.9}, {-1.05, -1}}})
CHAINRULE_OTHER_SIDES(remainder, 2, {{{-2.4, -2.2}, {1, 1.05}}}, {{{2.7, 2.9}, {-1.05, -1}}})
#undef CHAINRULE_NEGATIVE
#undef CHAINRULE_OTHER_SIDES

// domain_of<Row>, and then the boxes on other sides.
template <class Row>
[[nodiscard]] constexpr auto list_boxes() {
    constexpr std::size_t arity{Row::arity};
    constexpr auto others = static_cast<std::size_t>(std::end(other_sides_of<Row>) - std::begin(other_sides_of<Row>));
    constexpr bool any = other_sides_of<Row>[0].sides[0].low < other_sides_of<Row>[0].sides[0].high;
    std::array<std::array<interval, arity>, any ? 1 + others : 1> boxes{std::to_array(domain_of<Row>)};
    for (std::size_t i = 1; i < boxes.size(); ++i)
        for (std::size_t k = 0; k < arity; ++k) boxes[i][k] = other_sides_of<Row>[i - 1].sides[k];
    return boxes;
}
/// All boxes of a row.
template <class Row>
inline constexpr auto boxes_of = list_boxes<Row>();

} // namespace chainrule::functions
