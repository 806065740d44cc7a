// SPDX-License-Identifier: BSL-1.0
//
// Programs on numbers with tangents: what is computed for each group of variables, and what is left out.
#include "catch.hpp"

#include <chainrule/codegen/tangent_program.hpp>

#include <string>
#include <vector>

namespace {

namespace codegen = chainrule::codegen;
using codegen::opcode;

codegen::packed written(opcode what, int a = 0, int b = 0, int c = 0) {
    return codegen::pack(codegen::instruction{what, 0, a, b, c});
}

/// The steps: an instruction's slot, or slot, group and the kinds of its operands' tangents.
std::vector<std::string> steps_of(const std::vector<codegen::packed>& body, int columns, int lanes) {
    codegen::tangent_program<16, 64> program;
    codegen::tangent_writing<16, 64>(body.data(), static_cast<int>(body.size()), 0, columns, lanes, 1).write(program);
    std::vector<std::string> steps;
    for (int k = 0; k < program.size; ++k) {
        const auto tag = codegen::tangent_tag::unpack(program.tags[k]);
        CHECK(tag.pack() == program.tags[k]);
        std::string step = std::to_string(tag.slot);
        if (tag.computes_tangents) {
            step += '/' + std::to_string(tag.group) + ' ';
            for (const codegen::tangent_kind kind : tag.of) step += "0upf"[static_cast<int>(kind)];
        }
        steps.push_back(step);
    }
    return steps;
}

} // namespace

TEST_CASE("the steps of a program on numbers with tangents", "[tangent_program]") {
    // Three variables in groups of two, and a gradient where only the first and the last entry have derivatives.
    const std::vector<codegen::packed> body{
        written(opcode::variable, 0),           // 0: x
        written(opcode::variable, 1),           // 1: y
        written(opcode::variable, 2),           // 2: z
        written(opcode::number, 0),             // 3: not a variable
        written(opcode::multiply, 0, 3),        // 4: x n
        written(opcode::multiply_add, 4, 1, 2), // 5: x n y + z
        written(opcode::divide, 1, 3),          // 6: y / n, which the gradient does not need
        written(opcode::output, 6, 0),          // 7: the value
        written(opcode::output, 5, 1),          // 8: by x
        written(opcode::output, 3, 2),          // 9: by y
        written(opcode::output, 2, 3),          // 10: by z
    };
    // In slot 4 x is alone; in slot 5 x n is partial beside y, and z is in group 1. Rows begin with the group of the
    // diagonal, and zeros are written.
    const std::vector<std::string> expected{"0",       "1",       "2",       "3",  "4",       "4/0 u00", "5",
                                            "5/0 pu0", "5/1 00u", "6",       "7",  "8",       "8/0 f00", "8/1 f00",
                                            "9",       "9/0 000", "9/1 000", "10", "10/1 u00"};
    CHECK(steps_of(body, 3, 2) == expected);
}

TEST_CASE("the tangents of a sine and a cosine are those of the angle", "[tangent_program]") {
    const std::vector<codegen::packed> body{
        written(opcode::variable, 0),       // 0
        written(opcode::multiply, 0, 0),    // 1: the angle
        written(opcode::sine_cosine, 1, 0), // 2
        written(opcode::cosine_of_pair, 2), // 3
        written(opcode::reload, 2, 0),      // 4: the sine
        written(opcode::reload, 3, 1),      // 5: the cosine
        written(opcode::multiply, 4, 5),    // 6
        written(opcode::output, 6, 1),      // 7
    };
    codegen::tangent_program<16, 64> program;
    codegen::tangent_writing<16, 64>(body.data(), static_cast<int>(body.size()), 0, 1, 2, 1).write(program);
    std::vector<codegen::instruction> reloads;
    for (int k = 0; k < program.size; ++k) {
        const auto i = codegen::unpack(program.instructions[k]);
        if (i.what == opcode::reload && codegen::tangent_tag::unpack(program.tags[k]).computes_tangents)
            reloads.push_back(i);
    }
    REQUIRE(reloads.size() == 2);
    CHECK(reloads[0].a == 1);
    CHECK(reloads[0].b == 0);
    CHECK(reloads[0].c == 0);
    CHECK(reloads[1].a == 1);
    CHECK(reloads[1].b == 1);
    CHECK(reloads[1].c == 1);
}
