// SPDX-License-Identifier: BSL-1.0
//
// The calculus: which elementary functions are there, how is each evaluated, what is its derivative, and where may it
// be tested? Every function is one row below, and everything else in the library reads that row: operators and types
// (expression/), differentiation (program/), text (symbolic/), emission (kernel/) and the tests that loop over the table.
// Next is functions.hpp, which makes types and functions of the rows.
#pragma once

// A row: NAME, the derivative by each argument, and for each argument the interval from which the tests draw points.
// The formulas are C++ in the arguments x, y, z and the result r. They are instantiated with numbers and with graph terms,
// so they may use + - * /, integers, the constants of `irrational`, any function of this table, comparisons, and
// select(condition, a, b), but no branch. Where an arm of select is 0, nothing that is multiplied with it later reaches
// the result: 0 stays 0 beside an infinity.
//
// CMATH_*   the value is std::NAME, or what argument-dependent lookup finds for a class type.
// DEFINED_* the value is the formula that follows the name, instantiated with a number type T.
//
// Formulas without a source are textbook calculus. At a kink the derivative is that of docs/how-it-works.md#kinks-and-edges.
// xlogy (the name is SciPy's) is y's coefficient in d pow(x, y): its value 0 at r = 0 gives the limit of x^y log(x) at
// x = 0, y > 0. The derivative of the sigmoid is exact on both sides only as a product: 1 - r would cancel for large x.
// clang-format off
#define CHAINRULE_FUNCTIONS(CMATH_UNARY, CMATH_BINARY, DEFINED_UNARY, DEFINED_BINARY)                                       \
    CMATH_UNARY(exp, r, -20, 20)                                                                                            \
    CMATH_UNARY(exp2, irrational::ln_2 * r, -20, 20)                                                                        \
    DEFINED_UNARY(exp10, pow(T(10), x), irrational::ln_10 * r, -8, 8)                                                       \
    CMATH_UNARY(expm1, exp(x), -8, 20)                                                                                      \
    CMATH_UNARY(log, 1 / x, 0.01, 100)                                                                                      \
    CMATH_UNARY(log2, irrational::log2_e * (1 / x), 0.01, 100)                                                              \
    CMATH_UNARY(log10, irrational::log10_e * (1 / x), 0.01, 100)                                                            \
    CMATH_UNARY(log1p, 1 / (1 + x), -0.9, 100)                                                                              \
    CMATH_UNARY(sqrt, 1 / (2 * r), 0.01, 100)                                                                               \
    CMATH_UNARY(cbrt, 1 / (3 * (r * r)), 0.01, 100)                                                                         \
    DEFINED_UNARY(square, x * x, 2 * x, -10, 10)                                                                            \
    DEFINED_UNARY(cube, x * x * x, 3 * (x * x), -10, 10)                                                                    \
    DEFINED_UNARY(inverse, 1 / x, -(r * r), 0.1, 10)                                                                        \
    CMATH_UNARY(sin, cos(x), -20, 20)                                                                                       \
    CMATH_UNARY(cos, -sin(x), -20, 20)                                                                                      \
    CMATH_UNARY(tan, 1 + r * r, -1.5, 1.5)                                                                                  \
    CMATH_UNARY(asin, 1 / sqrt((1 - x) * (1 + x)), -0.95, 0.95)                                                             \
    CMATH_UNARY(acos, -1 / sqrt((1 - x) * (1 + x)), -0.95, 0.95)                                                            \
    CMATH_UNARY(atan, 1 / (1 + x * x), -20, 20)                                                                             \
    CMATH_UNARY(sinh, cosh(x), -8, 8)                                                                                       \
    CMATH_UNARY(cosh, sinh(x), -8, 8)                                                                                       \
    CMATH_UNARY(tanh, 1 - r * r, -3, 3)                                                                                     \
    CMATH_UNARY(asinh, 1 / sqrt(x * x + 1), -20, 20)                                                                        \
    CMATH_UNARY(acosh, 1 / sqrt((x - 1) * (x + 1)), 1.1, 20)                                                                \
    CMATH_UNARY(atanh, 1 / ((1 - x) * (1 + x)), -0.95, 0.95)                                                                \
    CMATH_UNARY(erf, irrational::two_over_sqrt_pi * exp(-(x * x)), -4, 4)                                                   \
    CMATH_UNARY(erfc, -irrational::two_over_sqrt_pi * exp(-(x * x)), -4, 4)                                                 \
    DEFINED_UNARY(sigmoid, 1 / (1 + exp(-x)), r * sigmoid(-x), -20, 20)                                                     \
    DEFINED_UNARY(softplus, (x < 0 ? T(0) : x) + log1p(exp(x < 0 ? x : -x)), sigmoid(x), -20, 20)                           \
    DEFINED_UNARY(abs, magnitude(x), sign(x), 0.1, 20)                                                                      \
    DEFINED_UNARY(sign, x > 0 ? T(1) : x < 0 ? T(-1) : x, 0, 0.1, 20)                                                       \
    DEFINED_UNARY(relu, x <= 0 ? T(0) : x, select(x <= 0, 0, sign(x)), 0.1, 20)                                             \
    CMATH_BINARY(pow, y * pow(x, y - 1), xlogy(r, x), 0.01, 10, -4, 4)                                                      \
    DEFINED_BINARY(xlogy, x == 0 && y == y ? x * 0 : x * log(y), log(y), x / y, -4, 4, 0.01, 10)                            \
    DEFINED_BINARY(max, x < y || y != y ? y : x,                                                                            \
                   select(x < y, 0, select(x == y, 1, 1 + sign(x - y)) / 2),                                                \
                   select(y < x, 0, select(x == y, 1, 1 + sign(y - x)) / 2), -4, -0.1, 0.1, 4)                              \
    DEFINED_BINARY(min, y < x || y != y ? y : x,                                                                            \
                   select(y < x, 0, select(x == y, 1, 1 + sign(y - x)) / 2),                                                \
                   select(x < y, 0, select(x == y, 1, 1 + sign(x - y)) / 2), -4, -0.1, 0.1, 4)
// clang-format on

/// The table for those to whom only names and numbers of arguments matter.
#define CHAINRULE_FOR_EACH_FUNCTION(UNARY, BINARY) CHAINRULE_FUNCTIONS(UNARY, BINARY, UNARY, BINARY)
