// SPDX-License-Identifier: BSL-1.0
//
// The old name of custom_function.hpp, for one version.
#pragma once

#include <chainrule/custom_function.hpp>

namespace chainrule {

template <class F, int Arity>
using own_function [[deprecated("write custom_function")]] = custom_function<F, Arity>;

} // namespace chainrule
