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
    // (Without calls: clang counts their statements.)
    template <int... I>
    static constexpr void put(const coefficient* from, integer* to, std::integer_sequence<int, I...>) {
        ((to[3 * I] = from[I].denominator != 0 ? from[I].numerator : __builtin_bit_cast(integer, from[I].high),
          to[3 * I + 1] = from[I].denominator,
          to[3 * I + 2] = from[I].denominator != 0 ? 0 : __builtin_bit_cast(integer, from[I].low)),
         ...);
    }
    template <int... I>
    static constexpr void get(const integer* from, coefficient* to, std::integer_sequence<int, I...>) {
        ((to[I].numerator = from[3 * I + 1] != 0 ? from[3 * I] : 0, to[I].denominator = from[3 * I + 1],
          to[I].high = from[3 * I + 1] != 0 ? 0 : __builtin_bit_cast(double, from[3 * I]),
          to[I].low = from[3 * I + 1] != 0 ? 0 : __builtin_bit_cast(double, from[3 * I + 2])),
         ...);
    }
    static constexpr coefficient get(const integer* from) {
        coefficient c;
        get(from, &c, std::integer_sequence<int, 0>{});
        return c;
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

/// Writes 64-bit words as two each, and reads them.
template <int... I>
constexpr void split_words(const integer* from, int* to, std::integer_sequence<int, I...>) {
    ((to[2 * I] = static_cast<int>(from[I] & 0xFFFFFFFF), to[2 * I + 1] = static_cast<int>(from[I] >> 32)), ...);
}
template <int... I>
constexpr void join_words(const int* from, integer* to, std::integer_sequence<int, I...>) {
    // Of unsigned numbers: nvcc rejects the shift of a negative one, as before C++20.
    ((to[I] = static_cast<integer>(static_cast<unsigned long long>(static_cast<unsigned>(from[2 * I + 1])) << 32 |
                                   static_cast<unsigned>(from[2 * I]))),
     ...);
}

/// Writes elements whose words have 64 bits as words of 32, and reads them.
template <class T>
constexpr void put_split_words(const T* from, int count, int* to) {
    using layout = words_of<T>;
    constexpr int size = layout::count, most = static_cast<int>(block::size());
    integer words[static_cast<std::size_t>(most * size)]{};
    int i = 0;
    for (; i + most <= count; i += most) {
        layout::put(from + i, words, block{});
        split_words(words, to + 2 * i * size, std::make_integer_sequence<int, most * size>{});
    }
    for (; i < count; ++i) {
        layout::put(from + i, words, std::integer_sequence<int, 0>{});
        split_words(words, to + 2 * i * size, std::make_integer_sequence<int, size>{});
    }
}
template <class T>
constexpr void get_split_words(const int* from, int count, T* to) {
    using layout = words_of<T>;
    constexpr int size = layout::count, most = static_cast<int>(block::size());
    integer words[static_cast<std::size_t>(most * size)]{};
    int i = 0;
    for (; i + most <= count; i += most) {
        join_words(from + 2 * i * size, words, std::make_integer_sequence<int, most * size>{});
        layout::get(words, to + i, block{});
    }
    for (; i < count; ++i) {
        join_words(from + 2 * i * size, words, std::make_integer_sequence<int, size>{});
        layout::get(words, to + i, std::integer_sequence<int, 0>{});
    }
}

/// A list in an array.
template <class T, int Capacity>
struct word_array {
    using layout = words_of<T>;
    int size = 0;
    typename layout::word words[Capacity * layout::count]{};

    template <class List> // list<T>; a template, so that debug information does not describe it
    constexpr void fill(const List& from) {
        size = from.count;
        const int count = size < Capacity ? size : Capacity;
        put_words(from.items, count, words);
    }
    template <class List>
    constexpr void read(List& to) const {
        to = List();
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
