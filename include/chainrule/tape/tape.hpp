// SPDX-License-Identifier: BSL-1.0
//
// What can be done with a tape? Variables are put on it, numbers computed from them record themselves, and backward()
// gives every recorded number its derivative. Marks, pauses and limits are here as well.
#pragma once

#include <chainrule/raise.hpp>
#include <chainrule/tape/adjoints.hpp>
#include <chainrule/tape/sweep.hpp>

#include <functional>
#include <limits>
#include <span>

namespace chainrule::tape {

// Whether handles to results that were rewound are found out. Set it to the same value in the whole program.
#if !defined(CHAINRULE_TAPE_CHECKS)
#if defined(NDEBUG)
#define CHAINRULE_TAPE_CHECKS 0
#else
#define CHAINRULE_TAPE_CHECKS 1
#endif
#endif

/// The last argument of which a tape computed sine and cosine. The sine of an angle is one statement and its cosine
/// another, and each needs both. Forgotten with what was recorded.
template <class T>
struct rotation {
    T argument = std::numeric_limits<T>::quiet_NaN();
    T sine{}, cosine{};
};

/// A recording of computations with active<T>. Not movable: numbers point to their tape. It may be used by one thread at
/// a time; threads that record at once have a tape each.
template <class T>
class basic_tape {
public:
    using number = active<T>;

    basic_tape() = default;
    basic_tape(const basic_tape&) = delete;
    basic_tape& operator=(const basic_tape&) = delete;

    /// A new independent variable. Throws recording_full, or std::logic_error while the tape is paused.
    [[nodiscard]] number variable(const T& value) {
        if (recording_.paused())
            raise(std::logic_error("variable: the tape is paused, so that derivatives by the variable would be lost; call resume() first"));
        return handle(value, recording_.append_variable());
    }
    /// New independent variables for the numbers of a range or a list.
    [[nodiscard]] std::vector<number> variables(std::initializer_list<T> values) {
        return variables(std::span<const T>(values.begin(), values.size()));
    }
    template <class Range>
    [[nodiscard]] std::vector<number> variables(const Range& values) {
        std::vector<number> result;
        for (const auto& v : values) result.push_back(variable(static_cast<T>(v)));
        return result;
    }

    // Derivatives ----------------------------------------------------------------------------------------------------

    /// Computes the derivative of y by every recorded number, for x.gradient(). Derivatives of earlier calls are gone.
    void backward(const number& y, const T& weight = T(1)) {
        const index n = checked_number(y, "backward");
        clear_adjoints();
        adjoints_[n] = weight;
        sweep_adjoints();
    }
    /// The same for the sum of weight times output over several outputs.
    void backward(std::initializer_list<seed<T>> seeds) { backward(std::span<const seed<T>>(seeds.begin(), seeds.size())); }
    void backward(std::span<const seed<T>> seeds) {
        for (const seed<T>& s : seeds) (void)checked_number(s.output, "backward");
        clear_adjoints();
        for (const seed<T>& s : seeds) adjoints_[s.output.number()] = adjoints_[s.output.number()] + s.weight;
        sweep_adjoints();
    }
    /// The derivatives of up to `Lanes` outputs in one sweep; missing ones and those that are not recorded have
    /// zero derivatives.
    template <std::size_t Lanes>
    [[nodiscard]] lane_adjoints<T, Lanes> backward(std::span<const number> outputs) {
        if (outputs.size() > Lanes)
            raise(std::invalid_argument("backward: " + std::to_string(outputs.size()) + " outputs are given for " +
                                        std::to_string(Lanes) + " lanes; give at most that many, or ask for more lanes"));
        recording_.check_limit(recording_.next() * sizeof(std::array<T, Lanes>));
        lane_adjoints<T, Lanes> result(*this, recording_.next());
        for (std::size_t k = 0; k < outputs.size(); ++k)
            if (outputs[k].is_recorded()) result.adjoints_[checked_number(outputs[k], "backward")][k] = T(1);
        sweep(result.adjoints_.data());
        return result;
    }
    /// The derivative of what backward() was called for by x.
    [[nodiscard]] const T& gradient(const number& x) const {
        const index n = checked_number(x, "gradient");
        if (n >= swept_)
            raise(std::logic_error("gradient: backward() was not called since the number was recorded; call it first"));
        return adjoints_[n];
    }

    // What is recorded -----------------------------------------------------------------------------------------------

    /// The place where recording goes on.
    [[nodiscard]] position mark() const { return recording_.here(); }
    /// Forgets what was recorded since a mark; its memory is kept for what follows. Numbers recorded since must not be
    /// used again, which is found out where CHAINRULE_TAPE_CHECKS is 1 (by default: without NDEBUG).
    void rewind(const position& to) {
        if (to.owner != nullptr && to.owner != &recording_)
            raise(std::logic_error("rewind: the mark belongs to another tape; use one of this tape"));
        const auto later = first_rewind_after(to.generation);
        if (to.next > recording_.next() || (later != rewinds_.end() && later->lowest < to.next))
            raise(std::logic_error("rewind: the mark lies beyond what is recorded; the tape was rewound to before it"));
        go_back(to);
    }
    /// Forgets everything; memory is kept.
    void clear() { go_back({}); }
    /// Records nothing until resume(): results are plain numbers. A tape that was paused twice is to be resumed twice.
    void pause() { recording_.pause(); }
    void resume() { recording_.resume(); }
    [[nodiscard]] bool is_paused() const { return recording_.paused(); }

    /// The most memory that the tape may reserve from now on, in bytes; zero for any. Reaching it throws recording_full and leaves
    /// the tape as it was.
    void limit_memory(std::size_t bytes) { recording_.limit = bytes; }
    [[nodiscard]] memory_statistics memory() const {
        const std::size_t statements = recording_.next() - 1, operands = recording_.operand_count();
        return {statements, operands, operands * (sizeof(T) + sizeof(index)) + statements * sizeof(T),
                recording_.bytes_reserved() + recording_.bytes_elsewhere};
    }

    // Statements -----------------------------------------------------------------------------------------------------

    /// Records a result whose derivatives by its operands were computed elsewhere, as one statement.
    [[nodiscard]] number statement(const T& value, std::span<const number> operands, std::span<const T> partials) {
        if (operands.size() != partials.size())
            raise(std::invalid_argument("statement: " + std::to_string(operands.size()) + " operands and " +
                                        std::to_string(partials.size()) + " partial derivatives are given; give as many of both"));
        return append(value, operands, partials.data());
    }
    [[nodiscard]] number statement(const T& value, std::initializer_list<number> operands, std::initializer_list<T> partials) {
        return statement(value, std::span(operands.begin(), operands.size()), std::span(partials.begin(), partials.size()));
    }

    /// Records an operation with its own derivative: results with these values. `backward` is called once per sweep and
    /// lane with the adjoints; it reads those of the results and adds to those of what the results depend on.
    template <class Backward>
    [[nodiscard]] std::vector<number> operation(std::span<const T> values, Backward backward) {
        std::vector<number> results;
        if (values.empty() || recording_.paused()) {
            results.assign(values.begin(), values.end());
            return results;
        }
        const position before = mark();
        CHAINRULE_TRY {
            results.reserve(values.size());
            for (const T& v : values) results.push_back(variable(v));
            operations_.push_back({before, mark(), {}});
            operations_.back().backward = [results, backward](const adjoint_view<T>& adjoints) mutable {
                backward(std::span<const number>(results), adjoints);
            };
        } CHAINRULE_CATCH(...) {
            go_back(before);
            CHAINRULE_RETHROW;
        }
        return results;
    }

    /// The number of a result in the recording; zero for numbers that are not recorded. Throws std::logic_error for one of
    /// another tape.
    [[nodiscard]] index number_of(const number& x) const {
        if (x.tape_ == nullptr) return 0;
        return checked_number(x, "tape");
    }
    [[nodiscard]] const recording<T>& entries() const { return recording_; }

    /// Records what `run(to, rotation)` computes, which writes the partial derivatives by the operands and returns the value.
    /// `rotation` is the tape's, or null.
    /// `for_each_operand(f)` calls f with each of the `Count` operands, in order.
    template <std::size_t Count, class ForEach, class Run>
    [[gnu::always_inline]] static number record(const ForEach& for_each_operand, Run run);

private:
    struct external_operation {
        position begin, at;
        std::function<void(const adjoint_view<T>&)> backward;
    };
    struct rewound {
        std::uint32_t generation;
        index lowest;
    };

    recording<T> recording_;
    std::vector<T> adjoints_;
    rotation<T> rotation_;
    index swept_ = 0; // results before this one have a derivative
    std::vector<external_operation> operations_;
    std::vector<rewound> rewinds_; // the generation since which no rewind went lower

    void go_back(const position& to) {
        while (!operations_.empty() && operations_.back().at.next > to.next) operations_.pop_back();
        recording_.rewind(to);
        swept_ = std::min(swept_, to.next);
        rotation_.argument = std::numeric_limits<T>::quiet_NaN(); // each recording computes what it needs
        // Of the rewinds that went no lower, the latest says it all. Usually there is one, by clear().
        while (rewinds_.size() > 1 && rewinds_[rewinds_.size() - 2].lowest >= to.next) rewinds_.pop_back();
        if (rewinds_.empty() || rewinds_.back().lowest < to.next) rewinds_.emplace_back();
        rewinds_.back() = {recording_.generation(), to.next};
    }

    [[nodiscard]] number handle(const T& value, place result) { return {value, this, result}; }

    /// The number of a handle on this tape.
    [[nodiscard]] index checked_number(const number& x, const char* call) const {
        if (x.tape_ != this)
            raise(std::logic_error(std::string(call) + (x.tape_ == nullptr
                                                            ? ": the number is not recorded; make variables with tape.variable(...)"
                                                            : ": the number belongs to another tape; use that one")));
        check_generation(x);
        if (x.number() >= recording_.next()) report_lost();
        return x.number();
    }
    [[noreturn]] static void report_lost() {
        raise(std::logic_error("tape: a number is used that was recorded before the tape was rewound or cleared; make it anew"));
    }
    // That and all later ones went down to its lowest place.
    [[nodiscard]] auto first_rewind_after(std::uint32_t generation) const {
        return std::upper_bound(rewinds_.begin(), rewinds_.end(), generation,
                                [](std::uint32_t g, const rewound& r) { return g < r.generation; });
    }
    void check_generation([[maybe_unused]] const number& x) const {
#if CHAINRULE_TAPE_CHECKS
        const auto later = first_rewind_after(x.generation());
        if (later != rewinds_.end() && x.number() >= later->lowest) report_lost();
#endif
    }

    // Where a sweep is not finished, no number has a derivative.
    void clear_adjoints() {
        const std::size_t size = recording_.next();
        swept_ = 0;
        if (adjoints_.size() < size) {
            const std::size_t larger = std::max(size, adjoints_.size() + adjoints_.size() / 2);
            recording_.check_limit((larger - adjoints_.size()) * sizeof(T));
            adjoints_ = {}; // they are not needed: no copy
            recording_.bytes_elsewhere = 0;
            adjoints_.resize(larger);
            recording_.bytes_elsewhere = larger * sizeof(T);
        }
        std::fill_n(adjoints_.begin(), size, T{});
    }
    void sweep_adjoints() {
        sweep(adjoints_.data());
        swept_ = recording_.next();
    }

    template <class Adjoint>
    void sweep(Adjoint* adjoints) {
        if (operations_.empty()) {
            sweeping::run(recording_, adjoints);
            return;
        }
        position end = mark();
        for (std::size_t i = operations_.size(); i-- > 0;) {
            const external_operation& o = operations_[i];
            sweeping::run(recording_, end, o.at, adjoints);
            if constexpr (std::same_as<Adjoint, T>)
                o.backward(adjoint_view<T>(*this, adjoints, 1));
            else
                for (std::size_t k = 0; k < std::tuple_size_v<Adjoint>; ++k)
                    o.backward(adjoint_view<T>(*this, adjoints->data() + k, std::tuple_size_v<Adjoint>));
            end = o.begin;
        }
        sweeping::run(recording_, end, position{}, adjoints);
    }

    number append(const T& value, std::span<const number> operands, const T* partials) {
        std::vector<index> recorded;
        std::vector<T> kept;
        for (std::size_t i = 0; i < operands.size(); ++i) {
            if (operands[i].tape_ == nullptr) continue;
            recorded.push_back(checked_number(operands[i], "statement"));
            kept.push_back(partials[i]);
        }
        if (recorded.empty() || recording_.paused()) return value;
        return handle(value, recording_.append(kept.data(), recorded.data(), recorded.size()));
    }
    // Where the operands are not all on one tape, the tape is paused, or a block is full. A sum that starts from a plain
    // zero is common: that has to be fast.
    template <std::size_t Count>
    [[gnu::noinline]] static number record_unusual(const T& value, const std::array<number, Count>& operands, const T* partials) {
        basic_tape* tape = nullptr;
        std::size_t kept = 0;
        for (const number& x : operands) {
            if (x.tape_ == nullptr) continue;
            if (tape != nullptr && x.tape_ != tape)
                raise(std::logic_error("active: an expression has numbers of two tapes; record all of them on one"));
            tape = x.tape_;
            ++kept;
        }
        if (tape == nullptr) return value;
        if (!tape->recording_.has_room(kept)) return tape->append(value, operands, partials);
        T* const to = tape->recording_.partials();
        index* const numbers = tape->recording_.operands();
        std::size_t k = 0;
        for (std::size_t i = 0; i < Count; ++i) {
            to[k] = partials[i];
            numbers[k] = operands[i].number();
            k += operands[i].tape_ != nullptr ? 1U : 0U;
        }
        numbers[k - 1] |= recording<T>::last_operand;
        return tape->handle(value, tape->recording_.finish(kept));
    }
};

template <class T>
template <std::size_t Count, class ForEach, class Run>
[[gnu::always_inline]] inline active<T> basic_tape<T>::record(const ForEach& for_each_operand, Run run) {
    // Operands are visited, not kept in an array, which compilers would build in memory for each statement.
    basic_tape* tape = nullptr;
    bool usual = true;
    std::size_t number = 0;
    for_each_operand([&](const active<T>& operand) CHAINRULE_INLINE {
        if (number++ == 0)
            tape = operand.tape_;
        else
            usual = usual && operand.tape_ == tape;
    });
    usual = usual && tape != nullptr && tape->recording_.has_room(Count);
#if CHAINRULE_TAPE_CHECKS
    for_each_operand([&](const active<T>& operand) CHAINRULE_INLINE {
        if (operand.tape_ != nullptr) operand.tape_->check_generation(operand);
    });
#endif
    std::array<T, Count> elsewhere;
    const T value = run(usual ? tape->recording_.partials() : elsewhere.data(), usual ? &tape->rotation_ : nullptr);
    if (!usual) [[unlikely]] {
        std::array<active<T>, Count> operands;
        std::size_t k = 0;
        for_each_operand([&](const active<T>& operand) CHAINRULE_INLINE { operands[k++] = operand; });
        return record_unusual(value, operands, elsewhere.data());
    }
    index* const to = tape->recording_.operands();
    std::size_t k = 0;
    for_each_operand([&](const active<T>& operand) CHAINRULE_INLINE {
        to[k] = k + 1 < Count ? operand.number() : operand.number() | recording<T>::last_operand;
        ++k;
    });
    return tape->handle(value, tape->recording_.finish(Count));
}

template <class T>
const T& active<T>::gradient() const {
    if (tape_ == nullptr)
        raise(std::logic_error("gradient: the number is not recorded; make variables with tape.variable(...)"));
    return tape_->gradient(*this);
}

/// The tape for double; basic_tape<T> for other number types.
using tape = basic_tape<double>;

} // namespace chainrule::tape
