// SPDX-License-Identifier: BSL-1.0
//
// Tape mode, whole: derivatives of programs whose structure is known only while they run, with loops, branches and
// recursion. An include of its own beside chainrule/chainrule.hpp.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/tape/recording.hpp>
#include <chainrule/tape/active.hpp>
#include <chainrule/tape/adjoints.hpp>
#include <chainrule/tape/sweep.hpp>
#include <chainrule/tape/tape.hpp>
#include <chainrule/tape/statement.hpp>
#include <chainrule/tape/comparison.hpp>
#include <chainrule/tape/derivatives.hpp>
#include <chainrule/tape/checkpoint.hpp>

#include <chainrule/core/names_end.inc>
