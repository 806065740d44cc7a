// SPDX-License-Identifier: BSL-1.0
// expect: f(map): a key of the map of Boost.Hana is neither a variable nor a string; write hana::make_map(hana::make_pair(x, 2.0)) with x = variable<"x">
#include <chainrule/chainrule.hpp>
#include <chainrule/interop/hana.hpp>

#include <boost/hana/map.hpp>

namespace cr = chainrule;
namespace hana = boost::hana;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto f = log(x) + x * y - sin(y);
#ifdef CHAINRULE_BAD
double v = f(hana::make_map(hana::make_pair(x, 2.0), hana::make_pair(hana::int_c<1>, 5.0)));
#else
double v = f(hana::make_map(hana::make_pair(x, 2.0), hana::make_pair(y, 5.0)));
#endif
