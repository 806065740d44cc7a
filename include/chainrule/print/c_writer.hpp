// SPDX-License-Identifier: BSL-1.0
//
// Writes the instructions of a program in C, and the functions that they call.
#pragma once

#include <chainrule/print/program_writer.hpp>
#include <chainrule/print/c_functions.hpp>

namespace chainrule::detail {

template <class Code>
class c_writer : program_writer<Code> {
    using writer = program_writer<Code>;
    using writer::at;
    using writer::code_;
    using writer::is_formula;
    using writer::name_of_function;
    using writer::names_;
    using writer::put;
    using writer::put_arguments;
    using writer::put_condition;
    using writer::put_formula;
    using writer::put_output;

public:
    using writer::size;

    constexpr c_writer(const Code& code, const listing_names& names, char* to) : writer(code, names, to) {
        const int slots = code.constant_count + code.size;
        name_ = list<label>(slots + 1);
        for (int i = 0; i < code.constant_count; ++i) name_[i] = {label::constant, i};
        put_comment();
        put("#include <math.h>\n");
        put_functions();
        put("\nvoid ");
        put(names.title);
        put("(const double *in, const double *numbers, double *out) {\n    (void)in, (void)numbers;\n");
        for (int i = 0; i < code.size; ++i) line(i);
        put("}\n");
    }

private:
    struct label {
        enum kind : unsigned char { none, constant, input, number, temporary } what = none;
        int index = 0;
    };
    list<label> name_;
    int temporaries_ = 0;

    static constexpr bool fits_in_line(const char* name) {
        for (; *name != '\0'; ++name)
            if ((0 <= *name && *name < ' ') || *name == '\\') return false;
        return true;
    }
    constexpr void put_comment() {
        for (int i = 0; i < names_.input_count; ++i)
            if (!fits_in_line(names_.inputs[i])) return;
        for (int i = 0; i < names_.input_count; ++i) {
            put(i == 0 ? "// in: " : ", ");
            put(names_.inputs[i]);
        }
        put(names_.input_count > 0 ? "\n// out: " : "// out: ");
        for (int k = 0; k < code_.output_count; ++k) {
            if (k > 0) put(", ");
            put_output(k);
        }
        put('\n');
    }

    // Functions
    // --------------------------------------------------------------------------------------------------------

    constexpr void put_name(int function) {
        if (function >= row_count || !rows_of_table[function].is_in_math_h()) put("chainrule_");
        put(function < row_count ? rows_of_table[function].name : c_functions[function - row_count].name);
    }
    constexpr void put_custom_name(int k) {
        put(names_.custom_functions[k].name);
        int earlier = 0;
        for (int i = 0; i < k; ++i)
            earlier += same_word(names_.custom_functions[i].name,
                                 static_cast<int>(__builtin_strlen(names_.custom_functions[i].name)),
                                 names_.custom_functions[k].name);
        if (earlier == 0) return;
        put('_');
        put(earlier + 1);
    }
    constexpr void put_parameters(int count) {
        put("(double x");
        if (count > 1) put(", double y");
        if (count > 2) put(", double z");
        put(')');
    }
    constexpr void put_functions() {
        needed_functions functions;
        for (int i = 0; i < code_.size; ++i)
            if (const instruction s = at(i); s.what == operation::call && s.function < first_custom_function)
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
                put_formula(rows_of_table[i].formula());
            else
                put(c_functions[i - row_count].body);
            put("}\n");
        }
    }
    // The text after FORMULA, in parentheses, with the C names of functions and constants.
    constexpr void put_formula(const char* text) {
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

    // Instructions
    // -----------------------------------------------------------------------------------------------------

    constexpr void put_number(double x) {
        if (x != x) return put("NAN");
        const number_text text = text_of_number(x);
        bool is_integer = true, is_infinite = false;
        for (int i = 0; i < text.size; ++i) {
            const char c = text.characters[i];
            is_integer = is_integer && (c == '-' || ('0' <= c && c <= '9'));
            is_infinite = is_infinite || c == 'i';
        }
        if (text.negative()) put('(');
        if (is_infinite)
            put(text.negative() ? "-HUGE_VAL" : "HUGE_VAL");
        else
            put(text.characters, text.size);
        if (is_integer) put(".0");
        if (text.negative()) put(')');
    }
    constexpr void put_slot(int slot) {
        const label l = name_[slot];
        switch (l.what) {
        case label::none: break;
        case label::constant:
            put_number(code_.constants[static_cast<std::size_t>(l.index)].template as<double>());
            break;
        case label::input: put_element("in[", l.index); break;
        case label::number: put_element("numbers[", l.index); break;
        case label::temporary:
            put('t');
            put(l.index);
            break;
        }
    }
    constexpr void put_element(const char* array, int index) {
        put(array);
        put(index);
        put(']');
    }
    constexpr void begin_line(int slot, const char* type = "    const double ") {
        name_[slot] = {label::temporary, ++temporaries_};
        put(type);
        put_slot(slot);
        put(" = ");
    }
    constexpr void call(const char* name, int argument) {
        put(name);
        put('(');
        put_slot(argument);
        put(')');
    }
    constexpr void line(int i) {
        const instruction s = at(i);
        const int slot = code_.constant_count + i;
        switch (s.what) {
        case operation::variable: name_[slot] = {label::input, s.a}; return;
        case operation::number: name_[slot] = {label::number, s.a}; return;
        case operation::constant:
        case operation::cosine_of_pair:
        case operation::refresh: return;
        case operation::reload: name_[slot] = name_[s.a]; return;
        case operation::output:
            put_element("    out[", s.b);
            put(" = ");
            put_slot(s.a);
            put(";\n");
            return;
        case operation::sine_cosine:
            begin_line(slot);
            call("sin", s.a);
            put(";\n");
            begin_line(slot + 1);
            call("cos", s.a);
            put(";\n");
            return;
        default: break;
        }
        begin_line(slot, s.what == operation::condition ? "    const int " : "    const double ");
        const auto operand = [this](int of, bool = false) { put_slot(of); };
        if (is_formula(s)) {
            put_formula(s, operand);
        } else if (s.what == operation::condition) {
            put_condition(s, operand);
        } else if (s.what == operation::call) {
            if (s.function < first_custom_function)
                put_name(s.function);
            else
                put_custom_name(static_cast<int>(s.function - first_custom_function));
            put_arguments(s, operand);
        } else {
            put_slot(s.a);
            put(" ? ");
            put_slot(s.b);
            put(" : ");
            put_slot(s.c);
        }
        put(";\n");
    }
};

} // namespace chainrule::detail
