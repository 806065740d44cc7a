// SPDX-License-Identifier: BSL-1.0
//
// Dual numbers: forward mode for existing code.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/expression/number_functions.hpp>
#include <chainrule/expression/number_properties.hpp>
#include <chainrule/dual/dual.hpp>
#include <chainrule/dual/dual_variables.hpp>
#include <chainrule/dual/refusals.hpp>

#include <chainrule/core/names_end.inc>
