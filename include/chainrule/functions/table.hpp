// SPDX-License-Identifier: BSL-1.0
//
// The table of functions: one row per elementary function, with its value, its derivatives and the intervals from which
// tests draw points. The rest of the library reads these rows: operators and types (expression/), differentiation
// (differentiate/), text (print/), emission (kernel/) and the tests that loop over the table. functions/rows.hpp turns
// the rows into types and functions.
#pragma once

// A row: NAME, where its value comes from, the derivative with respect to each argument, and for each argument the
// interval from which the tests draw points. The formulas are C++ in the arguments x, y, z and the result r. Those of
// derivatives are instantiated with numbers and with graph terms, so they may use + - * /, integers, the constants of
// `irrational`, any function of this table, comparisons, && and select(condition, a, b), but must not branch. An arm of
// select that is 0 stays 0, whatever multiplies it later. like(x, n) is the constant n as an argument of a function of
// several arguments.
//
// CMATH      std::NAME, or what argument-dependent lookup finds for a class type.
// BUILTIN    the same, where clang has no value in constant expressions.
// BOOST      Boost.Math, or the like: in chainrule/special_functions.hpp, which includes it.
// FORMULA(f) the formula f, instantiated with a number type T (functions/values.hpp has what it may call).
// CHOICE(f)  the same for a formula that chooses by comparisons: SIMD lanes have a value of their own
//            (functions/values_of_lanes.hpp), which computes all arms, or the formula lane by lane.
// STEPPED(f) the same for a step function, whose derivative is zero: numbers that carry derivatives choose by their
//            comparisons, and do not call the function. Lanes as for CHOICE.
//
// Formulas without a source are textbook calculus. docs/how-it-works.md#limits-of-accuracy states where they lose
// digits or overflow, to save operations. At a kink the derivative is that of docs/how-it-works.md#kinks-and-edges.
// xlogy (the name is SciPy's) is y's coefficient in d pow(x, y): its value 0 at r = 0 gives the limit of x^y log(x) at
// x = 0, y > 0. integer_power is pow with an integer exponent, and pow_by_order its derivative of a given order: as a
// product, y * pow(x, y - 1) would be 0 times infinity at x = 0. The derivative of the sigmoid is exact on both sides
// only as a product: 1 - r would cancel for large x. So would the quotients by z and by x in other formulas for the
// derivatives of gamma_density_by_order and spherical_j1. fmax and fmin take the other argument if one is NaN, and so
// do their derivatives. share, taken and exceeds are derivatives of functions with kinks: like the 0 of a select, their
// 0 stays 0, whatever multiplies it later, by means of `weighted`. Derivatives: error function DLMF 7.10, 7.2.7; gamma
// functions 5.2.2, 5.12.1, 8.8.13; expint 6.2.5; Lambert's W 4.13.4; Bessel functions 10.6.1, 10.6.3, spherical ones
// 10.51.2.
// clang-format off: it takes products in the rows for pointers
#define CHAINRULE_FUNCTIONS(UNARY, BINARY, TERNARY)                                                                    \
    /* exponentials and logarithms */                                                                                  \
    UNARY(exp, CMATH, r, -20, 20)                                                                                      \
    UNARY(exp2, CMATH, irrational::ln_2 * r, -20, 20)                                                                  \
    UNARY(exp10, FORMULA(pow(T(10), x)), irrational::ln_10 * r, -8, 8)                                                 \
    UNARY(expm1, CMATH, exp(x), -8, 20)                                                                                \
    UNARY(log, CMATH, 1 / x, 0.01, 100)                                                                                \
    UNARY(log2, CMATH, irrational::log2_e * (1 / x), 0.01, 100)                                                        \
    UNARY(log10, CMATH, irrational::log10_e * (1 / x), 0.01, 100)                                                      \
    UNARY(log1p, CMATH, 1 / (1 + x), -0.9, 100)                                                                        \
    /* powers */                                                                                                       \
    UNARY(sqrt, CMATH, 1 / (2 * r), 0.01, 100)                                                                         \
    UNARY(cbrt, CMATH, 1 / r / (3 * r), 0.01, 100)                                                                     \
    UNARY(square, FORMULA(x * x), 2 * x, -10, 10)                                                                      \
    UNARY(cube, FORMULA(x * x * x), 3 * (x * x), -10, 10)                                                              \
    UNARY(inverse, FORMULA(1 / x), -(r * r), 0.1, 10)                                                                  \
    BINARY(pow, CMATH, y * pow(x, y - 1), xlogy(r, x), 0.01, 10, -4, 4)                                                \
    BINARY(integer_power, CHOICE(power_of_integer(x, y)), pow_by_order(like(x, 1), x, y), 0, -4, 4, 3.2, 3.8)          \
    TERNARY(pow_by_order, CHOICE(derivative_of_power(x, y, z)), 0, pow_by_order(x + 1, y, z), 0, 1.2, 1.8, -4, 4,      \
            4.2, 4.8)                                                                                                  \
    BINARY(hypot, CMATH, select(r == 0, 0, x / r), select(r == 0, 0, y / r), -10, 10, 0.1, 10)                         \
    TERNARY(hypot3, FORMULA(hypot(hypot(x, y), z)), select(r == 0, 0, x / r), select(r == 0, 0, y / r),                \
            select(r == 0, 0, z / r), -10, 10, 0.1, 10, -10, 10)                                                       \
    TERNARY(fma, CMATH, y, x, 1, -10, 10, -10, 10, -10, 10)                                                            \
    TERNARY(lerp, FORMULA(x + z * (y - x)), 1 - z, z, y - x, -10, 10, -10, 10, -2, 2)                                  \
    /* trigonometric functions */                                                                                      \
    UNARY(sin, CMATH, cos(x), -20, 20)                                                                                 \
    UNARY(cos, CMATH, -sin(x), -20, 20)                                                                                \
    UNARY(tan, CMATH, 1 + r * r, -1.5, 1.5)                                                                            \
    UNARY(sec, FORMULA(1 / cos(x)), r * tan(x), -1.5, 1.5)                                                             \
    UNARY(csc, FORMULA(1 / sin(x)), -r * cot(x), 0.1, 3)                                                               \
    UNARY(cot, FORMULA(1 / tan(x)), -(1 + r * r), 0.1, 3)                                                              \
    UNARY(asin, CMATH, 1 / sqrt((1 - x) * (1 + x)), -0.95, 0.95)                                                       \
    UNARY(acos, CMATH, -1 / sqrt((1 - x) * (1 + x)), -0.95, 0.95)                                                      \
    UNARY(atan, CMATH, 1 / (1 + x * x), -20, 20)                                                                       \
    BINARY(atan2, CMATH, y / (x * x + y * y), -x / (x * x + y * y), -10, 10, 0.1, 10)                                  \
    UNARY(sinpi, CHOICE(sine_of_half_turns(x)), irrational::pi * cospi(x), -5, 5)                                      \
    UNARY(cospi, CHOICE(cosine_of_half_turns(x)), -irrational::pi * sinpi(x), -5, 5)                                   \
    UNARY(sinc, CHOICE(x == 0 ? T(1) : sin(x) / x), -spherical_j1(x), 0.1, 20)                                         \
    UNARY(spherical_j1, CHOICE(first_spherical_bessel(x)), (sinc(x) - 2 * spherical_jn(like(x, 2), x)) / 3, 0.1, 20)   \
    BINARY(spherical_jn, CHOICE(spherical_bessel(x, y)), 0,                                                            \
           (trunc(x) * spherical_jn(x - 1, y) - (trunc(x) + 1) * spherical_jn(x + 1, y)) / (2 * trunc(x) + 1), 3.2,    \
           3.8, 0.1, 20)                                                                                               \
    /* hyperbolic functions */                                                                                         \
    UNARY(sinh, CMATH, cosh(x), -8, 8)                                                                                 \
    UNARY(cosh, CMATH, sinh(x), -8, 8)                                                                                 \
    UNARY(tanh, CMATH, 1 - r * r, -3, 3)                                                                               \
    UNARY(asinh, CMATH, 1 / sqrt(x * x + 1), -20, 20)                                                                  \
    UNARY(acosh, CMATH, 1 / sqrt((x - 1) * (x + 1)), 1.1, 20)                                                          \
    UNARY(atanh, CMATH, 1 / ((1 - x) * (1 + x)), -0.95, 0.95)                                                          \
    /* error function, normal distribution, gamma function and what belongs to it */                                   \
    UNARY(erf, CMATH, irrational::two_over_sqrt_pi * exp(-(x * x)), -4, 4)                                             \
    UNARY(erfc, CMATH, -irrational::two_over_sqrt_pi * exp(-(x * x)), -4, 4)                                           \
    UNARY(erfcx, CHOICE(scaled_erfc(x)), 2 * x * r - like(x, irrational::two_over_sqrt_pi), -3, 5)                     \
    UNARY(normal_cdf, FORMULA(erfc(-irrational::sqrt_half * x) / 2),                                                   \
          irrational::one_over_sqrt_two_pi * exp(-(x * x) / 2), -5, 5)                                                 \
    UNARY(normal_quantile, BOOST, irrational::sqrt_two_pi * exp(r * r / 2), 0.01, 0.99)                                \
    UNARY(tgamma, BUILTIN, r * digamma(x), 0.2, 10)                                                                    \
    UNARY(lgamma, BUILTIN, digamma(x), 0.2, 20)                                                                        \
    UNARY(digamma, BOOST, trigamma(x), 0.2, 20)                                                                        \
    UNARY(trigamma, BOOST, polygamma(like(x, 2), x), 0.2, 20)                                                          \
    BINARY(polygamma, BOOST, 0, polygamma(x + 1, y), 2.2, 2.8, 0.5, 20)                                                \
    BINARY(beta, BOOST, r*(digamma(x) - digamma(x + y)), r*(digamma(y) - digamma(x + y)), 0.2, 5, 0.2, 5)              \
    BINARY(gamma_p, BOOST, gamma_p_by_order(like(x, 1), x, y), gamma_density(x, y), 0.5, 5, 0.1, 8)                    \
    BINARY(gamma_q, BOOST, -gamma_p_by_order(like(x, 1), x, y), -gamma_density(x, y), 0.5, 5, 0.1, 8)                  \
    BINARY(gamma_density, BOOST, r*(log(y) - digamma(x)), r*((x - 1) / y - 1), 0.5, 5, 0.1, 8)                         \
    TERNARY(gamma_p_by_order, BOOST, 0, gamma_p_by_order(x + 1, y, z), gamma_density_by_order(x, y, z), 1.2, 1.8, 0.5, \
            5, 0.1, 8)                                                                                                 \
    TERNARY(gamma_density_by_order, BOOST, 0, gamma_density_by_order(x + 1, y, z),                                     \
            gamma_density_by_order(x, y - 1, z) - r, 1.2, 1.8, 0.5, 5, 0.1, 8)                                         \
    UNARY(expint, BOOST, exp(x) / x, 0.1, 10)                                                                          \
    UNARY(lambert_w0, BOOST, exp(-r) / (1 + r), -0.3, 20)                                                              \
    /* Bessel functions; the first argument of jn and yn is rounded down */                                            \
    UNARY(j0, BOOST, -j1(x), 0.1, 20)                                                                                  \
    UNARY(j1, BOOST, (j0(x) - jn(like(x, 2), x)) / 2, 0.1, 20)                                                         \
    BINARY(jn, BOOST, 0, (jn(x - 1, y) - jn(x + 1, y)) / 2, 3.2, 3.8, 0.5, 20)                                         \
    UNARY(y0, BOOST, -y1(x), 0.5, 20)                                                                                  \
    UNARY(y1, BOOST, (y0(x) - yn(like(x, 2), x)) / 2, 0.5, 20)                                                         \
    BINARY(yn, BOOST, 0, (yn(x - 1, y) - yn(x + 1, y)) / 2, 3.2, 3.8, 1, 20)                                           \
    /* logarithms and exponentials joined without overflow */                                                          \
    BINARY(xlogy, CHOICE(x == 0 && y == y ? x * 0 : x * log(y)), log(y), x / y, -4, 4, 0.01, 10)                       \
    UNARY(sigmoid, FORMULA(1 / (1 + exp(-x))), r * sigmoid(-x), -20, 20)                                               \
    UNARY(logit, FORMULA(log(x / (1 - x))), 1 / (x * (1 - x)), 0.02, 0.98)                                             \
    UNARY(softplus, CHOICE((x < 0 ? T(0) : x) + log1p(exp(x < 0 ? x : -x))), sigmoid(x), -20, 20)                      \
    UNARY(log1p_exp, FORMULA(softplus(x)), sigmoid(x), -20, 20)                                                        \
    BINARY(log_sum_exp, CHOICE(log_of_sum(x, y)), sigmoid(x - y), sigmoid(y - x), -10, 10, -10, 10)                    \
    BINARY(log_diff_exp, CHOICE(log_of_difference(x, y)), -1 / expm1(y - x), exp(y - x) / expm1(y - x), 0.5, 10, -10,  \
           0.1)                                                                                                        \
    /* functions with kinks and steps */                                                                               \
    UNARY(abs, FORMULA(magnitude(x)), sign(x), 0.1, 20)                                                                \
    UNARY(fabs, FORMULA(abs(x)), sign(x), 0.1, 20)                                                                     \
    UNARY(sign, CHOICE(x > 0 ? T(1) : x < 0 ? T(-1) : x), 0, 0.1, 20)                                                  \
    UNARY(relu, CHOICE(x <= 0 ? T(0) : x), exceeds(x, like(x, 0)), 0.1, 20)                                            \
    BINARY(max, CHOICE(y != y ? y : x < y ? y : x), share(r, x, y), share(r, y, x), -4, -0.1, 0.1, 4)                  \
    BINARY(min, CHOICE(y != y ? y : y < x ? y : x), share(r, x, y), share(r, y, x), -4, -0.1, 0.1, 4)                  \
    BINARY(fmax, CHOICE(y != y || y <= x ? x : y), share(r, x, y), share(r, y, x), -4, -0.1, 0.1, 4)                   \
    BINARY(fmin, CHOICE(y != y || x <= y ? x : y), share(r, x, y), share(r, y, x), -4, -0.1, 0.1, 4)                   \
    BINARY(fdim, CHOICE(x <= y ? T(0) : x - y), exceeds(x, y), -exceeds(x, y), 0.5, 4, -4, 0.4)                        \
    TERNARY(clamp, CHOICE(clamped(x, y, z)), taken(r, x), exceeds(r, x), exceeds(x, r), -2, 2, -5, -2.1, 2.1, 5)       \
    TERNARY(share, STEPPED(share_of_two(x, y, z)), 0, 0, 0, 0.1, 4, -4, -0.1, -4, -0.1)                                \
    BINARY(taken, STEPPED(x != x ? x : y != y ? y : x == y ? T(1) : T(0)), 0, 0, 0.1, 4, -4, -0.1)                     \
    BINARY(exceeds, STEPPED(step_beyond(x, y)), 0, 0, 0.1, 4, -4, -0.1)                                                \
    BINARY(weighted, CHOICE(x * (x == 0 ? T(0) : y)), y, x, 0.1, 4, -4, 4)                                             \
    BINARY(copysign, CMATH, sign(x) * copysign(sign(x), y), 0, 0.1, 10, 0.1, 10)                                       \
    UNARY(floor, CMATH, 0, 0.1, 0.9)                                                                                   \
    UNARY(ceil, CMATH, 0, 0.1, 0.9)                                                                                    \
    UNARY(round, CMATH, 0, 0.6, 1.4)                                                                                   \
    UNARY(trunc, CMATH, 0, 0.1, 0.9)                                                                                   \
    UNARY(rint, CHOICE(nearest_whole(x)), 0, 0.6, 1.4)                                                                 \
    UNARY(nearbyint, CHOICE(nearest_whole(x)), 0, 0.6, 1.4)                                                            \
    UNARY(logb, CMATH, 0, 1.1, 1.9)                                                                                    \
    BINARY(ldexp, CHOICE(scaled_by_power_of_two(x, y)), ldexp(like(x, 1), y), 0, -10, 10, 3.2, 3.8)                    \
    BINARY(scalbn, FORMULA(ldexp(x, y)), ldexp(like(x, 1), y), 0, -10, 10, 3.2, 3.8)                                   \
    BINARY(fmod, BUILTIN, 1, rint((r - x) / y), 0.1, 0.9, 1, 2)                                                        \
    BINARY(remainder, BUILTIN, 1, rint((r - x) / y), 0.1, 0.4, 1, 2)                                                   \
    /* x, whose value may be computed in another order (graph/relaxed.hpp) */                                          \
    UNARY(relaxed, FORMULA(x), 1, -4, 4)
// clang-format on
