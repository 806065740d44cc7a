// SPDX-License-Identifier: BSL-1.0
//
// A finished program: a list of instructions in the order of execution, each of which writes one numbered slot.
// codegen/schedule.hpp makes it, kernel/emit.hpp turns it into machine code, print/text.hpp prints it.
#pragma once

#include <chainrule/core/coefficient.hpp>
#include <chainrule/core/list.hpp>

namespace chainrule::codegen {

enum class operation : unsigned char {
    variable, // input number a
    number,   // stored number a
    constant, // constants[a]
    negate,
    add,
    subtract,
    multiply,
    divide,
    multiply_add,               // a * b + c
    multiply_subtract,          // a * b - c
    negative_multiply_add,      // c - a * b
    negative_multiply_subtract, // -(a * b) - c
    call,                       // row `function` of the functions table
    condition,                  // relation `function` of a and b, numbers or conditions; not a number itself
    select,                     // b where condition a holds, else c
    sine_cosine,                // sin(a) here and cos(a) in the next slot, and both in memory, from place b on
    cosine_of_pair,             // of the pair in slot a, the one before
    reload,                     // slot a, from place b of that memory
    refresh,                    // stored numbers are read from memory again from here on
    output, // output number b is slot a
};

struct instruction {
    operation what{};
    unsigned char function = 0;
    int a = 0;
    int b = 0;
    int c = 0;
};

/// How many of a, b and c are slots that an instruction reads: the first of them. (A function of fewer than three
/// arguments has its first one in the place of those that it lacks.)
[[nodiscard]] constexpr int slots_read(operation what) {
    // In the order of the operations: leaves; arithmetic; fused operations; calls, conditions, selections; pairs of
    // sine and cosine, refresh, output.
    constexpr unsigned char counts[] = {0, 0, 0, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 2, 3, 1, 1, 1, 0, 1};
    static_assert(sizeof counts == static_cast<std::size_t>(operation::output) + 1);
    return counts[static_cast<int>(what)];
}

struct code {
    list<instruction> body;
    list<coefficient> constants;
    int calls_end = 0;   // the instructions from there on contain no call
    int pair_places = 0; // in the memory for the results of sincos
    bool conditional = false; // whether there is a condition
};

} // namespace chainrule::codegen
