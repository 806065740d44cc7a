// SPDX-License-Identifier: BSL-1.0
//
// The old name of custom_function.hpp, for one version.
#pragma once

#include <chainrule/custom_function.hpp>
