// SPDX-License-Identifier: BSL-1.0
//
// How does a derived graph become nested types again? The derivative is written out in binary operations, one row of a
// table each, and every row becomes a type.
#pragma once

#include <chainrule/expression/variable.hpp>
#include <chainrule/kernel/numbers.hpp>
#include <chainrule/program/compile.hpp>

namespace chainrule::program {

/// One node of an expression tree in a table: a leaf, or an operation on earlier rows.
struct row {
    kind what{};
    unsigned char function = 0;
    int a = -1;
    int b = -1;
    int c = -1;
};

/// Writes terms of a graph as rows of binary operations.
class raising {
public:
    list<row> rows;
    list<coefficient> constants;

    constexpr explicit raising(graph& g) : g_(g) {}

    /// The row of a term.
    constexpr int run(term t) {
        if (t.is_zero()) return constant(coefficient(0));
        if (t.id == graph::one) return constant(g_.value(t.c));
        if (t.c == 0) return node_row(t.id);
        // A coefficient goes into a sum's own: 2 x - 6 y rather than 2 (x - 3 y).
        if (g_[t.id].what == kind::sum) return sum_row(t.id, t.c);
        if (g_[t.id].what == kind::product) return product_row(t.id, t.c);
        return scaled(t.c, node_row(t.id));
    }

private:
    graph& g_;
    list<int> done_;

    constexpr int push(kind what, int a, int b = -1, unsigned char function = 0, int c = -1) {
        rows.push_back({what, function, a, b, c});
        return rows.size() - 1;
    }
    constexpr int constant(const coefficient& c) {
        constants.push_back(c);
        return push(kind::constant, constants.size() - 1);
    }
    constexpr int scaled(int c, int row) {
        if (c == 0) return row;
        if (c == 1) return push(kind::negate, row);
        return push(kind::multiply, constant(g_.value(c)), row);
    }

    constexpr int node_row(int id) {
        if (done_.size() <= id) done_.resize(g_.size(), -1);
        if (done_[id] >= 0) return done_[id];
        const node n = g_[id];
        int r = -1;
        switch (n.what) {
        case kind::constant: r = constant(g_.is_zero(id) ? coefficient(0) : g_.value(n.a)); break;
        case kind::variable:
        case kind::slot: r = push(n.what, n.a); break;
        case kind::sum: r = sum_row(id, 0); break;
        case kind::product: r = product_row(id, 0); break;
        case kind::select: {
            const int c = node_row(g_.pool[n.a].id), a = node_row(g_.pool[n.a + 1].id);
            r = push(kind::select, c, a, 0, node_row(g_.pool[n.a + 2].id));
            break;
        }
        case kind::call_of_three: {
            const int a = node_row(g_.pool[n.a].id), b = node_row(g_.pool[n.a + 1].id);
            r = push(kind::call_of_three, a, b, n.function, node_row(g_.pool[n.a + 2].id));
            break;
        }
        default: {
            const int a = node_row(n.a);
            const int b = n.b < 0 ? -1 : node_row(n.b);
            r = push(n.what, a, b, n.function);
            break;
        }
        }
        done_[id] = r;
        return r;
    }

    constexpr int sum_row(int id, int scale) {
        const node n = g_[id];
        int acc = -1;
        // A positive term first, where there is one.
        int first = 0;
        for (int i = n.b - 1; i >= 0; --i)
            if (((g_.pool[n.a + i].c ^ scale) & 1) == 0) first = i;
        for (int k = 0; k < n.b; ++k) {
            const int i = k == 0 ? first : (k <= first ? k - 1 : k);
            const term t = g_.pool[n.a + i];
            const int c = g_.times(t.c, scale);
            if (acc < 0) {
                acc = run({c, t.id});
                continue;
            }
            const int next = run({c & ~1, t.id});
            acc = push((c & 1) != 0 ? kind::subtract : kind::add, acc, next);
        }
        return acc;
    }

    // c * numerator / denominator, with the constant's own numerator and denominator on either side.
    constexpr int product_row(int id, int c) {
        const node n = g_[id];
        int above = -1, below = -1;
        coefficient value = g_.value(c);
        const bool minus = value.is(-1);
        if (minus) value = coefficient(1);
        if (value.exact() && value.denominator != 1 && has_denominator(n)) {
            below = constant(coefficient(value.denominator));
            value = coefficient(value.numerator);
        }
        if (!value.is(1)) above = constant(value);
        for (int i = 0; i < n.b; ++i) {
            const term f = g_.pool[n.a + i];
            if (g_.is_condition(f.id)) continue;
            const int base = node_row(f.id);
            for (int e = f.c < 0 ? -f.c : f.c; e > 0; --e) {
                int& side = f.c < 0 ? below : above;
                side = side < 0 ? base : push(kind::multiply, side, base);
            }
        }
        if (above < 0) above = constant(coefficient(1));
        if (below >= 0) above = push(kind::divide, above, below);
        if (minus) above = push(kind::negate, above);
        // Where a guard does not hold, the product is zero.
        for (int i = 0; i < n.b; ++i) {
            const int guard = g_.pool[n.a + i].id;
            if (!g_.is_condition(guard)) continue;
            const int zero = constant(coefficient(0));
            if (g_.is_negation(guard))
                above = push(kind::select, node_row(g_[guard].a), zero, 0, above);
            else
                above = push(kind::select, node_row(guard), above, 0, zero);
        }
        return above;
    }
    [[nodiscard]] constexpr bool has_denominator(const node& n) const {
        for (int i = 0; i < n.b; ++i)
            if (g_.pool[n.a + i].c < 0) return true;
        return false;
    }
};

/// Rows of exact number, with the expression in the last one.
template <int Rows, int Constants, int OwnFunctions>
struct row_table {
    std::array<row, static_cast<std::size_t>(Rows)> rows{};
    std::array<coefficient, static_cast<std::size_t>(Constants + 1)> constants{};
    std::array<hash_value, static_cast<std::size_t>(OwnFunctions + 1)> own_functions{};
};

/// An expression as rows, the last of which is the whole; none where there is no expression.
struct written_rows {
    list<row> rows;
    list<coefficient> constants;
    list<own_function_entry> own_functions; // that are not in the table, in the order of their numbers
};
[[nodiscard]] constexpr written_rows write_rows(graph& g, term t) {
    raising r(g);
    (void)r.run(t);
    return {r.rows, r.constants, g.own_functions};
}

/// What a recipe writes, in arrays. derivation is a recipe.
template <class Recipe>
struct raised_rows {
private:
    struct sizes {
        int rows;
        int constants;
        int own_functions;
    };
    static constexpr sizes measure() {
        const written_rows r = Recipe::write();
        return {r.rows.size(), r.constants.size(), r.own_functions.size()};
    }
    static constexpr auto freeze() {
        constexpr sizes size = measure();
        row_table<size.rows, size.constants, size.own_functions> t;
        const written_rows r = Recipe::write();
        for (int i = 0; i < size.rows; ++i) t.rows[static_cast<std::size_t>(i)] = r.rows[i];
        for (int i = 0; i < size.constants; ++i) t.constants[static_cast<std::size_t>(i)] = r.constants[i];
        for (int i = 0; i < size.own_functions; ++i) t.own_functions[static_cast<std::size_t>(i)] = r.own_functions[i].hash;
        return t;
    }

public:
    static constexpr auto table = freeze();
    static constexpr int last = static_cast<int>(table.rows.size()) - 1;
    static constexpr row at(int i) { return table.rows[static_cast<std::size_t>(i)]; }
    static constexpr hash_value own_function(unsigned number) { return table.own_functions[number - first_own_function]; }
    static constexpr coefficient constant(int i) { return table.constants[static_cast<std::size_t>(i)]; }
};

/// The derivative of E by V..., by each in turn.
template <class E, class... V>
struct derivation {
    static constexpr written_rows write() {
        graph g;
        lowering l(g);
        term t{0, l.template run<E>()};
        const hash_value by[] = {V::hash..., 0};
        for (std::size_t k = 0; k < sizeof...(V); ++k) {
            list<int> wrt;
            for (int i = 0; i < l.variables.size(); ++i)
                if (l.variables[i].hash == by[k]) wrt.push_back(l.variables[i].node);
            list<term> gradient;
            adjoint_sweep(g, wrt).run(t, gradient);
            t = gradient.empty() ? term{} : gradient[0];
        }
        return write_rows(g, t);
    }
};
template <class E, class... V>
using derived_rows = raised_rows<derivation<E, V...>>;

/// The variables of expressions E..., in order of first appearance, as a type_list.
template <class... E>
struct variables_of {
private:
    static constexpr int count() {
        graph g;
        lowering l(g);
        ((void)l.template run<E>(), ...);
        return l.variables.size();
    }
    static constexpr auto list_names() {
        std::array<const char*, static_cast<std::size_t>(count() + 1)> texts{};
        graph g;
        lowering l(g);
        ((void)l.template run<E>(), ...);
        for (int i = 0; i < l.variables.size(); ++i) texts[static_cast<std::size_t>(i)] = l.variables[i].text;
        return texts;
    }
    static constexpr auto names = list_names();
    static constexpr std::size_t length(const char* text) {
        std::size_t n = 0;
        while (text[n] != '\0') ++n;
        return n;
    }
    template <std::size_t K, std::size_t... I>
    static auto spell(std::index_sequence<I...>) -> typename symbol<boost::hana::string<names[K][I]...>>::node;
    template <std::size_t... K>
    static auto collect(std::index_sequence<K...>)
        -> type_list<decltype(spell<K>(std::make_index_sequence<length(names[K])>{}))...>;

public:
    using type = decltype(collect(std::make_index_sequence<names.size() - 1>{}));
};

/// The function that row I calls.
template <class Rows, unsigned Number>
struct raised_function : functions::row_at<Number> {};
template <class Rows, unsigned Number>
    requires(Number >= first_own_function)
struct raised_function<Rows, Number> {
    using type = own_function_type<Rows::own_function(Number)>;
};

/// The type of row I, and the object of that type with its stored numbers.
template <class Rows, class Variables, class Number, int I, kind What = Rows::at(I).what>
struct raised;

template <class Rows, class Variables, class Number, int I>
struct raised<Rows, Variables, Number, I, kind::constant> {
    static constexpr coefficient value() { return Rows::constant(Rows::at(I).a); }
    using type = decltype(constant_of<value>());
};
template <class Rows, class Variables, class Number, int I>
struct raised<Rows, Variables, Number, I, kind::variable> : type_at<Rows::at(I).a, Variables> {};
template <class Rows, class Variables, class Number, int I>
struct raised<Rows, Variables, Number, I, kind::slot> {
    using type = typename number<Number>::node;
    template <class Numbers>
    static constexpr type make(const Numbers& numbers) {
        return {numbers[static_cast<std::size_t>(Rows::at(I).a)]};
    }
};

template <class Rows, class Variables, class Number, int I, class Operation>
struct raised_unary {
    using a = raised<Rows, Variables, Number, Rows::at(I).a>;
    using type = node_of<Operation, typename a::type>;
    template <class Numbers>
    static constexpr type make(const Numbers& numbers) {
        return {{a::make(numbers)}};
    }
};
template <class Rows, class Variables, class Number, int I, class Operation>
struct raised_binary {
    using a = raised<Rows, Variables, Number, Rows::at(I).a>;
    using b = raised<Rows, Variables, Number, Rows::at(I).b>;
    using type = node_of<Operation, typename a::type, typename b::type>;
    template <class Numbers>
    static constexpr type make(const Numbers& numbers) {
        if constexpr (int{a::type::numbers} == 0)
            return {{b::make(numbers)}};
        else if constexpr (int{b::type::numbers} == 0)
            return {{a::make(numbers)}};
        else
            return {{a::make(numbers), b::make(numbers)}};
    }
};

template <class Rows, class Variables, class Number, int I, class Operation>
struct raised_ternary {
    using a = raised<Rows, Variables, Number, Rows::at(I).a>;
    using b = raised<Rows, Variables, Number, Rows::at(I).b>;
    using c = raised<Rows, Variables, Number, Rows::at(I).c>;
    using type = node_of<Operation, typename a::type, typename b::type, typename c::type>;
    template <class Numbers>
    static constexpr type make(const Numbers& numbers) {
        type result{};
        if constexpr (int{a::type::numbers} > 0) result.a = a::make(numbers);
        if constexpr (int{b::type::numbers} > 0) result.b = b::make(numbers);
        if constexpr (int{c::type::numbers} > 0) result.c = c::make(numbers);
        return result;
    }
};
template <class Rows, class Variables, class Number, int I, relation What>
struct raised_condition;
#define CHAINRULE_RELATION(NAME, BASE)                                                                                 \
    template <class Rows, class Variables, class Number, int I>                                                        \
    struct raised_condition<Rows, Variables, Number, I, relation::NAME> : BASE<Rows, Variables, Number, I, relations::NAME> {};
CHAINRULE_RELATION(less, raised_binary)
CHAINRULE_RELATION(less_equal, raised_binary)
CHAINRULE_RELATION(greater, raised_binary)
CHAINRULE_RELATION(greater_equal, raised_binary)
CHAINRULE_RELATION(equal, raised_binary)
CHAINRULE_RELATION(not_equal, raised_binary)
CHAINRULE_RELATION(conjunction, raised_binary)
CHAINRULE_RELATION(disjunction, raised_binary)
CHAINRULE_RELATION(negation, raised_unary)
#undef CHAINRULE_RELATION

template <class Rows, class Variables, class Number, int I>
struct raised<Rows, Variables, Number, I, kind::condition>
    : raised_condition<Rows, Variables, Number, I, static_cast<relation>(Rows::at(I).function)> {};
template <class Rows, class Variables, class Number, int I>
struct raised<Rows, Variables, Number, I, kind::select> : raised_ternary<Rows, Variables, Number, I, operations::select> {};
template <class Rows, class Variables, class Number, int I>
struct raised<Rows, Variables, Number, I, kind::call_of_three>
    : raised_ternary<Rows, Variables, Number, I, typename raised_function<Rows, Rows::at(I).function>::type> {};
template <class Rows, class Variables, class Number, int I>
struct raised<Rows, Variables, Number, I, kind::negate> : raised_unary<Rows, Variables, Number, I, operations::negate> {};
template <class Rows, class Variables, class Number, int I>
struct raised<Rows, Variables, Number, I, kind::add> : raised_binary<Rows, Variables, Number, I, operations::add> {};
template <class Rows, class Variables, class Number, int I>
struct raised<Rows, Variables, Number, I, kind::subtract> : raised_binary<Rows, Variables, Number, I, operations::subtract> {
};
template <class Rows, class Variables, class Number, int I>
struct raised<Rows, Variables, Number, I, kind::multiply> : raised_binary<Rows, Variables, Number, I, operations::multiply> {
};
template <class Rows, class Variables, class Number, int I>
struct raised<Rows, Variables, Number, I, kind::divide> : raised_binary<Rows, Variables, Number, I, operations::divide> {};
template <class Rows, class Variables, class Number, int I>
struct raised<Rows, Variables, Number, I, kind::call>
    : std::conditional_t<(Rows::at(I).b < 0),
                         raised_unary<Rows, Variables, Number, I, typename raised_function<Rows, Rows::at(I).function>::type>,
                         raised_binary<Rows, Variables, Number, I, typename raised_function<Rows, Rows::at(I).function>::type>> {};

} // namespace chainrule::program
