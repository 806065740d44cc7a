// SPDX-License-Identifier: BSL-1.0
//
// Names of variables and functions, and numbers, in LaTeX: derived from the name by rules; functions with another usual
// notation are listed here.
#pragma once

#include <chainrule/expression/variable_names.hpp>
#include <chainrule/print/outline.hpp>

namespace chainrule::detail {

/// The notation of a function.
struct latex_function {
    enum form : unsigned char {
        named,    // text\left(x, y\right); without a text \operatorname{name}
        around,   // text x after
        power,    // x^{y}, or text^{x}
        to_power, // x^{text}
        indexed,  // text x after y \right)
    } what = named;
    const char* name = nullptr;
    const char* text = nullptr;
    const char* after = "";
};
// Functions that are not written as \operatorname{name}.
inline constexpr latex_function latex_functions[] = {
    {latex_function::power, "exp", "e"},
    {latex_function::power, "exp2", "2"},
    {latex_function::power, "exp10", "10"},
    {latex_function::power, "pow"},
    {latex_function::to_power, "square", "2"},
    {latex_function::to_power, "cube", "3"},
    {latex_function::around, "inverse", "\\frac{1}{", "}"},
    {latex_function::around, "sqrt", "\\sqrt{", "}"},
    {latex_function::around, "cbrt", "\\sqrt[3]{", "}"},
    {latex_function::around, "abs", "\\left|", "\\right|"},
    {latex_function::around, "fabs", "\\left|", "\\right|"},
    {latex_function::around, "floor", "\\left\\lfloor ", "\\right\\rfloor"},
    {latex_function::around, "ceil", "\\left\\lceil ", "\\right\\rceil"},
    {latex_function::named, "log", "\\ln"},
    {latex_function::named, "log2", "\\log_{2}"},
    {latex_function::named, "log10", "\\log_{10}"},
    {latex_function::named, "sin", "\\sin"},
    {latex_function::named, "cos", "\\cos"},
    {latex_function::named, "tan", "\\tan"},
    {latex_function::named, "sec", "\\sec"},
    {latex_function::named, "csc", "\\csc"},
    {latex_function::named, "cot", "\\cot"},
    {latex_function::named, "asin", "\\arcsin"},
    {latex_function::named, "acos", "\\arccos"},
    {latex_function::named, "atan", "\\arctan"},
    {latex_function::named, "sinh", "\\sinh"},
    {latex_function::named, "cosh", "\\cosh"},
    {latex_function::named, "tanh", "\\tanh"},
    {latex_function::named, "asinh", "\\operatorname{arsinh}"},
    {latex_function::named, "acosh", "\\operatorname{arcosh}"},
    {latex_function::named, "atanh", "\\operatorname{artanh}"},
    {latex_function::named, "max", "\\max"},
    {latex_function::named, "min", "\\min"},
    {latex_function::named, "normal_cdf", "\\Phi"},
    {latex_function::named, "normal_quantile", "\\Phi^{-1}"},
    {latex_function::named, "tgamma", "\\Gamma"},
    {latex_function::around, "lgamma", "\\ln\\left|\\Gamma\\left(", "\\right)\\right|"},
    {latex_function::named, "digamma", "\\psi"},
    {latex_function::named, "trigamma", "\\psi'"},
    {latex_function::indexed, "polygamma", "\\psi^{(", ")}\\left("},
    {latex_function::named, "beta", "\\mathrm{B}"},
    {latex_function::named, "gamma_p", "P"},
    {latex_function::named, "gamma_q", "Q"},
    {latex_function::named, "expint", "\\operatorname{Ei}"},
    {latex_function::named, "lambert_w0", "W_{0}"},
    {latex_function::named, "j0", "J_{0}"},
    {latex_function::named, "j1", "J_{1}"},
    {latex_function::indexed, "jn", "J_{", "}\\left("},
    {latex_function::named, "y0", "Y_{0}"},
    {latex_function::named, "y1", "Y_{1}"},
    {latex_function::indexed, "yn", "Y_{", "}\\left("},
    {latex_function::named, "spherical_j1", "j_{1}"},
    {latex_function::named, "sign", "\\operatorname{sgn}"},
};

[[nodiscard]] constexpr latex_function latex_function_of(const outline_row& row) {
    if (row.code != any_custom_function)
        for (const latex_function& f : latex_functions)
            if (core::same_text(f.name, name_of_table_function(row.code))) return f;
    return {};
}

constexpr const char* latex_sign(unsigned code) {
    switch (code) {
    case operations::add::code: return " + ";
    case operations::subtract::code: return " - ";
    case relations::less::code: return " < ";
    case relations::less_equal::code: return " \\le ";
    case relations::greater::code: return " > ";
    case relations::greater_equal::code: return " \\ge ";
    case relations::equal::code: return " = ";
    case relations::not_equal::code: return " \\ne ";
    case relations::conjunction::code: return " \\land ";
    default: return " \\lor ";
    }
}

inline constexpr const char* greek_letters[] = {
    "alpha",   "beta",  "gamma",  "delta",   "epsilon", "varepsilon", "zeta",  "eta",   "theta", "vartheta",
    "iota",    "kappa", "lambda", "mu",      "nu",      "xi",         "pi",    "rho",   "sigma", "tau",
    "upsilon", "phi",   "varphi", "chi",     "psi",     "omega",      "Gamma", "Delta", "Theta", "Lambda",
    "Xi",      "Pi",    "Sigma",  "Upsilon", "Phi",     "Psi",        "Omega"};

/// A character of a name; LaTeX's special characters are escaped.
template <class Sink>
constexpr void write_latex_character(char c, Sink& sink) {
    switch (c) {
    case '\\': return sink.text("\\backslash ");
    case '~': return sink.text("\\sim ");
    case '^': return sink.text("\\wedge ");
    case '_':
    case '%':
    case '&':
    case '#':
    case '$':
    case '{':
    case '}': sink.character('\\'); break;
    default: break;
    }
    sink.character(c);
}

// A part of a name: a Greek letter, one letter, digits, or a word.
template <class Sink>
constexpr void write_latex_word(const char* text, int size, Sink& sink) {
    for (const char* letter : greek_letters) {
        int i = 0;
        while (i < size && letter[i] == text[i]) ++i;
        if (i < size || letter[i] != '\0') continue;
        sink.character('\\');
        return sink.text(letter);
    }
    bool digits = true, space = false;
    for (int i = 0; i < size; ++i) {
        digits = digits && '0' <= text[i] && text[i] <= '9';
        space = space || text[i] == ' ';
    }
    const bool plain = digits || size == 1;
    if (!plain) sink.text(space ? "\\text{" : "\\mathrm{");
    for (int i = 0; i < size; ++i) write_latex_character(text[i], sink);
    if (!plain) sink.character('}');
}

/// The name of a variable: x1, x_1 and x[1] are x with a subscript, x_a[1] is x with two.
template <class Sink>
constexpr void write_latex_name(const char* name, Sink& sink) {
    int length = 0, end = 0;
    while (name[length] != '\0') ++length;
    const int base = expressions::element_name(name).base, size = base > 0 ? base : length; // without [1]
    while (end < size && (name[end] != '_' || end == 0)) ++end;
    int subscript = end + 1;
    if (end == size || subscript == size) {
        for (end = size; end > 1 && '0' <= name[end - 1] && name[end - 1] <= '9';) --end;
        subscript = end;
    }
    write_latex_word(name, end, sink);
    if (subscript >= size && size == length) return;
    sink.text("_{");
    if (subscript < size) write_latex_word(name + subscript, size - subscript, sink);
    if (subscript < size && size < length) sink.character(',');
    if (size < length) write_latex_word(name + size + 1, length - size - 2, sink);
    sink.character('}');
}

/// A number as text: 1e-05 is 10^{-5}, a fraction a fraction.
template <class Sink>
constexpr void write_latex_number(const number_text& text, Sink& sink) {
    if (text.fraction) {
        int i = 0;
        if (text.negative()) sink.character(text.characters[i++]);
        sink.text("\\frac{");
        for (; text.characters[i] != ' '; ++i) sink.character(text.characters[i]);
        sink.text("}{");
        for (i += 3; i < text.size; ++i) sink.character(text.characters[i]);
        return sink.character('}');
    }
    if (text.characters[text.size - 1] == 'f') { // inf
        if (text.negative()) sink.character('-');
        return sink.text("\\infty");
    }
    if (int e = text.exponent; e > 0) {
        const bool one = text.characters[e - 1] == '1' && (e == 1 || (e == 2 && text.negative()));
        if (one && e == 2) sink.character('-');
        for (int i = 0; i < e && !one; ++i) sink.character(text.characters[i]);
        sink.text(one ? "10^{" : " \\cdot 10^{");
        if (text.characters[++e] == '-') sink.character('-');
        if (text.characters[e] == '-' || text.characters[e] == '+') ++e;
        while (e + 1 < text.size && text.characters[e] == '0') ++e;
        for (; e < text.size; ++e) sink.character(text.characters[e]);
        return sink.character('}');
    }
    for (int i = 0; i < text.size; ++i) sink.character(text.characters[i]);
}
template <class Sink>
constexpr void write_latex_constant(const coefficient& c, Sink& sink) {
    write_latex_number(text_of_constant(c), sink);
}

/// Appends to a text.
template <class Text>
struct latex_number_in {
    Text to;
    constexpr void character(char c) { to.push_back(c); }
    constexpr void text(const char* characters) {
        for (; *characters != '\0'; ++characters) to.push_back(*characters);
    }
};

} // namespace chainrule::detail
