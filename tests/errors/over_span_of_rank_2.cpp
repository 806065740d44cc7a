// SPDX-License-Identifier: BSL-1.0
// expect: over: a std::mdspan that is a column must have rank 1; bind one of rank 2 to a vector of variables
#include <chainrule/batch.hpp>

#include "span.hpp"

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
[[maybe_unused]] constexpr span<const double&, 1> one{};
[[maybe_unused]] constexpr span<const double&, 2> two{};

#ifdef CHAINRULE_BAD
auto all = cr::sum(x, cr::over(x = two));
#else
auto all = cr::sum(x, cr::over(x = one));
#endif
