// SPDX-License-Identifier: BSL-1.0
//
// The file that is compiled with NDEBUG.
#include "mistakes.hpp"

file without_assertions() { return this_file; }
