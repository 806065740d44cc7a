// SPDX-License-Identifier: BSL-1.0
//
// The storage of a tape: for each statement the partial derivatives of its result with respect to its operands and the
// indices of the operands, in blocks that never move. Results are numbered in the order of their statements, so a
// statement needs no header. tape/tape.hpp adds the user interface; tape/sweep.hpp reads the recording backwards.
#pragma once

#include <chainrule/core/raise.hpp>

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

// For the lambdas of a statement: a call would cost more than its work.
#define CHAINRULE_INLINE __attribute__((always_inline))

namespace chainrule::tape {

/// Thrown if a recording would exceed the limit given to limit_memory(), or 2^31 results. The tape is unchanged.
class recording_full : public std::length_error {
public:
    using std::length_error::length_error;
};

/// The index of a recorded result; zero for numbers that are not recorded.
using index = std::uint32_t;

/// The place of a result, in one word: the tape in the upper bits (see heads), and in the lower bits the count of
/// earlier results on that tape, including discarded ones. So no two results ever have the same place, and places
/// increase. Zero for numbers that are not recorded.
using place = std::uint64_t;

/// The contents of a tape, in bytes and counts.
struct memory_statistics {
    std::size_t statements = 0;     // including one per variable
    std::size_t operands = 0;       // stored partial derivatives
    std::size_t bytes_recorded = 0; // of statements and operands
    std::size_t bytes_reserved = 0; // of all blocks and adjoints, in use or not
};

/// The last argument for which a tape computed sine and cosine. The sine of an angle is one statement and its cosine
/// another, and each needs both. Discarded together with the recording.
template <class T>
struct rotation {
    void forget() {}
};
template <std::floating_point T>
struct rotation<T> {
    T argument = std::numeric_limits<T>::quiet_NaN();
    T sine{}, cosine{};

    void forget() { argument = std::numeric_limits<T>::quiet_NaN(); }
};

template <class T>
class basic_tape;

/// Prefetches the entry at an offset, which need not exist.
template <class Entry>
[[gnu::always_inline]] inline void prefetch(const Entry* entries, std::ptrdiff_t ahead) {
    const auto bytes = static_cast<std::uintptr_t>(ahead * static_cast<std::ptrdiff_t>(sizeof(Entry)));
    __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(entries) + bytes));
}

/// Consecutive results that are still recorded.
struct run_of_results {
    place first = 0;
    place count = 0;
    index number = 1; // of the first

    [[nodiscard, gnu::always_inline]] bool has(place where) const { return where - first < count; }
    [[nodiscard]] place end() const { return first + count; }
    [[nodiscard]] index end_number() const { return number + static_cast<index>(count); }
    /// Finds the index of a result if it is one of these; returns false otherwise.
    [[nodiscard, gnu::always_inline]] bool find(place where, index& found) const {
        place offset = where - first;
        const bool here = offset < count;
        asm("" : "+r"(offset)); // or else g++ computes it twice, as a difference of 32 bits too
        found = static_cast<index>(offset) + number;
        return here;
    }
};

/// The part of a tape that places lead to, and where it records. Heads outlive their tapes: when a tape is destroyed, a
/// new one takes over its head and continues counting places. So a number that outlives its tape is detected, without
/// reading freed memory.
template <class T>
struct head {
    // The types differ so that, by C++'s aliasing rules, writing entries does not change the members.
    T* partials = nullptr; // of the current block
    index* operands = nullptr;
    std::size_t entry = 0;
    std::size_t end = 0;           // zero if direct recording is impossible: no block, paused, or in a sweep
    run_of_results now;            // since the last rewind
    run_of_results kept;           // the last results before those; older ones are in the recording's list
    place born = 0;                // earlier places belong to destroyed tapes
    basic_tape<T>* tape = nullptr; // null if there is none
    rotation<T> last_rotation;

    [[nodiscard, gnu::always_inline]] bool has_room(std::size_t count) const { return entry + count <= end; }
    /// The place of a result whose entries have been written.
    [[gnu::always_inline]] place add_result() { return now.first + now.count++; }
    /// Finds the index of a result among those since the last rewind and the last ones before that; returns false for
    /// others.
    [[nodiscard, gnu::always_inline]] bool find(place where, index& number) const {
        return now.find(where, number) || kept.find(where, number);
    }
    /// The tape of a result of this head; null if the result is no longer recorded.
    [[nodiscard]] basic_tape<T>* tape_of(place where) const { return where >= born ? tape : nullptr; }
};

/// The head of numbers that are not recorded; nothing can be recorded on it.
template <class T>
inline constinit head<T> no_head{};

/// The heads of all tapes, indexed by the upper bits of a place. They are never freed. Shared objects share this table,
/// since they exchange numbers.
///
/// A statement reads the head that its thread expects before it knows whether that head's tape still exists. So a new
/// tape takes over a head only if no other thread expects it: each thread announces what it expects.
template <class T>
class [[gnu::visibility("default")]] heads {
public:
    static constexpr int bits_of_count = 46;                              // of results before
    static constexpr place most = (place{1} << (64 - bits_of_count)) - 1; // number of names of heads

    /// The head of a place.
    [[nodiscard, gnu::always_inline]] static head<T>* of(place where) {
        return table_.load(std::memory_order_acquire)[where >> bits_of_count].load(std::memory_order_relaxed);
    }

    /// The head on which this thread recorded last, as a guess for the next statement; the places of the operands show
    /// whether it is right. The guess does not depend on the operands, so statements need not wait for each other.
    [[nodiscard, gnu::always_inline]] static head<T>* recent() { return mine_.recent; }
    static void expect(head<T>* which) {
        if (mine_.listed || list_thread()) [[likely]] {
            mine_.recent = which;
            mine_.announced.store(which, std::memory_order_release); // this thread no longer reads the head before
        }
    }

    /// A head without a tape.
    [[nodiscard]] static head<T>* take() {
        const std::lock_guard lock(all().mutex_);
        auto& spare = all().spare_;
        for (auto free = spare.rbegin(); free != spare.rend(); ++free)
            if (!all().another_expects(*free)) {
                head<T>* const taken = *free;
                spare.erase(std::next(free).base());
                return taken;
            }
        auto& made = all().made_;
        spare.reserve(made.size() + 1); // space for its return, which must not fail
        made.push_back(std::make_unique<head<T>>());
        CHAINRULE_TRY { name(*made.back()); }
        CHAINRULE_CATCH(...) {
            made.pop_back();
            CHAINRULE_RETHROW;
        }
        return made.back().get();
    }
    /// Returns the head of a destroyed tape.
    static void give_back(head<T>* which) noexcept {
        which->partials = nullptr;
        which->operands = nullptr;
        which->entry = which->end = 0;
        which->tape = nullptr;
        which->kept = {};
        which->born = which->now.end();
        which->now = {which->born, 0, 1};
        if (mine_.recent == which) expect(&no_head<T>);
        const std::lock_guard lock(all().mutex_);
        all().spare_.push_back(which);
    }
    /// Ensures that the head can count 2^31 more results. If its name has too few places left, it gets an additional
    /// name for later results.
    static void ensure_places(head<T>& which) {
        const place next = which.now.end();
        if (((next + (place{1} << 31)) ^ next) >> bits_of_count != 0) [[unlikely]]
            name_anew(which);
    }

private:
    using entry = std::atomic<head<T>*>;

    std::mutex mutex_;
    std::vector<const entry*> announcements_; // of the threads that have recorded and live
    std::vector<std::unique_ptr<head<T>>> made_;
    std::vector<head<T>*> spare_;
    std::vector<std::unique_ptr<entry[]>> tables_; // the last one is in use; another thread may still read others
    std::size_t size_ = 1;                         // of the table in use
    place named_ = 0;

    static inline constinit entry first_table_[1]{&no_head<T>};
    static inline constinit std::atomic<entry*> table_{first_table_};
    /// What a thread expects, for itself and for the others.
    struct expectation {
        head<T>* recent = &no_head<T>;
        entry announced{&no_head<T>};
        bool listed = false; // a thread that is not expects no head
        bool ending = false;
    };
#if defined(__GLIBC__) // without a call, in shared objects too
    [[gnu::tls_model("initial-exec")]]
#endif
    static inline constinit thread_local expectation mine_{};

    /// Lists what this thread announces, as long as it lives. Returns false while it ends, and without memory for it.
    [[gnu::noinline]] static bool list_thread() noexcept {
        if (mine_.ending) return false;
        CHAINRULE_TRY {
            static thread_local const listing of_this_thread;
            static_cast<void>(of_this_thread);
        }
        CHAINRULE_CATCH(...) { return false; }
        return true;
    }
    struct listing {
        listing() {
            const std::lock_guard lock(all().mutex_);
            all().announcements_.push_back(&mine_.announced);
            mine_.listed = true;
        }
        ~listing() {
            const std::lock_guard lock(all().mutex_);
            std::erase(all().announcements_, &mine_.announced);
            mine_.recent = &no_head<T>;
            mine_.listed = false;
            mine_.ending = true;
        }
        listing(const listing&) = delete;
        listing& operator=(const listing&) = delete;
    };
    [[nodiscard]] bool another_expects(const head<T>* which) const {
        return std::any_of(announcements_.begin(), announcements_.end(), [&](const entry* announced) {
            return announced != &mine_.announced && announced->load(std::memory_order_acquire) == which;
        });
    }

    [[gnu::noinline]] static void name_anew(head<T>& which) {
        const std::lock_guard lock(all().mutex_);
        name(which);
    }
    // Names increase, and so do places.
    static void name(head<T>& which) {
        heads& h = all();
        if (h.named_ == most)
            raise(recording_full("tape: " + std::to_string(most) +
                                 " tapes of one number type exist; destroy some first"));
        if (h.named_ + 1 == h.size_) {
            h.tables_.reserve(h.tables_.size() + 1);
            auto larger = std::make_unique<entry[]>(2 * h.size_);
            for (std::size_t i = 0; i < h.size_; ++i)
                larger[i].store(table_.load(std::memory_order_relaxed)[i].load(std::memory_order_relaxed),
                                std::memory_order_relaxed);
            table_.store(larger.get(), std::memory_order_release);
            h.tables_.push_back(std::move(larger));
            h.size_ *= 2;
        }
        ++h.named_;
        table_.load(std::memory_order_relaxed)[h.named_].store(&which, std::memory_order_relaxed);
        which.now = {h.named_ << bits_of_count, 0, 1};
    }

    // Never destroyed, since tapes and numbers of static lifetime may be destroyed later.
    static heads& all() {
        static heads& h = *new heads;
        return h;
    }
};

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
/// recording takes little memory.
template <class T>
class recording {
public:
    static constexpr std::size_t first_block_size = 64, block_size = std::size_t{1} << 14; // entries
    static constexpr index last_operand = index{1} << 31;

    struct block {
        std::size_t size;

        explicit block(std::size_t count) : size(count), partials_(numbers(count)), operands_(new index[count + 1]) {
            operands_[0] = last_operand;
        }
        [[nodiscard]] T* partials() const { return partials_.get(); }
        /// The end of a statement precedes the first entry.
        [[nodiscard]] index* operands() const { return operands_.get() + 1; }

    private:
        std::unique_ptr<T[], void (*)(T*)> partials_;
        std::unique_ptr<index[]> operands_;

        // Entries are written before they are read, so trivially copyable numbers need no initialization.
        [[nodiscard]] static std::unique_ptr<T[], void (*)(T*)> numbers(std::size_t count) {
            if constexpr (std::is_trivially_copyable_v<T>) {
                constexpr auto alignment = static_cast<std::align_val_t>(alignof(T));
                return {static_cast<T*>(::operator new(count * sizeof(T), alignment)),
                        [](T* p) { ::operator delete(p, alignment); }};
            } else {
                return {new T[count], [](T* p) { delete[] p; }};
            }
        }
    };

    explicit recording(basic_tape<T>& tape) : head_(heads<T>::take()) {
        CHAINRULE_TRY { start_run(1); }
        CHAINRULE_CATCH(...) {
            heads<T>::give_back(head_);
            CHAINRULE_RETHROW;
        }
        head_->born = head_->now.first;
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

    /// Records a result without operands.
    place append_variable() {
        // Sweeps do not visit results before all statements.
        if (head_->entry == 0 && current_ == 0) {
            check_count();
            return head_->add_result();
        }
        const T nothing{};
        const index nobody = 0; // an adjoint that is never read
        return append(&nothing, &nobody, 1);
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
    [[nodiscard]] index next() const { return head_->now.end_number(); }
    /// The index of the result at a place; zero if there is none.
    [[nodiscard, gnu::always_inline]] index number_of(place where) const {
        index number;
        return head_->find(where, number) ? number : number_of_older(where);
    }
    /// Whether a position is within the recording.
    [[nodiscard]] bool has(const position& at) const { return at.next == 1 || number_of(at.last) == at.next - 1; }

    /// Discards everything that was recorded after a position. Keeps the blocks.
    void rewind(const position& to) {
        if (to.next != head_->now.number) [[unlikely]]
            keep_up_to(to.next);
        start_run(to.next);
        if (to.block == current_ && (to.entry != 0 || current_ != 0 || !has_grown_)) [[likely]]
            head_->entry = to.entry;
        else
            enter_block_of(to);
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

    /// Whether a sweep is in progress, during which nothing may be recorded.
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

    /// The maximal number of reserved bytes, zero for no limit. Unused blocks count too.
    std::size_t limit = 0;
    std::size_t bytes_elsewhere = 0;

    /// Throws recording_full if `bytes` more would exceed the limit.
    void check_limit(std::size_t bytes) const {
        if (limit != 0 && bytes_reserved() + bytes_elsewhere + bytes > limit)
            raise(recording_full("tape: the limit of " + std::to_string(limit) + " bytes is reached, " +
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

    [[nodiscard]] place last() const { return (head_->now.count != 0 ? head_->now : head_->kept).end() - 1; }
    [[nodiscard, gnu::noinline]] index number_of_older(place where) const {
        for (std::size_t k = runs_.size(); k-- > 0;)
            if (index number; runs_[k].find(where, number)) return number;
        return 0;
    }
    // Keeps only the results before an index.
    [[gnu::noinline]] void keep_up_to(index number) {
        if (number > head_->now.number) runs_.push_back(head_->now);
        while (!runs_.empty() && runs_.back().number >= number) runs_.pop_back();
        if (!runs_.empty()) runs_.back().count = std::min<place>(runs_.back().count, number - runs_.back().number);
        head_->kept = runs_.empty() ? run_of_results{} : runs_.back();
    }
    void start_run(index number) {
        heads<T>::ensure_places(*head_);
        head_->now = {head_->now.end(), 0, number};
    }

    [[nodiscard]] static std::size_t size_of_block(std::size_t number) {
        return number < 8 ? std::min(first_block_size << number, block_size) : block_size;
    }
    [[nodiscard]] static std::size_t bytes_of_block(std::size_t number) {
        return size_of_block(number) * (sizeof(T) + sizeof(index)) + sizeof(index);
    }
    [[nodiscard]] std::size_t end() const {
        return paused_ > 0 || swept_ || blocks_.empty() ? 0 : blocks_[current_].size;
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
        head_->end = end();
    }

    // A directly written statement stays in one block, which has no more results than entries.
    void check_count() const {
        if (next() + block_size >= last_operand)
            raise(recording_full("tape: 2^31 results are recorded; record less by checkpoints, or use several tapes"));
    }
    // Ensures that nothing can fail after entries are written.
    void reserve(std::size_t count) {
        check_count();
        std::size_t free = blocks_.empty() ? 0 : blocks_[current_].size - head_->entry, bytes = 0,
                    needed = block_count();
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
            has_grown_ = blocks_.back().size > blocks_.front().size;
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
