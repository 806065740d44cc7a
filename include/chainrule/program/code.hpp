// SPDX-License-Identifier: BSL-1.0
//
// What is a finished program? A list of instructions, each of which writes one numbered slot, in the order of execution.
// program/schedule.hpp makes it, kernel/emit.hpp turns it into machine code, symbolic/text.hpp prints it.
#pragma once

#include <chainrule/program/coefficient.hpp>
#include <chainrule/program/list.hpp>

namespace chainrule::program {

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
    cosine_of_pair,
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

struct code {
    list<instruction> body;
    list<coefficient> constants;
    int calls_end = 0;   // the instructions from there on contain no call
    int pair_places = 0; // in the memory for the results of sincos
    bool conditional = false; // whether there is a condition
};

} // namespace chainrule::program
