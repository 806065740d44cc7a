// SPDX-License-Identifier: BSL-1.0
//
// The old place of print/graphviz.hpp, for one version.
#pragma once

#include <chainrule/print/graphviz.hpp>
