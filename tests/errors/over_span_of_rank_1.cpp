// SPDX-License-Identifier: BSL-1.0
// expect: over: a std::mdspan that is a matrix must have rank 2; bind one whose rows are those of the data
#include <chainrule/batch.hpp>

#include "span.hpp"

namespace cr = chainrule;
constexpr auto w = cr::variables<"w", 2>;
[[maybe_unused]] constexpr span<const double&, 1> one{};
[[maybe_unused]] constexpr span<const double&, 2> two{};

#ifdef CHAINRULE_BAD
auto all = cr::sum(squared_norm(w), cr::over(w = one));
#else
auto all = cr::sum(squared_norm(w), cr::over(w = two));
#endif
