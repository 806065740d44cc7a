// SPDX-License-Identifier: BSL-1.0
//
// Places and heads of a tape: a place names a result for all time, and a head, which outlives its tape, is where
// statements find the indices of their operands and write their entries. The table of all heads is the only thing that
// tapes share. tape/recording/recording.hpp stores the entries.
#pragma once

#include <chainrule/core/raise.hpp>

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace chainrule::tape {

/// Thrown if a recording would exceed the limit given to limit_memory(), or 2^31 results. The tape is unchanged.
class recording_full : public std::length_error {
public:
    using std::length_error::length_error;
};

/// The index of a recorded result; zero for numbers that are not recorded.
using index = std::uint32_t;

/// The place of a result, in one word: the tape in the upper bits (see heads), and in the lower bits a number greater
/// than those of all earlier results on that tape, including discarded ones. So no two results ever have the same
/// place, and places increase. Zero for numbers that are not recorded.
using place = std::uint64_t;

/// The place of a result that depends on no recorded number although it was computed from some: a product of one and a
/// plain zero. It counts as plain, but a sweep may begin there.
inline constexpr place constant_result = 1;

/// Whether a place is that of a number without derivatives.
[[nodiscard, gnu::always_inline]] constexpr bool is_plain(place where) { return where <= constant_result; }

/// The last argument for which a thread computed sine and cosine. The sine of an angle is one statement and its cosine
/// another, and each needs both. Discarded together with a recording. Of float and double: others compute them twice.
template <class T>
struct rotation {
    static constexpr bool kept = false;
};
template <class T>
requires std::same_as<T, double> || std::same_as<T, float>
struct rotation<T> {
    static constexpr bool kept = true;
    // By its bits: 0 and -0, whose sines differ in sign, are not the same, and NaN is no other number with -ffast-math.
    using word = std::conditional_t<sizeof(T) == sizeof(std::uint64_t), std::uint64_t, std::uint32_t>;
    word argument = 0;
    T sine = 0, cosine = 1; // of 0
};

template <class T>
class basic_tape;

/// Consecutive results that are still recorded. The index of each is its place less a base, below which are the places
/// of all earlier results. No result has the places from the base to the first of these.
struct run_of_results {
    place base = 0;
    place next = 0; // the index after the last
    index first = 0;

    [[nodiscard]] bool empty() const { return next == first; }
    [[nodiscard]] place end() const { return base + next; }
    /// Finds the index of a result if it is one of these; returns false otherwise.
    [[nodiscard, gnu::always_inline]] bool find(place where, index& found) const {
        const place offset = where - base;
        found = static_cast<index>(offset);
        return offset < next;
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
    place variables_end = 0;       // the index before which variables go directly, if there is no entry; zero likewise
    run_of_results now;            // since the last rewind
    run_of_results kept;           // earlier results among which one was found last; all are in the recording's list
    place born = 0;                // earlier places belong to destroyed tapes
    basic_tape<T>* tape = nullptr; // null if there is none

    [[nodiscard, gnu::always_inline]] bool has_room(std::size_t count) const { return entry + count <= end; }
    /// The place of a result whose entries have been written.
    [[gnu::always_inline]] place add_result() { return now.base + now.next++; }
    /// Finds the index of a result among those since the last rewind and some earlier ones; returns false for others.
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

    /// Of this thread, not of a tape: a thread computes at a tape that it expects before it knows that it is the wrong
    /// one, where another thread may be recording.
    [[nodiscard, gnu::always_inline]] static rotation<T>& last_rotation() { return mine_.last_rotation; }

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
        which->variables_end = 0;
        which->tape = nullptr;
        which->kept = {};
        which->born = which->now.end();
        which->now = {which->born, 1, 1};
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
    /// What a thread expects, for itself and for the others, and what it keeps.
    struct state_of_thread {
        head<T>* recent = &no_head<T>;
        rotation<T> last_rotation{};
        entry announced{&no_head<T>};
        bool listed = false; // a thread that is not expects no head
        bool ending = false;
    };
#if defined(__GLIBC__) // without a call, in shared objects too
    [[gnu::tls_model("initial-exec")]]
#endif
    static inline constinit thread_local state_of_thread mine_{};

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
            core::raise(recording_full("tape: " + std::to_string(most) +
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
        which.now = {h.named_ << bits_of_count, 1, 1};
    }

    // Never destroyed, since tapes and numbers of static lifetime may be destroyed later.
    static heads& all() {
        static heads& h = *new heads;
        return h;
    }
};

} // namespace chainrule::tape
