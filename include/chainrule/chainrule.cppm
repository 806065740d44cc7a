// SPDX-License-Identifier: BSL-1.0
//
// The module `chainrule`: what the public headers declare, except tensors and interop/, which need other libraries. A
// module has no macros: CHAINRULE_MAX_OPERATIONS and others are set where this file is compiled.
module;

#include <chainrule/chainrule.hpp>
#include <chainrule/batch.hpp>
#include <chainrule/custom_function.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/fixed_matrix.hpp>
#include <chainrule/special_functions.hpp>
#include <chainrule/steps.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/eager.hpp>
#include <chainrule/tape/load.hpp>
#include <chainrule/tape/parallel.hpp>
#include <chainrule/tape/replay.hpp>
#include <chainrule/tape/save.hpp>
#include <chainrule/tape/sparse.hpp>
#include <chainrule/tape/trace.hpp>
#include <chainrule/text.hpp>

export module chainrule;

// tests/package/module/check.py compares these names with those of the headers.
export namespace chainrule {

#define CHAINRULE_EXPORT(NAME, ...) using chainrule::NAME;
CHAINRULE_FUNCTIONS(CHAINRULE_EXPORT, CHAINRULE_EXPORT, CHAINRULE_EXPORT)
#undef CHAINRULE_EXPORT

using chainrule::operator+;
using chainrule::operator-;
using chainrule::operator*;
using chainrule::operator/;
using chainrule::operator%;
using chainrule::operator^;
using chainrule::operator==;
using chainrule::operator!=;
using chainrule::operator<;
using chainrule::operator>;
using chainrule::operator<=;
using chainrule::operator>=;
using chainrule::operator<=>;
using chainrule::operator&&;
using chainrule::operator||;
using chainrule::operator!;
using chainrule::operator<<;
using chainrule::operator+=;
using chainrule::operator-=;
using chainrule::operator*=;
using chainrule::operator/=;

using chainrule::abbreviated;
using chainrule::abbreviated_list;
using chainrule::abbreviated_predicate;
using chainrule::adjugate;
using chainrule::bad_data;
using chainrule::batch;
using chainrule::batch_function;
using chainrule::batch_result;
using chainrule::batch_roots;
using chainrule::batch_second_order;
using chainrule::batch_value_and_gradient;
using chainrule::batch_values_and_jacobian;
using chainrule::binary;
using chainrule::binding;
using chainrule::bound_double;
using chainrule::checkpoints;
using chainrule::cholesky;
using chainrule::cholesky_factor;
using chainrule::column;
using chainrule::columns;
using chainrule::common;
using chainrule::comparison;
using chainrule::compensated;
using chainrule::constant;
using chainrule::cross;
using chainrule::custom_function;
using chainrule::damped;
using chainrule::data_set;
using chainrule::derivation;
using chainrule::derivation_of;
using chainrule::derivative;
using chainrule::determinant;
using chainrule::dot;
using chainrule::dual;
using chainrule::dual_variables;
using chainrule::elements;
using chainrule::evaluation;
using chainrule::exact;
using chainrule::expand;
using chainrule::expression;
using chainrule::expression_matrix;
using chainrule::expression_vector;
using chainrule::failure_handler;
using chainrule::final_cost;
using chainrule::fit_options;
using chainrule::fit_results;
using chainrule::fit_status;
using chainrule::fits;
using chainrule::fits_over_data;
using chainrule::fixed_matrix;
using chainrule::fixed_text;
using chainrule::fixed_vector;
using chainrule::fpclassify;
using chainrule::free_variables;
using chainrule::frexp;
using chainrule::function;
using chainrule::function_with_members;
using chainrule::gauss_newton_result;
using chainrule::given;
using chainrule::gradient;
using chainrule::gradient_of;
using chainrule::hessian;
using chainrule::hessian_of;
using chainrule::identity;
using chainrule::implicit_derivative;
using chainrule::inputs;
using chainrule::irrational;
using chainrule::isfinite;
using chainrule::isinf;
using chainrule::isnan;
using chainrule::isnormal;
using chainrule::jacobian;
using chainrule::jacobian_mode;
using chainrule::jacobian_mode_of;
using chainrule::jacobian_of;
using chainrule::keyed;
using chainrule::keyed_matrix;
using chainrule::keyed_rows;
using chainrule::keyed_rows_with_values;
using chainrule::keyed_with_value;
using chainrule::known;
using chainrule::log_det;
using chainrule::logical_not;
using chainrule::long_matrix;
using chainrule::long_vector;
using chainrule::mask;
using chainrule::matrix;
using chainrule::mean;
using chainrule::members;
using chainrule::modf;
using chainrule::newton;
using chainrule::newton_and_gradient;
using chainrule::newton_options;
using chainrule::no_root;
using chainrule::norm;
using chainrule::number;
using chainrule::operation_count;
using chainrule::operation_counts;
using chainrule::outer;
using chainrule::outputs;
using chainrule::over;
using chainrule::over_chunks;
using chainrule::over_fits;
using chainrule::parameters;
using chainrule::piecewise;
using chainrule::plain_value;
using chainrule::positional_function;
using chainrule::predicate;
using chainrule::prod;
using chainrule::program_text;
using chainrule::real_constant;
using chainrule::recorded_number;
using chainrule::reduction_over_data;
using chainrule::repeat;
using chainrule::repeated_steps;
using chainrule::report;
using chainrule::residuals;
using chainrule::residuals_over_data;
using chainrule::root_outcomes;
using chainrule::root_result;
using chainrule::root_status;
using chainrule::rotate;
using chainrule::rotation;
using chainrule::rows;
using chainrule::running_cost;
using chainrule::same;
using chainrule::second_order_result;
using chainrule::select;
using chainrule::set_failure_handler;
using chainrule::several;
using chainrule::signbit;
using chainrule::simplify;
using chainrule::solve;
using chainrule::sparsity;
using chainrule::sparsity_pattern;
using chainrule::squared_norm;
using chainrule::state;
using chainrule::steps;
using chainrule::structured_function;
using chainrule::substitute;
using chainrule::substitution;
using chainrule::sum;
using chainrule::sum_over_components;
using chainrule::symbol;
using chainrule::table;
using chainrule::taylor;
using chainrule::taylor_of;
using chainrule::ternary;
using chainrule::text_is;
using chainrule::threads;
using chainrule::to_c;
using chainrule::to_graphviz;
using chainrule::to_latex;
using chainrule::to_string;
using chainrule::trace;
using chainrule::traced_output;
using chainrule::traced_outputs;
using chainrule::transpose;
using chainrule::try_newton;
using chainrule::unary;
using chainrule::value;
using chainrule::value_and_gradient;
using chainrule::value_and_gradient_result;
using chainrule::value_and_gradients_result;
using chainrule::values_and_jacobian_result;
using chainrule::variable;
using chainrule::variables;
using chainrule::vector;
using chainrule::vector_binding;
using chainrule::verification;
using chainrule::verified;
using chainrule::weights;
using chainrule::with_covariance;
using chainrule::workspace;
using chainrule::wrong_size;
using chainrule::wrt;
} // namespace chainrule

export namespace chainrule::literals {
using chainrule::literals::operator""_c;
}

export namespace chainrule::request {
using chainrule::request::hessians;
using chainrule::request::jacobians;
using chainrule::request::values;
} // namespace chainrule::request

export namespace chainrule::tape {
using chainrule::tape::active;
using chainrule::tape::adjoint_view;
using chainrule::tape::basic_tape;
using chainrule::tape::basic_trace;
using chainrule::tape::checkpointed;
using chainrule::tape::comparison_changed;
using chainrule::tape::eager;
using chainrule::tape::eagerly;
using chainrule::tape::for_each_statement;
using chainrule::tape::gradient;
using chainrule::tape::hessian;
using chainrule::tape::hessian_plan;
using chainrule::tape::hessian_sparsity;
using chainrule::tape::hessian_vector_product;
using chainrule::tape::hvp;
using chainrule::tape::jacobian;
using chainrule::tape::jacobian_plan;
using chainrule::tape::jacobian_sparsity;
using chainrule::tape::jvp;
using chainrule::tape::labelled;
using chainrule::tape::load;
using chainrule::tape::load_error;
using chainrule::tape::look_up;
using chainrule::tape::matrix;
using chainrule::tape::parallel;
using chainrule::tape::partial_lines;
using chainrule::tape::plain_value;
using chainrule::tape::preaccumulate;
using chainrule::tape::record;
using chainrule::tape::recorded_function;
using chainrule::tape::recording_full;
using chainrule::tape::replayable;
using chainrule::tape::save;
using chainrule::tape::section;
using chainrule::tape::sparse_hessian;
using chainrule::tape::sparse_jacobian;
using chainrule::tape::sparse_matrix;
using chainrule::tape::sparsity_pattern;
using chainrule::tape::statement_entry;
using chainrule::tape::tape;
using chainrule::tape::to_string;
using chainrule::tape::trace;
using chainrule::tape::traced;
using chainrule::tape::value_and_gradient;
using chainrule::tape::value_and_jacobian;
using chainrule::tape::value_and_jvp;
using chainrule::tape::value_and_vjp;
using chainrule::tape::value_gradient_and_hvp;
using chainrule::tape::vjp;
} // namespace chainrule::tape

export namespace chainrule::tape::checkpointing {
using chainrule::core::checkpointing::fewest_advances;
}
