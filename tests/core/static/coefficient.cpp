// SPDX-License-Identifier: BSL-1.0
//
// Exact constants: fractions, sums of two doubles where they do not fit, and what overflows.
#include <chainrule/core/coefficient.hpp>

#include <limits>

namespace {

using chainrule::irrational;
using chainrule::core::coefficient;
using limits = std::numeric_limits<double>;
constexpr double infinity = limits::infinity(), most = limits::max();

// Fractions
constexpr coefficient third = coefficient(3).reciprocal(), tenth = coefficient(10).reciprocal();
static_assert((third + third + third).is(1) && (tenth * coefficient(30)).is(3) && (third + -third).is_zero());
static_assert(third.as<double>() == 1.0 / 3 && third.as<float>() == 1.0f / 3 && tenth.as<long double>() == 0.1L);
constexpr coefficient large(std::numeric_limits<chainrule::core::integer>::max());
static_assert(large.exact() && !(large * large).exact() && (large * large).as<double>() == 0x1p126);
// The least integer has no negative.
static_assert(!(-large + coefficient(-1)).exact() && (-large + coefficient(-1)).as<double>() == -0x1p63);
static_assert((-(-large + coefficient(-1))).as<double>() == 0x1p63);
static_assert(third.reciprocal().is(3) && (-third).negative() && !third.negative());

// What overflows is infinite.
constexpr coefficient huge(irrational{most, 0}), tiny(irrational{limits::min() / 4, 0});
static_assert(!(huge * huge).finite() && !(huge * -huge).finite() && (huge * -huge).negative());
static_assert(!(huge + huge).finite() && (huge + -huge).as<double>() == 0);
static_assert(!tiny.reciprocal().finite() && huge.reciprocal().as<double>() == 1 / most);
static_assert((huge * coefficient(irrational{0x1p-600, 0})).as<double>() == most * 0x1p-600);
static_assert((huge * huge * huge).as<double>() == infinity && (huge * huge).reciprocal().is_zero());
constexpr coefficient infinite = huge * huge, undefined = infinite + -infinite;
static_assert(!(tiny * tiny).reciprocal().finite()); // it underflowed to 0
static_assert((huge * coefficient(0)).is_zero() && (coefficient(irrational{0, 0}) * huge).is_zero());
static_assert((infinite + huge).as<double>() == infinity && (-infinite + -huge).as<double>() == -infinity);
static_assert(undefined.as<double>() != undefined.as<double>());
static_assert(huge.may_equal(huge) && !huge.may_equal(-huge) && !huge.may_equal(tiny));

// The constants of formulas are those of constant evaluation, which have a third double for long double.
namespace evaluation = chainrule::constant_evaluation;
static_assert(coefficient(irrational::pi) == coefficient(evaluation::pi<double>));
static_assert(coefficient(irrational::ln_2) == coefficient(evaluation::ln2<double>));
static_assert(coefficient(irrational::two_over_sqrt_pi) == coefficient(evaluation::two_over_root_pi<double>));

} // namespace
