// SPDX-License-Identifier: BSL-1.0
//
// How often was memory allocated? For tests of code that must not; runtime/allocations.cpp counts.
#pragma once

#include <cstddef>

/// Calls of operator new in this program so far.
std::size_t allocations();
