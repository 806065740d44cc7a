// SPDX-License-Identifier: BSL-1.0
//
// The plain number of plain and traced numbers, and whether they are NaN or infinite: qualified calls in templates, and
// no ambiguity with <cmath>. tests/tape/recording/number_properties.cpp has all other numbers.
#include <chainrule/chainrule.hpp>

#include <cmath>
#include <limits>

namespace {

namespace cr = chainrule;

template <class T>
constexpr bool classified() {
    constexpr T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
    static_assert(!cr::isnan(T(1)) && !cr::isinf(T(1)) && cr::isfinite(T(1)));
    static_assert(!cr::isnan(infinity) && cr::isinf(-infinity) && !cr::isfinite(infinity));
    static_assert(cr::isnan(nan) && !cr::isinf(nan) && !cr::isfinite(nan));
    static_assert(std::is_same_v<decltype(cr::plain_value(nan)), T>);
    return cr::plain_value(T(2)) == 2;
}
static_assert(classified<float>() && classified<double>() && classified<long double>());
static_assert(!cr::isnan(1) && !cr::isinf(2u) && cr::isfinite(3L) && cr::plain_value(4) == 4);

constexpr auto without_nan = [](const auto& v) {
    return cr::select(cr::isnan(v[0]) || cr::isinf(v[0]) || !cr::isfinite(v[1]), v[1], cr::exp(v[0]) * v[1]);
};
static_assert(without_nan(std::array{0.0, 3.0}) == 3.0);
constexpr auto F = cr::function<2>(without_nan);
static_assert(F(0.0, 3.0) == 3.0 && F.gradient(0.0, 3.0)[0] == 3.0);

// With both namespaces in use, calls that were clear stay so.
[[maybe_unused]] bool in_both_namespaces(double a, float b, int c) {
    using namespace std;
    using namespace chainrule;
    return isnan(a) || isinf(b) || isfinite(c) || isnan(c) || isinf(2.0L);
}

} // namespace
