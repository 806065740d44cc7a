// SPDX-License-Identifier: BSL-1.0
// expect: over_chunks: the range of chunks is a temporary, which is gone when the sum is computed; give it a name before the call
#include <chainrule/batch.hpp>
#include <chainrule/chainrule.hpp>

#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;

const std::vector<double> numbers(10, 1.0);
auto chunks() { return std::vector{cr::over(x = numbers)}; }
const auto named = chunks();

#ifdef CHAINRULE_BAD
const auto data = cr::over_chunks(chunks());
#else
const auto data = cr::over_chunks(named);
#endif
