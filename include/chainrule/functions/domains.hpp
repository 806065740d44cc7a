// SPDX-License-Identifier: BSL-1.0
//
// The intervals from which the tests draw the arguments of the functions of the table (functions/table.hpp).
#pragma once

#include <chainrule/functions/rows.hpp>

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

} // namespace chainrule::functions
