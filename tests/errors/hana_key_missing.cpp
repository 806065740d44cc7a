// SPDX-License-Identifier: BSL-1.0
// expect: f(...): a variable of f has no value; pass a value for every variable, as in f(x = 2.0, y = 5.0)
#include <chainrule/chainrule.hpp>
#include <chainrule/interop/hana.hpp>

#include <boost/hana/map.hpp>

namespace cr = chainrule;
namespace hana = boost::hana;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto F = cr::function(log(x) + x * y - sin(y), cr::wrt(x, y));
#ifdef CHAINRULE_BAD
auto g = F.gradient(hana::make_map(hana::make_pair(x, 2.0)));
#else
auto g = F.gradient(hana::make_map(hana::make_pair(x, 2.0), hana::make_pair(y, 5.0)));
#endif
