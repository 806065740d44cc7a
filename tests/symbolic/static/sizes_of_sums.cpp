// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of long sums and of many variables, which take several constant evaluations: they are those of short
// ones, and compile with the default options of all compilers.
#include <chainrule/chainrule.hpp>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;

// 300 different terms: each has its derivative, in order.
template <int I>
constexpr auto k = typename cr::constant<I, 1>::node{};
template <int I, int End, class S>
constexpr auto waves(S s) {
    if constexpr (End - I == 1)
        return s + sin(k<I> * x);
    else
        return waves<(I + End) / 2, End>(waves<I, (I + End) / 2>(s));
}
template <int I, int End, class S>
constexpr auto derivatives_of_waves(S s) {
    if constexpr (End - I == 1)
        return s + k<I> * cos(k<I> * x);
    else
        return derivatives_of_waves<(I + End) / 2, End>(derivatives_of_waves<I, (I + End) / 2>(s));
}
static_assert(cr::same(derivative(waves<2, 300>(sin(x)), x), derivatives_of_waves<2, 300>(cos(x))));

// The derivative with respect to one of 600 variables.
constexpr auto q = cr::variables<"q", 600>;
constexpr auto last = q.get<599>();
static_assert(cr::same(cr::gradient(squared_norm(q))[last], 2_c * last));

} // namespace
