// SPDX-License-Identifier: BSL-1.0
// expect: over: a column is a temporary, whose numbers are gone when the sum is computed; give it a name before the call
#include <chainrule/batch.hpp>
#include <vector>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto v = cr::variables<"v", 2>;
constexpr auto k = cr::variable<"k">;
std::vector<double> points() { return std::vector<double>(20, 1.5); }

#ifdef CHAINRULE_BAD
const auto data = cr::over(v = cr::rows(points(), 2));
#else
const auto kept = points();
const auto data = cr::over(v = cr::rows(kept, 2));
#endif
const auto total = cr::sum(k * v[0_c] * v[1_c], data, cr::wrt(k));
// A temporary lasts until the end of the call.
const auto values = cr::batch(cr::function(v[0_c] * v[1_c], cr::wrt(v))).values(cr::rows(points(), 2));
