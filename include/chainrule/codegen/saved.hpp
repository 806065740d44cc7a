// SPDX-License-Identifier: BSL-1.0
//
// Carries the state of a compilation from one constant evaluation to the next: the parts that later passes read and
// this evaluation changed, as words (codegen/words_of_parts.hpp) in one array of fixed size. Compilers would
// initialise objects one by one.
#pragma once

#include <chainrule/codegen/words_of_parts.hpp>

namespace chainrule::codegen {

/// The capacity of a saved state, in words; a problem that exceeds the first is derived again with the second.
inline constexpr int default_words = 1 << 19, most_words = 1 << 21;

/// How many pages a saved state has for long lists of T.
template <class T>
inline constexpr int page_count = 0;
template <>
inline constexpr int page_count<int> = 12;
template <>
inline constexpr int page_count<bool> = 3;
template <>
inline constexpr int page_count<term> = 5;
template <>
inline constexpr int page_count<graph::node> = 1;
template <>
inline constexpr int page_count<graph::linear_form> = 1;
template <>
inline constexpr int page_count<differentiate::contribution> = 1;
template <>
inline constexpr int page_count<optimise::factored_product> = 1;
template <>
inline constexpr int page_count<optimise::scaled_value> = 1;
template <>
inline constexpr int page_count<optimise::replacement> = 2;
template <>
inline constexpr int page_count<optimise::factor_use> = 1;
template <>
inline constexpr int page_count<optimise::counted_pair> = 1;
template <>
inline constexpr int page_count<node_state> = 1;
template <>
inline constexpr int page_count<instruction> = 2;
template <>
inline constexpr int page_count<instruction_state> = 1;

/// Pages of a saved state for long lists of T.
template <class T>
struct pages_of {
    core::page<T> pages[static_cast<unsigned>(page_count<T>)]{};
    int used = 0;
};
/// The pages of a saved state, as many as it has lists that may be long. A list for which none is left is saved as
/// words; so are all lists of a small state.
template <class... T>
struct saved_pages : pages_of<T>... {
    static constexpr bool exist = sizeof...(T) != 0;
};
using all_saved_pages =
    saved_pages<int, bool, term, graph::node, graph::linear_form, differentiate::contribution,
                optimise::factored_product, optimise::scaled_value, optimise::replacement, optimise::factor_use,
                optimise::counted_pair, node_state, instruction, instruction_state>;

template <unsigned Parts>
struct of_parts {};

/// The part of a compilation's state that later passes need.
template <int Words>
struct saved_state {
    const int* address = &core::anchor;
    const saved_state* earlier =
        nullptr; // contains the parts that have not changed since, unless this is the first state
    // Not `earlier == nullptr`: with -fsanitize=undefined, g++ 12 compares no address in a constant expression.
    bool is_first = true;
    unsigned parts = parts::none;
    unsigned all_parts = parts::none;     // with those of earlier states
    int next = 0;                         // the next pass
    int node_count = 0, factor_pairs = 0; // of the graph; -1 nodes of expressions that are too large
    int size = 0;
    bool relaxed = false; // whether the values may be computed in another form
    int words[static_cast<std::size_t>(Words)]{};
    static constexpr int most_blocks = Words >> (index_table::block_bits + 1);
    index_table::block index[static_cast<std::size_t>(most_blocks)]{}; // of the one table: that of nodes, or of pairs
    using page_set =
        std::conditional_t<core::pages_are_cheap && (Words >= default_words), all_saved_pages, saved_pages<>>;
    page_set pages{};

    constexpr saved_state() = default;
    // Constructors, since g++ copies what a function returns, element by element.
    /// Saves a problem that was derived, or a piece of it. A template, as are the functions of other classes whose
    /// objects are constants: compilers describe the arguments of other members in debug information, with all passes.
    template <class Problem>
    requires(__is_same(Problem, problem))
    constexpr explicit saved_state(Problem&& p);
    /// Runs the next passes after `from`, up to the one before `last`, or up to the first that stops early. The saved
    /// states, including this one, contain no other parts than `Parts`.
    template <unsigned Parts>
    constexpr saved_state(of_parts<Parts>, const saved_state& from, int last, const piece& most = {});

    /// Saves the parts of a state that later passes need, after the passes from `first` to the one before `next_pass`,
    /// or after a piece of `next_pass`; of these, `Parts`.
    template <unsigned Parts = parts::all>
    constexpr void save(const compilation& c, int first, int next_pass, int last);

    [[nodiscard]] constexpr bool complete() const { return size <= Words; }
};

/// Writes the given parts of a state.
template <int Words>
struct state_writer {
    saved_state<Words>& to;

    [[nodiscard]] constexpr bool enters(unsigned p) const { return (to.parts & p) != 0; }
    constexpr void operator()(int word) {
        if (to.size < Words) to.words[to.size] = word;
        ++to.size;
    }
    constexpr void operator()(const index_table& from) {
        (*this)(from.count);
        if (from.block_count() > saved_state<Words>::most_blocks) to.size = Words + 1;
        for (int i = 0; i < from.block_count() && to.size <= Words; ++i) to.index[i] = from.blocks[i];
    }
    template <class T>
    constexpr void operator()(const list<T>& from) {
        using layout = words_of<T>;
        (*this)(from.count);
        if constexpr (saved_state<Words>::page_set::exist && page_count<T> != 0)
            if (from.count > core::page<T>::least && write_page<T>(from, to.pages)) return;
        if constexpr (sizeof(typename layout::word) == sizeof(int)) {
            const int start = to.size;
            to.size += from.count * layout::count;
            if (to.size > Words) return;
            graph::put_words(from.items, from.count, to.words + start);
        } else {
            const int start = to.size;
            to.size += 2 * from.count * layout::count;
            if (to.size > Words) return;
            graph::put_split_words(from.items, from.count, to.words + start);
        }
    }

private:
    // Writes a long list as a page, and the number of that page, or -1.
    template <class T>
    constexpr bool write_page(const list<T>& from, pages_of<T>& all) {
        const bool fits = from.in_page() && all.used < page_count<T>;
        (*this)(fits ? all.used : -1);
        if (fits) from.write(all.pages[all.used++]);
        return fits;
    }
};

/// Reads the given parts of a state.
template <int Words>
struct state_reader {
    const saved_state<Words>& from;
    unsigned wanted;
    int at = 0;
    bool reads = false; // the part that it is in

    constexpr bool enters(unsigned p) {
        reads = (wanted & p) != 0;
        return (from.parts & p) != 0;
    }
    template <class Number>
    constexpr void operator()(Number& number) {
        if (reads) number = static_cast<Number>(from.words[at]);
        ++at;
    }
    constexpr void operator()(index_table& to) {
        const int count = from.words[at++];
        if (!reads) return;
        to = index_table(count);
        for (int i = 0; i < to.block_count(); ++i) to.blocks[i] = from.index[i];
    }
    template <class T>
    constexpr void operator()(list<T>& to) {
        using layout = words_of<T>;
        constexpr int size = layout::count * static_cast<int>(sizeof(typename layout::word) / sizeof(int));
        const int count = from.words[at++];
        if constexpr (saved_state<Words>::page_set::exist && page_count<T> != 0)
            if (const int number = count > core::page<T>::least ? from.words[at++] : -1; number >= 0) {
                if (reads) to.read(static_cast<const pages_of<T>&>(from.pages).pages[number], count);
                return;
            }
        const int* word = from.words + at;
        at += count * size;
        if (!reads) return;
        to = list<T>();
        to.reserve(count);
        to.count = count;
        if constexpr (sizeof(typename layout::word) == sizeof(int)) {
            graph::get_words(word, count, to.items);
        } else {
            graph::get_split_words(word, count, to.items);
        }
    }
};

/// Reads the wanted parts from this saved state and from earlier ones, which contain no others than `Parts`.
template <unsigned Parts = parts::all, int Words>
constexpr void read(const saved_state<Words>& latest, unsigned wanted, compilation& c) {
    for (const saved_state<Words>* from = &latest;; from = from->earlier) {
        if ((wanted & from->parts) != 0) {
            state_reader<Words> reader{*from, wanted};
            each_part<Parts>(c, reader);
        }
        if (from->is_first) return;
        wanted &= ~from->parts;
    }
}

template <int Words>
template <unsigned Parts>
constexpr void saved_state<Words>::save(const compilation& c, int first, int next_pass, int last) {
    next = next_pass;
    // Each pass computes with the coefficients, which then are more work than the nodes.
    const canonical_graph& g = c.derived.g;
    node_count =
        c.derived.too_large ? -1 : g.nodes.count + 2 * g.coefficients.magnitudes.count + c.derived.outputs.count / 2;
    factor_pairs = c.factor_pairs;
    relaxed = c.derived.g.is_marked();
    parts = Parts & (is_first ? parts::all : parts_changed(first, next < last ? next + 1 : next)) &
            (parts_read(next, pass_count) | parts::inputs | parts::instructions);
    all_parts = is_first ? parts : parts | earlier->all_parts;
    state_writer<Words> writer{*this};
    each_part<Parts>(c, writer);
}

/// The parts that exist after a piece of the derivation.
inline constexpr unsigned derived_parts = parts_changed(0, 1);

template <int Words>
template <class Problem>
requires(__is_same(Problem, problem))
constexpr saved_state<Words>::saved_state(Problem&& p) {
    compilation c(static_cast<Problem&&>(p));
    save<derived_parts>(c, 0, c.derived.sweep.next >= 0 ? 0 : run_passes(c, 0, 1), 1);
}
template <int Words>
template <unsigned Parts>
constexpr saved_state<Words>::saved_state(of_parts<Parts>, const saved_state& from, int last, const piece& most)
    : earlier(&from), is_first(false) {
    compilation c;
    read<Parts>(from, parts_read(from.next, last), c);
    save<Parts>(c, from.next, run_passes(c, from.next, last, most), last);
}

/// Saves a problem that was derived, or a piece of it.
template <int Words>
[[nodiscard]] constexpr saved_state<Words> begin(problem&& p) {
    return saved_state<Words>(static_cast<problem&&>(p));
}

/// Runs the next passes, as a constructor of the state that is returned does.
template <unsigned Parts = parts::all, int Words>
[[nodiscard]] constexpr saved_state<Words> advance(const saved_state<Words>& from, int last, const piece& most = {}) {
    return saved_state<Words>(of_parts<Parts>{}, from, last, most);
}

} // namespace chainrule::codegen
