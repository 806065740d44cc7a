// SPDX-License-Identifier: BSL-1.0
// expect: matrix<n>: the vector does not fill rows of n elements; pass a vector of a multiple of n
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
#ifdef CHAINRULE_BAD
constexpr auto A = cr::matrix<3>(cr::variables<"a", 8>);
#else
inline constexpr auto A = cr::matrix<3>(cr::variables<"a", 9>);
#endif
