// SPDX-License-Identifier: BSL-1.0
//
// Short names for the types of long expressions. Compilers write the name of a type as a tree: in each message that
// mentions it (11 MB for a missing value), in the names of functions, and in debug information (22 GB of memory for 400
// operations with -g). So the type of an operation on long expressions is named by the hashes of its operands, and a
// long list of expressions, variables or bindings by its length and hash.
#pragma once

#include <chainrule/core/hash.hpp>
#include <chainrule/core/type_list.hpp>

#include <type_traits>

namespace chainrule {

/// A list of so many expressions, variables or bindings, in the template arguments of a class whose name users see.
template <int Size, core::hash_value Hash>
struct abbreviated_list {};

namespace expressions {

// The length of a type name that is always written out, because it contains a class of the user that no hash
// identifies.
enum : int { never_abbreviated = 1 << 20 };
inline constexpr hash_value first_own_code = 1 << 16;

/// Distinguishes stored numbers of built-in types; 0 for classes.
template <class T>
inline constexpr hash_value code_of_number = 0;
#define CHAINRULE_BUILT_IN(CODE, TYPE)                                                                                 \
    template <>                                                                                                        \
    inline constexpr hash_value code_of_number<TYPE> = CODE;
CHAINRULE_BUILT_IN(3, float)
CHAINRULE_BUILT_IN(4, double)
CHAINRULE_BUILT_IN(5, long double)
CHAINRULE_BUILT_IN(6, int)
CHAINRULE_BUILT_IN(7, unsigned)
CHAINRULE_BUILT_IN(8, long)
CHAINRULE_BUILT_IN(9, unsigned long)
CHAINRULE_BUILT_IN(10, long long)
CHAINRULE_BUILT_IN(11, unsigned long long)
CHAINRULE_BUILT_IN(12, bool)
#undef CHAINRULE_BUILT_IN

// The length in nodes.
inline constexpr int longest_name = 4;
[[nodiscard]] constexpr bool is_abbreviated(int operands, hash_value code) {
    return operands >= longest_name && operands < never_abbreviated && code < first_own_code;
}
[[nodiscard]] constexpr int length_of_name(int operands, hash_value code) {
    return operands >= never_abbreviated || code >= first_own_code ? int{never_abbreviated} : operands + 1;
}

template <class A, class B = void, class C = void>
struct operand_types {
    using first = A;
    using second = B;
    using third = C;
};

// Maps the hashes back to the operands: a function that is defined where an operation on these operands is first used.
// Two operations with the same hashes are an error there.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-template-friend"
#endif
template <class Operation, hash_value... Operand>
struct abbreviation_key {
    friend constexpr auto operands_of(abbreviation_key);
};
template <int Size, hash_value Hash>
struct list_key {
    friend constexpr auto elements_of(list_key);
};
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
template <class Operation, class... Operand>
struct abbreviation {
    friend constexpr auto operands_of(abbreviation_key<Operation, Operand::hash...>) {
        return std::type_identity<operand_types<Operand...>>{};
    }
};
template <class Operation, hash_value... Operand>
struct operands_behind : decltype(operands_of(abbreviation_key<Operation, Operand...>{}))::type{};

template <class Key, class List>
struct list_behind {
    friend constexpr auto elements_of(Key) { return List{}; }
};
template <class E>
inline constexpr int name_length_of = E::name_length;
template <class E>
inline constexpr hash_value hash_of_element = E::hash;
[[nodiscard]] constexpr hash_value hash_of_list(const hash_value* hashes, int size) {
    hash_value h = static_cast<hash_value>(size);
    for (int i = 0; i < size; ++i) h = core::mix(h, hashes[i]);
    return h;
}
template <class... E>
[[nodiscard]] consteval bool is_long_list() {
    if constexpr (sizeof...(E) <= longest_name)
        return false;
    else
        return core::all_true({(name_length_of<E> < never_abbreviated)...});
}
// No hash identifies traced code: the list of all its outputs is named by the code.
[[nodiscard]] consteval core::type_list<> named_by_code(core::type_list<> list) { return list; }
template <class First, class... E>
[[nodiscard]] consteval auto named_by_code(core::type_list<First, E...> list) {
    constexpr int size = 1 + sizeof...(E);
    if constexpr (size > longest_name && requires { typename First::template outputs<size>; }) {
        using outputs = typename First::template outputs<size>;
        if constexpr (std::is_same_v<typename outputs::list, core::type_list<First, E...>>)
            return outputs{};
        else
            return list;
    } else {
        return list;
    }
}
template <class... E>
[[nodiscard]] consteval auto abbreviated_if_long(core::type_list<E...> list) {
    if constexpr (is_long_list<E...>()) {
        constexpr int size = sizeof...(E);
        constexpr hash_value hashes[] = {hash_of_element<E>...};
        constexpr hash_value hash = hash_of_list(hashes, size);
        (void)sizeof(list_behind<list_key<size, hash>, core::type_list<E...>>);
        return abbreviated_list<size, hash>{};
    } else {
        return expressions::named_by_code(list);
    }
}
/// A list under a short name, and the list that a name stands for.
template <class List>
using short_list = decltype(abbreviated_if_long(List{}));
template <class... E>
consteval core::type_list<E...> list_named(core::type_list<E...>) {
    return {};
}
template <int Size, hash_value Hash>
consteval auto list_named(abbreviated_list<Size, Hash>) {
    return elements_of(list_key<Size, Hash>{});
}
template <class Name>
using long_list = decltype(list_named(Name{}));

} // namespace expressions
} // namespace chainrule
