// SPDX-License-Identifier: BSL-1.0
// expect: columns: the accessor of a std::mdspan computes its numbers, which are thus not in memory; copy them, or pass a std::mdspan with the default accessor
#include <chainrule/batch.hpp>

#include "span.hpp"

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
[[maybe_unused]] constexpr span<const double&, 1> one{};
[[maybe_unused]] constexpr span<double, 1> computed{};

#ifdef CHAINRULE_BAD
auto all = cr::sum(x, cr::over(x = computed));
#else
auto all = cr::sum(x, cr::over(x = one));
#endif
