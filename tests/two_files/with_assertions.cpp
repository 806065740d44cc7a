// SPDX-License-Identifier: BSL-1.0
//
// The file that is compiled without NDEBUG.
#include "mistakes.hpp"

file with_assertions() { return this_file; }
