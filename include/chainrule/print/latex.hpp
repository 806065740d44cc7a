// SPDX-License-Identifier: BSL-1.0
//
// to_latex(f): an expression in LaTeX, assembled from its rows (latex_rows.hpp).
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/entry/positional_function.hpp>
#include <chainrule/print/text.hpp>
#include <chainrule/print/latex_rows.hpp>

namespace chainrule {

namespace detail {

/// The characters of an expression in LaTeX, with places for its stored numbers as in token_text.
template <class Token, int Capacity>
struct latex_tokens {
    std::array<Token, static_cast<std::size_t>(Capacity + 1)> tokens{};
    int size = 0;

    constexpr void put(int token) { tokens[static_cast<std::size_t>(size++)] = static_cast<Token>(token); }

    constexpr explicit latex_tokens(const latex_outline& l) {
        list<item> stack;
        list<int> place(l.rows.size(), -1), end(l.rows.size(), -1);
        stack.push_back({item::row, l.rows.size() - 1, nullptr});
        while (!stack.empty()) {
            const item top = stack.pop_back();
            switch (top.what) {
            case item::token: put(top.number); break;
            case item::literal:
                for (const char* c = top.characters; *c != '\0'; ++c) put(static_cast<unsigned char>(*c));
                break;
            case item::constant: {
                direct to{*this};
                write_latex_constant(l.o.constants[top.number], to);
                break;
            }
            case item::name: {
                direct to{*this};
                write_latex_name(top.characters, to);
                break;
            }
            case item::end: end[top.number] = size; break;
            case item::row:
                if (end[top.number] >= 0) {
                    for (int i = place[top.number]; i < end[top.number]; ++i) put(tokens[static_cast<std::size_t>(i)]);
                    break;
                }
                place[top.number] = size;
                list<item> parts;
                collecting sink{l, parts};
                l.pieces(top.number, sink);
                stack.push_back({item::end, top.number, nullptr});
                for (int i = parts.size() - 1; i >= 0; --i) stack.push_back(parts[i]);
                break;
            }
        }
    }

private:
    struct item {
        enum kind : unsigned char { token, literal, name, constant, row, end } what = token;
        int number = 0;
        const char* characters = nullptr;
    };
    struct direct {
        latex_tokens& to;
        constexpr void text(const char* characters) {
            for (; *characters != '\0'; ++characters) character(*characters);
        }
        constexpr void character(char c) { to.put(static_cast<unsigned char>(c)); }
    };
    struct collecting {
        const latex_outline& l;
        list<item>& to;

        constexpr void text(const char* characters) { to.push_back({item::literal, 0, characters}); }
        constexpr void name(const char* characters) { to.push_back({item::name, 0, characters}); }
        constexpr void character(char c) { to.push_back({item::token, static_cast<unsigned char>(c), nullptr}); }
        constexpr void constant(const coefficient& c) {
            to.push_back({item::constant, static_cast<int>(&c - l.o.constants.begin()), nullptr});
        }
        constexpr void number(int position) {
            to.push_back({item::token, marked(digits_of_number, position), nullptr});
        }
        constexpr void row(int i, latex_outline::enclosure e) {
            const int n = l.rows[i].beginning;
            if (e == latex_outline::in_parentheses) text("\\left(");
            if (e == latex_outline::if_negative) to.push_back({item::token, marked(open_if_negative, n), nullptr});
            if (e == latex_outline::base) to.push_back({item::token, marked(open_around_base, n), nullptr});
            to.push_back({item::row, i, nullptr});
            if (e == latex_outline::if_negative) to.push_back({item::token, marked(close_if_negative, n), nullptr});
            if (e == latex_outline::base) to.push_back({item::token, marked(close_around_base, n), nullptr});
            if (e == latex_outline::in_parentheses) text("\\right)");
        }
    };
};

/// The LaTeX of the expression type E.
template <class E>
struct latex_of {
    static constexpr int measure() {
        outline o;
        o.run<E>();
        return latex_outline(o).rows.back().length;
    }
    enum : int { length = measure() };

private:
    static constexpr auto write() {
        outline o;
        o.run<E>();
        return latex_tokens<std::conditional_t<(int{E::numbers} > 0), int, char>, length>(latex_outline(o));
    }
    static constexpr auto tokens_if_any() {
        if constexpr (length > text_limit) {
            return too_long_text{};
        } else if constexpr (int{E::numbers} > 0) {
            return write();
        } else {
            constexpr auto tokens = write();
            fixed_text<static_cast<std::size_t>(tokens.size)> text;
            for (int i = 0; i < tokens.size; ++i) text.push_back(tokens.tokens[static_cast<std::size_t>(i)]);
            return text;
        }
    }

public:
    /// The text, or, if E stores numbers, the tokens.
    static constexpr auto value = tokens_if_any();
};

} // namespace detail

/// An expression or predicate as a LaTeX formula (with amsmath), without delimiters: fractions, powers, roots and the
/// usual names of functions, without unnecessary parentheses. Products of equal factors become powers; select() becomes
/// cases. In names of variables, names of Greek letters become these letters; trailing digits, the part after a _ and
/// the index of an element become a subscript; several letters are upright. The result is like that of to_string(): a
/// reference to a constant, or an object if f stores numbers.
/// Example: `static_assert(to_latex(sqrt(alpha) / x1) == "\\frac{\\sqrt{\\alpha}}{x_{1}}");`
template <class E>
requires(expression<E> || predicate<E>)
[[nodiscard]] constexpr decltype(auto) to_latex([[maybe_unused]] const E& f) {
    if constexpr (int{E::numbers} == 0 || detail::latex_of<E>::length > detail::text_limit)
        return (detail::latex_of<E>::value);
    else
        return detail::text_with_numbers<detail::latex_of<E>>(f, [](auto& text, const detail::number_text& number) {
            detail::latex_number_in<decltype(text)> to{text};
            detail::write_latex_number(number, to);
        });
}

/// A function with one value, made by function(): the formula of F.expression().
template <class Expressions, class Variables, class Bindings>
[[nodiscard]] constexpr decltype(auto) to_latex(const positional_function<Expressions, Variables, Bindings, true>& f) {
    return to_latex(f.expression());
}

} // namespace chainrule

#include <chainrule/core/names_end.inc>
