// SPDX-License-Identifier: BSL-1.0
//
// Carries lists from one constant evaluation to the next, or into template arguments, as words of a built-in type in an
// array of fixed size: compilers would initialise objects one by one.
#pragma once

#include <chainrule/graph/graph_data.hpp>

#include <cstddef>
#include <utility>

namespace chainrule::graph {

/// The numbers of elements that are written or read in one statement: clang counts the statements of an evaluation,
/// however long.
#if defined(__clang__)
using block = std::make_integer_sequence<int, 8>;
#else
using block = std::make_integer_sequence<int, 4>;
#endif

/// An element of a list as words: one for a number, as many as the specialization states for other types. The functions
/// write and read the elements number I.
template <class T, int Count = 1, class Word = int>
struct words {
    using word = Word;
    enum : int { count = Count };
    template <int... I>
    static constexpr void put(const T* from, int* to, std::integer_sequence<int, I...>) {
        ((to[I] = from[I]), ...);
    }
    template <int... I>
    static constexpr void get(const int* from, T* to, std::integer_sequence<int, I...>) {
        ((to[I] = static_cast<T>(from[I])), ...);
    }
};
template <class T>
struct words_of : words<T> {};

template <>
struct words_of<term> : words<term, 2> {
    template <int... I>
    static constexpr void put(const term* from, int* to, std::integer_sequence<int, I...>) {
        ((to[2 * I] = from[I].c, to[2 * I + 1] = from[I].id), ...);
    }
    template <int... I>
    static constexpr void get(const int* from, term* to, std::integer_sequence<int, I...>) {
        ((to[I].c = from[2 * I], to[I].id = from[2 * I + 1]), ...);
    }
};
template <>
struct words_of<node> : words<node, 3> {
    template <int... I>
    static constexpr void put(const node* from, int* to, std::integer_sequence<int, I...>) {
        ((to[3 * I] = static_cast<int>(from[I].what) | static_cast<int>(from[I].function) << 8,
          to[3 * I + 1] = from[I].a, to[3 * I + 2] = from[I].b),
         ...);
    }
    template <int... I>
    static constexpr void get(const int* from, node* to, std::integer_sequence<int, I...>) {
        ((to[I].what = static_cast<kind>(from[3 * I] & 255),
          to[I].function = static_cast<unsigned char>(from[3 * I] >> 8), to[I].a = from[3 * I + 1],
          to[I].b = from[3 * I + 2]),
         ...);
    }
};
template <>
struct words_of<coefficient> : words<coefficient, 3, integer> {
    static constexpr void put(const coefficient& c, integer* to) {
        to[0] = c.exact() ? c.numerator : std::bit_cast<integer>(c.high);
        to[1] = c.denominator;
        to[2] = c.exact() ? 0 : std::bit_cast<integer>(c.low);
    }
    static constexpr coefficient get(const integer* from) {
        if (from[1] != 0) return coefficient::in_lowest_terms(from[0], from[1]);
        return irrational{std::bit_cast<double>(from[0]), std::bit_cast<double>(from[2])};
    }
    template <int... I>
    static constexpr void put(const coefficient* from, integer* to, std::integer_sequence<int, I...>) {
        (put(from[I], to + 3 * I), ...);
    }
    template <int... I>
    static constexpr void get(const integer* from, coefficient* to, std::integer_sequence<int, I...>) {
        ((to[I] = get(from + 3 * I)), ...);
    }
};

/// Writes elements as words, and reads them.
template <class T>
constexpr void put_words(const T* from, int count, typename words_of<T>::word* to) {
    using layout = words_of<T>;
    constexpr int size = layout::count, most = static_cast<int>(block::size());
    int i = 0;
    for (; i + most <= count; i += most) layout::put(from + i, to + i * size, block{});
    for (; i < count; ++i) layout::put(from + i, to + i * size, std::integer_sequence<int, 0>{});
}
template <class T>
constexpr void get_words(const typename words_of<T>::word* from, int count, T* to) {
    using layout = words_of<T>;
    constexpr int size = layout::count, most = static_cast<int>(block::size());
    int i = 0;
    for (; i + most <= count; i += most) layout::get(from + i * size, to + i, block{});
    for (; i < count; ++i) layout::get(from + i * size, to + i, std::integer_sequence<int, 0>{});
}

/// A list in an array.
template <class T, int Capacity>
struct word_array {
    using layout = words_of<T>;
    int size = 0;
    typename layout::word words[Capacity * layout::count]{};

    constexpr void fill(const list<T>& from) {
        size = from.count;
        const int count = size < Capacity ? size : Capacity;
        put_words(from.items, count, words);
    }
    constexpr void read(list<T>& to) const {
        to = list<T>();
        to.reserve(size);
        to.count = size;
        get_words(words, size, to.items);
    }
    [[nodiscard]] constexpr bool complete() const { return size <= Capacity; }
    [[nodiscard]] constexpr T operator[](std::size_t i) const {
        T element{};
        layout::get(words + i * static_cast<std::size_t>(layout::count), &element, std::integer_sequence<int, 0>{});
        return element;
    }
};

} // namespace chainrule::graph
