// SPDX-License-Identifier: BSL-1.0
//
// Comparisons of active numbers, and value(x), the plain number. Branches and loops run as for plain numbers, and the
// tape records the executed statements.
#pragma once

#include <chainrule/expression/number_properties.hpp>
#include <chainrule/functions/order.hpp>
#include <chainrule/tape/recording/statement.hpp>

#include <cmath>
#include <compare>
#include <type_traits>

namespace chainrule {

/// The value of an active number, an expression of active numbers, or a plain number. On a tape of numbers with
/// derivatives the value has derivatives, too: plain_value(x) has none.
template <class E>
[[nodiscard]] constexpr auto value(const E& e) {
    if constexpr (expressions::is_active<E>) {
        return e.value();
    } else if constexpr (expression<E>) {
        using wide = tape::computed_in<E>;
        using code =
            codegen::compiled<request::values, differentiate::by_actives, core::type_list<>, core::type_list<E>>;
        const auto numbers = kernel::numbers_of_expression<wide>(e);
        wide result[1] = {};
        kernel::runner<typename code::program>::template run<wide>(numbers, numbers, result);
        return result[0];
    } else {
        return e;
    }
}

namespace tape {

using chainrule::plain_value;
using chainrule::value;

using expressions::holds_actives;

} // namespace tape

/// The order of active numbers, or of expressions of them and plain numbers.
template <class L, class R>
requires(expressions::operand_pair<L, R> && (expressions::holds_actives<L> || expressions::holds_actives<R>) &&
         expressions::is_operand<L>() && expressions::is_operand<R>())
[[nodiscard]] constexpr std::partial_ordering operator<=>(const L& l, const R& r) {
    using number = std::common_type_t<decltype(value(l)), decltype(value(r))>;
    return functions::order_of<number>(value(l), value(r));
}

/// The mantissa and the exponent of an active number, or of an expression of active numbers, as std::frexp.
template <class E>
requires tape::holds_actives<E>
[[nodiscard]] auto frexp(const E& e, int* exponent) {
    using number = tape::active<typename tape::actives_in<E>::type>;
    return number(detail::mantissa(number(e), exponent));
}
/// The fraction and the whole part, as std::modf.
template <class E, class Number>
requires tape::holds_actives<E>
Number modf(const E& e, Number* whole) {
    return detail::fraction(Number(e), whole);
}

/// Prints the value of an expression of active numbers.
template <class Character, class Traits, class E>
requires(!expressions::is_active<E> && tape::holds_actives<E>)
std::basic_ostream<Character, Traits>& operator<<(std::basic_ostream<Character, Traits>& out, const E& e) {
    return out << value(e);
}

#define CHAINRULE_CLASSIFICATION(NAME)                                                                                 \
    template <class E>                                                                                                 \
    requires tape::holds_actives<E>                                                                                    \
    [[nodiscard]] auto NAME(const E& e) {                                                                              \
        using std::NAME;                                                                                               \
        return NAME(tape::value(e));                                                                                   \
    }
CHAINRULE_CLASSIFICATION(isnormal)
CHAINRULE_CLASSIFICATION(signbit)
CHAINRULE_CLASSIFICATION(fpclassify)
#undef CHAINRULE_CLASSIFICATION

} // namespace chainrule
