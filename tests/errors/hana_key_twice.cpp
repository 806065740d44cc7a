// SPDX-License-Identifier: BSL-1.0
// expect: f(...): a variable is given two values; give each variable exactly one
#include <chainrule/chainrule.hpp>
#include <chainrule/interop/hana.hpp>

#include <boost/hana/map.hpp>
#include <boost/hana/string.hpp>

namespace cr = chainrule;
namespace hana = boost::hana;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto f = log(x) + x * y - sin(y);
constexpr auto name = BOOST_HANA_STRING("x");
#ifdef CHAINRULE_BAD
double v = f(hana::make_map(hana::make_pair(x, 2.0), hana::make_pair(y, 5.0), hana::make_pair(name, 2.0)));
#else
double v = f(hana::make_map(hana::make_pair(y, 5.0), hana::make_pair(name, 2.0)));
#endif
