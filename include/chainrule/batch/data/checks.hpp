// SPDX-License-Identifier: BSL-1.0
//
// Checks before a batch computes anything: equal lengths, rows that are long enough, and outputs that overlap neither
// inputs nor one another.
#pragma once

#include <chainrule/batch/data/columns.hpp>

namespace chainrule::batches {

/// A column, for the checks: where it is, and what it is called in a sentence.
struct described_column {
    const char* what; // "column of", "column"
    const char* name; // of a variable; null if the columns are numbered
    std::size_t number;
    const void* first;
    std::size_t size;
    std::ptrdiff_t stride; // in elements
    bool common;
};

inline bad_data& operator<<(bad_data& sentence, const described_column& c) {
    sentence << "the " << c.what << " ";
    return c.name != nullptr ? sentence << c.name : sentence << c.number;
}

[[noreturn, gnu::cold]] inline void refuse_lengths(const described_column& a, const described_column& b) {
    bad_data sentence;
    sentence << "batch: " << a << " has " << a.size << " numbers and " << b << " has " << b.size
             << "; give columns of equal length";
    raise(sentence);
}
[[noreturn, gnu::cold]] inline void refuse_overlap(const described_column& out, const described_column& other) {
    bad_data sentence;
    sentence << "batch: " << out << " overlaps " << other << "; write results to memory of their own";
    raise(sentence);
}

/// Whether two columns have a number in common.
inline bool overlap(const described_column& a, const described_column& b, std::size_t element_size) {
    if (a.size == 0 || b.size == 0 || a.common || b.common) return false;
    const auto size = static_cast<std::ptrdiff_t>(element_size);
    const auto begin = [](const described_column& c) { return reinterpret_cast<std::intptr_t>(c.first); };
    const auto span = [&](const described_column& c) {
        return c.stride * size * static_cast<std::ptrdiff_t>(c.size - 1);
    };
    const auto lowest = [&](const described_column& c) { return begin(c) + (span(c) < 0 ? span(c) : 0); };
    const auto highest = [&](const described_column& c) { return begin(c) + (span(c) < 0 ? 0 : span(c)) + size; };
    if (highest(a) <= lowest(b) || highest(b) <= lowest(a)) return false;
    // Columns of the same rows lie between one another.
    if (a.stride != b.stride || a.stride == 0) return true;
    const std::ptrdiff_t row = (a.stride < 0 ? -a.stride : a.stride) * size;
    const std::ptrdiff_t apart = ((begin(a) - begin(b)) % row + row) % row;
    return apart < size || row - apart < size;
}

/// Checks columns of a batch; the first input that is not common has as many numbers as there are points.
inline void check_described_columns(const described_column* in, std::size_t inputs, const described_column* out,
                                    std::size_t outputs, std::size_t element_size) {
    const described_column* points = in;
    while (points->common) ++points;
    for (std::size_t i = 0; i < inputs; ++i)
        if (!in[i].common && in[i].size != points->size) refuse_lengths(in[i], *points);
    for (std::size_t k = 0; k < outputs; ++k) {
        if (out[k].size != points->size) refuse_lengths(out[k], *points);
        if (out[k].stride == 0 && out[k].size > 1) refuse_overlap(out[k], out[k]);
        for (std::size_t i = 0; i < inputs; ++i)
            if (overlap(out[k], in[i], element_size)) refuse_overlap(out[k], in[i]);
        for (std::size_t i = 0; i < k; ++i)
            if (overlap(out[k], out[i], element_size)) refuse_overlap(out[k], out[i]);
    }
}

/// Checks rows: `numbers` numbers must fit into each.
inline void check_rows(std::size_t points, std::size_t numbers, std::ptrdiff_t stride, std::size_t size) {
    const auto apart = static_cast<std::size_t>(stride < 0 ? -stride : stride);
    if (points == 0) return;
    if (apart < numbers) {
        bad_data sentence;
        sentence << "rows: the stride is " << stride << " and a row has " << numbers
                 << " numbers; give a stride of at least " << numbers;
        raise(sentence);
    }
    if ((points - 1) * apart + numbers > size) {
        bad_data sentence;
        sentence << "rows: " << size << " numbers do not make whole rows of " << numbers << " with a stride of "
                 << stride << "; the last row is too short";
        raise(sentence);
    }
}
[[noreturn, gnu::cold]] inline void refuse_width(std::size_t given, std::size_t needed) {
    bad_data sentence;
    sentence << "batch: a matrix has " << given << " columns where " << needed << " are needed; give one per number";
    raise(sentence);
}

} // namespace chainrule::batches
