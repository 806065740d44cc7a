// SPDX-License-Identifier: BSL-1.0
//
// What a tape stores: per statement only the partial derivatives of its result by its operands and the operands'
// numbers, in blocks that never move; results are numbered in the order of their statements, so that a statement needs
// no header. tape/tape.hpp adds what users call; tape/sweep.hpp reads the recording backwards.
#pragma once

#include <chainrule/core/raise.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
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

/// The last argument of which a tape computed sine and cosine. The sine of an angle is one statement and its cosine
/// another, and each needs both. Forgotten with what was recorded.
template <class T>
struct rotation {};
template <std::floating_point T>
struct rotation<T> {
    T argument = std::numeric_limits<T>::quiet_NaN();
    T sine{}, cosine{};
};

template <class T>
class basic_tape;

/// Where a tape records, and what its numbers point to. Heads outlive their tapes and go from a tape that is destroyed to
/// a new one, with another generation: so a number that outlives its tape is found out, and no freed memory is looked at.
template <class T>
struct head {
    // Types differ so that, by C++'s aliasing rules, writing entries does not change the members.
    T* partials = nullptr; // of the current block
    index* operands = nullptr;
    std::size_t entry = 0;
    std::size_t end = 0; // zero while nothing can be recorded directly: no block, paused, or in a sweep
    place next = place{1} << 32 | 1; // of the next result
    basic_tape<T>* tape = nullptr; // null where there is none
    // Of the numbers of earlier generations, those since `kept_since` with numbers below `kept_below` are still recorded.
    index kept_below = 0;
    std::uint32_t kept_since = 1;
    std::uint32_t first = 1; // the first generation of the tape; what is earlier belongs to tapes that are gone
    rotation<T> last_rotation;

    [[nodiscard, gnu::always_inline]] bool has_room(std::size_t count) const { return entry + count <= end; }
    /// Whether a result of an earlier generation is still recorded; false where the answer takes longer.
    [[nodiscard, gnu::always_inline]] bool keeps(place result) const {
        const auto generation = static_cast<std::uint32_t>(result >> 32);
        return generation == generation_now() ||
               (static_cast<index>(result) < kept_below && generation >= kept_since);
    }
    [[nodiscard]] std::uint32_t generation_now() const { return static_cast<std::uint32_t>(next >> 32); }
    /// The tape of a result; null where it is gone.
    [[nodiscard]] constexpr basic_tape<T>* tape_of(place result) const { return result >> 32 >= first ? tape : nullptr; }
};

/// What numbers point to that are not recorded: on it nothing can be.
template <class T>
inline constinit head<T> no_head{};

/// The heads that no tape has at present. They are never freed.
template <class T>
class spare_heads {
public:
    [[nodiscard]] static head<T>* take() {
        spare_heads& heads = all();
        const std::lock_guard lock(heads.mutex_);
        if (heads.spare_.empty()) {
            // Room for it when it comes back, which must not fail.
            heads.spare_.reserve(heads.made_.size() + 1);
            heads.made_.push_back(std::make_unique<head<T>>());
            return heads.made_.back().get();
        }
        head<T>* const taken = heads.spare_.back();
        heads.spare_.pop_back();
        return taken;
    }
    /// The head of a tape that is gone. Its generations are counted on; one that has no more is never used again.
    static void give_back(head<T>* which) noexcept {
        which->partials = nullptr;
        which->operands = nullptr;
        which->entry = which->end = 0;
        which->tape = nullptr;
        which->kept_below = 0;
        const std::uint32_t last = which->generation_now();
        if (last == std::numeric_limits<std::uint32_t>::max()) return;
        which->first = which->kept_since = last + 1;
        which->next = place{last + 1} << 32 | 1;
        spare_heads& heads = all();
        const std::lock_guard lock(heads.mutex_);
        heads.spare_.push_back(which);
    }

private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<head<T>>> made_;
    std::vector<head<T>*> spare_;

    // Not destroyed at the end of the program: tapes and numbers of static lifetime may come later.
    static spare_heads& all() {
        static spare_heads& heads = *new spare_heads;
        return heads;
    }
};

/// A place in a recording, to which it can be rewound.
struct position {
    std::size_t block = 0;
    std::size_t entry = 0;
    index next = 1;
    std::uint32_t generation = 0; // of the tape, counted in rewinds
    const void* owner = nullptr;  // the head of the tape; null for the start of any

    friend constexpr bool operator==(const position&, const position&) = default;
};

/// The statements in the order in which they were executed. An entry is a partial derivative and the number of an
/// operand; the last entry of each statement carries a mark. Each block is twice as large as the one before, up to a limit:
/// a short recording takes little memory.
template <class T>
class recording {
public:
    static constexpr std::size_t first_block_size = 64, block_size = std::size_t{1} << 14; // entries
    static constexpr index last_operand = index{1} << 31;

    struct block {
        std::unique_ptr<T[], void (*)(T*)> partials;
        std::unique_ptr<index[]> operands;
        std::size_t size;

        explicit block(std::size_t count) : partials(numbers(count)), operands(new index[count]), size(count) {}

    private:
        // Entries are written before they are read: numbers that are made by copying bytes need no zeros.
        [[nodiscard]] static std::unique_ptr<T[], void (*)(T*)> numbers(std::size_t count) {
            if constexpr (std::is_trivially_copyable_v<T>) {
                constexpr auto alignment = static_cast<std::align_val_t>(alignof(T));
                return {static_cast<T*>(::operator new(count * sizeof(T), alignment)), [](T* p) { ::operator delete(p, alignment); }};
            } else {
                return {new T[count], [](T* p) { delete[] p; }};
            }
        }
    };

    explicit recording(basic_tape<T>& tape) : head_(spare_heads<T>::take()) { head_->tape = &tape; }
    ~recording() { spare_heads<T>::give_back(head_); }
    recording(const recording&) = delete;
    recording& operator=(const recording&) = delete;

    /// Where statements that fit are recorded directly.
    [[nodiscard]] tape::head<T>* head_now() const { return head_; }

    /// Records a statement of any length, entry by entry; it may go on in the next block. At least one entry.
    place append(const T* partials, const index* operands, std::size_t count) {
        reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            if (head_->entry == blocks_[current_].size) enter_next_block();
            head_->partials[head_->entry] = partials[i];
            head_->operands[head_->entry] = i + 1 < count ? operands[i] : operands[i] | last_operand;
            ++head_->entry;
        }
        return head_->next++;
    }

    /// Records a result without operands.
    place append_variable() {
        // In front of all statements, sweeps do not come by.
        if (head_->entry == 0 && current_ == 0) {
            check_count();
            return head_->next++;
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
            for (std::size_t i = 0; i < entries(b); ++i) statements += blocks_[b].operands[i] >> 31;
        auto result = static_cast<index>(next() - statements);
        for (std::size_t b = 0; b < block_count(); ++b)
            for (std::size_t i = 0; i < entries(b); ++i) {
                const index operand = blocks_[b].operands[i];
                if ((operand & ~last_operand) != 0) f(result, operand & ~last_operand, blocks_[b].partials[i]);
                result += operand >> 31;
            }
    }

    [[nodiscard]] position here() const { return {current_, head_->entry, next(), generation(), head_}; }
    [[nodiscard]] index next() const { return static_cast<index>(head_->next); }
    [[nodiscard]] std::uint32_t generation() const { return head_->generation_now(); }

    /// Forgets what was recorded after a position, and starts a new generation. Blocks are kept. Where there is no further
    /// generation, a recording that is forgotten whole goes on with another head.
    void rewind(const position& to) {
        if (generation() == std::numeric_limits<std::uint32_t>::max()) {
            if (to.next > 1)
                raise(std::logic_error("rewind: the tape was rewound 4294967295 times; call clear(), and create "
                                       "its variables again"));
            head<T>* const next = spare_heads<T>::take();
            next->tape = head_->tape;
            spare_heads<T>::give_back(head_);
            head_ = next;
        }
        head_->next = place{head_->generation_now() + 1} << 32 | to.next;
        current_ = to.block;
        // Of what begins anew, the largest block comes first, so that it rarely goes on in another.
        if (to.block == 0 && to.entry == 0 && !blocks_.empty() && blocks_.front().size < blocks_.back().size)
            std::reverse(blocks_.begin(), blocks_.end());
        point_at(to.entry);
    }
    void pause() {
        ++paused_;
        head_->end = 0;
    }
    void resume() {
        if (paused_ > 0) --paused_;
        head_->end = end();
    }
    [[nodiscard]] bool paused() const { return paused_ > 0; }

    /// Whether a sweep goes on, in which nothing may be recorded.
    [[nodiscard]] bool swept() const { return swept_; }
    void sweep_begins() {
        swept_ = true;
        head_->end = 0;
    }
    void sweep_ends() {
        swept_ = false;
        head_->end = end();
    }

    /// The number of entries in a block.
    [[nodiscard]] std::size_t entries(std::size_t number) const { return number == current_ ? head_->entry : used_[number]; }
    [[nodiscard]] std::size_t block_count() const { return blocks_.empty() ? 0 : current_ + 1; }
    [[nodiscard]] const block& operator[](std::size_t number) const { return blocks_[number]; }

    [[nodiscard]] std::size_t operand_count() const {
        std::size_t count = 0;
        for (std::size_t b = 0; b < block_count(); ++b) count += entries(b);
        return count;
    }
    [[nodiscard]] std::size_t bytes_reserved() const { return bytes_in_blocks_; }

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
    head<T>* head_;
    int paused_ = 0; // how often it was paused and not resumed
    bool swept_ = false;
    std::size_t current_ = 0;
    std::vector<block> blocks_;
    std::vector<std::size_t> used_; // entries of the blocks before the current one
    std::size_t bytes_in_blocks_ = 0;

    [[nodiscard]] static std::size_t size_of_block(std::size_t number) {
        return number < 8 ? std::min(first_block_size << number, block_size) : block_size;
    }
    [[nodiscard]] static std::size_t bytes_of_block(std::size_t number) { return size_of_block(number) * (sizeof(T) + sizeof(index)); }
    [[nodiscard]] std::size_t end() const { return paused_ > 0 || swept_ || blocks_.empty() ? 0 : blocks_[current_].size; }

    void point_at(std::size_t entry) {
        head_->entry = entry;
        head_->partials = blocks_.empty() ? nullptr : blocks_[current_].partials.get();
        head_->operands = blocks_.empty() ? nullptr : blocks_[current_].operands.get();
        head_->end = end();
    }

    // Statements that are written directly stay in a block, which has no more results than entries.
    void check_count() const {
        if (next() + block_size >= last_operand)
            raise(recording_full("tape: 2^31 results are recorded; record less by checkpoints, or use several tapes"));
    }
    // Makes sure that nothing can fail once entries are written.
    void reserve(std::size_t count) {
        check_count();
        std::size_t free = blocks_.empty() ? 0 : blocks_[current_].size - head_->entry, bytes = 0, needed = block_count();
        for (; free < count; ++needed) {
            const std::size_t size = needed < blocks_.size() ? blocks_[needed].size : size_of_block(needed);
            free += size;
            if (needed >= blocks_.size()) bytes += bytes_of_block(needed);
        }
        if (bytes > 0) check_limit(bytes);
        if (used_.size() < needed) used_.resize(needed);
        const bool first = blocks_.empty();
        while (blocks_.size() < needed) {
            blocks_.emplace_back(size_of_block(blocks_.size()));
            bytes_in_blocks_ += bytes_of_block(blocks_.size() - 1);
        }
        if (first) point_at(0);
    }
    void enter_next_block() {
        used_[current_] = head_->entry;
        ++current_;
        point_at(0);
    }
};

} // namespace chainrule::tape
