// SPDX-License-Identifier: BSL-1.0
//
// Traces show a computation operation by operation, forwards and backwards. A trace records every operation of traced
// numbers (tape/traced.hpp) as a separate statement on a tape, together with its text (tape/trace_lines.hpp). Traces
// are for learning and debugging; active numbers are not affected. Include this header separately.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/core/raise.hpp>
#include <chainrule/tape/listing.hpp>
#include <chainrule/tape/trace_lines.hpp>
#include <chainrule/tape/traced.hpp>

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace chainrule::tape {

/// A number with its name at the end of an adjoint trace.
template <class T>
struct labelled {
    std::string label; ///< its line begins with d and this
    traced<T> number;  ///< a number of the trace
};

/// Whether an adjoint trace shows the lines of partial derivatives, and of the output's derivative with respect to
/// itself.
enum class partial_lines { hidden, shown };

/// A computation with traced<T>, operation by operation. The last unnamed input is v0, the one before v-1, and so on (a
/// later input changes the names of earlier ones); operations are v1, v2 and so on. Not movable: numbers point to their
/// trace. It may be used by one thread at a time.
/// Example: docs/examples/tape_trace.cpp.
template <class T>
class basic_trace {
public:
    using number = traced<T>; ///< of this trace

    basic_trace() = default;
    basic_trace(const basic_trace&) = delete;
    basic_trace& operator=(const basic_trace&) = delete;

    /// A new independent variable. Throws recording_full.
    [[nodiscard]] number variable(const T& value) { return input(value, {}); }
    /// The same with a name. Throws std::invalid_argument for a name that is empty or in use, has control characters,
    /// or is reserved for traces.
    [[nodiscard]] number variable(const T& value, const std::string& name) {
        check_name(name);
        const auto place = taken_.insert(name).first;
        CHAINRULE_TRY { return input(value, name); }
        CHAINRULE_CATCH(...) {
            taken_.erase(place);
            CHAINRULE_RETHROW;
        }
    }

    /// The lines of the computation: inputs and operations in their order.
    [[nodiscard]] std::vector<trace_line<T>> primal_lines() const { return lines_up_to(lines_.size()); }
    /// The lines of the computation as text, as in `v1 = log(v-1)`.
    [[nodiscard]] std::string primal() const { return text_of(primal_lines(), partial_lines::hidden); }
    /// The lines up to that of y, and then its value. Throws std::logic_error if y is not in this trace.
    [[nodiscard]] std::string primal(const number& y) const {
        return text_of(lines_up_to(checked_number(y, "primal")), partial_lines::hidden) + text_of_value(y.value()) +
               '\n';
    }

    /// The lines of the reverse sweep from y, including those of partial derivatives: from the last operation to the
    /// first, for each operand the adjoint of the result times the partial derivative, and the sum if the operand
    /// already has an adjoint. Operations that y does not depend on have no lines. Throws std::logic_error if y is not
    /// in this trace.
    [[nodiscard]] adjoint_sweep_lines<T> adjoint_lines(const number& y) const;
    /// The same as text: the lines, as in `v9 = v6 * v7`; then a line per derivative, as in `dv5_dv3 = v9`; then the
    /// derivatives with respect to the numbers in `by`, as in `dx 5.5`, or to all inputs if `by` is empty. A partial
    /// derivative that equals an operand or the result has the name of that number; any other has its own name, whose
    /// line can be shown.
    [[nodiscard]] std::string adjoint(const number& y, std::initializer_list<labelled<T>> by = {},
                                      partial_lines show = partial_lines::hidden) const;

    /// Computes the derivative of y with respect to every number of the trace, for x.gradient().
    void backward(const number& y) {
        (void)checked_number(y, "backward");
        tape_.backward(y.number_);
    }

    /// The tape with the operations, one statement each, numbered like the lines: the first is 1.
    [[nodiscard]] const basic_tape<T>& tape() const { return tape_; }

    /// One operation on traced numbers and expressions of plain numbers; at least one operand is traced.
    template <class Operation, class... Operand>
    [[nodiscard]] static number operation(const Operand&... operands);

private:
    struct line_record {
        std::string name; // of an input; empty if it has none
        operation_formula formula;
        number operands[3];
        int operand_count = 0; // zero for an input
        T value{};
    };

    basic_tape<T> tape_;
    std::vector<line_record> lines_;        // line i belongs to statement i + 1 of the tape
    std::unordered_set<std::string> taken_; // the names of inputs

    number input(const T& value, const std::string& name) {
        return note([&] { return tape_.variable(value); }, [&](line_record& line) { line.name = name; });
    }

    // Records one statement and its line; both or neither.
    template <class Record, class Describe>
    number note(Record record, Describe describe) {
        lines_.emplace_back();
        CHAINRULE_TRY {
            describe(lines_.back());
            active<T> result = record();
            // A product with a number that is on no tape and is 0 gets no statement, but has a line.
            if (!result.is_recorded()) result = tape_.variable(result.value());
            lines_.back().value = result.value();
            return {result, this};
        }
        CHAINRULE_CATCH(...) {
            lines_.pop_back();
            CHAINRULE_RETHROW;
        }
    }

    [[nodiscard]] static bool is_given_name(const std::string& name) {
        const std::size_t digits = name.starts_with("v-") ? 2 : 1;
        return name.size() > digits && name[0] == 'v' &&
               name.find_first_not_of("0123456789", digits) == std::string::npos;
    }
    void check_name(const std::string& name) const {
        if (name.empty())
            core::raise(std::invalid_argument("variable: the name is empty; pass a name, or omit the "
                                              "argument"));
        for (const char c : name)
            if (static_cast<unsigned char>(c) < ' ')
                core::raise(std::invalid_argument("variable: the name contains a line break or another control "
                                                  "character; choose a name without them"));
        if (is_given_name(name))
            core::raise(std::invalid_argument("variable: '" + name +
                                              "' is reserved for the trace; choose another name, "
                                              "or none"));
        if (taken_.contains(name))
            core::raise(std::invalid_argument("variable: the name '" + name + "' is taken; choose another"));
    }
    // The index of a line, counted from 1.
    [[nodiscard]] std::size_t checked_number(const number& y, const char* call) const {
        if (y.trace_ != this)
            core::raise(std::logic_error(std::string(call) +
                                         (y.trace_ == nullptr
                                              ? ": the number is not traced; compute it from variables of this trace"
                                              : ": the number belongs to another trace; use that one")));
        return tape_.number_of(y.number_);
    }

    [[nodiscard]] std::vector<std::string> names() const;
    [[nodiscard]] std::vector<trace_line<T>> lines_up_to(std::size_t count) const;
    [[nodiscard]] std::size_t operation_count() const {
        std::size_t count = 0;
        for (const line_record& line : lines_) count += line.operand_count != 0;
        return count;
    }

    // The name of an operand, or its digits if it is a plain number.
    [[nodiscard]] std::string name_of(const number& x, const std::vector<std::string>& names) const {
        return x.trace_ == nullptr ? string_of(detail::text_of_number(plain_value(x.value())))
                                   : names[tape_.number_of(x.number_) - 1];
    }
    // A formula of line number i with names.
    [[nodiscard]] std::string with_names(const std::string& formula, std::size_t i,
                                         const std::vector<std::string>& names) const {
        const line_record& line = lines_[i];
        return written(formula, {name_of(line.operands[0], names), name_of(line.operands[1], names),
                                 name_of(line.operands[2], names), names[i]});
    }
    [[nodiscard]] static std::string text_of(const std::vector<trace_line<T>>& lines, partial_lines show) {
        std::string text;
        for (const trace_line<T>& line : lines)
            if (line.kind != line_kind::partial || show == partial_lines::shown) text += line.text() + '\n';
        return text;
    }

    // An operand as it is recorded on the tape, and as it is written in formulas.
    template <class Operand>
    [[nodiscard]] static auto on_tape(const Operand& x) {
        if constexpr (std::same_as<Operand, number>)
            return x.number_;
        else
            return x;
    }
    template <char Placeholder, class Operand>
    [[nodiscard]] static auto in_formula([[maybe_unused]] const Operand& x) {
        if constexpr (std::same_as<Operand, number>)
            return placeholder<Placeholder>{};
        else
            return x;
    }
    template <class Operation, class A>
    static void describe(line_record& line, const A& a) {
        line.formula = formula_of<Operation>(in_formula<first_operand>(a));
        line.operand_count = 1;
        line.operands[0] = a;
    }
    template <class Operation, class A, class B>
    static void describe(line_record& line, const A& a, const B& b) {
        line.formula = formula_of<Operation>(in_formula<first_operand>(a), in_formula<second_operand>(b));
        line.operand_count = 2;
        if constexpr (std::same_as<A, number>) line.operands[0] = a;
        if constexpr (std::same_as<B, number>) line.operands[1] = b;
    }
    template <class Operation, class A, class B, class C>
    static void describe(line_record& line, const A& a, const B& b, const C& c) {
        line.formula = formula_of<Operation>(in_formula<first_operand>(a), in_formula<second_operand>(b),
                                             in_formula<third_operand>(c));
        line.operand_count = 3;
        if constexpr (std::same_as<A, number>) line.operands[0] = a;
        if constexpr (std::same_as<B, number>) line.operands[1] = b;
        if constexpr (std::same_as<C, number>) line.operands[2] = c;
    }
};

/// The trace for double; basic_trace<T> for other number types.
using trace = basic_trace<double>;

template <class T>
template <class Operation, class... Operand>
traced<T> basic_trace<T>::operation(const Operand&... operands) {
    basic_trace* owner = nullptr;
    const auto find = [&](const auto& x) {
        if constexpr (std::same_as<std::decay_t<decltype(x)>, number>)
            if (x.trace_ != nullptr) {
                if (x.number_.recorder() == nullptr)
                    core::raise(std::logic_error(
                        "traced: a number is used whose trace is destroyed; keep the trace as long as its numbers"));
                if (owner == nullptr) owner = x.trace_;
            }
    };
    (find(operands), ...);
    const auto record = [&] { return active<T>(operation_on<Operation>(on_tape(operands)...)); };
    if (owner == nullptr) return {record(), nullptr};
    return owner->note(record, [&](line_record& line) { describe<Operation>(line, operands...); });
}

template <class T>
std::vector<std::string> basic_trace<T>::names() const {
    std::vector<std::string> result;
    long unnamed = 0, operations = 0;
    for (const line_record& line : lines_) unnamed += line.operand_count == 0 && line.name.empty();
    for (const line_record& line : lines_) {
        if (line.operand_count != 0)
            result.push_back('v' + std::to_string(++operations));
        else
            result.push_back(line.name.empty() ? 'v' + std::to_string(1 - unnamed--) : line.name);
    }
    return result;
}

template <class T>
std::vector<trace_line<T>> basic_trace<T>::lines_up_to(std::size_t count) const {
    const std::vector<std::string> name = names();
    std::vector<trace_line<T>> result;
    for (std::size_t i = 0; i < count; ++i) {
        const line_record& line = lines_[i];
        if (line.operand_count == 0)
            result.push_back({name[i], text_of_value(line.value), line.value, line_kind::input});
        else
            result.push_back({name[i], with_names(line.formula.text, i, name), line.value, line_kind::operation});
    }
    return result;
}

template <class T>
adjoint_sweep_lines<T> basic_trace<T>::adjoint_lines(const number& y) const {
    const std::size_t last = checked_number(y, "adjoint");
    const std::vector<std::string> name = names();
    // The partial derivatives of each operation, in the order of operands. The tape has none for an operand whose
    // derivative is a structural zero.
    struct operation_entry {
        std::vector<index> operands;
        std::vector<T> partials;
    };
    std::vector<operation_entry> recorded;
    for_each_statement(tape_, [&](const statement_entry<T>& s) {
        recorded.push_back({{s.operands.begin(), s.operands.end()}, {s.partials.begin(), s.partials.end()}});
    });

    adjoint_sweep_lines<T> sweep;
    std::vector<std::size_t> found(lines_.size(), 0); // the position of a number's derivative, counted from 1
    std::size_t next = operation_count();
    const auto add_line = [&](const std::string& formula, const T& value, line_kind kind) {
        sweep.lines.push_back({'v' + std::to_string(++next), formula, value, kind});
        return named_derivative<T>{{}, sweep.lines.back().name, value};
    };
    const auto contribute = [&](std::size_t to, const named_derivative<T>& contribution) {
        if (found[to] == 0) {
            sweep.derivatives.push_back({name[to], contribution.name, contribution.value});
            found[to] = sweep.derivatives.size();
        } else {
            named_derivative<T>& d = sweep.derivatives[found[to] - 1];
            const auto sum =
                add_line(d.name + " + " + contribution.name, d.value + contribution.value, line_kind::adjoint);
            d.name = sum.name;
            d.value = sum.value;
        }
    };

    contribute(last - 1, add_line("1", T(1), line_kind::partial));
    for (std::size_t i = last; i-- > 0;) {
        const line_record& line = lines_[i];
        if (found[i] == 0 || line.operand_count == 0) continue;
        named_derivative<T> local[3]; // the partial derivatives, then the contributions
        std::size_t used = 0;
        for (int k = 0; k < line.operand_count; ++k) {
            if (line.operands[k].trace_ == nullptr) continue;
            const operation_entry& entry = recorded[i];
            const bool kept =
                used < entry.operands.size() && entry.operands[used] == tape_.number_of(line.operands[k].number_);
            const T value = kept ? entry.partials[used++] : T{};
            const partial_formula& p = line.formula.partials[k];
            const std::string formula = with_names(p.text, i, name);
            local[k] =
                p.is_operand ? named_derivative<T>{{}, formula, value} : add_line(formula, value, line_kind::partial);
        }
        const named_derivative<T> adjoint = sweep.derivatives[found[i] - 1];
        for (int k = 0; k < line.operand_count; ++k) {
            if (line.operands[k].trace_ == nullptr) continue;
            T product{};
            sweeping::add(product, local[k].value, adjoint.value); // zero if the adjoint is zero
            local[k] = add_line(adjoint.name + " * " + as_factor(local[k].name), product, line_kind::adjoint);
        }
        for (int k = 0; k < line.operand_count; ++k)
            if (line.operands[k].trace_ != nullptr) contribute(tape_.number_of(line.operands[k].number_) - 1, local[k]);
    }
    return sweep;
}

template <class T>
std::string basic_trace<T>::adjoint(const number& y, std::initializer_list<labelled<T>> by, partial_lines show) const {
    const std::vector<std::string> name = names();
    const adjoint_sweep_lines<T> sweep = adjoint_lines(y);
    const std::string output = name_of(y, name);
    std::string text = text_of(sweep.lines, show);
    for (const named_derivative<T>& d : sweep.derivatives) text += 'd' + output + "_d" + d.by + " = " + d.name + '\n';

    std::unordered_map<std::string_view, const T*> values;
    for (const named_derivative<T>& d : sweep.derivatives) values[d.by] = &d.value;
    const auto add_value = [&](const std::string& label, std::size_t line) {
        const auto found = values.find(name[line]);
        text += 'd' + label + ' ' + text_of_value(found == values.end() ? T{} : *found->second) + '\n';
    };
    for (const labelled<T>& x : by) add_value(x.label, checked_number(x.number, "adjoint") - 1);
    if (by.size() == 0)
        for (std::size_t i = 0; i < lines_.size(); ++i)
            if (lines_[i].operand_count == 0) add_value(name[i], i);
    return text;
}

} // namespace chainrule::tape

#include <chainrule/core/names_end.inc>
