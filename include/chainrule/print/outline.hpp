// SPDX-License-Identifier: BSL-1.0
//
// The outline of an expression's text: each distinct subexpression type is one row. Lengths are added up before
// anything is written, because the text of an expression with shared parts can be exponentially longer than its type.
// The headers of print/ use it.
#pragma once

#include <chainrule/expression/node.hpp>
#include <chainrule/core/list.hpp>
#include <chainrule/graph/custom_functions.hpp>
#include <chainrule/print/decimal.hpp>

namespace chainrule {

namespace detail {

/// The names by which users call the functions, by position in the table; pow() with an integer exponent has its own
/// row.
inline constexpr const char* function_names[] = {
#define CHAINRULE_ROW(NAME, ...) #NAME,
    CHAINRULE_FUNCTIONS(CHAINRULE_ROW, CHAINRULE_ROW, CHAINRULE_ROW)
#undef CHAINRULE_ROW
};
constexpr const char* name_of_table_function(unsigned position) {
    return function_names[position == functions::integer_power::position ? functions::pow::position : position];
}

/// The text between two operands, by code, from `add` to `disjunction`; select() has a name instead.
inline constexpr const char* infix_signs[] = {
    " + ", " - ", " * ", " / ", "", " < ", " <= ", " > ", " >= ", " == ", " != ", " && ", " || "};
constexpr const char* infix_sign(unsigned code) { return infix_signs[code - operations::add::code]; }

constexpr bool is_prefix(unsigned code) {
    return code == operations::negate::code || code == relations::negation::code;
}
constexpr bool is_infix(unsigned code) {
    return code > operations::negate::code && code != operations::select::code && code != relations::negation::code;
}

/// The code of every custom function, whose name is stored separately.
inline constexpr unsigned any_custom_function = 255;

/// The operation of a node for its text: its code, and the name if the code does not determine it.
struct named_code {
    unsigned code = 0;
    const char* name = nullptr;

    constexpr named_code() = default;
    constexpr named_code(unsigned c) : code(c) {}
    template <class F>
    constexpr named_code(custom_code<F>) : code(any_custom_function), name(F::name) {}
};

/// The precedence of an operation in a text.
enum precedence : int { of_disjunction, of_conjunction, of_comparison, of_sum, of_product, of_sign, of_name };

constexpr precedence precedence_of(unsigned code) {
    switch (code) {
    case operations::add::code:
    case operations::subtract::code: return of_sum;
    case operations::multiply::code:
    case operations::divide::code: return of_product;
    case relations::conjunction::code: return of_conjunction;
    case relations::disjunction::code: return of_disjunction;
    default: return of_comparison;
    }
}

/// One distinct part of an expression.
struct outline_row {
    unsigned code = 0;          // operation or function
    int a = -1, b = -1, c = -1; // rows of the operands
    const char* name = nullptr; // of a variable, or of a custom function
    int constant = -1;          // position in the outline's list of constants
    int number = -1;            // stored number
    int length = 0;
    precedence binding = of_name;
    // The beginning of the text: a stored number (its position), a minus (-1), or neither (-2).
    int beginning = -2;
};

// By the code: with -fsanitize=undefined, g++ 12 does not accept `row.name != nullptr` as a constant.
constexpr const char* function_name(const outline_row& row) {
    if (row.code == any_custom_function) return row.name;
    return row.code == operations::select::code ? "select" : name_of_table_function(row.code);
}

/// The longest text that to_string writes.
inline constexpr int text_limit = 65536;

// A template, so that only programs that print pay for it.
template <class Row>
struct outline_of {
    // A step visits one type; a task with an arity joins the operands found last.
    using visitor = void (*)(outline_of&, int position);
    // The key of a row: the type's hash, and its step, which is unique.
    struct identity {
        visitor step = nullptr;
        hash_value hash = 0;
        bool known = false; // not shared otherwise, because it holds numbers
    };
    struct task {
        visitor step = nullptr;
        int position = 0; // of the first stored number
        named_code what;
        int arity = 0;
        identity type{};
    };
    struct known_type {
        identity type{};
        int row = -1;
    };

    list<Row> rows;
    list<coefficient> constants;
    list<task> tasks;
    list<int> results;
    list<known_type> known;
    int known_count = 0;

    constexpr outline_of() : known(64) {}

    [[nodiscard]] constexpr int position_of(identity type) const {
        const unsigned mask = static_cast<unsigned>(known.size()) - 1;
        unsigned i = static_cast<unsigned>(type.hash) & mask;
        for (;; i = (i + 1) & mask) {
            const known_type& k = known[static_cast<int>(i)];
            if (k.row < 0 || (k.type.hash == type.hash && same_function(k.type.step, type.step)))
                return static_cast<int>(i);
        }
    }
    /// Uses the row of a type that was visited before as the result, if there is one.
    constexpr bool find(identity type) {
        const int row = known[position_of(type)].row;
        if (row >= 0) results.push_back(row);
        return row >= 0;
    }
    constexpr void add(const Row& row, identity type) {
        rows.push_back(row);
        results.push_back(rows.size() - 1);
        if (!type.known) return;
        if (2 * ++known_count > known.size()) {
            list<known_type> old(2 * known.size());
            old.swap(known);
            for (int i = 0; i < old.size(); ++i)
                if (old[i].row >= 0) known[position_of(old[i].type)] = old[i];
        }
        known[position_of(type)] = {type, rows.size() - 1};
    }
    constexpr void add_variable(const char* name, identity type) {
        Row row;
        row.name = name;
        while (name[row.length] != '\0') ++row.length;
        add(row, type);
    }
    template <class Coefficient>
    constexpr void add_constant(const Coefficient& value, identity type) {
        Row row;
        const number_text text = text_of_constant(value);
        row.constant = constants.size();
        row.length = text.size;
        row.binding = text.fraction ? of_product : text.negative() ? of_sign : of_name;
        row.beginning = text.negative() ? -1 : -2;
        constants.push_back(value);
        add(row, type);
    }
    constexpr void add_number(int number) {
        Row row;
        row.number = number;
        row.length = 24;
        row.beginning = number;
        add(row, {});
    }

    // Whether an operand is in parentheses; a stored number may need them, depending on its value.
    [[nodiscard]] constexpr bool left_in_parentheses(const Row& row) const {
        const precedence operand = rows[row.a].binding;
        return operand < (is_prefix(row.code) ? of_name : row.binding);
    }
    [[nodiscard]] constexpr bool right_in_parentheses(const Row& row) const {
        const precedence operand = rows[row.b].binding;
        return operand <= row.binding || (rows[row.b].beginning == -1 && row.binding >= of_sum);
    }
    // Whether the right operand is in parentheses if the stored number with which it begins is negative.
    [[nodiscard]] constexpr bool right_may_need_parentheses(const Row& row) const {
        return rows[row.b].beginning >= 0 && row.binding >= of_sum;
    }

    constexpr void join(const task& t) {
        Row row;
        row.code = t.what.code;
        row.name = t.what.name;
        if (t.arity == 3) row.c = results.pop_back();
        if (t.arity >= 2) row.b = results.pop_back();
        row.a = results.pop_back();
        add(row.code == functions::pow_by_order::position ? with_factors(row) : measured(row), t.type);
    }
    // The derivative of an order of an integer power as users write it, n * (n - 1) * pow(x, n - 2), where n is a
    // stored number.
    constexpr Row with_factors(const Row& row) {
        const bool of_number = rows[row.c].number >= 0;
        const int given = of_number ? rows[row.a].constant : -1;
        const integer order = given >= 0 && constants[given].denominator == 1 ? constants[given].numerator : 0;
        if (order < 1 || order > 4) return measured(row);
        const auto append = [this](unsigned code, int a, int b) {
            Row part;
            part.code = code;
            part.a = a;
            part.b = b;
            rows.push_back(measured(part));
            return rows.size() - 1;
        };
        int factor = row.c, factors = row.c;
        for (integer k = 1;; ++k) {
            add_constant(coefficient(k), {});
            factor = append(operations::subtract::code, row.c, results.pop_back());
            if (k == order) break;
            factors = append(operations::multiply::code, factors, factor);
        }
        Row product;
        product.code = operations::multiply::code;
        product.a = factors;
        product.b = append(functions::pow::position, row.b, factor);
        return measured(product);
    }
    // A row with its length, and with what its text holds together by and begins with.
    [[nodiscard]] constexpr Row measured(Row row) const {
        // Lengths are at most the limit, and a little more: no sum of three overflows.
        row.length = rows[row.a].length + (row.b < 0 ? 0 : rows[row.b].length) + (row.c < 0 ? 0 : rows[row.c].length);
        if (is_prefix(row.code)) {
            row.binding = of_sign;
            row.beginning = row.code == operations::negate::code ? -1 : -2;
            row.length += left_in_parentheses(row) || rows[row.a].beginning >= 0 ? 3 : 1;
        } else if (is_infix(row.code)) {
            row.binding = precedence_of(row.code);
            const bool left = left_in_parentheses(row), right = right_in_parentheses(row);
            if (!left) row.beginning = rows[row.a].beginning;
            for (const char* c = infix_sign(row.code); *c != '\0'; ++c) ++row.length;
            row.length += (left ? 2 : 0) + (right || right_may_need_parentheses(row) ? 2 : 0);
        } else {
            for (const char* c = function_name(row); *c != '\0'; ++c) ++row.length;
            row.length += row.c >= 0 ? 6 : row.b >= 0 ? 4 : 2;
        }
        if (row.length > text_limit) row.length = text_limit + 1;
        return row;
    }

    template <class E>
    constexpr void run();
};
using outline = outline_of<outline_row>;
/// The same in a template over E, until which it is not instantiated.
template <class E>
using outline_when = outline_of<std::conditional_t<(sizeof(E) > 0), outline_row, E>>;

template <class E, class Outline = outline>
CHAINRULE_PER_NODE void visit(Outline& o, int position) {
    constexpr bool known = int{E::numbers} == 0;
    if constexpr (int{E::arity} == 0) {
        if constexpr (!known) {
            o.add_number(position);
        } else if (!o.find({visit<E>, E::hash, true})) {
            if constexpr (requires { typename E::name; })
                o.add_variable(E::text, {visit<E>, E::hash, true});
            else
                o.add_constant(E::value(), {visit<E>, E::hash, true});
        }
    } else if (!known || !o.find({visit<E>, E::hash, true})) {
        CHAINRULE_SHORTCUT(visit<typename E::shortcut>);
        o.tasks.push_back({nullptr, 0, named_code(E::operation::code), E::arity, {visit<E>, E::hash, known}});
        if constexpr (int{E::arity} == 3)
            o.tasks.push_back(
                {visit<typename E::third>, position + int{E::first::numbers} + int{E::second::numbers}, {}, 0, {}});
        if constexpr (int{E::arity} >= 2)
            o.tasks.push_back({visit<typename E::second>, position + int{E::first::numbers}, {}, 0, {}});
        o.tasks.push_back({visit<typename E::first>, position, {}, 0, {}});
    }
}

template <class Row>
template <class E>
constexpr void outline_of<Row>::run() {
    tasks.push_back({visit<E>, 0, {}, 0, {}});
    while (!tasks.empty()) {
        const task t = tasks.pop_back();
        // With g++'s undefined behaviour sanitizer, comparing an address with a null pointer is not a constant
        // expression.
        if (t.arity == 0)
            t.step(*this, t.position);
        else
            join(t);
    }
}

} // namespace detail
} // namespace chainrule
