// SPDX-License-Identifier: BSL-1.0
//
// LaTeX, C and Graphviz output, in addition to the plain text of chainrule.hpp. The three headers can also be included
// separately.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/print/c.hpp>
#include <chainrule/print/graphviz.hpp>
#include <chainrule/print/latex.hpp>

#include <chainrule/core/names_end.inc>
