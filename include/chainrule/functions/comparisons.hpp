// SPDX-License-Identifier: BSL-1.0
//
// The table of comparisons: the symbol of each and its name. Expressions, graphs and every class of numbers that can be
// compared read it.
#pragma once

#define CHAINRULE_COMPARISONS(ROW)                                                                                     \
    ROW(<, less)                                                                                                       \
    ROW(<=, less_equal)                                                                                                \
    ROW(>, greater)                                                                                                    \
    ROW(>=, greater_equal)                                                                                             \
    ROW(==, equal)                                                                                                     \
    ROW(!=, not_equal)
