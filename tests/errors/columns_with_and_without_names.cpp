// SPDX-License-Identifier: BSL-1.0
// expect: columns: some columns have names and some have none; name all, as in columns(x = xs, y = ys), or none
#include <chainrule/batch.hpp>
#include <chainrule/chainrule.hpp>

#include <vector>

namespace cr = chainrule;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
const std::vector<double> xs{1, 2}, ys{3, 4};

#ifdef CHAINRULE_BAD
auto points = cr::columns(x = xs, ys);
#else
auto points = cr::columns(x = xs, y = ys);
#endif
