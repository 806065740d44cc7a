// SPDX-License-Identifier: BSL-1.0
//
// Texts beside the plain ones of chainrule.hpp: LaTeX, C and Graphviz. An include of its own, in which each may also be
// included alone.
#pragma once

#include <chainrule/names_begin.inc>

#include <chainrule/text/c.hpp>
#include <chainrule/text/graphviz.hpp>
#include <chainrule/text/latex.hpp>

#include <chainrule/names_end.inc>
