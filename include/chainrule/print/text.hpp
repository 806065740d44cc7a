// SPDX-License-Identifier: BSL-1.0
//
// to_string(f): the C++ code that builds the expression, without unnecessary parentheses, as in "1 / x + y".
// print/program_text.hpp prints programs, where shared parts appear once.
#pragma once

#include <chainrule/expression/number_properties.hpp>
#include <chainrule/expression/variable.hpp>
#include <chainrule/core/fixed_text.hpp>
#include <chainrule/print/outline.hpp>

#include <array>
#include <cstddef>

namespace chainrule {

namespace detail {

// The text of an expression with places for its stored numbers: characters, and from 256 on five marks per number.
// The base of a power in LaTeX needs parentheses if it is negative or written as a power of ten.
enum mark : int { digits_of_number, open_if_negative, close_if_negative, open_around_base, close_around_base };
constexpr int marked(mark m, int number) { return 256 + 5 * number + m; }

template <class Token, int Capacity>
struct token_text {
    std::array<Token, static_cast<std::size_t>(Capacity + 1)> tokens{};
    int size = 0;

    constexpr void put(int token) { tokens[static_cast<std::size_t>(size++)] = static_cast<Token>(token); }
    constexpr void put(const char* text) {
        for (; *text != '\0'; ++text) put(*text);
    }

    template <class Outline>
    constexpr explicit token_text(const Outline& o) {
        list<int> stack;                    // tokens, and rows as ~row
        list<int> place(o.rows.size(), -1); // where a row was written, to copy it from there
        const auto push_operand = [&](int operand, bool parentheses, bool where_negative = true) {
            const int number = parentheses || !where_negative ? -1 : o.rows[operand].beginning;
            if (parentheses) stack.push_back(')');
            if (number >= 0) stack.push_back(marked(close_if_negative, number));
            stack.push_back(~operand);
            if (parentheses) stack.push_back('(');
            if (number >= 0) stack.push_back(marked(open_if_negative, number));
        };
        const auto push_left = [&](const auto& row) {
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
            const auto& row = o.rows[~top];
            if (place[~top] >= 0) {
                const std::size_t from = static_cast<std::size_t>(place[~top]), to = static_cast<std::size_t>(size);
                const std::size_t length = static_cast<std::size_t>(row.length);
                for (std::size_t i = 0; i < length; ++i) tokens[to + i] = tokens[from + i];
                size += row.length;
                continue;
            }
            const bool is_number = row.number >= 0;
            if (!is_number) place[~top] = size; // the length of a number is a guess
            if (is_number) {
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
                const int further[] = {row.c, row.b}; // nvcc accepts no list in the loop
                for (const int operand : further) {
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

/// Represents a text beyond the limit: every use is an error. The error occurs here, and not in to_string, where
/// compilers would also write out the type of the expression, which is even longer.
struct too_long_text {
private:
    // Depends on the template of the caller: otherwise clang would instantiate it without a call.
    template <class T, class Use = T>
    static constexpr T refuse() {
        static_assert(!std::is_same_v<Use, Use>,
                      "to_string, to_latex: the text of the expression has more than 65,536 characters, because parts "
                      "that it shares "
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
        outline_when<E> o;
        o.template run<E>();
        return o.rows.back().length;
    }
    enum : int { length = measure() };

private:
    static constexpr auto write() {
        outline_when<E> o;
        o.template run<E>();
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
        *to++ = text_of_number(plain_value(plain(number)));
    }
};

/// The text of f with its stored numbers, each written by put(text, number).
template <class Pattern, class E, class Put>
constexpr auto text_with_numbers(const E& f, Put put) {
    number_text numbers[E::numbers];
    number_texts texts{numbers};
    for_each_number(f, texts);
    fixed_text<static_cast<std::size_t>(Pattern::length)> text;
    for (int i = 0; i < Pattern::value.size; ++i) {
        const int token = Pattern::value.tokens[static_cast<std::size_t>(i)];
        if (token < 256) {
            text.push_back(static_cast<char>(token));
            continue;
        }
        const number_text& number = numbers[(token - 256) / 5];
        const int what = (token - 256) % 5;
        if (what == digits_of_number)
            put(text, number);
        else if (number.negative() || (what >= open_around_base && number.exponent > 0))
            text.push_back(what == open_if_negative || what == open_around_base ? '(' : ')');
    }
    return text;
}

} // namespace detail

/// An expression or predicate as text: the C++ code that builds it, without unnecessary parentheses. Exact constants
/// are printed as integers, as decimals if these are exact, or as fractions; stored numbers with the digits that
/// identify them. For an expression without stored numbers the result is a reference to a constant with static
/// lifetime; otherwise it is an object. More than 65,536 characters are an error.
/// Example: `static_assert(to_string(derivative(log(x) + x * y - sin(y), x)) == "1 / x + y");`
template <class E>
requires(expression<E> || predicate<E>)
[[nodiscard]] constexpr decltype(auto) to_string([[maybe_unused]] const E& f) {
    if constexpr (int{E::numbers} == 0 || detail::text_of<E>::length > detail::text_limit) {
        return (detail::text_of<E>::value);
    } else {
        return detail::text_with_numbers<detail::text_of<E>>(f, [](auto& text, const detail::number_text& number) {
            for (int k = 0; k < number.size; ++k) text.push_back(number.characters[k]);
        });
    }
}

/// Writes to_string(f) to a stream: `std::cout << f`.
template <class Stream, class E>
requires(int{E::numbers} >= 0 && !expressions::is_active<E> && core::text_stream<Stream>)
Stream& operator<<(Stream& stream, const E& f) {
    stream << to_string(f).c_str();
    return stream;
}

// (Not a concept, for which clang would write out the type of an expression.)
template <class T, class = typename T::has_parts>
constexpr const char* to_string(const T&) {
    constexpr bool is_text = sizeof(T) == 0;
    static_assert(is_text, "std::cout << g, to_string(g): a gradient, vector or another result of several "
                           "parts has no text; print its parts, as in g[x], v[0_c] or result.value");
    return "";
}
template <class T>
requires std::is_arithmetic_v<T>
constexpr const char* to_string(T) {
    constexpr bool is_expression = sizeof(T) == 0;
    static_assert(is_expression,
                  "to_string(x): a plain number is not an expression; pass an exact constant, such as 2_c, "
                  "or call std::to_string(x)");
    return "";
}
template <class Stream, class T, class = typename T::has_parts>
Stream& operator<<(Stream& stream, const T& parts) {
    (void)chainrule::to_string(parts);
    return stream;
}

namespace detail {

/// The message for two texts that differ.
template <string_literal Text>
struct the_text {
    template <string_literal Expected>
    struct should_be {
        enum : bool { equal = false };
    };
};

template <std::size_t Size, class Text>
consteval auto string_literal_of(const Text& text) {
    char characters[Size + 1] = {};
    for (std::size_t i = 0; i < Size; ++i) characters[i] = text.data()[i];
    return string_literal<Size + 1>(characters);
}

template <string_literal Text, string_literal Expected>
consteval bool show_texts() {
    static_assert(the_text<Text>::template should_be<Expected>::equal,
                  "text_is: the text of f differs from the expected one; the compiler prints both");
    return false;
}

} // namespace detail

/// Whether the text of f is `Expected`. In a static_assert the compiler prints both texts if they differ, which it does
/// not do for `to_string(f) == "..."`.
/// Example: `static_assert(text_is<"1 / x + y">(derivative(log(x) + x * y - sin(y), x)));`
template <expressions::string_literal Expected, class E>
[[nodiscard]] constexpr bool text_is(const E& f) {
    if constexpr (int{E::numbers} == 0) {
        constexpr bool equal = detail::text_of<E>::value == static_cast<const char*>(Expected.characters);
        if constexpr (!equal) {
            constexpr std::size_t size = detail::text_of<E>::value.size();
            return detail::show_texts<detail::string_literal_of<size>(detail::text_of<E>::value), Expected>();
        }
        return equal;
    } else {
        return to_string(f) == static_cast<const char*>(Expected.characters);
    }
}

} // namespace chainrule
