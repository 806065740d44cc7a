// SPDX-License-Identifier: BSL-1.0
//
// Runs what the compiler of expressions makes, at run time and on numbers of any type: a schedule (codegen/code.hpp),
// the packed instructions that kernel/emit.hpp expands, and the rows from which symbolic/raise.hpp makes types. On the
// way it checks that a program is well formed.
#pragma once

#include "reference.hpp"

#include <chainrule/chainrule.hpp>

#include <stdexcept>
#include <vector>

namespace reference {

namespace core = chainrule::core;
namespace expressions = chainrule::expressions;
namespace graph = chainrule::graph;
namespace request = chainrule::request;
namespace differentiate = chainrule::differentiate;
namespace optimise = chainrule::optimise;
namespace codegen = chainrule::codegen;
namespace detail = chainrule::detail;

/// The nearest number; an inexact one carries its error.
template <class T>
struct number_from {
    static T make(const core::coefficient& c) { return c.as<T>(); }
};
template <>
struct number_from<tracked> {
    static tracked make(const core::coefficient& c) {
        const long double v = c.as<long double>();
        return c.denominator == 1 ? tracked(v) : tracked(v, 0);
    }
};
template <class T>
struct number_from<dual<T>> {
    static dual<T> make(const core::coefficient& c) { return {number_from<T>::make(c), T{}}; }
};

/// The result of a relation between two numbers, or between two conditions, which are 1 or 0.
template <class T>
T related(graph::relation what, const T& a, const T& b) {
    using graph::relation;
    const auto truth = [](bool holds) { return holds ? T(1) : T(0); };
    switch (what) {
    case relation::less: return truth(a < b);
    case relation::less_equal: return truth(a <= b);
    case relation::greater: return truth(a > b);
    case relation::greater_equal: return truth(a >= b);
    case relation::equal: return truth(a == b);
    case relation::not_equal: return truth(!(a == b));
    case relation::conjunction: return truth(!(a == T(0)) && !(b == T(0)));
    case relation::disjunction: return truth(!(a == T(0)) || !(b == T(0)));
    case relation::negation: return truth(a == T(0));
    }
    return T{};
}

inline void demand(bool condition, const char* sentence) {
    if (!condition) throw std::logic_error(sentence);
}

/// The state of a run: the slots that are written so far, and the outputs.
template <class T>
class machine {
public:
    machine(const std::vector<T>& variables, const std::vector<T>& numbers, int outputs)
        : variables_(variables), numbers_(numbers), outputs_(static_cast<std::size_t>(outputs)),
          output_known_(static_cast<std::size_t>(outputs), false) {}

    /// Writes the slots from the next on.
    void push(const T& value) {
        slots_.push_back(value);
        known_.push_back(true);
    }

    void run(const codegen::instruction& i) {
        using codegen::opcode;
        if (i.what == opcode::output) {
            demand(static_cast<std::size_t>(i.b) < outputs_.size(), "an output has no place");
            demand(!output_known_[static_cast<std::size_t>(i.b)], "an output is written twice");
            outputs_[static_cast<std::size_t>(i.b)] = slot(i.a);
            output_known_[static_cast<std::size_t>(i.b)] = true;
            slots_.emplace_back();
            known_.push_back(false);
            return;
        }
        push(value_of(i));
    }

    const std::vector<T>& outputs() const {
        for (const bool known : output_known_) demand(known, "an output is not written");
        return outputs_;
    }

private:
    const std::vector<T>& variables_;
    const std::vector<T>& numbers_;
    std::vector<T> slots_, outputs_;
    std::vector<bool> known_, output_known_;
    T cosine_{};
    bool pair_open_ = false;

    const T& slot(int i) const {
        demand(i >= 0 && static_cast<std::size_t>(i) < slots_.size(), "a slot is read before it is written");
        demand(known_[static_cast<std::size_t>(i)], "a slot is read that holds no value");
        return slots_[static_cast<std::size_t>(i)];
    }

    T value_of(const codegen::instruction& i) {
        using codegen::opcode;
        demand(pair_open_ == (i.what == opcode::cosine_of_pair), "the cosine of a pair does not follow its sine");
        const struct {
            const machine& m;
            const T& operator[](int k) const { return m.slot(k); }
        } v{*this};
        const int a = i.a, b = i.b, c = i.c;
        switch (i.what) {
        case opcode::variable: return variables_.at(static_cast<std::size_t>(i.a));
        case opcode::number: return numbers_.at(static_cast<std::size_t>(i.a));
#define FORMULA(NAME, SLOTS, COUNTED, SIGN, TEXT, BY_A, BY_B, BY_C, ...)                                               \
    case opcode::NAME: return __VA_ARGS__;
#define OTHER(...)
            CHAINRULE_INSTRUCTIONS(FORMULA, OTHER)
#undef FORMULA
#undef OTHER
        case opcode::call: return call(i.function, slot(i.a), slot(i.b), slot(i.c));
        case opcode::condition: return related(static_cast<graph::relation>(i.function), slot(i.a), slot(i.b));
        case opcode::select: return slot(i.a) == T(0) ? slot(i.c) : slot(i.b);
        case opcode::sine_cosine:
            cosine_ = cos_of(slot(i.a));
            pair_open_ = true;
            return sin_of(slot(i.a));
        case opcode::cosine_of_pair: pair_open_ = false; return cosine_;
        case opcode::reload: return slot(i.a);
        case opcode::refresh: return T{};
        case opcode::constant:
        case opcode::output: break;
        }
        throw std::logic_error("an instruction is unknown");
    }
};

/// The number of operations that a schedule executes, as operation_count() counts them.
inline int operations_of(const codegen::code& c) {
    int count = 0;
    for (const codegen::instruction& i : c.body) {
        const codegen::counted as = codegen::row_of(i.what).as;
        if (as != codegen::counted::memory && as != codegen::counted::nothing) ++count;
    }
    return count;
}

/// The outputs of a schedule.
template <class T>
std::vector<T> run(const codegen::code& c, const std::vector<T>& variables, const std::vector<T>& numbers,
                   int outputs) {
    machine<T> m(variables, numbers, outputs);
    for (int i = 0; i < c.body.size(); ++i) {
        if (c.body[i].what == codegen::opcode::constant)
            m.push(number_from<T>::make(c.constants[c.body[i].a]));
        else
            m.run(c.body[i]);
    }
    return m.outputs();
}

/// The outputs of packed instructions, whose constants occupy the first slots.
template <class T, int Capacity>
std::vector<T> run(const codegen::finished_program<Capacity>& f, const std::vector<T>& variables,
                   const std::vector<T>& numbers) {
    machine<T> m(variables, numbers, f.output_count);
    for (int i = 0; i < f.constant_count; ++i) m.push(number_from<T>::make(f.constants[static_cast<std::size_t>(i)]));
    for (int i = 0; i < f.size; ++i) m.run(chainrule::kernel::unpack(f.body[static_cast<std::size_t>(i)]));
    return m.outputs();
}

/// The value of the last row of a table from which types are raised.
template <class T, class Graph>
T run(const detail::raising<Graph>& r, int last, const std::vector<T>& variables, const std::vector<T>& numbers) {
    std::vector<T> rows;
    const auto at = [&](int i) -> const T& { return rows.at(static_cast<std::size_t>(i)); };
    for (int i = 0; i <= last; ++i) {
        const detail::expression_row row = r.rows[i];
        switch (row.what) {
        case graph::kind::constant: rows.push_back(number_from<T>::make(r.constants[row.a])); break;
        case graph::kind::variable: rows.push_back(variables.at(static_cast<std::size_t>(row.a))); break;
        case graph::kind::stored_number: rows.push_back(numbers.at(static_cast<std::size_t>(row.a))); break;
        case graph::kind::negate: rows.push_back(-at(row.a)); break;
        case graph::kind::add: rows.push_back(at(row.a) + at(row.b)); break;
        case graph::kind::subtract: rows.push_back(at(row.a) - at(row.b)); break;
        case graph::kind::multiply: rows.push_back(at(row.a) * at(row.b)); break;
        case graph::kind::divide: rows.push_back(at(row.a) / at(row.b)); break;
        case graph::kind::call:
        case graph::kind::call_of_three:
            rows.push_back(call(row.function, at(row.a), at(row.b < 0 ? row.a : row.b), at(row.c < 0 ? row.a : row.c)));
            break;
        case graph::kind::condition:
            rows.push_back(
                related(static_cast<graph::relation>(row.function), at(row.a), row.b < 0 ? at(row.a) : at(row.b)));
            break;
        case graph::kind::select: rows.push_back(at(row.a) == T(0) ? at(row.c) : at(row.b)); break;
        case graph::kind::sum:
        case graph::kind::product: throw std::logic_error("a row is not a binary operation");
        }
    }
    return rows.back();
}

} // namespace reference
