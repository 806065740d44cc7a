// SPDX-License-Identifier: BSL-1.0
//
// Tape mode: derivatives of programs with loops, branches and recursion whose structure is known only at run time.
// Include this header in addition to chainrule/chainrule.hpp.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/tape/recording/heads.hpp>
#include <chainrule/expression/refusals.hpp> // here, so that compilers name few headers on the way to its messages
#include <chainrule/tape/recording/recording.hpp>
#include <chainrule/tape/recording/active.hpp>
#include <chainrule/tape/recording/functions_of_numbers.hpp>
#include <chainrule/tape/recording/adjoints.hpp>
#include <chainrule/tape/recording/entries.hpp>
#include <chainrule/tape/recording/sweep.hpp>
#include <chainrule/tape/recording/refused_calls.hpp>
#include <chainrule/tape/recording/tape.hpp>
#include <chainrule/tape/recording/statement_writer.hpp>
#include <chainrule/tape/recording/statement.hpp>
#include <chainrule/tape/recording/recorded_call.hpp>
#include <chainrule/tape/recording/comparison.hpp>
#include <chainrule/tape/derivatives/matrix.hpp>
#include <chainrule/tape/derivatives/jacobians.hpp>
#include <chainrule/tape/derivatives/kept_tape.hpp>
#include <chainrule/tape/derivatives/points.hpp>
#include <chainrule/tape/derivatives/runs_at_points.hpp> // here, as the first
#include <chainrule/tape/derivatives/function_derivatives.hpp>
#include <chainrule/tape/checkpoint.hpp>
#include <chainrule/tape/preaccumulate.hpp>

#include <chainrule/core/names_end.inc>
