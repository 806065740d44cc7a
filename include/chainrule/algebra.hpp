// SPDX-License-Identifier: BSL-1.0
//
// Algebra with expressions, whole: substitution, rewriting, implicit functions and roots.
#pragma once

#include <chainrule/chainrule.hpp>

#include <chainrule/algebra/substitute.hpp>

#include <chainrule/algebra/rewriting.hpp>
#include <chainrule/algebra/simplify.hpp>

#include <chainrule/algebra/implicit.hpp>
#include <chainrule/algebra/linear_step.hpp>
#include <chainrule/algebra/newton.hpp>
