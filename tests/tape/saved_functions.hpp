// SPDX-License-Identifier: BSL-1.0
//
// The functions that a saved recording in double may name. To compile them takes as long as a test file may, so
// save_functions.cpp has them for all.
#pragma once

#include <chainrule/special_functions.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/load.hpp>

extern CHAINRULE_INSTANTIATE_LOAD(double);
