// SPDX-License-Identifier: BSL-1.0
//
// How is an expression written? As the C++ that builds it, with parentheses only where it would otherwise mean something
// else: "1 / x + y". Each distinct part of the type becomes one row of an outline, where lengths are added up before
// anything is written, because the text of an expression with shared parts is exponentially longer than its type.
// symbolic/program_text.hpp prints programs, where shared parts appear once.
#pragma once

#include <chainrule/expression/node.hpp>
#include <chainrule/program/list.hpp>
#include <chainrule/symbolic/decimal.hpp>
#include <chainrule/symbolic/fixed_text.hpp>

#include <array>
#include <cstddef>

namespace chainrule {

namespace program {

/// The names of the functions, by position in the table.
inline constexpr const char* function_names[] = {
#define CHAINRULE_ROW(NAME, ...) #NAME,
    CHAINRULE_FUNCTIONS(CHAINRULE_ROW, CHAINRULE_ROW, CHAINRULE_ROW)
#undef CHAINRULE_ROW
};

/// What stands between two operands, by code, from that of `add` to that of `disjunction`; select() has a name instead.
inline constexpr const char* infix_signs[] = {" + ", " - ", " * ", " / ", "", " < ", " <= ", " > ", " >= ", " == ", " != ", " && ", " || "};
constexpr const char* infix_sign(unsigned code) { return infix_signs[code - operations::add::code]; }

constexpr bool is_prefix(unsigned code) { return code == operations::negate::code || code == relations::negation::code; }
constexpr bool is_infix(unsigned code) {
    return code > operations::negate::code && code != operations::select::code && code != relations::negation::code;
}

/// The code that stands for every function that is not in the table, where its name stands beside.
inline constexpr unsigned any_own_function = 255;

/// What a node does, for its text: its code, and the name where the code does not say it.
struct named_code {
    unsigned code = 0;
    const char* name = nullptr;

    constexpr named_code() = default;
    constexpr named_code(unsigned c) : code(c) {}
    template <class F>
    constexpr named_code(own_code<F>) : code(any_own_function), name(F::name) {}
};

/// How tightly the parts of a text hold together.
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
    const char* name = nullptr; // of a variable, or of a function that is not in the table
    int constant = -1;          // position in the outline's list of them
    int number = -1;            // stored number
    int length = 0;
    precedence binding = of_name;
    // What the text begins with: a stored number (its position), or a minus (-1), or neither (-2).
    int beginning = -2;
};

constexpr const char* function_name(const outline_row& row) {
    return row.name != nullptr ? row.name : row.code == operations::select::code ? "select" : function_names[row.code];
}

/// The longest text that to_string writes.
inline constexpr int text_limit = 65536;

struct outline {
    // A step visits one type; a task with an arity joins the operands found last.
    struct task {
        void (*step)(outline&, int number) = nullptr;
        int number = 0; // position of the first stored number
        named_code what;
        int arity = 0;
        hash_value hash = 0; // 0: not to be found again, because it holds numbers
    };
    struct known_type {
        hash_value hash = 0;
        int row = -1;
    };

    list<outline_row> rows;
    list<coefficient> constants;
    list<task> tasks;
    list<int> results;
    list<known_type> known;
    int known_count = 0;

    constexpr outline() : known(64) {}

    [[nodiscard]] constexpr int position_of(hash_value hash) const {
        const unsigned mask = static_cast<unsigned>(known.size()) - 1;
        unsigned i = static_cast<unsigned>(hash) & mask;
        while (known[static_cast<int>(i)].row >= 0 && known[static_cast<int>(i)].hash != hash) i = (i + 1) & mask;
        return static_cast<int>(i);
    }
    /// Takes the row of a type that was visited before as result, if there is one.
    constexpr bool find(hash_value hash) {
        const int row = known[position_of(hash)].row;
        if (row >= 0) results.push_back(row);
        return row >= 0;
    }
    constexpr void add(const outline_row& row, hash_value hash) {
        rows.push_back(row);
        results.push_back(rows.size() - 1);
        if (hash == 0) return;
        if (2 * ++known_count > known.size()) {
            list<known_type> old(2 * known.size());
            old.swap(known);
            for (int i = 0; i < old.size(); ++i)
                if (old[i].row >= 0) known[position_of(old[i].hash)] = old[i];
        }
        known[position_of(hash)] = {hash, rows.size() - 1};
    }
    constexpr void add_variable(const char* name, hash_value hash) {
        outline_row row;
        row.name = name;
        while (name[row.length] != '\0') ++row.length;
        add(row, hash);
    }
    constexpr void add_constant(const coefficient& value, hash_value hash) {
        outline_row row;
        const number_text text = text_of_constant(value);
        row.constant = constants.size();
        row.length = text.size;
        row.binding = text.fraction ? of_product : text.negative() ? of_sign : of_name;
        row.beginning = text.negative() ? -1 : -2;
        constants.push_back(value);
        add(row, hash);
    }
    constexpr void add_number(int number) {
        outline_row row;
        row.number = number;
        row.length = 24;
        row.beginning = number;
        add(row, 0);
    }

    // Whether an operand stands in parentheses; a stored number may need them when its value is known.
    [[nodiscard]] constexpr bool left_in_parentheses(const outline_row& row) const {
        return is_prefix(row.code) ? rows[row.a].binding < of_name : rows[row.a].binding < row.binding;
    }
    [[nodiscard]] constexpr bool right_in_parentheses(const outline_row& row) const {
        return rows[row.b].binding <= row.binding || (rows[row.b].beginning == -1 && row.binding >= of_sum);
    }
    // Whether the right operand stands in parentheses where the stored number with which it begins is negative.
    [[nodiscard]] constexpr bool right_may_need_parentheses(const outline_row& row) const {
        return rows[row.b].beginning >= 0 && row.binding >= of_sum;
    }

    constexpr void join(const task& t) {
        outline_row row;
        row.code = t.what.code;
        row.name = t.what.name;
        if (t.arity == 3) row.c = results.pop_back();
        if (t.arity >= 2) row.b = results.pop_back();
        row.a = results.pop_back();
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
            row.length += 2 * t.arity;
        }
        if (row.length > text_limit) row.length = text_limit + 1;
        add(row, t.hash);
    }

    template <class E>
    constexpr void run();
};

template <class E>
CHAINRULE_PER_NODE void visit(outline& o, int number) {
    if constexpr (int{E::arity} == 0) {
        if constexpr (int{E::numbers} > 0) {
            o.add_number(number);
        } else if (!o.find(E::hash)) {
            if constexpr (requires { typename E::name; })
                o.add_variable(E::text, E::hash);
            else
                o.add_constant(E::value(), E::hash);
        }
    } else if (int{E::numbers} > 0 || !o.find(E::hash)) {
        o.tasks.push_back({nullptr, 0, named_code(E::operation::code), E::arity, int{E::numbers} > 0 ? 0 : hash_value{E::hash}});
        if constexpr (int{E::arity} == 3)
            o.tasks.push_back({visit<typename E::third>, number + int{E::first::numbers} + int{E::second::numbers}, {}, 0, 0});
        if constexpr (int{E::arity} >= 2)
            o.tasks.push_back({visit<typename E::second>, number + int{E::first::numbers}, {}, 0, 0});
        o.tasks.push_back({visit<typename E::first>, number, {}, 0, 0});
    }
}

template <class E>
constexpr void outline::run() {
    tasks.push_back({visit<E>, 0, {}, 0, 0});
    while (!tasks.empty()) {
        const task t = tasks.pop_back();
        // With g++'s undefined behaviour sanitizer, comparing an address with a null pointer is no constant expression.
        if (t.arity == 0)
            t.step(*this, t.number);
        else
            join(t);
    }
}

// The text of an expression with places for its stored numbers: characters, and from 256 on three marks per number.
enum mark : int { digits_of_number, open_if_negative, close_if_negative };
constexpr int marked(mark m, int number) { return 256 + 3 * number + m; }

template <class Token, int Capacity>
struct token_text {
    std::array<Token, static_cast<std::size_t>(Capacity + 1)> tokens{};
    int size = 0;

    constexpr void put(int token) { tokens[static_cast<std::size_t>(size++)] = static_cast<Token>(token); }
    constexpr void put(const char* text) {
        for (; *text != '\0'; ++text) put(*text);
    }

    constexpr explicit token_text(const outline& o) {
        list<int> stack;                    // tokens, and rows as ~row
        list<int> place(o.rows.size(), -1); // where a row was written: there it can be copied from
        const auto push_operand = [&](int operand, bool parentheses, bool where_negative = true) {
            const int number = parentheses || !where_negative ? -1 : o.rows[operand].beginning;
            if (parentheses) stack.push_back(')');
            if (number >= 0) stack.push_back(marked(close_if_negative, number));
            stack.push_back(~operand);
            if (parentheses) stack.push_back('(');
            if (number >= 0) stack.push_back(marked(open_if_negative, number));
        };
        const auto push_left = [&](const outline_row& row) {
            if (o.left_in_parentheses(row))
                push_operand(row.a, true);
            else
                stack.push_back(~row.a);
        };
        stack.push_back(~(o.rows.size() - 1));
        while (!stack.empty()) {
            const int top = stack.pop_back();
            if (top >= 0) {
                put(top);
                continue;
            }
            const outline_row& row = o.rows[~top];
            if (place[~top] >= 0) {
                const std::size_t from = static_cast<std::size_t>(place[~top]), to = static_cast<std::size_t>(size);
                const std::size_t length = static_cast<std::size_t>(row.length);
                for (std::size_t i = 0; i < length; ++i) tokens[to + i] = tokens[from + i];
                size += row.length;
                continue;
            }
            place[~top] = size;
            if (row.number >= 0) {
                put(marked(digits_of_number, row.number));
            } else if (row.constant >= 0) {
                put(text_of_constant(o.constants[row.constant]).characters);
            } else if (row.a < 0) {
                put(row.name);
            } else if (is_prefix(row.code)) {
                put(row.code == operations::negate::code ? '-' : '!');
                push_operand(row.a, o.left_in_parentheses(row));
            } else if (is_infix(row.code)) {
                push_operand(row.b, o.right_in_parentheses(row), o.right_may_need_parentheses(row));
                const char* const sign = infix_sign(row.code);
                for (auto i = __builtin_strlen(sign); i-- > 0;) stack.push_back(sign[i]);
                push_left(row);
            } else {
                put(function_name(row));
                put('(');
                stack.push_back(')');
                for (const int operand : {row.c, row.b}) {
                    if (operand < 0) continue;
                    stack.push_back(~operand);
                    stack.push_back(' ');
                    stack.push_back(',');
                }
                stack.push_back(~row.a);
            }
        }
    }
};

/// Stands for a text beyond the limit: every use is an error. The error arises here, and not in to_string, because
/// compilers would then write out the type of the expression, which is longer still.
struct too_long_text {
private:
    // Use depends on the caller's template: otherwise clang instantiates this before anyone calls it.
    template <class T, class Use = T>
    static constexpr T refuse() {
        static_assert(!std::is_same_v<Use, Use>,
                      "to_string: the text of the expression has more than 65,536 characters, because parts that it shares "
                      "are written wherever they occur; use program_text(function(f, wrt(x))), or print parts of f");
        return T();
    }

public:
    template <class T = const char*>
    constexpr T c_str() const {
        return refuse<T>();
    }
    template <class T = const char*>
    constexpr T data() const {
        return refuse<T>();
    }
    template <class T = std::size_t>
    constexpr T size() const {
        return refuse<T>();
    }
    template <class T>
        requires std::is_class_v<T>
    constexpr operator T() const {
        return refuse<T>();
    }
    template <class T>
    friend constexpr bool operator==(const too_long_text&, const T&) {
        return refuse<bool, T>();
    }
    template <class Stream>
    friend Stream& operator<<(Stream& stream, const too_long_text&) {
        (void)refuse<bool, Stream>();
        return stream;
    }
};

/// The text of the expression type E.
template <class E>
struct text_of {
    static constexpr int measure() {
        outline o;
        o.run<E>();
        return o.rows.back().length;
    }
    enum : int { length = measure() };

private:
    static constexpr auto write() {
        outline o;
        o.run<E>();
        return token_text<std::conditional_t<(int{E::numbers} > 0), int, char>, length>(o);
    }
    static constexpr auto fill() {
        constexpr auto tokens = write();
        fixed_text<static_cast<std::size_t>(tokens.size)> text;
        for (int i = 0; i < tokens.size; ++i) text.push_back(tokens.tokens[static_cast<std::size_t>(i)]);
        return text;
    }
    static constexpr auto tokens_if_any() {
        if constexpr (length > text_limit)
            return too_long_text{};
        else if constexpr (int{E::numbers} > 0)
            return write();
        else
            return fill();
    }

public:
    /// The text, or, where E stores numbers, the tokens.
    static constexpr auto value = tokens_if_any();
};

/// Writes stored numbers, one after the other.
struct number_texts {
    number_text* to;
    template <class N>
    constexpr void operator()(const N& number) {
        *to++ = text_of_number(plain(number));
    }
};

} // namespace program

/// An expression as text: the C++ that builds it, with as few parentheses as keep its meaning. Exact constants appear as
/// integers, as decimals where these are exact, or as fractions; stored numbers with the digits that identify them.
/// For an expression without stored numbers the result is a reference to a constant that lives as long as the program;
/// otherwise it is an object. More than 65,536 characters are an error.
/// Predicates are written likewise.
/// Example: `static_assert(to_string(derivative(log(x) + x * y - sin(y), x)) == "1 / x + y");`
template <class E>
    requires(expression<E> || predicate<E>)
[[nodiscard]] constexpr decltype(auto) to_string([[maybe_unused]] const E& f) {
    if constexpr (int{E::numbers} == 0 || program::text_of<E>::length > program::text_limit) {
        return (program::text_of<E>::value);
    } else {
        using pattern = program::text_of<E>;
        program::number_text numbers[E::numbers];
        program::number_texts texts{numbers};
        program::for_each_number(f, texts);
        fixed_text<static_cast<std::size_t>(pattern::length)> text;
        for (int i = 0; i < pattern::value.size; ++i) {
            const int token = pattern::value.tokens[static_cast<std::size_t>(i)];
            if (token < 256) {
                text.push_back(static_cast<char>(token));
                continue;
            }
            const program::number_text& number = numbers[(token - 256) / 3];
            switch ((token - 256) % 3) {
            case program::digits_of_number:
                for (int k = 0; k < number.size; ++k) text.push_back(number.characters[k]);
                break;
            case program::open_if_negative:
                if (number.negative()) text.push_back('(');
                break;
            default:
                if (number.negative()) text.push_back(')');
                break;
            }
        }
        return text;
    }
}

} // namespace chainrule
