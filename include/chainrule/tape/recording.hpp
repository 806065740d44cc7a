// SPDX-License-Identifier: BSL-1.0
//
// What does a tape store? Per statement only the partial derivatives of its result by its operands and the operands'
// numbers, in blocks that never move; results are numbered in the order of their statements, so that a statement needs
// no header. tape/tape.hpp adds what users call; tape/sweep.hpp reads the recording backwards.
#pragma once

#include <chainrule/raise.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

// For lambdas, of which a statement consists: calls would cost more than what they do.
#define CHAINRULE_INLINE __attribute__((always_inline))

namespace chainrule::tape {

/// Thrown where a recording would exceed the limit given to limit_memory(), or 2^31 results. The tape is as before.
class recording_full : public std::length_error {
public:
    using std::length_error::length_error;
};

/// The number of a recorded result. Zero stands for numbers that are not recorded.
using index = std::uint32_t;

/// The number of a result in the lower half, and the generation of the tape, counted in rewinds, in the upper half.
using place = std::uint64_t;

/// What a tape holds, in bytes and in counts.
struct memory_statistics {
    std::size_t statements = 0;      // including one per variable
    std::size_t operands = 0;        // stored partial derivatives
    std::size_t bytes_recorded = 0;  // of statements and operands
    std::size_t bytes_reserved = 0;  // of all blocks and adjoints, in use or not
};

/// A place in a recording, to which it can be rewound.
struct position {
    std::size_t block = 0;
    std::size_t entry = 0;
    index next = 1;
    std::uint32_t generation = 0; // of the tape, counted in rewinds
    const void* owner = nullptr;  // the recording; null for the start of any

    friend constexpr bool operator==(const position&, const position&) = default;
};

/// The statements in the order in which they were executed. An entry is a partial derivative and the number of an
/// operand; the last entry of each statement carries a mark.
template <class T>
class recording {
public:
    static constexpr std::size_t block_size = std::size_t{1} << 14; // entries
    static constexpr index last_operand = index{1} << 31;

    struct block {
        T partials[block_size + 1];
        index operands[block_size + 1]; // one more: a place may be written before it is known whether it counts
    };

    recording() = default;
    recording(const recording&) = delete;
    recording& operator=(const recording&) = delete;

    /// Whether `count` entries fit where recording goes on; then they can be written to partials() and operands().
    [[nodiscard, gnu::always_inline]] bool has_room(std::size_t count) const { return entry_ + count <= end_; }
    [[nodiscard, gnu::always_inline]] T* partials() const { return block_->partials + entry_; }
    [[nodiscard, gnu::always_inline]] index* operands() const { return block_->operands + entry_; }
    /// Ends a statement whose `count` entries were written, the last one marked. Returns the place of its result.
    [[gnu::always_inline]] place finish(std::size_t count) {
        entry_ += count;
        return next_++;
    }

    /// Records a statement of any length, entry by entry; it may go on in the next block. At least one entry.
    place append(const T* partials, const index* operands, std::size_t count) {
        reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            if (entry_ == end_) enter_block(current_ + (block_ != nullptr ? 1 : 0));
            block_->partials[entry_] = partials[i];
            block_->operands[entry_] = i + 1 < count ? operands[i] : operands[i] | last_operand;
            ++entry_;
        }
        return next_++;
    }

    /// Records a result without operands.
    place append_variable() {
        // In front of all statements, sweeps do not come by.
        if (entry_ == 0 && current_ == 0) {
            check_count();
            return next_++;
        }
        const T nothing{};
        const index nobody = 0; // an adjoint that is not read
        return append(&nothing, &nobody, 1);
    }

    /// Calls f(result, operand, partial derivative) for every operand of every statement, in the order of recording.
    template <class F>
    void for_each_operand(F f) const {
        std::size_t statements = 0;
        for (std::size_t b = 0; b < block_count(); ++b)
            for (std::size_t i = 0; i < entries(b); ++i) statements += blocks_[b]->operands[i] >> 31;
        auto result = static_cast<index>(next() - statements);
        for (std::size_t b = 0; b < block_count(); ++b)
            for (std::size_t i = 0; i < entries(b); ++i) {
                const index operand = blocks_[b]->operands[i];
                if ((operand & ~last_operand) != 0) f(result, operand & ~last_operand, blocks_[b]->partials[i]);
                result += operand >> 31;
            }
    }

    [[nodiscard]] position here() const { return {current_, entry_, next(), generation(), this}; }
    [[nodiscard]] index next() const { return static_cast<index>(next_); }
    [[nodiscard]] std::uint32_t generation() const { return static_cast<std::uint32_t>(next_ >> 32); }

    /// Forgets what was recorded after a position, and starts a new generation. Blocks are kept.
    void rewind(const position& to) {
        next_ = place{generation() + 1} << 32 | to.next;
        entry_ = to.entry;
        current_ = to.block;
        block_ = blocks_.empty() ? nullptr : blocks_[current_].get();
        if (paused_ == 0) end_ = block_ != nullptr ? block_size : 0;
    }
    void pause() {
        ++paused_;
        end_ = 0;
    }
    void resume() {
        if (paused_ > 0) --paused_;
        if (paused_ > 0) return;
        end_ = block_ != nullptr ? block_size : 0;
    }
    [[nodiscard]] bool paused() const { return paused_ > 0; }

    /// The number of entries in a block.
    [[nodiscard]] std::size_t entries(std::size_t number) const { return number == current_ ? entry_ : used_[number]; }
    [[nodiscard]] std::size_t block_count() const { return block_ == nullptr ? 0 : current_ + 1; }
    [[nodiscard]] const block& operator[](std::size_t number) const { return *blocks_[number]; }

    [[nodiscard]] std::size_t operand_count() const {
        std::size_t count = 0;
        for (std::size_t b = 0; b < block_count(); ++b) count += entries(b);
        return count;
    }
    [[nodiscard]] std::size_t bytes_reserved() const { return blocks_.size() * sizeof(block); }

    /// Bytes that may be reserved, zero for any number. What is beyond the recording counts as well.
    std::size_t limit = 0;
    std::size_t bytes_elsewhere = 0;

    /// Throws recording_full where `bytes` more would exceed the limit.
    void check_limit(std::size_t bytes) const {
        if (limit != 0 && bytes_reserved() + bytes_elsewhere + bytes > limit)
            raise(recording_full("tape: the limit of " + std::to_string(limit) + " bytes is reached, " +
                                 std::to_string(bytes_reserved() + bytes_elsewhere) + " are in use and " + std::to_string(bytes) +
                                 " more are needed; raise limit_memory(), or record less by checkpoints"));
    }

private:
    // Types differ so that, by C++'s aliasing rules, writing entries does not change the members.
    block* block_ = nullptr;
    std::size_t entry_ = 0;
    std::size_t end_ = 0; // zero while nothing can be recorded directly: paused, or no block
    place next_ = 1; // of the next result
    int paused_ = 0; // how often it was paused and not resumed
    std::size_t current_ = 0;
    std::vector<std::unique_ptr<block>> blocks_;
    std::vector<std::size_t> used_; // entries of the blocks before the current one

    // Statements that are written directly stay in a block, which has no more results than entries.
    void check_count() const {
        if (next() + block_size >= last_operand)
            raise(recording_full("tape: 2^31 results are recorded; record less by checkpoints, or use several tapes"));
    }
    // Makes sure that nothing can fail once entries are written.
    void reserve(std::size_t count) {
        check_count();
        const std::size_t free_here = block_ != nullptr ? block_size - entry_ : 0;
        if (count <= free_here) return;
        const std::size_t needed = current_ + (block_ != nullptr ? 1 : 0) + (count - free_here + block_size - 1) / block_size;
        if (needed > blocks_.size()) check_limit((needed - blocks_.size()) * sizeof(block));
        blocks_.reserve(needed);
        used_.resize(needed > used_.size() ? needed : used_.size());
        while (blocks_.size() < needed) blocks_.push_back(std::unique_ptr<block>(new block));
    }
    void enter_block(std::size_t number) {
        if (block_ != nullptr) used_[current_] = entry_;
        current_ = number;
        block_ = blocks_[number].get();
        entry_ = 0;
        end_ = block_size;
    }
};

} // namespace chainrule::tape
