// SPDX-License-Identifier: BSL-1.0
//
// A finished program: a list of instructions in order of execution. Each writes one numbered slot. codegen/schedule.hpp
// makes it, kernel/emit.hpp turns it into machine code, print/text.hpp prints it.
#pragma once

#include <chainrule/codegen/instructions.hpp>
#include <chainrule/core/coefficient.hpp>
#include <chainrule/core/list.hpp>

namespace chainrule::codegen {

struct instruction {
    opcode what;
    unsigned char function;
    int a;
    int b;
    int c;
};

struct code {
    list<instruction> body;
    list<coefficient> constants;
    int calls_end = 0;        // the instructions from there on contain no call
    int pair_places = 0;      // in the memory for the results of sincos
    bool conditional = false; // whether there is a condition, or an operand that does not count where another is 0
};

} // namespace chainrule::codegen
