// SPDX-License-Identifier: BSL-1.0
//
// Repeated steps with derivatives: repeat(step, state(x), steps(1000)). Not part of chainrule.hpp.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/chainrule.hpp>
#include <chainrule/steps/repeat.hpp>

#include <chainrule/core/names_end.inc>
