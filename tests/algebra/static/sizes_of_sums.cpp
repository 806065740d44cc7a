// SPDX-License-Identifier: BSL-1.0
//
// Long sums with stored numbers: exact, substitute and derivatives compile with the default options of all
// compilers, and every number comes to its place.
#include <chainrule/chainrule.hpp>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

// Sums of a term for each number: double(I) * sin(x * y).
template <int I, int End, class S, class Number>
constexpr auto sum(S s, Number number) {
    if constexpr (End - I == 1)
        return s + number.template operator()<I>() * sin(x * y);
    else
        return sum<(I + End) / 2, End>(sum<I, (I + End) / 2>(s, number), number);
}
struct stored {
    template <int I>
    constexpr double operator()() const {
        return double(I);
    }
};
struct constants {
    template <int I>
    constexpr auto operator()() const {
        return typename cr::constant<I, 1>::node{};
    }
};

constexpr auto long_sum = sum<1, 301>(x, stored{});
static_assert(cr::same(cr::exact<long_sum>, sum<1, 301>(x, constants{})));
static_assert(long_sum(x = 2.0, y = 0.0) == 2.0);

// Numbers of f, and those of the expressions that replace its variables.
constexpr auto few = sum<1, 9>(x, stored{}) / y - 0.5;
constexpr auto replaced = cr::substitute(few, x = 3.0 * y, y = x + 7.0);
static_assert(cr::same(cr::exact<replaced>, cr::substitute(cr::exact<few>, x = 3_c * y, y = x + 7_c)));
static_assert(replaced(x = -6.0, y = 0.0) == few(x = 0.0, y = 1.0));
constexpr auto with_select = select(x > 2.0, hypot3(x, 3.0, y), fma(4.0, y, 5.0));
static_assert(cr::same(cr::exact<with_select>, select(x > 2_c, hypot3(x, 3_c, y), fma(4_c, y, 5_c))));
static_assert(cr::substitute(with_select, y = 2.0)(x = 1.0) == 13.0);

// Numbers of several types have no common array.
constexpr auto of_types = 2.0f * x + 3.0 * y + 4 * x;
static_assert(cr::same(cr::exact<of_types>, 2_c * x + 3_c * y + 4_c * x));
static_assert(cr::substitute(of_types, x = 2.0f * y, y = 0.5)(y = 1.0) == 13.5);

// -0.0 remains stored: it is not an exact constant.
constexpr auto with_zero = 2.0 * x + -0.0 * y + 3.0;
static_assert(decltype(cr::exact<with_zero>)::numbers == 1);
static_assert(cr::exact<with_zero>(x = 1.0, y = 1.0) == 5.0);

static_assert(decltype(derivative(long_sum, x))::numbers == 300);

} // namespace
