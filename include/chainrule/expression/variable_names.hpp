// SPDX-License-Identifier: BSL-1.0
//
// Lists of variables by name: positions, duplicates, membership in another list. Types are not compared pairwise, which
// would instantiate a template for every pair.
#pragma once

#include <chainrule/core/hash.hpp>
#include <chainrule/core/list.hpp>
#include <chainrule/core/type_list.hpp>

#include <array>
#include <cstddef>
#include <type_traits>

namespace chainrule::expressions {

/// The name of a variable, which identifies it.
struct variable_name {
    hash_value hash = 0;
    const char* text = "";

    [[nodiscard]] constexpr bool is(const variable_name& other) const {
        return hash == other.hash && same_text(text, other.text);
    }
};

/// What a name says about its place in a vector of variables: x[3] is element 3 of x, whose name may have brackets too.
struct element_name {
    int base = 0; ///< the length of the name of the vector; 0 if the variable is in none
    int index = 0;

    constexpr explicit element_name(const char* text) {
        int length = 0;
        while (text[length] != '\0') ++length;
        int open = length - 2;
        while (open > 0 && '0' <= text[open] && text[open] <= '9') --open;
        const int digits = length - 2 - open;
        if (open <= 0 || text[open] != '[' || text[length - 1] != ']' || digits < 1 || digits > 9) return;
        base = open;
        for (int i = open + 1; i < length - 1; ++i) index = 10 * index + (text[i] - '0');
    }
};
/// Whether two names begin with the same characters, so many.
[[nodiscard]] constexpr bool same_beginning(const char* a, const char* b, int length) {
    for (int i = 0; i < length; ++i)
        if (a[i] != b[i]) return false;
    return true;
}

/// Distinct names in the order in which they were added.
class variable_names {
public:
    list<variable_name> names;

    /// The position of a name, or -1.
    [[nodiscard]] constexpr int find(const variable_name& name) const {
        return table_.count == 0 ? -1 : table_.items[place_of(name)] - 1;
    }
    /// The position of a name, which is added if it is missing.
    constexpr int add(const variable_name& name) {
        if (2 * names.count >= table_.count) {
            table_ = list<int>(table_.count == 0 ? 16 : 4 * table_.count);
            for (int i = 0; i < names.count; ++i) table_.items[place_of(names.items[i])] = i + 1;
        }
        const int place = place_of(name);
        if (table_.items[place] == 0) {
            names.push_back(name);
            table_.items[place] = names.count;
        }
        return table_.items[place] - 1;
    }

private:
    list<int> table_; // open addressing: positions plus one, or 0

    [[nodiscard]] constexpr int place_of(const variable_name& name) const {
        const unsigned mask = static_cast<unsigned>(table_.count) - 1;
        unsigned i = static_cast<unsigned>(name.hash) & mask;
        while (table_.items[static_cast<int>(i)] != 0 && !names.items[table_.items[static_cast<int>(i)] - 1].is(name))
            i = (i + 1) & mask;
        return static_cast<int>(i);
    }
};

template <class... V>
[[nodiscard]] constexpr variable_names names_of(type_list<V...>) {
    variable_names names;
    const int places[] = {names.add({V::hash, V::text})..., 0};
    (void)places;
    return names;
}
/// The names in order, and a null pointer.
template <class... V>
[[nodiscard]] consteval std::array<const char*, sizeof...(V) + 1> texts_of(type_list<V...>) {
    return {V::text..., nullptr};
}
/// The position of the first repeated variable of a list, or -1.
template <class... V>
[[nodiscard]] consteval int first_repeated(type_list<V...>) {
    variable_names names;
    const int places[] = {names.add({V::hash, V::text})..., 0};
    for (int i = 0; i < static_cast<int>(sizeof...(V)); ++i)
        if (places[i] != i) return i;
    return -1;
}
/// Whether the variables of a list are distinct.
template <class... V>
[[nodiscard]] consteval bool each_once(type_list<V...> variables) {
    return first_repeated(variables) < 0;
}
/// The number of variables of a list that are also in another.
template <class... V, class List>
[[nodiscard]] consteval int count_in(type_list<V...>, List list) {
    const variable_names names = names_of(list);
    return sum_of({(names.find({V::hash, V::text}) >= 0 ? 1 : 0)..., 0});
}
/// The variables of a list that are in another list, or those that are not.
template <bool In, class... V, class... W>
[[nodiscard]] consteval auto variables_where(type_list<V...>, type_list<W...>) {
    struct flags {
        bool keep[sizeof...(V) + 1];
    };
    constexpr flags chosen = [] {
        const variable_names names = names_of(type_list<W...>{});
        return flags{{(names.find({V::hash, V::text}) >= 0) == In..., false}};
    }();
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return typename joined_lists<std::conditional_t<chosen.keep[I], type_list<V>, type_list<>>...>::type{};
    }(std::index_sequence_for<V...>{});
}
/// The variables of a list that are not in another list.
template <class List, class Others>
[[nodiscard]] consteval auto without(List list, Others others) {
    return variables_where<false>(list, others);
}

} // namespace chainrule::expressions
