// SPDX-License-Identifier: BSL-1.0
//
// The functions that a saved recording in double may name, for the tests of this folder.
#include "saved_functions.hpp"

template const chainrule::tape::replays::operation<double>*
chainrule::tape::saving::operation_named<double>(std::string_view, std::size_t);
