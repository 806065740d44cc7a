// SPDX-License-Identifier: BSL-1.0
//
// Matrices and vectors of numbers with sizes known at compile time, for traced code and any number type. Not part of
// chainrule.hpp.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/chainrule.hpp>
#include <chainrule/matrices/fixed_cholesky.hpp>
#include <chainrule/matrices/fixed_matrix.hpp>
#include <chainrule/matrices/fixed_systems.hpp>
#include <chainrule/matrices/fixed_vectors.hpp>

#include <chainrule/core/names_end.inc>
