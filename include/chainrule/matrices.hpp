// SPDX-License-Identifier: BSL-1.0
//
// Small matrices of expressions, whole: products, determinants, inverses, rotations. Vectors are in chainrule.hpp.
#pragma once

#include <chainrule/chainrule.hpp>

#include <chainrule/matrices/matrix.hpp>

#include <chainrule/matrices/inverse.hpp>
#include <chainrule/matrices/rotation.hpp>
