// SPDX-License-Identifier: BSL-1.0
//
// program_text(F): prints the finished program (codegen/finished_program.hpp) that kernel/emit.hpp turns into machine
// code. print/c.hpp and print/graphviz.hpp print the same program as C and as a picture.
#pragma once

#include <chainrule/print/program_writer.hpp>
#include <chainrule/print/text.hpp>

namespace chainrule {

namespace detail {

template <class Code>
class listing : public program_writer<Code> {
    using writer = program_writer<Code>;
    using writer::at;
    using writer::code_;
    using writer::is_formula;
    using writer::name_of_function;
    using writer::names_;
    using writer::operand_count;
    using writer::put;
    using writer::put_arguments;
    using writer::put_condition;
    using writer::put_formula;
    using writer::put_output;
    using writer::put_prefix;
    using writer::size_;

public:
    /// Writes to `to`, or only counts characters if it is null.
    constexpr listing(const Code& code, const listing_names& names, char* to) : writer(code, names, to) {
        const int slots = code.constant_count + code.size;
        name_ = list<label>(slots + 1);
        for (int i = 0; i < code.constant_count; ++i) name_[i] = {label::constant, i};
        list<int> uses(slots + 1, 0);
        for (int i = 0; i < code.size; ++i) {
            const instruction s = at(i);
            const int operands = operand_count(s);
            if (operands > 0) ++uses[s.a];
            if (operands > 1) ++uses[s.b];
            if (operands > 2) ++uses[s.c];
        }
        // A result that is used only as one output has that output's name.
        for (int i = 0; i < code.size; ++i) {
            const instruction s = at(i);
            if (s.what == opcode::output && uses[s.a] == 1 && s.a >= code.constant_count)
                name_[s.a] = {label::output, s.b};
        }
        for (int i = 0; i < code.size; ++i) line(i);
    }

private:
    struct label {
        enum kind : unsigned char { none, constant, input, number, temporary, sine, cosine, output } what = none;
        int index = 0;
    };

    list<label> name_;
    int temporaries_ = 0;
    int pairs_ = 0;
    // The position of an operand: a constant may need parentheses there.
    enum position { alone, first, later };
    constexpr void put_slot(int slot, position where = alone) {
        const label l = name_[slot];
        if (l.what == label::temporary) return put_prefix(writer::of_temporary, l.index);
        switch (l.what) {
        case label::temporary:
        case label::none: break;
        case label::constant: {
            const number_text text = text_of_constant(code_.constants[static_cast<std::size_t>(l.index)]);
            const bool parentheses = (text.fraction && where != alone) || (text.negative() && where == later);
            if (parentheses) put('(');
            put(text.characters, text.size);
            if (parentheses) put(')');
            break;
        }
        case label::input: put(names_.inputs[l.index]); break;
        case label::number: put_prefix(writer::of_number, l.index + 1); break;
        case label::sine: put_prefix(writer::of_sine, l.index); break;
        case label::cosine: put_prefix(writer::of_cosine, l.index); break;
        case label::output: put_output(l.index); break;
        }
    }

    constexpr void begin_line(int slot) {
        if (size_ > 0) put('\n');
        if (name_[slot].what != label::output) name_[slot] = {label::temporary, ++temporaries_};
        put_slot(slot);
        put(" = ");
    }
    constexpr void line(int i) {
        const instruction s = at(i);
        const int slot = code_.constant_count + i;
        const auto operand = [this](int of, bool in_front) { put_slot(of, in_front ? first : later); };
        if (is_formula(s)) {
            begin_line(slot);
            return put_formula(s, operand);
        }
        switch (s.what) {
        case opcode::variable: return input(slot, {label::input, s.a});
        case opcode::number: return input(slot, {label::number, s.a});
        case opcode::constant: return;
        case opcode::cosine_of_pair:
        case opcode::refresh: return;
        case opcode::sine_cosine: return pair(slot, s.a);
        case opcode::reload: return input(slot, name_[s.a]);
        case opcode::output:
            if (name_[s.a].what == label::output && name_[s.a].index == s.b) return;
            if (size_ > 0) put('\n');
            put_output(s.b);
            put(" = ");
            return put_slot(s.a);
        default: break;
        }
        begin_line(slot);
        if (s.what == opcode::condition) return put_condition(s, operand);
        if (s.what == opcode::call) {
            put(name_of_function(s.function));
            return put_arguments(s, [this](int of) { put_slot(of); });
        }
        put("select(");
        put_slot(s.a);
        put(", ");
        put_slot(s.b);
        put(", ");
        put_slot(s.c);
        put(')');
    }
    // An input has no separate line, unless it is also an output.
    constexpr void input(int slot, label l) {
        if (name_[slot].what == label::output) {
            if (size_ > 0) put('\n');
            put_slot(slot);
            put(" = ");
            const label output = name_[slot];
            name_[slot] = l;
            put_slot(slot);
            name_[slot] = output;
            return;
        }
        name_[slot] = l;
    }
    constexpr void pair(int slot, int argument) {
        const int number = ++pairs_;
        if (size_ > 0) put('\n');
        if (name_[slot].what != label::output) name_[slot] = {label::sine, number};
        if (name_[slot + 1].what != label::output) name_[slot + 1] = {label::cosine, number};
        put('(');
        put_slot(slot);
        put(", ");
        put_slot(slot + 1);
        put(") = sincos(");
        put_slot(argument);
        put(')');
    }
};

struct listing_format {
    static constexpr const char* title = "";
    template <class Code>
    using writer = listing<Code>;
};

} // namespace detail

/// The straight-line program of a function made by function(), one instruction per line. `Request` selects the results:
/// a sum of request::values, request::jacobians and request::hessians, by default values and first derivatives. t1, t2
/// and so on are temporaries, n1, n2 stored numbers; parameters have their names. The result is a constant with static
/// lifetime.
/// Example: `std::cout << program_text(function(log(x) + x * y - sin(y), wrt(x, y)));`
template <unsigned Request = detail::default_request, class F>
requires detail::is_positional_function<F>
[[nodiscard]] constexpr const auto& program_text(const F&) {
    if constexpr (detail::complete<Request>(static_cast<const F*>(nullptr)))
        return detail::written_program<detail::listing_format, Request, detail::positional_form<F>>::value;
    else
        return detail::no_text;
}

/// Prints the program of the value and the first derivatives of a function. Example: `std::cout << F << '\n';`
template <class Stream, class F>
requires detail::is_positional_function<F>
Stream& operator<<(Stream& stream, const F& f) {
    stream << program_text(f);
    return stream;
}

} // namespace chainrule
