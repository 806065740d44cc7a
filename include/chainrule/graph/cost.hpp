// SPDX-License-Identifier: BSL-1.0
//
// The cost of each operation, in units of an addition in straight-line code (about 0.3 ns on the x86-64 machines of the
// measurement). The choice of a Jacobian's mode (differentiate/derive.hpp, from the counts of
// differentiate/elimination.hpp), that of the form of relaxed values (codegen/compile.hpp) and operation_count() use
// these numbers.
#pragma once

#include <chainrule/graph/custom_functions.hpp>

namespace chainrule::graph {

/// Costs of the operations, in additions, rounded from measurements: loops over 512 points of each row's domain with
/// glibc 2.36. Elementary functions: exp and log 6 to 9 ns, sines 16, pow 20. Boost.Math: lambert_w0 17, trigamma 49,
/// Bessel functions 250 to 650, incomplete gamma functions 1500.
struct operation_cost {
    static constexpr int addition = 1;
    static constexpr int multiplication = 1;
    static constexpr int division = 5;
    static constexpr int selection = 2;
    static constexpr int sign_or_step = 4; // a few instructions: abs, max, floor and similar functions
    static constexpr int square_root = 8;
    static constexpr int elementary = 40;
    static constexpr int special = 800;
};

/// The cost of one call of a function, by its number.
[[nodiscard]] constexpr int call_cost(unsigned function) {
    constexpr int by_source[] = {
#define CHAINRULE_SOURCE_CMATH elementary
#define CHAINRULE_SOURCE_BUILTIN elementary
#define CHAINRULE_SOURCE_BOOST special
#define CHAINRULE_SOURCE_FORMULA(...) elementary
#define CHAINRULE_SOURCE_CHOICE(...) elementary
#define CHAINRULE_SOURCE_STEPPED(...) sign_or_step
#define CHAINRULE_ROW(NAME, SOURCE, ...) operation_cost::CHAINRULE_SOURCE_##SOURCE,
        CHAINRULE_FUNCTIONS(CHAINRULE_ROW, CHAINRULE_ROW, CHAINRULE_ROW)
#undef CHAINRULE_ROW
#undef CHAINRULE_SOURCE_CMATH
#undef CHAINRULE_SOURCE_BUILTIN
#undef CHAINRULE_SOURCE_BOOST
#undef CHAINRULE_SOURCE_FORMULA
#undef CHAINRULE_SOURCE_CHOICE
#undef CHAINRULE_SOURCE_STEPPED
    };
    constexpr unsigned few_instructions[] = {
        functions::fma::position,   functions::lerp::position,    functions::abs::position,
        functions::sign::position,  functions::relu::position,    functions::max::position,
        functions::min::position,   functions::clamp::position,   functions::copysign::position,
        functions::floor::position, functions::ceil::position,    functions::round::position,
        functions::trunc::position, functions::rint::position,    functions::nearbyint::position,
        functions::fabs::position,  functions::fdim::position,    functions::fmax::position,
        functions::fmin::position,  functions::weighted::position};
    if (function >= first_custom_function) return operation_cost::elementary; // a custom function
    if (function == functions::sqrt::position) return operation_cost::square_root;
    for (const unsigned cheap : few_instructions)
        if (function == cheap) return operation_cost::sign_or_step;
    return by_source[function];
}

} // namespace chainrule::graph
