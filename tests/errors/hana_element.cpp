// SPDX-License-Identifier: BSL-1.0
// expect: hana: an element of a vector would not be an expression; make it a tuple first, as in hana::transform(hana::to_tuple(v), f)
// at most 4608 bytes on g++: the types of the call are long
// at most 29 lines on clang: clang prints three lines for each function on the way
// at most 5120 bytes on clang: the types of the call are long
#include <chainrule/chainrule.hpp>
#include <chainrule/interop/hana.hpp>

#include <boost/hana/transform.hpp>
#include <boost/hana/tuple.hpp>

namespace cr = chainrule;
namespace hana = boost::hana;
constexpr auto x = cr::variable<"x">;
constexpr auto v = cr::vector(x, x* x);
constexpr auto text = [](auto) { return "text"; };
#ifdef CHAINRULE_BAD
constexpr auto texts = hana::transform(v, text);
#else
constexpr auto texts = hana::transform(hana::to_tuple(v), text);
#endif
