// SPDX-License-Identifier: BSL-1.0
//
// The leaves of an expression: variables, exact constants and stored numbers.
#pragma once

#include <chainrule/core/coefficient.hpp>
#include <chainrule/core/step.hpp>
#include <chainrule/expression/abbreviation.hpp>
#include <chainrule/expression/binding.hpp>
#include <chainrule/expression/every_node.hpp>

#include <boost/hana/fwd/string.hpp>
#include <boost/hana/fwd/tuple.hpp>

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace chainrule {

namespace expressions {

template <char... Characters>
constexpr hash_value hash_of_name() {
    hash_value h = core::hash_of_no_bytes;
    for (const char c : {Characters..., '\0'}) h = core::with_byte(h, static_cast<unsigned char>(c));
    return hash_of(hashed::variable, h);
}

} // namespace expressions

#define CHAINRULE_BINDING                                                                                              \
    [[nodiscard("x = ...: an assignment does not change a variable; use it in a call, as in f(x = 2.0) or "            \
                "substitute(f, x = g), and give each new expression its own name")]] constexpr auto

template <char... Characters>
struct symbol<boost::hana::string<Characters...>> {
    struct node {
        using chainrule_expression = node;
        using name = boost::hana::string<Characters...>;
        using bound_double = chainrule::bound_double<Characters...>;
        enum : int { arity = 0, numbers = 0, is_variable = 1, depth = 0, name_length = 1 };
        enum : core::hash_value { hash = expressions::hash_of_name<Characters...>() };

        static constexpr char text[sizeof...(Characters) + 1] = {Characters..., '\0'};

        /// Binds a value to the variable, for a call by name, or an expression, for substitute(). The variable itself
        /// does not change, so an assignment on its own has no effect, and compilers warn about it.
        template <class T>
        CHAINRULE_BINDING operator=(const T& value) const {
            return expressions::bound_to<node, false>(value);
        }
        template <class T>
        CHAINRULE_BINDING operator=(const T&& value) const {
            return expressions::bound_to<node, true>(value);
        }
        // Several numbers in braces are not a value for one variable: what takes the binding says so.
        template <class T, std::size_t Size>
        CHAINRULE_BINDING operator=(const T (&&values)[Size]) const {
            return expressions::bound_to<node, true>(expressions::listed(values));
        }
        CHAINRULE_CALL_OPERATOR { return chainrule::expressions::evaluate(*this, arguments...); }
        constexpr operator double() const { return expressions::refused_as_number<sizeof(*this) == 0>(); }
        constexpr node() = default;
        constexpr node(const node&) = default;
        constexpr node& operator=(const node&) = default;
    };
};

#undef CHAINRULE_BINDING

/// An exact constant: a fraction of 64-bit integers in lowest terms.
template <core::integer Numerator, core::integer Denominator>
struct constant {
    struct node {
        using chainrule_expression = node;
        enum : int { arity = 0, numbers = 0, is_variable = 0, depth = 0, name_length = 1 };
        enum : core::hash_value { hash = core::hash_of_fraction(Numerator, Denominator) };
        static constexpr core::coefficient value() { return core::coefficient::fraction(Numerator, Denominator); }
        CHAINRULE_CALL_OPERATOR { return chainrule::expressions::evaluate(*this, arguments...); }
        constexpr operator double() const { return expressions::constant_refused_as_number<sizeof(*this) == 0>(); }
    };
};

/// An exact constant that is not a fraction of 64-bit integers: the sum of two doubles, given by their bits.
template <core::hash_value High, core::hash_value Low>
struct real_constant {
    struct node {
        using chainrule_expression = node;
        enum : int { arity = 0, numbers = 0, is_variable = 0, depth = 0, name_length = 1 };
        enum : core::hash_value { hash = core::hash_of(core::hashed::real, core::mix(core::mix(Low, High), High)) };
        static constexpr core::coefficient value() {
            return core::double_word(std::bit_cast<double>(High), std::bit_cast<double>(Low));
        }
        CHAINRULE_CALL_OPERATOR { return chainrule::expressions::evaluate(*this, arguments...); }
        constexpr operator double() const { return expressions::constant_refused_as_number<sizeof(*this) == 0>(); }
    };
};

namespace expressions {

/// The constant of an integral constant of any type.
template <auto Value>
struct constant_of_integral {
    using number = std::remove_const_t<decltype(Value)>;
    static constexpr bool negative = Value < number{};
    static constexpr std::uint64_t magnitude =
        negative ? 0 - static_cast<std::uint64_t>(Value) : static_cast<std::uint64_t>(Value);
    template <bool Fits, class = void>
    struct chosen : constant<static_cast<core::integer>(Value), 1> {};
    template <class Unused>
    struct chosen<false, Unused> {
        static constexpr core::double_word word = core::double_word::nearest(magnitude);
        using node = typename real_constant<std::bit_cast<core::hash_value>(negative ? -word.hi : word.hi),
                                            std::bit_cast<core::hash_value>(negative ? -word.lo : word.lo)>::node;
    };
    using node =
        typename chosen<(magnitude <= static_cast<std::uint64_t>(std::numeric_limits<core::integer>::max()))>::node;
};

} // namespace expressions

/// A stored number. Its value is in the expression object and not in the type: two stored numbers of the same type are
/// never treated as equal.
template <class T>
struct number {
    struct node {
        using chainrule_expression = node;
        using number_type = T;
        enum : int {
            arity = 0,
            numbers = 1,
            is_variable = 0,
            depth = 0,
            name_length = expressions::code_of_number<T> == 0 ? int{expressions::never_abbreviated} : 1
        };
        enum : core::hash_value { hash = core::hash_of(core::hashed::number, expressions::code_of_number<T>) };
        CHAINRULE_CALL_OPERATOR { return chainrule::expressions::evaluate(*this, arguments...); }
        constexpr operator double() const { return expressions::refused_as_number<sizeof(*this) == 0>(); }
        T value;
    };
};

} // namespace chainrule
