// SPDX-License-Identifier: BSL-1.0
//
// The functions that a saved recording in double may name, for the tests of this folder.
#include "saved_functions.hpp"

CHAINRULE_INSTANTIATE_LOAD(double);
