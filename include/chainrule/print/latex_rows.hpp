// SPDX-License-Identifier: BSL-1.0
//
// The LaTeX of each part of an expression: characters, and other parts with or without parentheses, in the rows of the
// expression's outline (print/outline.hpp).
#pragma once

#include <chainrule/print/outline.hpp>
#include <chainrule/print/latex_names.hpp>

#include <initializer_list>

namespace chainrule::detail {

/// The properties of a row that affect the text around it.
struct latex_row {
    int length = 0;
    precedence binding = of_name;
    int beginning = -2; // as in outline_row
    bool digit_first = false;
    bool fraction = false; // of numbers
};

/// The rows of an outline with their lengths in LaTeX.
class latex_outline {
public:
    // How the text of a row is placed in another: as it is, in parentheses, or in parentheses if it begins with a
    // number that turns out to be negative; base: a number before an exponent (print/text.hpp).
    enum enclosure : int { bare, in_parentheses, if_negative, base };

    const outline& o;
    list<latex_row> rows;

    constexpr explicit latex_outline(const outline& from);

    /// Passes the pieces of row i, from left to right, to sink.text(characters), sink.name(characters),
    /// sink.constant(value), sink.number(position) and sink.row(number, enclosure).
    template <class Sink>
    constexpr void pieces(int i, Sink& sink) const {
        const outline_row& r = o.rows[i];
        if (r.number >= 0) {
            sink.number(r.number);
        } else if (r.constant >= 0) {
            sink.constant(o.constants[r.constant]);
        } else if (r.a < 0) {
            sink.name(r.name);
        } else if (r.code == operations::negate::code) {
            sink.text("-");
            sink.row(r.a, rows[r.a].binding < of_product ? in_parentheses : minus_first(r.a));
        } else if (r.code == relations::negation::code) {
            sink.text("\\lnot ");
            sink.row(r.a, rows[r.a].binding < of_name ? in_parentheses : bare);
        } else if (r.code == operations::multiply::code) {
            product(i, sink);
        } else if (r.code == operations::divide::code) {
            around(sink, "\\frac{", r.a, "}{", r.b, "}");
        } else if (r.code == operations::select::code) {
            cases(i, sink);
        } else if (r.code == functions::relaxed::code) {
            sink.row(r.a, bare);
        } else if (is_infix(r.code)) {
            const precedence binding = precedence_of(r.code);
            sink.row(r.a, rows[r.a].binding < binding ? in_parentheses : bare);
            sink.text(latex_sign(r.code));
            sink.row(r.b, rows[r.b].binding <= binding || (rows[r.b].beginning == -1 && binding >= of_sum)
                              ? in_parentheses
                          : binding >= of_sum ? minus_first(r.b)
                                              : bare);
        } else {
            call(r, sink);
        }
    }

private:
    struct measuring {
        const latex_outline& of;
        latex_row& to;

        constexpr void text(const char* characters) { to.length += static_cast<int>(__builtin_strlen(characters)); }
        constexpr void name(const char* characters) { write_latex_name(characters, *this); }
        constexpr void character(char) { ++to.length; }
        constexpr void constant(const coefficient& c) { write_latex_constant(c, *this); }
        constexpr void number(int) { to.length += 40; }
        constexpr void row(int i, enclosure e) {
            to.length += of.rows[i].length + (e == in_parentheses ? 13 : e == bare ? 0 : 2);
        }
    };
    friend struct measuring;

    [[nodiscard]] constexpr enclosure minus_first(int i) const {
        return rows[i].beginning == -1 ? in_parentheses : rows[i].beginning >= 0 ? if_negative : bare;
    }
    template <class Sink>
    constexpr void around(Sink& sink, const char* before, int a, const char* between = "", int b = -1,
                          const char* after = "") const {
        sink.text(before);
        sink.row(a, bare);
        sink.text(between);
        if (b >= 0) sink.row(b, bare);
        sink.text(after);
    }

    // How the row behaves as a part of others.
    [[nodiscard]] constexpr latex_row properties(int i) const {
        const outline_row& r = o.rows[i];
        latex_row p;
        if (r.number >= 0) {
            p.beginning = r.number;
            p.digit_first = true;
        } else if (r.constant >= 0) {
            const coefficient& c = o.constants[r.constant];
            p.beginning = c.negative() ? -1 : -2;
            const number_text text = text_of_constant(c);
            p.binding = c.negative() ? of_sign : text.fraction || text.exponent > 0 ? of_product : of_name;
            p.fraction = text.fraction && !c.negative();
            p.digit_first = !p.fraction && !c.negative();
        } else if (r.a < 0) {
            p.digit_first = r.name[0] >= '0' && r.name[0] <= '9';
        } else if (r.code == functions::relaxed::code) {
            p = rows[r.a];
            p.length = 0;
        } else if (is_prefix(r.code)) {
            p.binding = of_sign;
            p.beginning = r.code == operations::negate::code ? -1 : -2;
        } else if (r.code == operations::divide::code) {
            p.binding = of_product;
            p.fraction = is_number(r.a) && is_number(r.b);
        } else if (r.code == operations::select::code) {
            p.binding = of_disjunction;
        } else if (is_infix(r.code)) {
            p.binding = precedence_of(r.code);
            if (rows[r.a].binding >= p.binding) {
                p.beginning = rows[r.a].beginning;
                p.digit_first = rows[r.a].digit_first;
            }
        } else if (const latex_function f = latex_function_of(r); f.what == latex_function::power) {
            p.binding = of_product; // as the base of another power it needs parentheses
            p.digit_first = r.b < 0 ? f.text[0] >= '0' && f.text[0] <= '9' : digit_first_in_base(r.a);
        } else if (f.what == latex_function::to_power) {
            p.binding = of_product;
            p.digit_first = digit_first_in_base(r.a);
        }
        return p;
    }

    // Factors; adjacent equal factors become a power.
    template <class Sink>
    constexpr void product(int i, Sink& sink) const {
        list<int> factors; // the last one first
        int head = i;
        bool minus = false; // (-x) x is -x^2
        for (;; head = o.rows[head].a) {
            if (o.rows[head].a >= 0 && o.rows[head].code == operations::multiply::code)
                factors.push_back(o.rows[head].b);
            else if (o.rows[head].a >= 0 && o.rows[head].code == operations::negate::code && !minus)
                minus = true;
            else
                break;
        }
        factors.push_back(head);
        if (minus) sink.text("-");
        for (int k = factors.size() - 1; k >= 0;) {
            int exponent = 1;
            while (k - exponent >= 0 && factors[k - exponent] == factors[k]) ++exponent;
            const int factor = factors[k];
            const bool first = k == factors.size() - 1;
            const latex_row& p = rows[factor];
            // After a number, a fraction would read as that of a mixed number.
            const bool mixed = !first && p.fraction && is_number(factors[k + 1]);
            if (!first) sink.text(p.digit_first || mixed ? " \\cdot " : " ");
            if (exponent > 1) {
                power_base(factor, sink);
                sink.text("^{");
                put_integer(exponent, sink);
                sink.text("}");
            } else if (first) {
                sink.row(factor, p.binding < of_product || (minus && p.beginning == -1) ? in_parentheses
                                 : minus                                                ? minus_first(factor)
                                                                                        : bare);
            } else {
                const bool is_product = o.rows[factor].code == operations::multiply::code && o.rows[factor].a >= 0;
                sink.row(factor, p.binding < of_product || p.beginning == -1 || is_product ? in_parentheses
                                                                                           : minus_first(factor));
            }
            k -= exponent;
        }
    }
    template <class Sink>
    constexpr void power_base(int i, Sink& sink) const {
        sink.row(i, o.rows[i].number >= 0 ? base : is_name(i) ? bare : in_parentheses);
    }
    [[nodiscard]] constexpr bool is_name(int i) const { return o.rows[i].a < 0 && rows[i].binding == of_name; }
    [[nodiscard]] constexpr bool is_number(int i) const { return o.rows[i].number >= 0 || o.rows[i].constant >= 0; }
    [[nodiscard]] constexpr bool digit_first_in_base(int i) const { return is_name(i) && rows[i].digit_first; }
    template <class Sink>
    static constexpr void put_integer(int n, Sink& sink) {
        if (n > 9) put_integer(n / 10, sink);
        sink.character(static_cast<char>('0' + n % 10));
    }

    template <class Sink>
    constexpr void cases(int i, Sink& sink) const {
        sink.text("\\begin{cases} ");
        for (; o.rows[i].code == operations::select::code && o.rows[i].a >= 0; i = o.rows[i].c) {
            sink.row(o.rows[i].b, bare);
            sink.text(" & \\text{if } ");
            sink.row(o.rows[i].a, bare);
            sink.text(" \\\\ ");
        }
        sink.row(i, bare);
        sink.text(" & \\text{otherwise} \\end{cases}");
    }

    template <class Sink>
    constexpr void call(const outline_row& r, Sink& sink) const {
        const latex_function f = latex_function_of(r);
        switch (f.what) {
        case latex_function::power:
            if (r.b >= 0) {
                power_base(r.a, sink);
                return around(sink, "^{", r.b, "}");
            }
            sink.text(f.text);
            return around(sink, "^{", r.a, "}");
        case latex_function::to_power:
            power_base(r.a, sink);
            sink.text("^{");
            sink.text(f.text);
            sink.text("}");
            return;
        case latex_function::around: return around(sink, f.text, r.a, f.after);
        case latex_function::indexed: // the first argument is an index
            return around(sink, f.text, r.a, f.after, r.b, "\\right)");
        case latex_function::named:
            if (f.text != nullptr) {
                sink.text(f.text);
            } else {
                sink.text("\\operatorname{");
                for (const char* c = function_name(r); *c != '\0'; ++c) write_latex_character(*c, sink);
                sink.text("}");
            }
            sink.text("\\left(");
            sink.row(r.a, bare);
            for (const int operand : {r.b, r.c}) {
                if (operand < 0) continue;
                sink.text(", ");
                sink.row(operand, bare);
            }
            sink.text("\\right)");
            return;
        }
    }
};

// After the class, since clang needs the definitions of the templates that it evaluates.
constexpr latex_outline::latex_outline(const outline& from) : o(from) {
    for (int i = 0; i < o.rows.size(); ++i) {
        latex_row row = properties(i);
        measuring sink{*this, row};
        pieces(i, sink);
        if (row.length > text_limit) row.length = text_limit + 1;
        rows.push_back(row);
    }
}

} // namespace chainrule::detail
