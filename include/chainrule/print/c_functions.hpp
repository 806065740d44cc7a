// SPDX-License-Identifier: BSL-1.0
//
// The functions of the table in C: those of <math.h> by name. A row with a formula becomes a function with that
// formula, which is C except for a few words; the functions that such formulas call are below, as in
// functions/values.hpp.
#pragma once

#include <chainrule/functions/rows.hpp>

namespace chainrule::detail {

/// A row of the table, with the text that states the source of its value.
struct row_of_table {
    const char* name;
    int arity;
    const char* source; // CMATH, BUILTIN, BOOST, or a formula in parentheses: FORMULA(...), CHOICE(...), STEPPED(...)

    /// The formula in its parentheses, or an empty text.
    [[nodiscard]] constexpr const char* formula() const {
        const char* c = source;
        while (*c != '\0' && *c != '(') ++c;
        return c;
    }
    [[nodiscard]] constexpr bool is_formula() const { return *formula() != '\0'; }
    [[nodiscard]] constexpr bool is_in_math_h() const {
        return !is_formula() && (source[0] == 'C' || source[1] == 'U');
    }
};
inline constexpr row_of_table rows_of_table[] = {
#define CHAINRULE_UNARY(NAME, VALUE, ...) {#NAME, 1, #VALUE},
#define CHAINRULE_BINARY(NAME, VALUE, ...) {#NAME, 2, #VALUE},
#define CHAINRULE_TERNARY(NAME, VALUE, ...) {#NAME, 3, #VALUE},
    CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY
};
inline constexpr int row_count = static_cast<int>(functions::index::count);

/// Functions that formulas call besides those of the table: functions/values.hpp in C. They are numbered after those of
/// the table.
struct c_function {
    const char* name;
    int arity;
    const char* body;
};
inline constexpr c_function c_functions[] = {
    {"clamped", 3, "    if (y != y) return y;\n    if (z != z) return z;\n    return x < y ? y : z < x ? z : x;\n"},
    {"step_beyond", 2,
     "    const double step = x > y ? 1 : 0, known = y == y ? step : y;\n    return x == x ? known : x;\n"},
    {"share_of_two", 3,
     "    const double all = y == z ? 0.5 : 1, none = x == x ? 0 : x;\n    return x == y ? all : none;\n"},
    {"log_of_sum", 2,
     "    if (x == y) return x + log(2.0);\n    return x < y ? y + log1p(exp(x - y)) : x + log1p(exp(y - x));\n"},
    {"log_of_difference", 2,
     "    const double d = y - x;\n    return x + (d > -0.6931471805599453 ? log(-expm1(d)) : log1p(-exp(d)));\n"},
    {"power_of_integer", 2,
     "    const int n = -65 < y && y < 65 ? (int)y : 0;\n    int m = n < 0 ? -n : n;\n    double square = x, power = "
     "1;\n"
     "    if (!(-65 < y && y < 65)) return pow(x, trunc(y));\n"
     "    for (; m > 0; m /= 2, square *= square)\n        if (m % 2 != 0) power *= square;\n"
     "    return n < 0 ? 1 / power : power;\n"},
    {"derivative_of_power", 3,
     "    double factor = 1, rest = trunc(z), left = trunc(x), square = y, power = 1;\n    int n = 0, m;\n"
     "    for (; n < 64 && left != 0; ++n, left -= 1, rest -= 1) factor *= rest;\n    if (factor == 0) return 0;\n"
     "    if (!(-65 < rest && rest < 65)) return factor * pow(y, rest);\n    n = (int)rest, m = n < 0 ? -n : n;\n"
     "    for (; m > 0; m /= 2, square *= square)\n        if (m % 2 != 0) power *= square;\n"
     "    return factor * (n < 0 ? 1 / power : power);\n"},
    {"nearest_whole", 1, "    return rint(x);\n"},
    {"scaled_by_power_of_two", 2,
     "    return y != y ? y : ldexp(x, (int)(y < -4096 ? -4096 : 4096 < y ? 4096 : y));\n"},
    {"sine_of_half_turns", 1,
     "    const double whole = round(x), half = whole / 2, value = sin(3.141592653589793 * (x - whole));\n"
     "    return trunc(half) != half ? -value : value;\n"},
    {"cosine_of_half_turns", 1,
     "    const double whole = round(x), half = whole / 2, rest = x - whole < 0 ? -(x - whole) : x - whole;\n"
     "    const double value = rest > 0.25 ? sin(3.141592653589793 * (0.5 - rest)) : cos(3.141592653589793 * rest);\n"
     "    return trunc(half) != half ? -value : value;\n"},
    {"first_spherical_bessel", 1,
     "    double sum = 1;\n    if (!(x < 1 && -1 < x)) return (sin(x) / x - cos(x)) / x;\n"
     "    for (int k = 12; k >= 1; --k) sum = 1 - x * x / (double)(2 * k * (2 * k + 3)) * sum;\n    return x / 3 * "
     "sum;\n"},
    {"spherical_bessel", 2,
     "    const int n = 0 <= x && x < 113 ? (int)x : -1;\n    const double half = y * y / 2;\n    double sum = 1, "
     "factor = 1, before, last = 0x1p-116, ratio = 0, first;\n"
     "    int k;\n    if (x != x || y != y) return x + y;\n    if (!(x < 113)) return (x - x) / (x - x);\n"
     "    if (n < 1) return n < 0 ? 0 : y == 0 ? 1 : sin(y) / y;\n"
     "    if (half < 2 * n + 3) {\n"
     "        for (k = 20 + n; k >= 1; --k) sum = 1 - half / (double)(k * (2 * n + 2 * k + 1)) * sum;\n"
     "        for (k = 1; k <= n; ++k) factor = factor * y / (double)(2 * k + 1);\n        return factor * sum;\n    "
     "}\n"
     "    first = (sin(y) / y - cos(y)) / y;\n    if (y < n + 1 && -n - 1 < y) {\n        double after;\n"
     "        for (k = n + 60; k > n; --k) ratio = 1 / ((double)(2 * k + 1) / y - ratio);\n"
     "        after = ratio * last;\n        for (k = n; k >= 1; --k) {\n"
     "            before = (double)(2 * k + 1) / y * last - after;\n            after = last;\n"
     "            last = before;\n        }\n"
     "        return (fabs(after) < fabs(last) ? sin(y) / y / last : first / after) * 0x1p-116;\n    }\n"
     "    before = sin(y) / y;\n    last = first;\n"
     "    for (k = 1; k < n; ++k) {\n        const double next = (double)(2 * k + 1) / y * last - before;\n"
     "        before = last;\n        last = next;\n    }\n    return last;\n"},
    {"scaled_erfc", 1,
     "    const double square = x * x, error = x < -1000 ? 0 : fma(x, x, -square);\n    double fraction = x;\n"
     "    if (x < 5) return exp(square) * (1 + error) * erfc(x);\n"
     "    for (int n = 40; n >= 1; --n) fraction = x + (double)n / 2 / fraction;\n"
     "    return 1.1283791670955126 * (0.5 / fraction);\n"},
};
inline constexpr int c_function_count = sizeof c_functions / sizeof c_functions[0];

constexpr bool begins_with(const char* text, const char* word, int size) {
    for (int i = 0; i < size; ++i)
        if (text[i] != word[i]) return false; // also at the end of the text
    return true;
}
constexpr bool same_word(const char* text, int size, const char* word) {
    return begins_with(word, text, size) && word[size] == '\0';
}
/// The number of a function that a formula calls, in the table or after it; -1 for any other name.
constexpr int number_of_function(const char* text, int size) {
    for (int i = 0; i < row_count; ++i)
        if (same_word(text, size, rows_of_table[i].name)) return i;
    for (int i = 0; i < c_function_count; ++i)
        if (same_word(text, size, c_functions[i].name)) return row_count + i;
    return -1;
}
constexpr bool begins_word(char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_'; }
constexpr int length_of_word(const char* text) {
    int size = 0;
    while (begins_word(text[size]) || ('0' <= text[size] && text[size] <= '9')) ++size;
    return size;
}

/// The functions that a C program defines.
struct needed_functions {
    bool needed[row_count + c_function_count] = {};

    /// Adds function number i, and the functions that its formula calls.
    constexpr void add(int i) {
        if (needed[i]) return;
        needed[i] = true;
        if (i >= row_count || !rows_of_table[i].is_formula()) return;
        for (const char* c = rows_of_table[i].formula(); *c != '\0';) {
            const int size = length_of_word(c);
            if (const int called = size > 0 ? number_of_function(c, size) : -1; called >= 0) add(called);
            c += size > 0 ? size : 1;
        }
    }
};

} // namespace chainrule::detail
