// SPDX-License-Identifier: BSL-1.0
//
// Tape mode: derivatives of programs with loops, branches and recursion whose structure is known only at run time.
// Include this header in addition to chainrule/chainrule.hpp.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/tape/heads.hpp>
#include <chainrule/expression/refusals.hpp> // here, so that compilers name few headers on the way to its messages
#include <chainrule/tape/recording.hpp>
#include <chainrule/tape/active.hpp>
#include <chainrule/tape/functions_of_numbers.hpp>
#include <chainrule/tape/adjoints.hpp>
#include <chainrule/tape/entries.hpp>
#include <chainrule/tape/sweep.hpp>
#include <chainrule/tape/refused_calls.hpp>
#include <chainrule/tape/tape.hpp>
#include <chainrule/tape/statement_writer.hpp>
#include <chainrule/tape/statement.hpp>
#include <chainrule/tape/recorded_call.hpp>
#include <chainrule/tape/comparison.hpp>
#include <chainrule/tape/matrix.hpp>
#include <chainrule/tape/derivatives.hpp>
#include <chainrule/tape/kept_tape.hpp>
#include <chainrule/tape/points.hpp>
#include <chainrule/tape/runs_at_points.hpp> // here, as the first
#include <chainrule/tape/function_derivatives.hpp>
#include <chainrule/tape/checkpoint.hpp>
#include <chainrule/tape/preaccumulate.hpp>

#include <chainrule/core/names_end.inc>
