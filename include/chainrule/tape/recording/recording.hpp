// SPDX-License-Identifier: BSL-1.0
//
// The storage of a tape: for each statement the partial derivatives of its result with respect to its operands and the
// indices of the operands, in blocks that never move. Results are numbered in the order of their statements, so a
// statement needs no header. tape/recording/tape.hpp adds the user interface; tape/recording/sweep.hpp reads the
// recording backwards.
#pragma once

#include <chainrule/core/large_memory.hpp>
#include <chainrule/core/raise.hpp>
#include <chainrule/tape/recording/heads.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace chainrule::tape {

/// The contents of a tape, in bytes and counts.
struct memory_statistics {
    std::size_t statements = 0;     ///< including one per variable
    std::size_t operands = 0;       ///< stored partial derivatives
    std::size_t bytes_recorded = 0; ///< of statements and operands
    std::size_t bytes_reserved = 0; ///< of all blocks and adjoints, in use or not
};

/// Prefetches the entry at an offset, which need not exist.
template <class Entry>
[[gnu::always_inline]] inline void prefetch(const Entry* entries, std::ptrdiff_t ahead) {
    const auto bytes = static_cast<std::uintptr_t>(ahead * static_cast<std::ptrdiff_t>(sizeof(Entry)));
    __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(entries) + bytes));
}

/// A position in a recording, to which it can be rewound.
struct position {
    std::size_t block = 0;
    std::size_t entry = 0;
    index next = 1;
    place last = 0;              // the place of the last result before the mark
    const void* owner = nullptr; // the head of the tape; null for the start of any

    friend constexpr bool operator==(const position&, const position&) = default;
};

/// The statements in order of execution. An entry is a partial derivative and the index of an operand; the last entry
/// of each statement carries a mark. Each block is twice as large as the previous one, up to a limit, so a short
/// recording takes little memory. Those after some MB fill huge pages.
template <class T>
class recording {
public:
    static constexpr std::size_t first_block_size = 64, block_size = std::size_t{1} << 14,
                                 largest_block_size = std::size_t{1} << 19; // entries
    static constexpr index last_operand = index{1} << 31;

    struct block {
        std::size_t size;

        explicit block(std::size_t count)
            : size(count), partials_(core::make_large_array<T>(count)),
              operands_(core::make_large_array<index>(count + 1)) {
            end_statement_before();
        }
        [[nodiscard]] T* partials() const { return partials_.get(); }
        /// The end of a statement precedes the first entry.
        [[nodiscard]] index* operands() const { return operands_.get() + 1; }
        [[nodiscard]] bool offer_to_system() {
            const bool offered =
                core::offer_to_system(partials_.get(), size) && core::offer_to_system(operands_.get(), size + 1);
            end_statement_before();
            return offered;
        }

    private:
        void end_statement_before() { operands_[0] = last_operand; }

        core::large_array<T> partials_;
        core::large_array<index> operands_;
    };

    explicit recording(basic_tape<T>& tape) : head_(heads<T>::take()) {
        CHAINRULE_TRY {
            heads<T>::ensure_places(*head_);
            start_run(1);
        }
        CHAINRULE_CATCH(...) {
            heads<T>::give_back(head_);
            CHAINRULE_RETHROW;
        }
        head_->born = head_->now.base;
        head_->tape = &tape;
    }
    ~recording() { heads<T>::give_back(head_); }
    recording(const recording&) = delete;
    recording& operator=(const recording&) = delete;

    /// The head, on which statements that fit are recorded directly.
    [[nodiscard]] tape::head<T>* head_now() const { return head_; }

    /// Records a statement of any length, entry by entry; it may continue in the next block. Requires at least one
    /// entry.
    place append(const T* partials, const index* operands, std::size_t count) {
        reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            if (head_->entry == blocks_[current_].size) enter_next_block();
            head_->partials[head_->entry] = partials[i];
            head_->operands[head_->entry] = i + 1 < count ? operands[i] : operands[i] | last_operand;
            ++head_->entry;
        }
        return head_->add_result();
    }

    /// Whether add_result() of the head records a result without operands: sweeps do not visit results before all
    /// statements.
    [[nodiscard, gnu::always_inline]] bool begins_directly() const {
        return head_->entry == 0 && head_->now.next < head_->variables_end;
    }
    /// Records a result without operands.
    place append_variable() {
        if (head_->entry == 0 && current_ == 0) {
            check_count();
            return head_->add_result();
        }
        const T nothing{};
        const index nobody = 0; // an adjoint that is never read
        return append(&nothing, &nobody, 1);
    }

    /// Records that many, at least one, in consecutive places, and returns the first. All or none: the entries of
    /// variables after statements are reserved together.
    place append_variables(std::size_t count) {
        check_count(count);
        const bool at_once = head_->entry == 0 && current_ == 0;
        if (!at_once) reserve(count);
        const place first = append_variable();
        if (at_once)
            head_->now.next += count - 1;
        else
            for (std::size_t i = 1; i < count; ++i) (void)append_variable();
        return first;
    }

    /// Calls f(result, operand, partial derivative) for every operand of every statement, in the order of recording.
    template <class F>
    void for_each_operand(F f) const {
        index result = first_of_statements();
        for (std::size_t b = 0; b < block_count(); ++b)
            for (std::size_t i = 0; i < entries(b); ++i) {
                const index operand = blocks_[b].operands()[i];
                if ((operand & ~last_operand) != 0) f(result, operand & ~last_operand, blocks_[b].partials()[i]);
                result += operand >> 31;
            }
    }

    /// The number of the first result that has entries. Before it are variables alone.
    [[nodiscard]] index first_of_statements() const {
        index statements = 0;
        for (std::size_t b = 0; b < block_count(); ++b) {
            const index* const operands = blocks_[b].operands();
            for (std::size_t i = 0; i < entries(b); ++i) statements += operands[i] >> 31;
        }
        return next() - statements;
    }

    [[nodiscard]] position here() const { return {current_, head_->entry, next(), last(), head_}; }
    [[nodiscard]] index next() const { return static_cast<index>(head_->now.next); }
    /// The index of the result at a place; zero if there is none.
    [[nodiscard, gnu::always_inline]] index number_of(place where) const {
        index number;
        return head_->find(where, number) ? number : number_of_older(where);
    }
    /// Whether a position is within the recording.
    [[nodiscard]] bool has(const position& at) const { return at.next == 1 || number_of(at.last) == at.next - 1; }

    /// Discards everything that was recorded after a position. Keeps the blocks. What may fail is done first.
    void rewind(const position& to) {
        const run_of_results before = head_->now;
        const bool keeps_some = to.next != before.first;
        if (keeps_some && runs_.size() == runs_.capacity()) [[unlikely]]
            runs_.reserve(2 * runs_.size() + 1);
        heads<T>::ensure_places(*head_);
        if (keeps_some) [[unlikely]]
            keep_up_to(to.next, before);
        start_run(to.next);
        if (to.block == current_ && (to.entry != 0 || current_ != 0 || !has_grown_)) [[likely]]
            head_->entry = to.entry;
        else
            enter_block_of(to);
    }
    void pause() {
        ++paused_;
        set_ends();
    }
    void resume() {
        if (paused_ > 0) --paused_;
        set_ends();
    }
    [[nodiscard]] bool paused() const { return paused_ > 0; }

    /// Whether a sweep is in progress, during which nothing may be recorded.
    [[nodiscard]] bool swept() const { return swept_; }
    void sweep_begins() {
        swept_ = true;
        set_ends();
    }
    void sweep_ends() {
        swept_ = false;
        set_ends();
    }

    /// The number of entries in a block.
    [[nodiscard]] std::size_t entries(std::size_t number) const {
        return number == current_ ? head_->entry : used_[number];
    }
    [[nodiscard]] std::size_t block_count() const { return blocks_.empty() ? 0 : current_ + 1; }
    [[nodiscard]] const block& operator[](std::size_t number) const { return blocks_[number]; }

    [[nodiscard]] std::size_t operand_count() const {
        std::size_t count = 0;
        for (std::size_t b = 0; b < block_count(); ++b) count += entries(b);
        return count;
    }
    [[nodiscard]] std::size_t bytes_reserved() const { return bytes_in_blocks_; }
    /// Offers the memory of a recording that is empty to the system: core/large_memory.hpp.
    [[nodiscard]] bool offer_to_system() {
        return std::ranges::all_of(blocks_, [](block& each) { return each.offer_to_system(); });
    }

    /// The maximal number of reserved bytes, zero for no limit. Unused blocks count too.
    std::size_t limit = 0;
    std::size_t bytes_elsewhere = 0;

    /// Throws recording_full if `bytes` more would exceed the limit.
    void check_limit(std::size_t bytes) const {
        if (limit != 0 && bytes_reserved() + bytes_elsewhere + bytes > limit)
            core::raise(recording_full("tape: the limit of " + std::to_string(limit) + " bytes is reached, " +
                                       std::to_string(bytes_reserved() + bytes_elsewhere) + " are in use and " +
                                       std::to_string(bytes) +
                                       " more are needed; raise limit_memory(), or record less by checkpoints"));
    }

private:
    head<T>* head_;
    int paused_ = 0; // number of pauses that were not resumed
    bool swept_ = false;
    std::size_t current_ = 0;
    std::vector<block> blocks_;
    std::vector<std::size_t> used_; // entries of the blocks before the current one
    std::size_t bytes_in_blocks_ = 0;
    bool has_grown_ = false;           // the last block may be larger than the first
    std::vector<run_of_results> runs_; // the remaining results from before the last rewind

    [[nodiscard]] place last() const {
        return (!head_->now.empty() ? head_->now : runs_.empty() ? run_of_results{} : runs_.back()).end() - 1;
    }
    // Makes the run the one in which heads look, since operands often follow that are in it too.
    [[nodiscard, gnu::noinline]] index number_of_older(place where) const {
        const auto after = std::upper_bound(runs_.begin(), runs_.end(), where,
                                            [](place at, const run_of_results& run) { return at < run.base; });
        index number;
        if (after == runs_.begin() || !(after - 1)->find(where, number)) return 0;
        head_->kept = *(after - 1);
        return number;
    }
    // Keeps only the results before an index, of those in the list and in the last run.
    [[gnu::noinline]] void keep_up_to(index number, const run_of_results& last) {
        if (number > last.first) runs_.push_back(last);
        while (!runs_.empty() && runs_.back().first >= number) runs_.pop_back();
        if (!runs_.empty()) runs_.back().next = std::min<place>(runs_.back().next, number);
        if (head_->kept.empty() || head_->kept.next > number)
            head_->kept = runs_.empty() ? run_of_results{} : runs_.back();
    }
    void start_run(index number) { head_->now = {head_->now.end(), number, number}; }

    // Numbers with constructors are all constructed, and a limit is reached in small steps.
    [[nodiscard]] std::size_t size_of_block(std::size_t number) const {
        constexpr std::size_t doubled = 8, small = 32;
        if (number < doubled) return first_block_size << number;
        return std::is_trivially_copyable_v<T> && limit == 0 && number >= small ? largest_block_size : block_size;
    }
    [[nodiscard]] static std::size_t bytes_of_block(std::size_t size) {
        return size * (sizeof(T) + sizeof(index)) + sizeof(index);
    }
    // Where direct recording ends.
    void set_ends() {
        const bool possible = paused_ == 0 && !swept_ && !blocks_.empty();
        head_->end = possible ? blocks_[current_].size : 0;
        head_->variables_end = possible && current_ == 0 ? last_operand - largest_block_size : 0;
    }

    [[gnu::noinline]] void enter_block_of(const position& to) {
        current_ = to.block;
        // A new recording starts with the largest block, so that it rarely needs another.
        if (to.block == 0 && to.entry == 0 && has_grown_) {
            std::reverse(blocks_.begin(), blocks_.end());
            has_grown_ = false;
        }
        point_at(to.entry);
    }
    void point_at(std::size_t entry) {
        head_->entry = entry;
        head_->partials = blocks_.empty() ? nullptr : blocks_[current_].partials();
        head_->operands = blocks_.empty() ? nullptr : blocks_[current_].operands();
        set_ends();
    }

    // A directly written statement stays in one block, which has no more results than entries.
    void check_count(std::size_t further = 1) const {
        if (next() + largest_block_size + further > last_operand)
            core::raise(
                recording_full("tape: 2^31 results are recorded; record less by checkpoints, or use several tapes"));
    }
    // Ensures that nothing can fail after entries are written.
    void reserve(std::size_t count) {
        check_count();
        std::size_t free = blocks_.empty() ? 0 : blocks_[current_].size - head_->entry, bytes = 0,
                    needed = block_count();
        for (; free < count; ++needed) {
            const std::size_t size = needed < blocks_.size() ? blocks_[needed].size : size_of_block(needed);
            free += size;
            if (needed >= blocks_.size()) bytes += bytes_of_block(size);
        }
        if (bytes > 0) check_limit(bytes);
        if (used_.size() < needed) used_.resize(needed);
        while (blocks_.size() < needed) {
            blocks_.emplace_back(size_of_block(blocks_.size()));
            has_grown_ = blocks_.back().size > blocks_.front().size;
            bytes_in_blocks_ += bytes_of_block(blocks_.back().size);
            if (blocks_.size() == 1) point_at(0); // even if there is no memory for more
        }
    }
    void enter_next_block() {
        used_[current_] = head_->entry;
        ++current_;
        point_at(0);
    }
};

} // namespace chainrule::tape
