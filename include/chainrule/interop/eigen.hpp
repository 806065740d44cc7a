// SPDX-License-Identifier: BSL-1.0
//
// How does Eigen (3.4) compute with the library's numbers? All of it: matrices of active and dual numbers, matrices on
// tapes, and linear solves that are one operation.
#pragma once

#include <chainrule/names_begin.inc>

#include <chainrule/interop/eigen/numbers.hpp>
#include <chainrule/interop/eigen/matrices.hpp>
#include <chainrule/interop/eigen/solve.hpp>

#include <chainrule/names_end.inc>
