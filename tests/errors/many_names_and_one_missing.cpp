// SPDX-License-Identifier: BSL-1.0
// expect: f(...): a variable of f has no value; pass a value for every variable, as in f(x = 2.0, y = 5.0)
//
// Compilers write out the type of each argument once.
#include <chainrule/chainrule.hpp>

#include <utility>

namespace cr = chainrule;
constexpr auto x = cr::variables<"x", 36>;
constexpr auto F = cr::function(exp(dot(x, x)), cr::wrt(x));

template <std::size_t... I>
double at(std::index_sequence<I...>) {
    return F((x[boost::hana::size_c<I>] = 0.1)...);
}
#ifdef CHAINRULE_BAD
double value = at(std::make_index_sequence<35>{});
#else
double value = at(std::make_index_sequence<36>{});
#endif
