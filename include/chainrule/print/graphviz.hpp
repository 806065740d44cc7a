// SPDX-License-Identifier: BSL-1.0
//
// Expressions and programs as graphs in Graphviz format, which `dot -Tsvg` draws: an arrow leads from each operand to
// the operation that uses it, in the order of the operands; equal subexpressions are one node.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/print/program_writer.hpp>
#include <chainrule/print/text.hpp>

namespace chainrule {

namespace detail {

// Passes the characters of a text to put, escaped for a quoted string of Graphviz.
template <class Put>
constexpr void write_quoted(const char* text, Put put) {
    for (; *text != '\0'; ++text) {
        if (*text == '"' || *text == '\\') put('\\');
        if (*text == '\n') put('\\');
        put(*text == '\n' ? 'n' : *text);
    }
}

/// Writes characters to `to`, or only counts them if it is null.
class character_writer {
public:
    [[nodiscard]] constexpr int size() const { return size_; }

protected:
    constexpr explicit character_writer(char* to) : to_(to) {}

    constexpr void put(char c) {
        if (to_ != nullptr) to_[size_] = c;
        ++size_;
    }
    constexpr void put(const char* text) {
        for (; *text != '\0'; ++text) put(*text);
    }
    constexpr void put(int number) {
        if (number > 9) put(number / 10);
        put(static_cast<char>('0' + number % 10));
    }

private:
    char* to_;
    int size_ = 0;
};

/// Writes nodes and arrows by the put() of a writer.
template <class Writer>
class graphviz_nodes : public Writer {
protected:
    using Writer::put;
    using Writer::Writer;

    static constexpr const char* box = ", shape=box";
    static constexpr const char* plain = ", shape=plaintext";

    constexpr void begin_graph(const char* name) {
        put("digraph ");
        put(name);
        put(" {\n    rankdir=BT;\n    ordering=in;\n");
    }
    constexpr void put_label(const char* text) {
        write_quoted(text, [this](char c) { put(c); });
    }
    constexpr void begin_node(int n) {
        put("    n");
        put(n);
        put(" [label=\"");
    }
    constexpr void end_node(const char* attributes = "") {
        put('"');
        put(attributes);
        put("];\n");
    }
    constexpr void arrow(int from, int to) {
        put("    n");
        put(from);
        put(" -> n");
        put(to);
        put(";\n");
    }
};

/// The nodes of an expression. If the stored numbers are unknown, each counts with the maximal length.
class graphviz_of_outline : public graphviz_nodes<character_writer> {
public:
    constexpr graphviz_of_outline(const outline& o, const number_text* numbers, char* to) : graphviz_nodes(to) {
        begin_graph("expression");
        for (int i = 0; i < o.rows.size(); ++i) {
            const outline_row& r = o.rows[i];
            begin_node(i);
            if (r.number >= 0) {
                put_label(numbers != nullptr ? numbers[r.number].characters : "                        ");
                end_node(plain);
            } else if (r.constant >= 0) {
                put_label(text_of_constant(o.constants[r.constant]).characters);
                end_node(plain);
            } else if (r.a < 0) {
                put_label(r.name);
                end_node(box);
            } else {
                put_label(is_prefix(r.code)  ? (r.code == operations::negate::code ? "-" : "!")
                          : is_infix(r.code) ? sign_alone(r.code)
                                             : function_name(r));
                end_node();
            }
            for (const int operand : {r.a, r.b, r.c})
                if (operand >= 0) arrow(operand, i);
        }
        put("}\n");
    }
    /// The sign of an operation, without spaces.
    static constexpr const char* sign_alone(unsigned code) {
        constexpr const char* signs[] = {"+", "-", "*", "/", "", "<", "<=", ">", ">=", "==", "!=", "&&", "||"};
        return signs[code - operations::add::code];
    }
};

/// The instructions of a program. Variables, numbers, constants and outputs are nodes too.
template <class Code>
class graphviz_of_program : public graphviz_nodes<program_writer<Code>> {
    using writer = graphviz_nodes<program_writer<Code>>;
    using writer::arity;
    using writer::arrow;
    using writer::at;
    using writer::begin_graph;
    using writer::begin_node;
    using writer::box;
    using writer::code_;
    using writer::end_node;
    using writer::name_of_function;
    using writer::names_;
    using writer::plain;
    using writer::put;
    using writer::put_label;
    using writer::put_output;

public:
    constexpr graphviz_of_program(const Code& code, const listing_names& names, char* to) : writer(code, names, to) {
        begin_graph("program");
        const int slots = code.constant_count + code.size;
        node_ = list<int>(slots + 1, -1);
        for (int i = 0; i < code.constant_count; ++i) {
            node_[i] = i;
            begin_node(i);
            put_label(text_of_constant(code.constants[static_cast<std::size_t>(i)]).characters);
            end_node(plain);
        }
        for (int i = 0; i < code.size; ++i) line(i, code.constant_count + i);
        put("}\n");
    }

private:
    list<int> node_; // by slot: its node
    list<int> inputs_;

    // An input that is read again is the same node.
    constexpr bool seen(int slot, int key) {
        for (int k = 0; k < inputs_.size(); k += 2)
            if (inputs_[k] == key) {
                node_[slot] = inputs_[k + 1];
                return true;
            }
        inputs_.push_back(key);
        inputs_.push_back(slot);
        return false;
    }
    constexpr void operation_node(int slot, const char* label, int a, int b = -1, int c = -1) {
        begin_node(slot);
        put_label(label);
        end_node();
        for (const int operand : {a, b, c})
            if (operand >= 0) arrow(node_[operand], slot);
    }
    constexpr void line(int i, int slot) {
        const instruction s = at(i);
        node_[slot] = slot;
        switch (s.what) {
        case opcode::variable:
            if (seen(slot, s.a)) return;
            begin_node(slot);
            put_label(names_.inputs[s.a]);
            return end_node(box);
        case opcode::number:
            if (seen(slot, ~s.a)) return;
            begin_node(slot);
            put("number ");
            put(s.a + 1);
            return end_node(plain);
        case opcode::constant:
        case opcode::cosine_of_pair:
        case opcode::refresh: return;
        case opcode::reload: node_[slot] = node_[s.a]; return;
        case opcode::output:
            begin_node(slot);
            put_output(s.b);
            end_node(", shape=box, style=rounded");
            return arrow(node_[s.a], slot);
        case opcode::condition:
            if (s.function == static_cast<unsigned char>(relation::negation)) return operation_node(slot, "!", s.a);
            return operation_node(slot, graphviz_of_outline::sign_alone(s.function + relations::less::code), s.a, s.b);
        case opcode::select: return operation_node(slot, "select", s.a, s.b, s.c);
        case opcode::sine_cosine:
            node_[slot + 1] = slot + 1;
            operation_node(slot, "sin", s.a);
            return operation_node(slot + 1, "cos", s.a);
        case opcode::call:
            return operation_node(slot, name_of_function(s.function), s.a, arity(s.function) > 1 ? s.b : -1,
                                  arity(s.function) > 2 ? s.c : -1);
        default: // a formula
            return operation_node(slot, row_of(s.what).sign, s.a, slots_read(s.what) > 1 ? s.b : -1,
                                  slots_read(s.what) > 2 ? s.c : -1);
        }
    }
};

struct graphviz_format {
    static constexpr const char* title = "";
    template <class Code>
    using writer = graphviz_of_program<Code>;
};

/// The picture of the expression type E, or its size if E stores numbers.
template <class E>
struct graphviz_of {
    static constexpr int measure() {
        outline o;
        o.run<E>();
        return graphviz_of_outline(o, nullptr, nullptr).size();
    }
    enum : int { length = measure() };

    static constexpr auto write(const number_text* numbers) {
        fixed_text<static_cast<std::size_t>(length)> text;
        outline o;
        o.run<E>();
        text.resize(static_cast<std::size_t>(graphviz_of_outline(o, numbers, text.data()).size()));
        return text;
    }
};
// Not a variable template: g++ 12 would return a copy of it.
template <class E>
struct graphviz_constant {
    static constexpr auto value = graphviz_of<E>::write(nullptr);
};

} // namespace detail

/// The graph of an expression or predicate in Graphviz format: variables are boxes, operations and functions ellipses,
/// and an arrow leads from each operand to the operation, operands from left to right. Equal subexpressions are one
/// node, unless they store numbers. The result is like that of to_string().
/// Example: `std::cout << to_graphviz(log(x) + x * y - sin(y));` and then `dot -Tsvg`
template <class E>
requires(expression<E> || predicate<E>)
[[nodiscard]] constexpr decltype(auto) to_graphviz([[maybe_unused]] const E& f) {
    if constexpr (int{E::numbers} == 0) {
        return (detail::graphviz_constant<E>::value);
    } else {
        detail::number_text numbers[E::numbers];
        detail::number_texts texts{numbers};
        expressions::for_each_number(f, texts);
        return detail::graphviz_of<E>::write(numbers);
    }
}

/// The graph of the program of a function made by function(); `Request` as for program_text(). Outputs are rounded
/// boxes, and a fused multiplication and addition is one ellipse, with its operands a, b, c from left to right.
/// Example: `std::cout << to_graphviz(function(log(x) + x * y - sin(y), wrt(x, y)));`
template <unsigned Request = detail::default_request, class F>
requires detail::is_positional_function<F>
[[nodiscard]] constexpr const auto& to_graphviz(const F&) {
    if constexpr (detail::complete<Request>(static_cast<const F*>(nullptr)))
        return detail::written_program<detail::graphviz_format, Request, detail::positional_form<F>>::value;
    else
        return detail::no_text;
}

} // namespace chainrule

#include <chainrule/core/names_end.inc>
