// SPDX-License-Identifier: BSL-1.0
//
// The result of verified(), and the message for each outcome.
#pragma once

#include <chainrule/print/decimal.hpp>
#include <chainrule/core/fixed_text.hpp>

namespace chainrule {

/// The result of verified(). It converts to true if all derivatives are right; text() is a message that states the
/// error, or that there is none, and can be written to any stream.
struct verification {
    /// The outcomes.
    enum result : unsigned char {
        right,            ///< every derivative agrees with difference quotients
        wrong_derivative, ///< at `point`, with respect to `argument`: `found`, while differences give `expected`
        no_number,        ///< the value or the derivative at `point` is infinite or NaN
        rough_values,     ///< no difference quotient converges at any point
    };
    result is = right;
    const char* name = ""; ///< of the function
    int arity = 1;         ///< the number of its arguments
    int argument = 0;      ///< by which the derivative is wrong, counted from 0
    double point[3] = {};  ///< the first `arity` numbers: where the fault is
    double found = 0;      ///< the derivative there as the function states it
    double expected = 0;   ///< that derivative by difference quotients

    constexpr explicit operator bool() const { return is == right; }
    /// The message.
    [[nodiscard]] constexpr fixed_text<512> text() const;
    /// The point as text, as in `x = 0.5, y = 2`.
    [[nodiscard]] constexpr fixed_text<512> point_text() const;

    template <class Stream>
    requires requires(Stream& stream, const char* c) {
        stream.write(c, 1);
        stream << c;
    }
    friend Stream& operator<<(Stream& stream, const verification& v) {
        stream << v.text().c_str();
        return stream;
    }

    /// Appends a number, with enough digits to distinguish it from the other.
    static constexpr void put_number(fixed_text<512>& to, double x, double other) {
        const bool short_one = static_cast<float>(x) != static_cast<float>(other);
        put(to, short_one ? detail::text_of_number(static_cast<float>(x)).characters
                          : detail::text_of_number(x).characters);
    }

private:
    static constexpr void put(fixed_text<512>& to, const char* words) {
        for (int i = 0; words[i] != '\0' && i < 120; ++i) to.push_back(words[i]);
    }
};

constexpr fixed_text<512> verification::point_text() const {
    fixed_text<512> t;
    const char* const names[] = {"x = ", ", y = ", ", z = "};
    for (int k = 0; k < arity; ++k) {
        put(t, names[k]);
        put(t, detail::text_of_number(point[k]).characters);
    }
    return t;
}

constexpr fixed_text<512> verification::text() const {
    fixed_text<512> t;
    const char by_argument[] = {static_cast<char>('1' + argument), '\0'},
               number[] = {static_cast<char>('0' + argument), '\0'};
    put(t, "verified: ");
    switch (is) {
    case right:
        put(t, "the derivative of ");
        put(t, name);
        put(t, " is right");
        break;
    case rough_values:
        put(t, "the values of ");
        put(t, name);
        put(t, " are too rough for differences by argument ");
        put(t, by_argument);
        put(t, " anywhere in its domain; give a domain in which it is smooth");
        break;
    case no_number:
        put(t, name);
        put(t, " has no finite value or derivative at ");
        put(t, point_text().c_str());
        put(t, "; leave that out of its domain");
        break;
    case wrong_derivative:
        put(t, "the derivative of ");
        put(t, name);
        put(t, " by argument ");
        put(t, by_argument);
        put(t, " at ");
        put(t, point_text().c_str());
        put(t, " is ");
        put_number(t, found, expected);
        put(t, ", differences give ");
        put_number(t, expected, found);
        put(t, "; correct derivative<");
        put(t, number);
        put(t, ">");
        break;
    }
    return t;
}

} // namespace chainrule
