// SPDX-License-Identifier: BSL-1.0
//
// The version, stated here only; CMakeLists.txt reads it from here.
#pragma once

#define CHAINRULE_VERSION_MAJOR 0
#define CHAINRULE_VERSION_MINOR 1
#define CHAINRULE_VERSION_PATCH 0

/// The version as one number, for comparisons: 10203 is 1.2.3.
#define CHAINRULE_VERSION (10000 * CHAINRULE_VERSION_MAJOR + 100 * CHAINRULE_VERSION_MINOR + CHAINRULE_VERSION_PATCH)
