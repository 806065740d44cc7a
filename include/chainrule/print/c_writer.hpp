// SPDX-License-Identifier: BSL-1.0
//
// Writes the instructions of a program in C. print/c_definitions.hpp has the functions that they call.
#pragma once

#include <chainrule/print/c_slots.hpp>

namespace chainrule::detail {

template <class Code>
class c_writer : c_slots<Code> {
    using writer = c_slots<Code>;
    using typename writer::label;
    using typename writer::vector_opcode;
    using writer::angle_of;
    using writer::at;
    using writer::begin_line;
    using writer::code_;
    using writer::each_operand;
    using writer::has_matrix;
    using writer::has_vectors;
    using writer::is_condition;
    using writer::is_formula;
    using writer::is_vector;
    using writer::memory;
    using writer::memory_of_vectors;
    using writer::name_;
    using writer::names_;
    using writer::part_of;
    using writer::parts;
    using writer::place_in_memory_of;
    using writer::put;
    using writer::put_arguments;
    using writer::put_condition;
    using writer::put_custom_name;
    using writer::put_element;
    using writer::put_formula;
    using writer::put_functions;
    using writer::put_name;
    using writer::put_number;
    using writer::put_output;
    using writer::put_place;
    using writer::put_slot;
    using writer::put_types_of_vectors;
    using writer::vector_line;

public:
    using writer::size;

    constexpr c_writer(const Code& code, const listing_names& names, char* to) : writer(code, names, to) {
        put_comment();
        put("#include <math.h>\n");
        if constexpr (has_vectors) put_types_of_vectors();
        put_functions();
        if (parts() > 1) put_parts();
        put("\nvoid ");
        put(names.title);
        put_signature();
        put(") {\n    (void)in, (void)numbers;\n");
        if (parts() > 1)
            put_calls_of_parts();
        else
            for (int i = 0; i < code.size; ++i) line(i);
        put("}\n");
    }

private:
    // Not with a backslash, which '??/' is in standard C.
    static constexpr bool fits_in_line(const char* name) {
        for (; *name != '\0'; ++name)
            if (static_cast<unsigned char>(*name) < ' ' || *name == '\\' || (*name == '?' && name[1] == '?'))
                return false;
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

    constexpr void put_signature() {
        put(names_.apart ? "(const double *restrict in, const double *restrict numbers, double *restrict out"
                         : "(const double *in, const double *numbers, double *out");
        if (has_matrix()) put(", double *restrict matrix");
    }
    // The functions of a long program
    // --------------------------------------------------------------------------------------

    constexpr void put_parts() {
        put("\n#if defined(__GNUC__)\n#define CHAINRULE_PART static __attribute__((noinline)) void\n#else\n"
            "#define CHAINRULE_PART static void\n#endif\n");
        list<int> loaded_in(name_.count, -1);
        for (int i = 0, part = -1; i < code_.size; ++i) {
            if (part_of(i) != part) {
                put(part < 0 ? "" : "}\n");
                part = part_of(i);
                put("\nCHAINRULE_PART ");
                put_name_of_part(part);
                put_signature();
                put(names_.apart ? ", double *restrict memory" : ", double *memory");
                if constexpr (has_vectors) put(", chainrule_lanes *restrict lanes");
                put(") {\n    (void)in, (void)numbers, (void)out, (void)memory");
                if constexpr (has_vectors) put(", (void)lanes");
                put(";\n");
            }
            each_operand(i, [&](int slot) {
                if (name_[slot].what < label::temporary || loaded_in[slot] == part) return;
                load(slot);
                loaded_in[slot] = part;
            });
            line(i);
            const int slot = code_.constant_count + i;
            loaded_in[slot] = part;
            if (place_in_memory_of(slot) >= 0) store(slot);
        }
        put("}\n");
    }
    constexpr void put_name_of_part(int part) {
        put(names_.title);
        put("_part_");
        put(part + 1);
    }
    constexpr void store(int slot) {
        put_element(is_vector(slot) ? "    lanes[" : "    memory[", place_in_memory_of(slot));
        put(" = ");
        put_slot(slot);
        put(";\n");
    }
    constexpr void load(int slot) {
        put(is_condition(slot) ? "    const int "
            : is_vector(slot)  ? "    const chainrule_lanes "
                               : "    const double ");
        put_slot(slot);
        put_element(is_vector(slot) ? " = lanes[" : " = memory[", place_in_memory_of(slot));
        put(is_condition(slot) ? " != 0;\n" : ";\n");
    }
    constexpr void put_calls_of_parts() {
        // A stack holds as much.
        put(memory() <= 8192 ? "    double memory[" : "    static _Thread_local double memory[");
        put(memory() + 1);
        put("];\n");
        if constexpr (has_vectors) {
            put(memory_of_vectors() <= 2048 ? "    chainrule_lanes lanes["
                                            : "    static _Thread_local chainrule_lanes lanes[");
            put(memory_of_vectors() + 1);
            put("];\n");
        }
        for (int part = 0; part < parts(); ++part) {
            put("    ");
            put_name_of_part(part);
            put(has_matrix() ? "(in, numbers, out, matrix, memory" : "(in, numbers, out, memory");
            put(has_vectors ? ", lanes);\n" : ");\n");
        }
    }

    // Instructions
    // -----------------------------------------------------------------------------------------------------

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
        case opcode::variable: name_[slot] = {label::input, s.a}; return;
        case opcode::number: name_[slot] = {label::number, s.a}; return;
        case opcode::constant:
        case opcode::refresh: return;
        case opcode::reload: name_[slot] = name_[s.a]; return;
        case opcode::output:
            put_place("    ", s.b);
            put_slot(s.a);
            put(";\n");
            return;
        case opcode::sine_cosine:
            begin_line(slot);
            call("sin", s.a);
            put(";\n");
            return;
        case opcode::cosine_of_pair:
            begin_line(slot);
            call("cos", angle_of(s));
            put(";\n");
            return;
        default: break;
        }
        if constexpr (has_vectors)
            if (codegen::vector_operation_of(s) >= vector_opcode::arithmetic) return vector_line(slot, s);
        begin_line(slot, s.what == opcode::condition ? "    const int " : "    const double ");
        const auto operand = [this](int of, bool = false) { put_slot(of); };
        if (is_formula(s)) {
            put_formula(s, operand);
        } else if (s.what == opcode::condition) {
            put_condition(s, operand);
        } else if (s.what == opcode::call) {
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
