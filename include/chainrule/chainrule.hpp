// SPDX-License-Identifier: BSL-1.0
//
// The compile-time half of chainrule, whole. The order of the includes is the order in which an expression is processed:
// the calculus, what users write, the compiler of expressions, kernels, derivatives as expressions, matrices and algebra.
#pragma once

#include <chainrule/names_begin.inc>

#include <chainrule/functions.hpp>

#include <chainrule/program/identity.hpp>
#include <chainrule/expression/operations.hpp>
#include <chainrule/expression/leaves.hpp>
#include <chainrule/expression/node.hpp>
#include <chainrule/expression/literal.hpp>
#include <chainrule/expression/variable.hpp>
#include <chainrule/expression/operators.hpp>
#include <chainrule/expression/selection.hpp>
#include <chainrule/expression/refusals.hpp>
#include <chainrule/expression/elements.hpp>
#include <chainrule/expression/vector.hpp>
#include <chainrule/expression/vector_functions.hpp>
#include <chainrule/expression/known.hpp>

#include <chainrule/program/list.hpp>
#include <chainrule/program/type_list.hpp>
#include <chainrule/program/variable_names.hpp>
#include <chainrule/program/coefficient.hpp>
#include <chainrule/program/natural.hpp>
#include <chainrule/program/graph_data.hpp>
#include <chainrule/program/linear_forms.hpp>
#include <chainrule/program/own_functions.hpp>
#include <chainrule/program/graph.hpp>
#include <chainrule/program/canonical_products.hpp>
#include <chainrule/program/guards.hpp>
#include <chainrule/program/canonical_sums.hpp>
#include <chainrule/program/lower.hpp>
#include <chainrule/program/variables.hpp>
#include <chainrule/program/partials.hpp>
#include <chainrule/program/adjoint.hpp>
#include <chainrule/program/tangent.hpp>
#include <chainrule/program/taylor.hpp>
#include <chainrule/program/elimination.hpp>
#include <chainrule/program/cost.hpp>
#include <chainrule/program/derive.hpp>
#include <chainrule/program/pattern.hpp>
#include <chainrule/program/scales.hpp>
#include <chainrule/program/products.hpp>
#include <chainrule/program/code.hpp>
#include <chainrule/program/order.hpp>
#include <chainrule/program/schedule.hpp>
#include <chainrule/program/words.hpp>
#include <chainrule/program/compile.hpp>

#include <chainrule/kernel/lazy_order.hpp>
#include <chainrule/kernel/emit.hpp>
#include <chainrule/kernel/numbers.hpp>
#include <chainrule/kernel/points.hpp>
#include <chainrule/kernel/inputs.hpp>
#include <chainrule/kernel/outputs.hpp>
#include <chainrule/kernel/evaluate.hpp>
#include <chainrule/kernel/function.hpp>

#include <chainrule/trace/plain_number.hpp>
#include <chainrule/trace/number.hpp>
#include <chainrule/trace/forms.hpp>
#include <chainrule/trace/record.hpp>
#include <chainrule/trace/source.hpp>
#include <chainrule/trace/function.hpp>

#include <chainrule/symbolic/rows.hpp>
#include <chainrule/symbolic/raise.hpp>
#include <chainrule/symbolic/derivative.hpp>
#include <chainrule/symbolic/gradient.hpp>
#include <chainrule/symbolic/taylor.hpp>
#include <chainrule/symbolic/decimal.hpp>
#include <chainrule/symbolic/fixed_text.hpp>
#include <chainrule/symbolic/outline.hpp>
#include <chainrule/symbolic/text.hpp>
#include <chainrule/symbolic/operation_count.hpp>
#include <chainrule/symbolic/program_writer.hpp>
#include <chainrule/symbolic/program_text.hpp>

#include <chainrule/matrices/matrix.hpp>
#include <chainrule/matrices/inverse.hpp>
#include <chainrule/matrices/rotation.hpp>

#include <chainrule/algebra/substitute.hpp>
#include <chainrule/algebra/rewriting.hpp>
#include <chainrule/algebra/simplify.hpp>
#include <chainrule/algebra/implicit.hpp>
#include <chainrule/algebra/linear_step.hpp>
#include <chainrule/algebra/newton_checks.hpp>
#include <chainrule/algebra/newton.hpp>

#include <chainrule/names_end.inc>
