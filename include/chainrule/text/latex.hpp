// SPDX-License-Identifier: BSL-1.0
//
// The old place of print/latex.hpp, for one version.
#pragma once

#include <chainrule/print/latex.hpp>
