// SPDX-License-Identifier: BSL-1.0
//
// The recorder of a function for replay: a list of operations, each stored once, and the comparisons on which its
// branches depend. tape/replay/program.hpp arranges the list for replay.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/tape/replay/loops.hpp>

#include <atomic>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace chainrule::tape::replays {

/// An operation on earlier results; an input or a constant has none.
template <class T>
struct step {
    const operation<T>* what = nullptr;
    std::array<slot, 3> operands{};

    friend bool operator==(const step&, const step&) = default;
};
/// A number that the program has read: a truth value as 1 or 0, or the result of value(x).
template <class T>
struct reading {
    slot of;
    T found;
};

/// Whether a and b are the same number: -0 is not 0, and a NaN is the same as another.
template <class T>
[[nodiscard, gnu::always_inline]] inline bool same_number(const T& a, const T& b) {
    return a == b ? !(a == T(0)) || __builtin_signbit(a) == __builtin_signbit(b) : a != a && b != b;
}

template <class T>
class recorder {
public:
    recorder() : outer_(current()) { current() = this; }
    ~recorder() { current() = outer_; }
    recorder(const recorder&) = delete;
    recorder& operator=(const recorder&) = delete;

    /// The recording in progress in this thread, whose name a number knows. Throws std::logic_error for any other.
    [[nodiscard]] static recorder& of(std::uint32_t name) {
        recorder* const on = current();
        if (on == nullptr || on->name != name) [[unlikely]]
            report_foreign();
        return *on;
    }
    /// Distinguishes recordings.
    const std::uint32_t name = next_name();

    [[nodiscard]] slot input() {
        steps_.push_back({});
        is_constant_.push_back(0);
        return last();
    }
    [[nodiscard]] slot constant(const T& value) {
        for (std::size_t at = hash_of(value);; ++at) {
            slot& found = entry(at);
            if (found == 0) {
                found = 1 + add({}, 1);
                constants_.resize(steps_.size());
                constants_.back() = value;
                return grown(last());
            }
            if (is_constant_[found - 1] != 0 && same_bits(constants_[found - 1], value)) return found - 1;
        }
    }
    /// The result of an operation, which is that of an equal one before.
    template <class Row>
    [[nodiscard]] slot result(slot a, slot b = 0, slot c = 0) {
        return result_of({&operation_of<Row, T>, {a, b, c}});
    }
    [[nodiscard]] slot result_of(const step<T>& made) {
        for (std::size_t at = hash_of(made);; ++at) {
            slot& found = entry(at);
            if (found == 0) {
                found = 1 + add(made, 0);
                return grown(last());
            }
            if (steps_[found - 1] == made) return found - 1;
        }
    }
    /// Notes that the program depends on a number otherwise than by its operations.
    void read(slot of, const T& found) {
        is_read_.resize(steps_.size());
        if (is_read_[of] != 0) return;
        readings_.push_back({of, found});
        is_read_[of] = 1;
    }

    [[nodiscard]] const std::vector<step<T>>& steps() const { return steps_; }
    [[nodiscard]] const std::vector<reading<T>>& readings() const { return readings_; }
    [[nodiscard]] bool is_constant(slot s) const { return is_constant_[s] != 0; }
    [[nodiscard]] const T& constant_at(slot s) const { return constants_[s]; }

private:
    recorder* outer_;
    std::vector<step<T>> steps_;
    std::vector<char> is_constant_, is_read_;
    std::vector<T> constants_; // by slot, as far as there are constants
    std::vector<reading<T>> readings_;
    std::vector<slot> table_ = std::vector<slot>(256); // of steps and constants by hash, counted from 1

    [[nodiscard]] static recorder*& current() {
        static thread_local recorder* in_progress = nullptr;
        return in_progress;
    }
    [[nodiscard]] static std::uint32_t next_name() {
        static std::atomic<std::uint32_t> names{0};
        std::uint32_t name = ++names;
        while (name == 0) name = ++names; // that of no recording
        return name;
    }
    [[noreturn, gnu::noinline]] static void report_foreign() {
        core::raise(std::logic_error("record: a number is used outside the recording that made it; use numbers of a "
                                     "recorded function within the function only"));
    }

    [[nodiscard]] slot last() const { return static_cast<slot>(steps_.size() - 1); }
    slot add(const step<T>& made, char constant) {
        if (steps_.size() >= (std::size_t{1} << 31))
            core::raise(std::length_error("record: 2^31 operations are recorded; record parts of the function"));
        steps_.push_back(made);
        is_constant_.push_back(constant);
        return last();
    }

    [[nodiscard]] slot& entry(std::size_t at) { return table_[at & (table_.size() - 1)]; }
    // Doubles the table when it is half full.
    slot grown(slot result) {
        if (2 * steps_.size() < table_.size()) return result;
        table_.assign(2 * table_.size(), 0);
        for (slot s = 0; s < steps_.size(); ++s) {
            if (steps_[s].what == nullptr && is_constant_[s] == 0) continue;
            std::size_t at = is_constant_[s] != 0 ? hash_of(constants_[s]) : hash_of(steps_[s]);
            while (entry(at) != 0) ++at;
            entry(at) = s + 1;
        }
        return result;
    }
    [[nodiscard]] static std::size_t mixed(std::size_t h) {
        h *= 0x9e3779b97f4a7c15ull;
        return h ^ (h >> 29);
    }
    [[nodiscard]] static std::size_t hash_of(const step<T>& s) {
        std::size_t h = mixed(reinterpret_cast<std::uintptr_t>(s.what));
        for (const slot k : s.operands) h = mixed(h + k);
        return h;
    }
    [[nodiscard]] static std::size_t hash_of(const T& value) {
        return mixed(std::bit_cast<std::uint64_t>(static_cast<double>(value)));
    }
    // NaNs of one sign count as the same: they do not equal themselves.
    [[nodiscard]] static bool same_bits(const T& a, const T& b) {
        return (a == b || (a != a && b != b)) && __builtin_signbit(a) == __builtin_signbit(b);
    }
};

} // namespace chainrule::tape::replays
