// SPDX-License-Identifier: BSL-1.0
//
// Writes the C code of a program's slots, by their names, of its outputs, and of its instructions on vectors.
#pragma once

#include <chainrule/print/c_definitions.hpp>

namespace chainrule::detail {

template <class Code>
class c_slots : protected c_definitions<Code> {
    using writer = c_definitions<Code>;

protected:
    using typename writer::vector_opcode;
    using writer::code_;
    using writer::names_;
    using writer::put;
    using writer::put_formula;
    using writer::put_number;

    constexpr c_slots(const Code& code, const listing_names& names, char* to)
        : writer(code, names, to), name_(code.constant_count + code.size + 1) {
        for (int i = 0; i < code.constant_count; ++i) name_[i] = {label::constant, i};
    }

    struct label {
        enum kind : unsigned char { none, constant, input, number, temporary, vector } what = none;
        int index = 0;
    };
    list<label> name_;
    int temporaries_ = 0;

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

    [[nodiscard]] constexpr bool has_matrix() const { return names_.first_of_matrix != no_matrix; }
    // Assigns to output number k, or to several from there on.
    constexpr void put_place(const char* before, int k) {
        put(before);
        if (k < names_.first_of_matrix)
            put_element("out[", k);
        else
            put_element("matrix[", k - names_.first_of_matrix);
        put(" = ");
    }

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
        if (what == vector_opcode::copy) {
            name_[slot] = name_[s.a];
            return;
        }
        if (what == vector_opcode::store) {
            put_place("    *(chainrule_in_order *)&", s.b);
            put_slot(s.a);
            return put(";\n");
        }
        if (what == vector_opcode::lane) {
            begin_line(slot);
            put_slot(s.a);
            put_element("[", s.b);
            return put(";\n");
        }
        name_[slot] = {label::vector, ++temporaries_};
        put("    const chainrule_lanes ");
        put_slot(slot);
        put(" = ");
        if (what < vector_opcode::load_variables) {
            instruction formula = s;
            formula.what = static_cast<opcode>(static_cast<int>(what) - static_cast<int>(vector_opcode::arithmetic));
            put_formula(formula, [this](int of, bool = false) { put_slot(of); });
        } else if (what == vector_opcode::load_variables) {
            put_element("*(const chainrule_in_order *)&in[", s.a);
        } else if (what == vector_opcode::load_numbers) {
            put_element("*(const chainrule_in_order *)&numbers[", s.a);
        } else if (what == vector_opcode::shuffle) {
            put("CHAINRULE_SHUFFLE(");
            put_slot(s.a);
            put(", ");
            put_slot(s.b);
            put(", ");
            put_lanes([&](int l) { put(s.c >> 3 * l & 7); });
            put(')');
        } else {
            put('{');
            put_lanes([&](int l) { put_slot(what == vector_opcode::spread ? s.a : slot - int{Code::lanes} + l); });
            put('}');
        }
        put(";\n");
    }
};

} // namespace chainrule::detail
