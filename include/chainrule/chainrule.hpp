// SPDX-License-Identifier: BSL-1.0
//
// Expressions and their derivatives: all headers of compile-time differentiation, room by room from the ground up
// (core/rooms.hpp).
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/functions/lacking_functions.hpp>
#include <chainrule/functions/rows.hpp>

#include <chainrule/core/rooms.hpp>
#include <chainrule/core/hash.hpp>
#include <chainrule/core/coefficient.hpp>
#include <chainrule/core/fixed_text.hpp>
#include <chainrule/core/for_each_index.hpp>
#include <chainrule/core/is_finite.hpp>
#include <chainrule/core/list.hpp>
#include <chainrule/core/natural.hpp>
#include <chainrule/core/raise.hpp>
#include <chainrule/core/type_list.hpp>
#include <chainrule/core/unnamed_state.hpp>

#include <chainrule/expression/number_literal.hpp>
#include <chainrule/expression/abbreviation.hpp>
#include <chainrule/expression/every_node.hpp>
#include <chainrule/expression/binding.hpp>
#include <chainrule/expression/leaves.hpp>
#include <chainrule/expression/operations.hpp>
#include <chainrule/expression/node.hpp>
#include <chainrule/expression/variable.hpp>
#include <chainrule/expression/repeated_numbers.hpp>
#include <chainrule/expression/operators.hpp>
#include <chainrule/expression/constant_operands.hpp>
#include <chainrule/expression/number_functions.hpp>
#include <chainrule/expression/number_properties.hpp>
#include <chainrule/expression/conditional.hpp>
#include <chainrule/expression/elements.hpp>
#include <chainrule/expression/arrays.hpp>
#include <chainrule/expression/exact.hpp>
#include <chainrule/expression/refused_operators.hpp>
#include <chainrule/expression/refusals.hpp>
#include <chainrule/expression/variable_names.hpp>
#include <chainrule/expression/vector.hpp>
#include <chainrule/expression/vector_functions.hpp>

#include <chainrule/graph/graph_data.hpp>
#include <chainrule/graph/linear_forms.hpp>
#include <chainrule/graph/custom_functions.hpp>
#include <chainrule/graph/canonical_graph.hpp>
#include <chainrule/graph/cost.hpp>
#include <chainrule/graph/lower.hpp>
#include <chainrule/graph/relaxed.hpp>
#include <chainrule/graph/term_algebra.hpp>
#include <chainrule/graph/graph_term.hpp>
#include <chainrule/graph/variables.hpp>
#include <chainrule/graph/words.hpp>

#include <chainrule/trace/plain_number.hpp>
#include <chainrule/trace/recorder.hpp>
#include <chainrule/trace/plain_operation.hpp>
#include <chainrule/trace/refusals.hpp>
#include <chainrule/trace/number.hpp>
#include <chainrule/trace/shapes.hpp>
#include <chainrule/trace/forms.hpp>
#include <chainrule/trace/record.hpp>
#include <chainrule/trace/members.hpp>
#include <chainrule/trace/source.hpp>

#include <chainrule/differentiate/partials.hpp>
#include <chainrule/differentiate/adjoint.hpp>
#include <chainrule/differentiate/elimination.hpp>
#include <chainrule/differentiate/tangent.hpp>
#include <chainrule/differentiate/taylor.hpp>
#include <chainrule/differentiate/modes.hpp>
#include <chainrule/differentiate/derive.hpp>

#include <chainrule/optimise/shared_products.hpp>
#include <chainrule/optimise/constant_factors.hpp>
#include <chainrule/optimise/pairs.hpp>
#include <chainrule/optimise/products.hpp>

#include <chainrule/codegen/instructions.hpp>
#include <chainrule/codegen/code.hpp>
#include <chainrule/codegen/packed.hpp>
#include <chainrule/codegen/order.hpp>
#include <chainrule/codegen/pattern.hpp>
#include <chainrule/codegen/schedule.hpp>
#include <chainrule/codegen/passes.hpp>
#include <chainrule/codegen/saved.hpp>
#include <chainrule/codegen/compile.hpp>

#include <chainrule/kernel/demand_order.hpp>
#include <chainrule/kernel/emit.hpp>
#include <chainrule/kernel/numbers.hpp>

#include <chainrule/entry/evaluate.hpp>
#include <chainrule/entry/points.hpp>
#include <chainrule/entry/parameters.hpp>
#include <chainrule/entry/inputs.hpp>
#include <chainrule/entry/outputs.hpp>
#include <chainrule/entry/results.hpp>
#include <chainrule/entry/run_program.hpp>
#include <chainrule/entry/positional_function.hpp>
#include <chainrule/entry/function.hpp>
#include <chainrule/entry/operation_count.hpp>

#include <chainrule/entry/traced_members.hpp>
#include <chainrule/entry/traced_function.hpp>
#include <chainrule/entry/stated_inputs.hpp>
#include <chainrule/entry/structured_function.hpp>

#include <chainrule/symbolic/rows.hpp>
#include <chainrule/symbolic/raise.hpp>
#include <chainrule/symbolic/derivative.hpp>
#include <chainrule/symbolic/keyed_results.hpp>
#include <chainrule/symbolic/gradient.hpp>
#include <chainrule/symbolic/hessian.hpp>
#include <chainrule/symbolic/jacobian.hpp>
#include <chainrule/symbolic/refusals.hpp>
#include <chainrule/symbolic/taylor.hpp>

#include <chainrule/print/decimal.hpp>
#include <chainrule/print/outline.hpp>
#include <chainrule/print/program_writer.hpp>
#include <chainrule/print/text.hpp>
#include <chainrule/print/program_text.hpp>

#include <chainrule/matrices/matrix.hpp>
#include <chainrule/matrices/gaussian_elimination.hpp>
#include <chainrule/matrices/inverse.hpp>
#include <chainrule/matrices/rotation.hpp>

#include <chainrule/algebra/rewriting.hpp>
#include <chainrule/algebra/simplify.hpp>
#include <chainrule/algebra/implicit.hpp>
#include <chainrule/algebra/newton_checks.hpp>
#include <chainrule/algebra/root_status.hpp>
#include <chainrule/algebra/newton_iteration.hpp>
#include <chainrule/algebra/newton.hpp>
#include <chainrule/algebra/substitute.hpp>
#include <chainrule/algebra/apply.hpp>

#include <chainrule/core/names_end.inc>
