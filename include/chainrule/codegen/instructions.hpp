// SPDX-License-Identifier: BSL-1.0
//
// The table of instructions. A row states the number of slots that an instruction reads, how it is counted, its text,
// and its value. Emission, text in every notation, counting and ordering read the table, so a new formula is one row.
#pragma once

/// FORMULA(name, slots read, counted as, sign, text, by a, by b, by c, value): an instruction that computes `value`
/// from the slots v[a], v[b] and v[c], and its derivatives with respect to these, which may also read the result
/// v[slot]. Its text has the letters a, b, c in place of operands; the sign is the label in pictures. (`value` is one
/// expression, since clang contracts only within an expression.)
///
/// OTHER(name, slots read, counted as): an instruction that is not a formula; kernel/emit.hpp defines it.
///     variable        input number a
///     number          stored number a
///     constant        constants[a]
///     call            row `function` of the functions table
///     condition       relation `function` of a and b, numbers or conditions; not a number itself
///     select          b where condition a holds, else c
///     sine_cosine     sin(a) here and cos(a) in the next slot, and both in memory, from place b on
///     cosine_of_pair  of the pair in slot a, the one before
///     reload          slot a, from place b of that memory
///     refresh         stored numbers and parameters are read from memory again from here on
///     output          output number b is slot a
///
/// A call of a function with fewer than three arguments repeats the first argument in the other places.
#define CHAINRULE_INSTRUCTIONS(FORMULA, OTHER)                                                                         \
    OTHER(variable, 0, memory)                                                                                         \
    OTHER(number, 0, memory)                                                                                           \
    OTHER(constant, 0, memory)                                                                                         \
    FORMULA(negate, 1, negation, "-", "-a", -1, 0, 0, -v[a])                                                           \
    FORMULA(add, 2, addition, "+", "a + b", 1, 1, 0, v[a] + v[b])                                                      \
    FORMULA(subtract, 2, addition, "-", "a - b", 1, -1, 0, v[a] - v[b])                                                \
    FORMULA(multiply, 2, multiplication, "*", "a * b", v[b], v[a], 0, v[a] * v[b])                                     \
    FORMULA(divide, 2, division, "/", "a / b", 1 / v[b], -(v[slot] / v[b]), 0, v[a] / v[b])                            \
    FORMULA(multiply_add, 3, fused, "a * b + c", "a * b + c", v[b], v[a], 1, v[a] * v[b] + v[c])                       \
    FORMULA(multiply_subtract, 3, fused, "a * b - c", "a * b - c", v[b], v[a], -1, v[a] * v[b] - v[c])                 \
    FORMULA(negative_multiply_add, 3, fused, "c - a * b", "c - a * b", -v[b], -v[a], 1, v[c] - v[a] * v[b])            \
    FORMULA(negative_multiply_subtract, 3, fused, "-(a * b) - c", "-(a * b) - c", -v[b], -v[a], -1,                    \
            -(v[a] * v[b]) - v[c])                                                                                     \
    OTHER(call, 3, call)                                                                                               \
    OTHER(condition, 2, selection)                                                                                     \
    OTHER(select, 3, selection)                                                                                        \
    OTHER(sine_cosine, 1, call)                                                                                        \
    OTHER(cosine_of_pair, 1, nothing)                                                                                  \
    OTHER(reload, 1, memory)                                                                                           \
    OTHER(refresh, 0, nothing)                                                                                         \
    OTHER(output, 1, nothing)

namespace chainrule::codegen {

#define CHAINRULE_NAME(NAME, ...) NAME,
enum class opcode : unsigned char { CHAINRULE_INSTRUCTIONS(CHAINRULE_NAME, CHAINRULE_NAME) };
#undef CHAINRULE_NAME

/// The kinds of instructions for counting. Instructions that read memory cost nothing; their results stay in memory
/// until they are used.
enum class counted : unsigned char {
    nothing,
    memory,
    addition,
    multiplication,
    division,
    negation,
    fused,
    call,
    selection
};

/// A row of the table.
struct instruction_row {
    unsigned char slots_read;
    counted as;
    const char* sign; // of a formula; else null
    const char* text;
};
inline constexpr instruction_row instruction_rows[] = {
#define CHAINRULE_FORMULA(NAME, SLOTS, COUNTED, SIGN, TEXT, ...) {SLOTS, counted::COUNTED, SIGN, TEXT},
#define CHAINRULE_OTHER(NAME, SLOTS, COUNTED) {SLOTS, counted::COUNTED, nullptr, nullptr},
    CHAINRULE_INSTRUCTIONS(CHAINRULE_FORMULA, CHAINRULE_OTHER)
#undef CHAINRULE_FORMULA
#undef CHAINRULE_OTHER
};
inline constexpr int instruction_count = sizeof instruction_rows / sizeof *instruction_rows;

[[nodiscard]] constexpr const instruction_row& row_of(opcode what) { return instruction_rows[static_cast<int>(what)]; }

/// The number of slots that an instruction reads: the first of a, b and c.
[[nodiscard]] constexpr int slots_read(opcode what) { return instruction_rows[static_cast<int>(what)].slots_read; }

} // namespace chainrule::codegen
