// SPDX-License-Identifier: BSL-1.0
//
// over_chunks(chunks, progress): data that come in pieces, since they are larger than memory. Results are those of the
// same rows in one piece, bit for bit.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/batch/over.hpp>
#include <chainrule/batch/execution/blocks.hpp>

#include <algorithm>
#include <vector>

namespace chainrule {

namespace batches {

struct no_progress {
    void operator()(std::size_t) const {}
};

/// The rows of an incomplete block, which wait for the next chunk.
template <class Chunk>
class pending_rows {
public:
    using number = typename Chunk::number;
    using data = data_set<typename Chunk::variables, apart<number, Chunk::columns>>;

    pending_rows() : numbers_(Chunk::columns * rows_per_block) {}

    /// Copies rows, as many as fit, and returns the end of those that were.
    std::size_t take(const Chunk& chunk, std::size_t first, std::size_t end) {
        end = std::min(end, first + (rows_per_block - count_));
        number row[Chunk::columns];
        for (; first < end; ++first, ++count_) {
            chunk.load(row, first, 1);
            for (std::size_t j = 0; j < Chunk::columns; ++j) numbers_[j * rows_per_block + count_] = row[j];
        }
        return end;
    }
    /// Hands the rows on.
    template <class Work>
    void release(const Work& work) {
        apart<number, Chunk::columns> columns{{}, count_};
        for (std::size_t j = 0; j < Chunk::columns; ++j) columns.first[j] = numbers_.data() + j * rows_per_block;
        work(data{{{columns}}}, 0, count_);
        count_ = 0;
    }
    [[nodiscard]] std::size_t count() const { return count_; }

private:
    std::vector<number> numbers_;
    std::size_t count_ = 0;
};

/// A range of data sets, one after the other.
template <class Chunks, class Progress>
struct chunked_data {
    using chunk_type = std::remove_cvref_t<decltype(*detail::ranges::first_of(std::declval<const Chunks&>()))>;
    using variables = typename chunk_type::variables;
    using number = typename chunk_type::number;
    static constexpr bool rows_known = false;

    const Chunks* chunks;
    Progress progress;

    [[nodiscard]] std::size_t rows() const { return 0; }

    template <class Work>
    void for_each_piece(const Work& work) const {
        pending_rows<chunk_type> waiting;
        std::size_t done = 0;
        for (auto at = detail::ranges::first_of(*chunks); at != detail::ranges::last_of(*chunks); ++at) {
            const chunk_type chunk = *at;
            const std::size_t rows = chunk.rows();
            std::size_t first = 0;
            if (waiting.count() != 0) first = waiting.take(chunk, first, rows);
            if (waiting.count() == rows_per_block) waiting.release(work);
            if (waiting.count() == 0) {
                const std::size_t end = first + (rows - first) / rows_per_block * rows_per_block;
                if (end > first) work(chunk, first, end);
                waiting.take(chunk, end, rows);
            }
            progress(done += rows);
        }
        if (waiting.count() != 0) waiting.release(work);
    }
};
template <class Chunks, class Progress>
inline constexpr bool is_data<chunked_data<Chunks, Progress>> = true;

} // namespace batches

template <class Chunks, class Progress>
inline constexpr bool expressions::has_own_operators<batches::chunked_data<Chunks, Progress>> = true;

/// Data in pieces: a range whose elements are over(...), for instance one that reads a file as it is iterated. It is
/// iterated once per evaluation (twice for log_sum_exp), and must outlive the sum. After each chunk, progress(rows)
/// gets the number of rows read so far.
template <class Chunks, class Progress = batches::no_progress>
[[nodiscard]] auto over_chunks(Chunks&& chunks, const Progress& progress = {}) {
    constexpr bool named = std::is_lvalue_reference_v<Chunks>;
    static_assert(named,
                  "over_chunks: the range of chunks is a temporary, which is gone when the sum is computed; give "
                  "it a name before the call");
    return batches::chunked_data<std::remove_cvref_t<Chunks>, Progress>{&chunks, progress};
}

} // namespace chainrule

#include <chainrule/core/names_end.inc>
