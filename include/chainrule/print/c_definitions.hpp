// SPDX-License-Identifier: BSL-1.0
//
// Writes the C code of a program's numbers and of the functions that it calls: definitions of those with a formula,
// declarations of the others.
#pragma once

#include <chainrule/print/c_functions.hpp>
#include <chainrule/print/c_names.hpp>
#include <chainrule/print/c_parts.hpp>

#include <cstdint>
#include <limits>

namespace chainrule::detail {

template <class Code>
class c_definitions : protected c_parts<Code> {
    using writer = c_parts<Code>;

protected:
    using writer::at;
    using writer::code_;
    using writer::names_;
    using writer::put;

    constexpr c_definitions(const Code& code, const listing_names& names, char* to)
        : writer(code, names, to), custom_names_(names) {}

    constexpr void put_number(double x) {
        if (x != x) return put("NAN");
        const number_text text = text_of_number(x);
        if (text.negative()) put('(');
        if (x > std::numeric_limits<double>::max() || x < std::numeric_limits<double>::lowest())
            put(text.negative() ? "-HUGE_VAL" : "HUGE_VAL");
        else
            put(text.characters, text.size);
        const bool is_integer = -1e17 < x && x < 1e17 && x == static_cast<double>(static_cast<std::int64_t>(x));
        if (is_integer && (x != 0 || !text.negative())) put(".0"); // -0 has it
        if (text.negative()) put(')');
    }

    constexpr void put_name(int function) {
        if (function >= row_count || !rows_of_table[function].is_in_math_h()) put("chainrule_");
        put(function < row_count ? rows_of_table[function].name : c_functions[function - row_count].name);
    }
    constexpr void put_custom_name(int k) { put(custom_names_[k], custom_names_.size(k)); }
    constexpr void put_parameters(int count) {
        put("(double x");
        if (count > 1) put(", double y");
        if (count > 2) put(", double z");
        put(')');
    }
    constexpr void put_functions() {
        needed_functions functions;
        for (int i = 0; i < code_.size; ++i)
            if (const instruction s = at(i); s.what == opcode::call && s.function < first_custom_function)
                functions.add(s.function);
        bool first = true;
        for (int i = 0; i < row_count + c_function_count; ++i) {
            if (!functions.needed[i]) continue;
            const bool in_table = i < row_count;
            if (in_table && rows_of_table[i].is_in_math_h()) continue;
            if (first) put('\n');
            first = false;
            put(!in_table || rows_of_table[i].is_formula() ? "static double " : "double ");
            put_name(i);
            put_parameters(in_table ? rows_of_table[i].arity : c_functions[i - row_count].arity);
            put(";\n");
        }
        for (int k = 0; k < names_.custom_function_count; ++k) {
            if (first) put('\n');
            first = false;
            put("double ");
            put_custom_name(k);
            put_parameters(names_.custom_functions[k].arity);
            put(";\n");
        }
        for (int i = 0; i < row_count + c_function_count; ++i) {
            const bool in_table = i < row_count;
            if (!functions.needed[i] || (in_table && !rows_of_table[i].is_formula())) continue;
            put("\nstatic double ");
            put_name(i);
            put_parameters(in_table ? rows_of_table[i].arity : c_functions[i - row_count].arity);
            put(" {\n");
            if (in_table)
                put_definition(rows_of_table[i].formula());
            else
                put(c_functions[i - row_count].body);
            put("}\n");
        }
    }
    // The text after FORMULA, in parentheses, with the C names of functions and constants.
    constexpr void put_definition(const char* text) {
        put("    return ");
        while (*text != '\0') {
            const int length = length_of_word(text);
            if (length == 0) {
                put(*text++);
                continue;
            }
            const int called = number_of_function(text, length);
            if (called >= 0) {
                put_name(called);
            } else if (same_word(text, length, "T")) {
                put("(double)");
            } else if (same_word(text, length, "magnitude")) {
                put("fabs");
            } else if (same_word(text, length, "irrational")) {
                text += length + 2; // and ::
                put_number(named_constant(text, length_of_word(text)));
                text += length_of_word(text);
                continue;
            } else {
                put(text, length);
            }
            text += length;
        }
        put(";\n");
    }
    static constexpr double named_constant(const char* name, int size) {
#define CHAINRULE_CONSTANT(NAME)                                                                                       \
    if (same_word(name, size, #NAME)) return irrational::NAME.as<double>();
        CHAINRULE_CONSTANT(ln_2)
        CHAINRULE_CONSTANT(ln_10)
        CHAINRULE_CONSTANT(log2_e)
        CHAINRULE_CONSTANT(log10_e)
        CHAINRULE_CONSTANT(pi)
        CHAINRULE_CONSTANT(sqrt_half)
        CHAINRULE_CONSTANT(sqrt_two_pi)
        CHAINRULE_CONSTANT(one_over_sqrt_two_pi)
        CHAINRULE_CONSTANT(two_over_sqrt_pi)
#undef CHAINRULE_CONSTANT
        return 0;
    }

private:
    names_of_custom_functions custom_names_;
};

} // namespace chainrule::detail
