// SPDX-License-Identifier: BSL-1.0
//
// Carries lists from one constant evaluation to the next, or into template arguments, as words of a built-in type in an
// array of fixed size: compilers would initialise objects one by one.
#pragma once

#include <chainrule/graph/graph_data.hpp>

#include <cstddef>

namespace chainrule::graph {

/// An element of a list as words: one for a number, as many as the specialization states for other types.
template <class T, int Count = 1, class Word = int>
struct words {
    using word = Word;
    enum : int { count = Count };
    static constexpr void put(const T& value, int* to) { *to = value; }
    static constexpr T get(const int* from) { return static_cast<T>(*from); }
};
template <class T>
struct words_of : words<T> {};

template <>
struct words_of<term> : words<term, 2> {
    static constexpr void put(const term& t, int* to) { to[0] = t.c, to[1] = t.id; }
    static constexpr term get(const int* from) { return {from[0], from[1]}; }
};
template <>
struct words_of<node> : words<node, 3> {
    static constexpr void put(const node& n, int* to) {
        to[0] = static_cast<int>(n.what) | static_cast<int>(n.function) << 8, to[1] = n.a, to[2] = n.b;
    }
    static constexpr node get(const int* from) {
        return {static_cast<kind>(from[0] & 255), static_cast<unsigned char>(from[0] >> 8), from[1], from[2]};
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
};

/// Writes elements as words, and reads them. (clang counts the statements of an evaluation, however long: here they are
/// few.)
template <class T>
constexpr void put_words(const T* from, int count, typename words_of<T>::word* to) {
    using layout = words_of<T>;
    constexpr int size = layout::count;
    int i = 0;
    if constexpr (size == 1) {
        for (; i + 8 <= count; i += 8)
            to[i] = from[i], to[i + 1] = from[i + 1], to[i + 2] = from[i + 2], to[i + 3] = from[i + 3],
            to[i + 4] = from[i + 4], to[i + 5] = from[i + 5], to[i + 6] = from[i + 6], to[i + 7] = from[i + 7];
        for (; i < count; ++i) to[i] = from[i];
    } else {
        for (; i + 4 <= count; i += 4)
            layout::put(from[i], to + i * size), layout::put(from[i + 1], to + (i + 1) * size),
                layout::put(from[i + 2], to + (i + 2) * size), layout::put(from[i + 3], to + (i + 3) * size);
        for (; i < count; ++i) layout::put(from[i], to + i * size);
    }
}
template <class T>
constexpr void get_words(const typename words_of<T>::word* from, int count, T* to) {
    using layout = words_of<T>;
    constexpr int size = layout::count;
    int i = 0;
    if constexpr (size == 1) {
        for (; i + 8 <= count; i += 8)
            to[i] = static_cast<T>(from[i]), to[i + 1] = static_cast<T>(from[i + 1]),
            to[i + 2] = static_cast<T>(from[i + 2]), to[i + 3] = static_cast<T>(from[i + 3]),
            to[i + 4] = static_cast<T>(from[i + 4]), to[i + 5] = static_cast<T>(from[i + 5]),
            to[i + 6] = static_cast<T>(from[i + 6]), to[i + 7] = static_cast<T>(from[i + 7]);
        for (; i < count; ++i) to[i] = static_cast<T>(from[i]);
    } else {
        for (; i + 4 <= count; i += 4)
            to[i] = layout::get(from + i * size), to[i + 1] = layout::get(from + (i + 1) * size),
            to[i + 2] = layout::get(from + (i + 2) * size), to[i + 3] = layout::get(from + (i + 3) * size);
        for (; i < count; ++i) to[i] = layout::get(from + i * size);
    }
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
        to = list<T>(size);
        get_words(words, size, to.items);
    }
    [[nodiscard]] constexpr bool complete() const { return size <= Capacity; }
    [[nodiscard]] constexpr T operator[](std::size_t i) const {
        return layout::get(words + i * static_cast<std::size_t>(layout::count));
    }
};

} // namespace chainrule::graph
