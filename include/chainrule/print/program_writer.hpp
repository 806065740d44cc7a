// SPDX-License-Identifier: BSL-1.0
//
// Common parts of all texts of a program: the instructions, the names of inputs, outputs and functions, and characters
// that are first counted and then written.
#pragma once

#include <chainrule/entry/operation_count.hpp>
#include <chainrule/print/decimal.hpp>
#include <chainrule/print/outline.hpp>
#include <chainrule/core/fixed_text.hpp>

namespace chainrule::detail {

struct named_function {
    const char* name;
    int arity;
};
/// The functions of a list, and a last entry for no function.
template <class... F>
constexpr std::array<named_function, sizeof...(F) + 1> names_of_functions(type_list<F...>) {
    return {{{F::name, F::arity}..., {nullptr, 0}}};
}

inline constexpr int no_matrix = 1 << 30;

/// The data that determine the names in a program's text.
struct listing_names {
    const char* const* inputs;
    int input_count;
    int values; // outputs by request
    int wrt;
    unsigned request;
    const named_function* custom_functions; // that are not in the table, in the order of their numbers
    const char* title;
    int custom_function_count;
    // In C: a longer program becomes several functions; whether results overlap no inputs, which saves loads; and the
    // first output of those that are the elements of a matrix, with memory of its own.
    int instructions_of_function = 1 << 30;
    bool apart = false;
    int first_of_matrix = no_matrix;
};

// Generated names must differ from those of variables: _ is appended to a prefix until no variable is called like the
// prefix, alone or followed by a number.
constexpr int underscores(char prefix, const listing_names& names) {
    int count = 0;
    for (int i = 0; i < names.input_count; ++i) {
        const char* c = names.inputs[i];
        if (*c++ != prefix) continue;
        int here = 0;
        for (; *c == '_'; ++c) ++here;
        while ('0' <= *c && *c <= '9') ++c;
        if (*c == '\0' && here >= count) {
            count = here + 1;
            i = -1;
        }
    }
    return count;
}

/// A piece of a formula's text: what precedes an operand, and its letter; '\0' after the last operand.
struct formula_piece {
    const char* text = nullptr;
    int length = 0;
    char operand = '\0';
    bool first = false; // of the text, or in parentheses
};
// The texts of formulas in pieces. A template, so that only programs that are printed pay for it.
template <class Piece>
struct formula_texts {
    using text = std::array<Piece, 4>;

    static constexpr text split(const char* from) {
        text t{};
        for (Piece& p : t) {
            const bool at_begin = &p == t.data();
            p.text = from;
            while (*from != '\0' && (*from < 'a' || *from > 'c')) ++from;
            p.length = static_cast<int>(from - p.text);
            p.operand = *from;
            p.first = p.length == 0 ? at_begin : from[-1] == '(';
            if (*from == '\0') break;
            ++from;
        }
        return t;
    }
    static constexpr auto pieces = [] {
        std::array<text, instruction_count> all{};
        for (std::size_t i = 0; i < instruction_count; ++i)
            if (instruction_rows[i].text != nullptr) all[i] = split(instruction_rows[i].text);
        return all;
    }();
};

/// Writes to `to`, or only counts characters if it is null.
template <class Code>
class program_writer {
public:
    [[nodiscard]] constexpr int size() const { return size_; }

protected:
    const Code& code_;
    const listing_names& names_;
    char* to_;
    int size_ = 0;

    constexpr program_writer(const Code& code, const listing_names& names, char* to)
        : code_(code), names_(names), to_(to) {
        for (int i = 0; i < 5; ++i) underscores_[i] = underscores(prefixes[i], names);
    }

    [[nodiscard]] constexpr instruction at(int i) const {
        return kernel::unpack(code_.body[static_cast<std::size_t>(i)]);
    }
    static constexpr bool is_formula(const instruction& s) { return row_of(s.what).text != nullptr; }
    // Writes a formula; put_operand(slot, first) writes an operand.
    template <class Put>
    constexpr void put_formula(const instruction& s, Put put_operand) {
        using texts =
            formula_texts<std::conditional_t<(sizeof(Code) > 0), formula_piece, Code>>; // not before it is called
        for (const formula_piece& p : texts::pieces[static_cast<std::size_t>(s.what)]) {
            put(p.text, p.length);
            if (p.operand == '\0') return;
            put_operand(p.operand == 'a' ? s.a : p.operand == 'b' ? s.b : s.c, p.first);
        }
    }
    // Writes what a condition says.
    template <class Put>
    constexpr void put_condition(const instruction& s, Put put_operand) {
        if (s.function == static_cast<unsigned char>(relation::negation)) {
            put('!');
            return put_operand(s.a, false);
        }
        put_operand(s.a, true);
        put(infix_sign(s.function + relations::less::code));
        put_operand(s.b, false);
    }
    // Writes the arguments of a call.
    template <class Put>
    constexpr void put_arguments(const instruction& s, Put put_operand) {
        put('(');
        put_operand(s.a);
        for (int k = 1; k < arity(s.function); ++k) {
            put(", ");
            put_operand(k == 1 ? s.b : s.c);
        }
        put(')');
    }
    [[nodiscard]] constexpr int operand_count(const instruction& s) const {
        return s.what == opcode::call ? arity(s.function) : slots_read(s.what);
    }
    [[nodiscard]] constexpr int arity(unsigned function) const {
        constexpr int arities[] = {
#define CHAINRULE_ROW(NAME, ...) functions::NAME::arity,
            CHAINRULE_FUNCTIONS(CHAINRULE_ROW, CHAINRULE_ROW, CHAINRULE_ROW)
#undef CHAINRULE_ROW
        };
        return function < first_custom_function ? arities[function]
                                                : names_.custom_functions[function - first_custom_function].arity;
    }
    [[nodiscard]] constexpr const char* name_of_function(unsigned function) const {
        return function < first_custom_function ? name_of_table_function(function)
                                                : names_.custom_functions[function - first_custom_function].name;
    }

    // clang counts the statements of an evaluation, including those that a switch skips, but not its expressions, and
    // gives up after 2^20. So there are few statements per character, and frequent cases come before a switch.
    constexpr void put(char c) { to_ == nullptr ? void(++size_) : void(to_[size_++] = c); }
    constexpr void put(const char* text, int length) {
        if (to_ != nullptr) copy_characters(to_ + size_, text, length);
        size_ += length;
    }
    constexpr void put(const char* text) { put(text, static_cast<int>(__builtin_strlen(text))); }
    constexpr void put(int number) {
        number < 10 ? void() : put(number / 10), put(static_cast<char>('0' + number % 10));
    }
    enum prefix : int { of_value, of_temporary, of_number, of_sine, of_cosine };
    static constexpr char prefixes[5] = {'f', 't', 'n', 's', 'c'};
    int underscores_[5] = {};

    constexpr void put_prefix(prefix p) {
        put(prefixes[p]), underscores_[p] > 0 ? put_underscores(underscores_[p]) : void();
    }
    constexpr void put_underscores(int count) {
        for (; count > 0; --count) put('_');
    }
    constexpr void put_prefix(prefix p, int number) {
        put_prefix(p);
        put(number);
    }

    constexpr void put_value_name(int i) {
        put_prefix(of_value);
        if (names_.values > 1) put(i + 1);
    }
    constexpr void put_output(int k) {
        const output_place output = place_of_output(k, names_.request, names_.values, names_.wrt);
        if (output.degree == 0) return put_value_name(output.row);
        put('d');
        if (output.degree > 1) put(output.degree);
        put_value_name(output.row);
        put('/');
        for (int i = 0, n = 1; i < output.degree; i += n) {
            for (n = 1; i + n < output.degree && output.by[i + n] == output.by[i];) ++n;
            if (i > 0) put(' ');
            put('d');
            put(names_.inputs[output.by[i]]);
            if (n > 1) put(n);
        }
    }
};

/// A program for a request to a positional_function, written by Format::writer.
template <class Format, unsigned Request, class F>
struct written_program;
template <class Format, unsigned Request, class E, class V, class Bindings, bool Scalar>
struct written_program<Format, Request, positional_function<E, V, Bindings, Scalar>> {
private:
    using function = positional_function<E, V, Bindings, Scalar>;
    using inputs = typename function::inputs_list;
    using compiled_program = typename function::template code<Request>;
    static constexpr auto input_names = expressions::texts_of(inputs{});
    static constexpr auto custom_functions = names_of_functions(typename compiled_program::custom_functions{});
    static constexpr listing_names names{input_names.data(),
                                         inputs::size,
                                         function::outputs_list::size,
                                         function::variables_list::size,
                                         Request,
                                         custom_functions.data(),
                                         Format::title,
                                         static_cast<int>(custom_functions.size()) - 1};
    using writer = typename Format::template writer<std::remove_cvref_t<decltype(compiled_program::code())>>;

    static constexpr auto write() {
        constexpr int size = writer(compiled_program::code(), names, nullptr).size();
        fixed_text<static_cast<std::size_t>(size)> text;
        text.resize(static_cast<std::size_t>(size));
        (void)writer(compiled_program::code(), names, text.data());
        return text;
    }

public:
    static constexpr auto value = write();
};

inline constexpr fixed_text<0> no_text;

} // namespace chainrule::detail
