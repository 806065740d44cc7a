// SPDX-License-Identifier: BSL-1.0
//
// variable = value: the binding of a number or of a range, which it refers to or copies, or a substitution of an
// expression.
#pragma once

#include <chainrule/expression/abbreviation.hpp>
#include <chainrule/expression/every_node.hpp>

#include <boost/hana/fwd/string.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace chainrule {

/// A value for a variable, as in f(x = 2.0).
template <class Variable, class T>
struct binding {
    using binding_type = binding; // that of a class derived from it
    using variable = Variable;
    T value; ///< a number or a range
};

/// The binding of a double, with a short name: compilers write out the types of a call's arguments in their messages.
template <char... Name>
struct bound_double : binding<typename symbol<boost::hana::string<Name...>>::node, double> {};

template <class Variable, class T>
inline constexpr int expressions::name_length_of<binding<Variable, T>> =
    code_of_number<T> == 0 ? int{never_abbreviated} : 1;
template <class Variable, class T>
inline constexpr core::hash_value expressions::hash_of_element<binding<Variable, T>> =
    core::mix(Variable::hash, code_of_number<T>);

/// An expression that replaces a variable, as in substitute(f, x = g).
template <class Variable, class G>
struct substitution {
    using variable = Variable;
    G value; ///< the expression in its place
};

namespace expressions {

/// The value of a binding to a range, as in over(x = column), which refers to the range instead of copying data.
template <class Range>
struct range_reference {
    const Range* range;
};

/// Numbers in braces, as in given(v = {1.0, 2.0}), copied.
template <class T, std::size_t Size>
struct listed_numbers {
    static constexpr std::size_t extent = Size;
    T numbers[Size];
    [[nodiscard]] constexpr T* data() { return numbers; } // an owner
    [[nodiscard]] constexpr const T* data() const { return numbers; }
    [[nodiscard]] constexpr std::size_t size() const { return Size; }
    [[nodiscard]] constexpr const T* begin() const { return numbers; }
    [[nodiscard]] constexpr const T* end() const { return numbers + Size; }
};
template <class T, std::size_t Size>
constexpr auto listed(const T (&numbers)[Size]) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        if constexpr (std::is_array_v<T>)
            return listed_numbers<decltype(listed(numbers[0])), Size>{{listed(numbers[I])...}};
        else
            return listed_numbers<T, Size>{{numbers[I]...}};
    }(std::make_index_sequence<Size>{});
}

/// Whether an expression is a leaf of tape mode: a stored number that knows its position on a tape.
template <class E>
inline constexpr bool is_active = requires { E::is_active; };

/// Whether T is a number of traced code.
template <class T>
inline constexpr bool is_traced = false; // trace/refusals.hpp

// Whether x = value replaces x by an expression instead of binding a number. (Only leaves are tested for being active,
// since clang would write out the name of any other type.)
template <class T>
consteval bool replaces_variable() {
    if constexpr (!expression<T>)
        return false;
    else if constexpr (int{T::arity} == 0)
        return !is_active<T>;
    else
        return true;
}

/// Whether a class that may be a view owns its numbers: std::array does, and what lends them for writing only if it may
/// be written itself.
template <class T>
consteval bool is_owner() {
    if constexpr (requires { std::tuple_size<T>::value; })
        return true;
    else
        return !std::is_same_v<decltype(std::declval<T&>().data()), decltype(std::declval<const T&>().data())>;
}
/// Whether x = value refers to the value instead of copying it: an array, or a class that owns numbers. A span or
/// another small view is copied.
template <class T>
consteval bool is_bound_by_reference() {
    if constexpr (std::is_array_v<T>)
        return true;
    else if constexpr (!std::is_class_v<T> || !requires(const T& range) {
                           range.data();
                           range.size();
                       })
        return false;
    else if constexpr (sizeof(T) > 3 * sizeof(void*) || !std::is_trivially_copyable_v<T>)
        return true;
    else
        return is_owner<T>();
}

/// variable = value: a binding of a number or a range, or a substitution of an expression.
template <class Variable, bool Temporary, class T>
[[gnu::always_inline]] constexpr auto bound_to(const T& value) {
    if constexpr (replaces_variable<T>())
        return substitution<Variable, T>{value};
    else if constexpr (!Temporary && is_bound_by_reference<T>())
        return binding<Variable, range_reference<T>>{{&value}};
    else if constexpr (std::is_array_v<T>)
        return binding<Variable, const std::remove_extent_t<T>*>{value};
    else if constexpr (std::is_same_v<T, double> && !std::is_void_v<Variable>)
        return typename Variable::bound_double{{value}};
    else
        return binding<Variable, std::decay_t<T>>{value};
}

} // namespace expressions

} // namespace chainrule
