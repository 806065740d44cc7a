// SPDX-License-Identifier: BSL-1.0
// expect: f(...): a variable of f has no value, and a value is given for one that does not occur in f; check its name
#include <chainrule/chainrule.hpp>
#include <chainrule/interop/hana.hpp>

#include <boost/hana/map.hpp>
#include <boost/hana/string.hpp>

namespace cr = chainrule;
namespace hana = boost::hana;
constexpr auto x = cr::variable<"x">;
constexpr auto speed = cr::variable<"speed">;
constexpr auto f = log(x) + x * speed;
#ifdef CHAINRULE_BAD
double v = f(hana::make_map(hana::make_pair(x, 2.0), hana::make_pair(BOOST_HANA_STRING("spead"), 5.0)));
#else
double v = f(hana::make_map(hana::make_pair(x, 2.0), hana::make_pair(BOOST_HANA_STRING("speed"), 5.0)));
#endif
