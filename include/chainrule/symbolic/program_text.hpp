// SPDX-License-Identifier: BSL-1.0
//
// Which instructions will run? program_text(F) prints the program that a kernel is made of, and operation_count(F) counts
// its operations. Both read the frozen program (program/compile.hpp) from which kernel/emit.hpp makes machine code.
#pragma once

#include <chainrule/kernel/function.hpp>
#include <chainrule/symbolic/text.hpp>

namespace chainrule {

/// How many operations of each sort a program executes. A fused operation is a product added to or subtracted from
/// something in one step; the compiler makes one machine instruction of it where its flags allow. A call is one function
/// of the table; sine and cosine of one argument are one call.
struct operation_counts {
    int additions = 0; // and subtractions
    int multiplications = 0;
    int divisions = 0;
    int negations = 0;
    int fused = 0;
    int calls = 0;
    int selections = 0; // comparisons, logical operations, and choices by them
    int total = 0;
    int cost = 0; // of all, weighted by what they take, in additions: program/cost.hpp has the measured weights

    friend constexpr bool operator==(const operation_counts&, const operation_counts&) = default;
};

namespace program {

/// What is asked where nothing else is said: values and first derivatives.
inline constexpr unsigned usual_request = values | jacobians;

template <class Code>
[[nodiscard]] constexpr operation_counts count_operations(const Code& code) {
    operation_counts n;
    for (int i = 0; i < code.size; ++i) {
        const instruction s = kernel::unpack(code.body[static_cast<std::size_t>(i)]);
        if (s.what == operation::call) n.cost += call_cost(s.function);
        if (s.what == operation::sine_cosine) n.cost += operation_cost::elementary;
        switch (s.what) {
        case operation::add:
        case operation::subtract: ++n.additions; break;
        case operation::multiply: ++n.multiplications; break;
        case operation::divide: ++n.divisions; break;
        case operation::negate: ++n.negations; break;
        case operation::multiply_add:
        case operation::multiply_subtract:
        case operation::negative_multiply_add:
        case operation::negative_multiply_subtract: ++n.fused; break;
        case operation::call:
        case operation::sine_cosine: ++n.calls; break;
        case operation::condition:
        case operation::select: ++n.selections; break;
        default: break;
        }
    }
    n.total = n.additions + n.multiplications + n.divisions + n.negations + n.fused + n.calls + n.selections;
    n.cost += operation_cost::addition * (n.additions + n.negations) + operation_cost::multiplication * (n.multiplications + n.fused) +
              operation_cost::division * n.divisions + operation_cost::selection * n.selections;
    return n;
}

struct named_function {
    const char* name;
    int arity;
};
/// The functions of a list; the last one stands for none.
template <class... F>
constexpr std::array<named_function, sizeof...(F) + 1> names_of_functions(type_list<F...>) {
    return {{{F::name, F::arity}..., {nullptr, 0}}};
}

/// What the names in a program's text depend on.
struct listing_names {
    const char* const* inputs;
    int input_count;
    int values; // outputs by request
    int wrt;
    unsigned request;
    const named_function* own_functions; // that are not in the table, in the order of their numbers
};

// Names that the text gives must not be those of variables: it appends _ to a prefix until no variable has the prefix
// alone or with a number behind it.
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

template <class Code>
class listing {
public:
    /// Writes to `to`, or only measures where it is null.
    constexpr listing(const Code& code, const listing_names& names, char* to) : code_(code), names_(names), to_(to) {
        const int slots = code.constant_count + code.size;
        for (int i = 0; i < 5; ++i) underscores_[i] = underscores(prefixes[i], names);
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
        // A result that serves as one output and nothing else has that output's name.
        for (int i = 0; i < code.size; ++i) {
            const instruction s = at(i);
            if (s.what == operation::output && uses[s.a] == 1 && s.a >= code.constant_count)
                name_[s.a] = {label::output, s.b};
        }
        for (int i = 0; i < code.size; ++i) line(i);
    }
    [[nodiscard]] constexpr int size() const { return size_; }

private:
    struct label {
        enum kind : unsigned char { none, constant, input, number, temporary, sine, cosine, output } what = none;
        int index = 0;
    };

    const Code& code_;
    const listing_names& names_;
    list<label> name_;
    char* to_;
    int size_ = 0;
    int temporaries_ = 0;
    int pairs_ = 0;
    enum prefix : int { of_value, of_temporary, of_number, of_sine, of_cosine };
    static constexpr char prefixes[5] = {'f', 't', 'n', 's', 'c'};
    int underscores_[5] = {};

    [[nodiscard]] constexpr instruction at(int i) const { return kernel::unpack(code_.body[static_cast<std::size_t>(i)]); }
    static constexpr bool is_arithmetic(const instruction& s) {
        return operation::add <= s.what && s.what <= operation::divide;
    }
    static constexpr const char* signs[4] = {" + ", " - ", " * ", " / "};
    [[nodiscard]] constexpr int operand_count(const instruction& s) const {
        if (is_arithmetic(s)) return 2;
        switch (s.what) {
        case operation::variable:
        case operation::number:
        case operation::constant:
        case operation::cosine_of_pair:
        case operation::refresh: return 0;
        case operation::negate:
        case operation::sine_cosine:
        case operation::reload:
        case operation::output: return 1;
        case operation::call: return arity(s.function);
        case operation::condition: return 2;
        default: return 3;
        }
    }
    [[nodiscard]] constexpr int arity(unsigned function) const {
        constexpr int arities[] = {
#define CHAINRULE_ROW(NAME, ...) functions::NAME::arity,
            CHAINRULE_FUNCTIONS(CHAINRULE_ROW, CHAINRULE_ROW, CHAINRULE_ROW)
#undef CHAINRULE_ROW
        };
        return function < first_own_function ? arities[function] : names_.own_functions[function - first_own_function].arity;
    }
    [[nodiscard]] constexpr const char* name_of_function(unsigned function) const {
        return function < first_own_function ? function_names[function] : names_.own_functions[function - first_own_function].name;
    }

    // clang counts the statements of an evaluation, also those that a switch skips, but not its expressions, and gives up
    // after 2^20: few statements for each character, and frequent cases before a switch.
    constexpr void put(char c) { to_ == nullptr ? void(++size_) : void(to_[size_++] = c); }
    constexpr void put(const char* text, int length) {
        if (to_ != nullptr) {
#if defined(__clang__)
            __builtin_memcpy(to_ + size_, text, static_cast<std::size_t>(length));
#else
            for (int i = 0; i < length; ++i) to_[size_ + i] = text[i];
#endif
        }
        size_ += length;
    }
    constexpr void put(const char* text) { put(text, static_cast<int>(__builtin_strlen(text))); }
    constexpr void put(int number) {
        number < 10 ? void() : put(number / 10), put(static_cast<char>('0' + number % 10));
    }
    constexpr void put_prefix(prefix p) { put(prefixes[p]), underscores_[p] > 0 ? put_underscores(underscores_[p]) : void(); }
    constexpr void put_underscores(int count) {
        for (; count > 0; --count) put('_');
    }
    constexpr void put_prefix(prefix p, int number) {
        put_prefix(p);
        put(number);
    }

    // Where a text stands: a constant may need parentheses there.
    enum position { alone, first, later };
    constexpr void put_slot(int slot, position where = alone) {
        const label l = name_[slot];
        if (l.what == label::temporary) return put_prefix(of_temporary, l.index);
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
        case label::number: put_prefix(of_number, l.index + 1); break;
        case label::sine: put_prefix(of_sine, l.index); break;
        case label::cosine: put_prefix(of_cosine, l.index); break;
        case label::output: put_output(l.index); break;
        }
    }

    constexpr void put_value_name(int i) {
        put_prefix(of_value);
        if (names_.values > 1) put(i + 1);
    }
    constexpr void put_output(int k) {
        if ((names_.request & values) != 0) {
            if (k < names_.values) return put_value_name(k);
            k -= names_.values;
        }
        if ((names_.request & jacobians) != 0) {
            if (k < names_.values * names_.wrt) {
                put('d');
                put_value_name(k / names_.wrt);
                put("/d");
                put(names_.inputs[k % names_.wrt]);
                return;
            }
            k -= names_.values * names_.wrt;
        }
        const int triangle = names_.wrt * (names_.wrt + 1) / 2;
        int row = 0, column = k % triangle;
        for (; column >= names_.wrt - row; ++row) column -= names_.wrt - row;
        put("d2");
        put_value_name(k / triangle);
        put("/d");
        put(names_.inputs[row]);
        if (column == 0) return put('2');
        put(" d");
        put(names_.inputs[row + column]);
    }

    constexpr void infix(int a, const char* sign, int b) {
        put_slot(a, first);
        put(sign);
        put_slot(b, later);
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
        if (is_arithmetic(s)) {
            begin_line(slot);
            return infix(s.a, signs[static_cast<int>(s.what) - static_cast<int>(operation::add)], s.b);
        }
        switch (s.what) {
        case operation::variable: return input(slot, {label::input, s.a});
        case operation::number: return input(slot, {label::number, s.a});
        case operation::constant: return;
        case operation::cosine_of_pair:
        case operation::refresh: return;
        case operation::sine_cosine: return pair(slot, s.a);
        case operation::reload: return input(slot, name_[s.a]);
        case operation::output:
            if (name_[s.a].what == label::output && name_[s.a].index == s.b) return;
            if (size_ > 0) put('\n');
            put_output(s.b);
            put(" = ");
            return put_slot(s.a);
        default: break;
        }
        begin_line(slot);
        switch (s.what) {
        case operation::negate:
            put('-');
            put_slot(s.a, later);
            break;
        case operation::multiply_add:
        case operation::multiply_subtract:
            infix(s.a, " * ", s.b);
            put(s.what == operation::multiply_add ? " + " : " - ");
            put_slot(s.c, later);
            break;
        case operation::negative_multiply_add:
            put_slot(s.c, first);
            put(" - ");
            put_slot(s.a, later);
            put(" * ");
            put_slot(s.b, later);
            break;
        case operation::negative_multiply_subtract:
            put("-(");
            infix(s.a, " * ", s.b);
            put(") - ");
            put_slot(s.c, later);
            break;
        case operation::condition:
            if (s.function == static_cast<unsigned char>(relation::negation)) {
                put('!');
                put_slot(s.a, later);
            } else {
                infix(s.a, infix_sign(s.function + relations::less::code), s.b);
            }
            break;
        case operation::select:
            put("select(");
            put_slot(s.a);
            put(", ");
            put_slot(s.b);
            put(", ");
            put_slot(s.c);
            put(')');
            break;
        case operation::call:
            put(name_of_function(s.function));
            put('(');
            put_slot(s.a);
            if (arity(s.function) > 1) {
                put(", ");
                put_slot(s.b);
            }
            if (arity(s.function) > 2) {
                put(", ");
                put_slot(s.c);
            }
            put(')');
            break;
        default: break;
        }
    }
    // An input is no line of its own, except where it is an output at once.
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

/// The text of the program for a request to a positional_function.
template <unsigned Request, class F>
struct program_text_of;
template <unsigned Request, class... E, class... V, class... Bindings, bool Scalar>
struct program_text_of<Request, positional_function<type_list<E...>, type_list<V...>, parameters<Bindings...>, Scalar>> {
    using compiled_program =
        typename positional_function<type_list<E...>, type_list<V...>, parameters<Bindings...>,
                                     Scalar>::template code<Request>;
    using inputs = type_list<V..., typename Bindings::variable...>;

private:
    static constexpr const char* input_names[] = {V::text..., Bindings::variable::text..., nullptr};
    static constexpr auto own_functions = names_of_functions(typename compiled_program::own_functions{});
    static constexpr listing_names names{input_names, inputs::size, sizeof...(E), sizeof...(V), Request, own_functions.data()};

    static constexpr auto write() {
        constexpr int size = listing(compiled_program::code, names, nullptr).size();
        fixed_text<static_cast<std::size_t>(size)> text;
        text.resize(static_cast<std::size_t>(size));
        (void)listing(compiled_program::code, names, text.data());
        return text;
    }

public:
    static constexpr auto value = write();
};

inline constexpr fixed_text<0> no_text;

template <class F>
inline constexpr bool is_positional_function = false;
template <class Expressions, class Variables, class Parameters, bool Scalar>
inline constexpr bool is_positional_function<positional_function<Expressions, Variables, Parameters, Scalar>> = true;

/// Whether the text or count of a program can be asked; says what is wrong where not.
template <unsigned Request, class... E, class... V, class... Bindings, bool Scalar>
consteval bool complete(const positional_function<type_list<E...>, type_list<V...>, parameters<Bindings...>, Scalar>*) {
    using F = positional_function<type_list<E...>, type_list<V...>, parameters<Bindings...>, Scalar>;
    static_assert(Request > 0 && Request < 8,
                  "program_text, operation_count: the request is none of program::values, jacobians, hessians or a sum");
    return kernel::all_bound(std::type_identity<typename F::template code<Request>>{},
                             type_list<V..., typename Bindings::variable...>{});
}

} // namespace program

/// The straight-line program of a function made by function(), one instruction to a line. Asked are its values and first
/// derivatives, or what `Request` says: a sum of program::values, program::jacobians and program::hessians. t1, t2 and so
/// on are temporaries, n1, n2 stored numbers; parameters have their names. The result is a constant that lives as long
/// as the program.
/// Example: `std::cout << program_text(function(log(x) + x * y - sin(y), wrt(x, y)));`
template <unsigned Request = program::usual_request, class F>
    requires program::is_positional_function<F>
[[nodiscard]] constexpr const auto& program_text(const F&) {
    if constexpr (program::complete<Request>(static_cast<const F*>(nullptr)))
        return program::program_text_of<Request, F>::value;
    else
        return program::no_text;
}

/// How many operations that program executes; `Request` as for program_text().
/// Example: `static_assert(operation_count(function(x * y + x, wrt(x, y))).fused == 1);`
template <unsigned Request = program::usual_request, class F>
    requires program::is_positional_function<F>
[[nodiscard]] constexpr operation_counts operation_count(const F&) {
    if constexpr (program::complete<Request>(static_cast<const F*>(nullptr)))
        return program::count_operations(F::template code<Request>::code);
    else
        return {};
}

} // namespace chainrule
