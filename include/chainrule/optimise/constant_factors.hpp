// SPDX-License-Identifier: BSL-1.0
//
// The pass that places constant factors (optimise/constant_factors/definition.hpp). The folder constant_factors
// contains the parts of this header, which call one another: include this header, not its parts.
#pragma once

#include <chainrule/optimise/constant_factors/definition.hpp>
#include <chainrule/optimise/constant_factors/uses.hpp>
#include <chainrule/optimise/constant_factors/costs.hpp>
#include <chainrule/optimise/constant_factors/choices.hpp>
#include <chainrule/optimise/constant_factors/placement.hpp>
