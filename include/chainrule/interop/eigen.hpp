// SPDX-License-Identifier: BSL-1.0
//
// Support for Eigen 3.4 and 5: matrices of active and dual numbers, matrices on tapes, linear solves as one operation,
// and results as matrices.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/interop/eigen/numbers.hpp>
#include <chainrule/interop/eigen/matrices.hpp>
#include <chainrule/interop/eigen/results.hpp>
#include <chainrule/interop/eigen/solve.hpp>
#include <chainrule/interop/eigen/determinant.hpp>

#include <chainrule/core/names_end.inc>
