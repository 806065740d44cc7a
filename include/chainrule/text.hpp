// SPDX-License-Identifier: BSL-1.0
//
// Texts beside the plain ones of chainrule.hpp: LaTeX, C and Graphviz. An include of its own, in which each may also be
// included alone.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/print/c.hpp>
#include <chainrule/print/graphviz.hpp>
#include <chainrule/print/latex.hpp>

#include <chainrule/core/names_end.inc>
