// SPDX-License-Identifier: BSL-1.0
//
// Writes the instructions of a program in C. print/c_definitions.hpp has the functions that they call.
#pragma once

#include <chainrule/print/c_definitions.hpp>

namespace chainrule::detail {

template <class Code>
class c_writer : c_definitions<Code> {
    using writer = c_definitions<Code>;
    using typename writer::vector_operation;
    using writer::angle_of;
    using writer::at;
    using writer::code_;
    using writer::each_operand;
    using writer::has_vectors;
    using writer::is_condition;
    using writer::is_formula;
    using writer::is_name;
    using writer::is_vector;
    using writer::memory;
    using writer::memory_of_vectors;
    using writer::name_of_function;
    using writer::names_;
    using writer::part_of;
    using writer::parts;
    using writer::place_in_memory_of;
    using writer::put;
    using writer::put_arguments;
    using writer::put_condition;
    using writer::put_custom_name;
    using writer::put_formula;
    using writer::put_functions;
    using writer::put_name;
    using writer::put_number;
    using writer::put_output;

public:
    using writer::size;

    constexpr c_writer(const Code& code, const listing_names& names, char* to) : writer(code, names, to) {
        const int slots = code.constant_count + code.size;
        name_ = list<label>(slots + 1);
        for (int i = 0; i < code.constant_count; ++i) name_[i] = {label::constant, i};
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
    struct label {
        enum kind : unsigned char { none, constant, input, number, temporary, vector } what = none;
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

    constexpr void put_signature() {
        put(names_.apart ? "(const double *restrict in, const double *restrict numbers, double *restrict out"
                         : "(const double *in, const double *numbers, double *out");
        if (has_matrix()) put(", double *restrict matrix");
    }
    [[nodiscard]] constexpr bool has_matrix() const { return names_.first_of_matrix != 1 << 30; }
    // The output from number k on.
    constexpr void put_place(const char* before, int k) {
        put(before);
        if (k < names_.first_of_matrix)
            put_element("out[", k);
        else
            put_element("matrix[", k - names_.first_of_matrix);
        put(" = ");
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
        case label::vector:
            put('w');
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
        case operation::refresh: return;
        case operation::reload: name_[slot] = name_[s.a]; return;
        case operation::output:
            put_place("    ", s.b);
            put_slot(s.a);
            put(";\n");
            return;
        case operation::sine_cosine:
            begin_line(slot);
            call("sin", s.a);
            put(";\n");
            return;
        case operation::cosine_of_pair:
            begin_line(slot);
            call("cos", angle_of(s));
            put(";\n");
            return;
        default: break;
        }
        if constexpr (has_vectors)
            if (codegen::vector_operation_of(s) >= vector_operation::arithmetic) return vector_line(slot, s);
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

    // Vectors
    // ----------------------------------------------------------------------------------------------------------

    // In the language that gcc and clang add to C.
    constexpr void put_types_of_vectors() {
        put("typedef double chainrule_lanes __attribute__((vector_size(");
        put(8 * int{Code::lanes});
        put(")));\ntypedef double chainrule_in_order __attribute__((vector_size(");
        put(8 * int{Code::lanes});
        put("), aligned(8), may_alias));\n#if defined(__clang__)\n#define CHAINRULE_SHUFFLE(v, w, ...) "
            "__builtin_shufflevector(v, w, __VA_ARGS__)\n#else\ntypedef long long chainrule_places "
            "__attribute__((vector_size(");
        put(8 * int{Code::lanes});
        put(")));\n#define CHAINRULE_SHUFFLE(v, w, ...) __builtin_shuffle(v, w, "
            "(chainrule_places){__VA_ARGS__})\n#endif\n");
    }
    template <class Put>
    constexpr void put_lanes(Put put_lane) {
        for (int l = 0; l < Code::lanes; ++l) {
            if (l > 0) put(", ");
            put_lane(l);
        }
    }
    constexpr void vector_line(int slot, const instruction& s) {
        const auto what = codegen::vector_operation_of(s);
        if (what == vector_operation::copy) {
            name_[slot] = name_[s.a];
            return;
        }
        if (what == vector_operation::store) {
            put_place("    *(chainrule_in_order *)&", s.b);
            put_slot(s.a);
            return put(";\n");
        }
        if (what == vector_operation::lane) {
            begin_line(slot);
            put_slot(s.a);
            put_element("[", s.b);
            return put(";\n");
        }
        name_[slot] = {label::vector, ++temporaries_};
        put("    const chainrule_lanes ");
        put_slot(slot);
        put(" = ");
        if (what < vector_operation::load_variables) {
            instruction formula = s;
            formula.what =
                static_cast<operation>(static_cast<int>(what) - static_cast<int>(vector_operation::arithmetic));
            put_formula(formula, [this](int of, bool = false) { put_slot(of); });
        } else if (what == vector_operation::load_variables) {
            put_element("*(const chainrule_in_order *)&in[", s.a);
        } else if (what == vector_operation::load_numbers) {
            put_element("*(const chainrule_in_order *)&numbers[", s.a);
        } else if (what == vector_operation::shuffle) {
            put("CHAINRULE_SHUFFLE(");
            put_slot(s.a);
            put(", ");
            put_slot(s.b);
            put(", ");
            put_lanes([&](int l) { put(s.c >> 3 * l & 7); });
            put(')');
        } else {
            put('{');
            put_lanes([&](int l) { put_slot(what == vector_operation::spread ? s.a : slot - int{Code::lanes} + l); });
            put('}');
        }
        put(";\n");
    }
};

} // namespace chainrule::detail
