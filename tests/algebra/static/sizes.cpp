// SPDX-License-Identifier: BSL-1.0
//
// Long chains with stored numbers: exact, substitute and derivatives compile with the default options of all
// compilers, and every number comes to its place.
#include <chainrule/chainrule.hpp>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

// 180 steps with 180 numbers, 540 nested operations.
template <int I, int End, class S>
constexpr auto chain(S s) {
    if constexpr (End - I == 1)
        return sin(double(I) * s) + y;
    else
        return chain<(I + End) / 2, End>(chain<I, (I + End) / 2>(s));
}
constexpr auto long_chain = chain<1, 181>(x);
static_assert(int{decltype(cr::substitute(long_chain, x = y))::depth} == int{decltype(long_chain)::depth});
static_assert(decltype(cr::exact<long_chain>)::numbers == 0);
static_assert(long_chain(x = 0.0, y = 0.0) == 0.0);

constexpr auto slope = derivative(chain<1, 9>(x), x);
static_assert(slope(x = 0.0, y = 0.0) == 40320.0);

} // namespace
