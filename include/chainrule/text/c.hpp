// SPDX-License-Identifier: BSL-1.0
//
// The old place of print/c.hpp, for one version.
#pragma once

#include <chainrule/print/c.hpp>
