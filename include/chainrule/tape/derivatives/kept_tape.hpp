// SPDX-License-Identifier: BSL-1.0
//
// A tape for the duration of one call. Each thread keeps one per number type for its next call, since a new one would
// spend more time in the allocator than a small function takes.
#pragma once

#include <chainrule/tape/recording/recorded_call.hpp>

#include <memory>
#include <utility>

namespace chainrule::tape {

/// Resets a tape to a new one that keeps its memory.
template <class T>
void make_as_new(basic_tape<T>& used) {
    used.limit_memory(0);
    while (used.is_paused()) used.resume();
    used.clear();
}

/// An empty tape that nobody else uses. A call within the function that is being differentiated gets another one.
template <class T>
class kept_tape {
public:
    /// The system may take the memory of a larger one that waits for its next call, and one of more than `most_bytes`
    /// is not kept.
    static constexpr std::size_t most_bytes_held = std::size_t{1} << 26, most_bytes = std::size_t{1} << 30;

    kept_tape() : tape_(std::move(spare())) {
        if (tape_ == nullptr) tape_ = std::make_unique<basic_tape<T>>();
    }
    ~kept_tape() {
        const std::size_t bytes = tape_->memory().bytes_reserved;
        if (bytes > most_bytes) return;
        CHAINRULE_TRY {
            make_as_new(*tape_);
            if (bytes > most_bytes_held && !tape_->offer_to_system()) return;
            spare() = std::move(tape_);
        }
        CHAINRULE_CATCH(...) {}
    }
    kept_tape(const kept_tape&) = delete;
    kept_tape& operator=(const kept_tape&) = delete;

    [[nodiscard]] basic_tape<T>& operator*() const { return *tape_; }
    [[nodiscard]] basic_tape<T>* operator->() const { return tape_.get(); }

private:
    std::unique_ptr<basic_tape<T>> tape_;

    [[nodiscard]] static std::unique_ptr<basic_tape<T>>& spare() {
        static thread_local std::unique_ptr<basic_tape<T>> kept;
        return kept;
    }
};

} // namespace chainrule::tape
