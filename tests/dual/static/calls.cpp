// SPDX-License-Identifier: BSL-1.0
//
// Functions of dual numbers with the header of dual numbers alone: sin(x) and chainrule::sin(x).
#include <chainrule/dual.hpp>

#include "../../calls_of_functions.hpp"

namespace {

using pair = cr::dual<double, 2>;

template <class T>
constexpr auto calls_of = &calls_of_functions<T>;
[[maybe_unused]] constexpr auto of_one = calls_of<cr::dual<double>>;
[[maybe_unused]] constexpr auto of_floats = calls_of<cr::dual<float>>;
[[maybe_unused]] constexpr auto of_dual_numbers = calls_of<cr::dual<pair>>;

// The integer power, at 0 too, and the share of a kink.
constexpr auto x = cr::dual<double>::variable(0.0);
static_assert(cr::pow(x, 2).tangents[0] == 0 && pow(x, 1).tangents[0] == 1 && cr::pow(x, 1).tangents[0] == 1);
static_assert(cr::max(x, 0.0).tangents[0] == 0.5 && cr::relu(x).tangents[0] == 0 && cr::max(2.0, 3.0) == 3.0);

static_assert(!cr::isnan(x) && !cr::isinf(x) && cr::isfinite(x) && cr::plain_value(x + 2.0) == 2.0 && isfinite(x));

// With both namespaces in use, calls that were clear stay so.
[[maybe_unused]] auto in_both_namespaces(const pair& a, const pair& b) {
    using namespace std;
    using namespace chainrule;
    return isnan(a) || isinf(1.0) || isfinite(2) ? a : b;
}
[[maybe_unused]] constexpr auto with_std = &calls_in_both_namespaces<pair>;

} // namespace
