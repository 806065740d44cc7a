// SPDX-License-Identifier: BSL-1.0
//
// The tape: it creates variables, numbers computed from them record themselves, and backward() computes the derivative
// with respect to every recorded number. Marks, pauses and limits are here as well.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/kernel/emit.hpp>
#include <chainrule/tape/recording/adjoints.hpp>
#include <chainrule/tape/recording/entries.hpp>
#include <chainrule/tape/recording/refused_calls.hpp>
#include <chainrule/tape/recording/sweep.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <ranges>
#include <span>
#include <utility>

namespace chainrule::tape {

template <class T>
class section;
template <class T>
class statement_writer;
namespace parts {
/// The part of parallel(...) that this thread computes; 0 for none. A part may not record on the tapes of others.
inline constinit thread_local std::uint64_t now = 0;
} // namespace parts

/// A recording of computations with active<T>. Not movable. Only one thread at a time may use a tape; threads that
/// record concurrently need one tape each. Using a number that is no longer recorded, or changing a tape during its
/// sweep, throws std::logic_error.
template <class T>
class basic_tape : public refused_calls<T> {
    static_assert(!std::is_integral_v<T>, "tape: the type of the numbers is an integer, in which 3 / 2 is 1; write "
                                          "basic_tape<double>, or tape");

public:
    using number = active<T>; ///< of this tape
    using refused_calls<T>::backward;
    using refused_calls<T>::variables;

    basic_tape() : recording_(*this) {}
    basic_tape(const basic_tape&) = delete;
    basic_tape& operator=(const basic_tape&) = delete;

    /// A new independent variable. Throws recording_full, or std::logic_error while the tape is paused.
    [[nodiscard, gnu::always_inline]] number variable(const T& value) {
        const bool at_once = recording_.begins_directly() && heads<T>::recent() == recording_.head_now();
        return {value, at_once ? recording_.head_now()->add_result() : append_variables(1)};
    }
    /// New independent variables for the numbers of a range or a list.
    [[nodiscard]] std::vector<number> variables(std::initializer_list<T> values) {
        return variables(std::span<const T>(values.begin(), values.size()));
    }
    template <class Range>
    requires(!std::is_arithmetic_v<Range>)
    [[nodiscard]] std::vector<number> variables(const Range& values) {
        std::vector<number> result;
        if constexpr (std::ranges::sized_range<const Range>) {
            const auto count = static_cast<std::size_t>(std::ranges::size(values));
            result.reserve(count);
            place next = append_variables(count);
            for (const auto& v : values) result.push_back(number(static_cast<T>(v), next++));
        } else {
            for (const auto& v : values) result.push_back(variable(static_cast<T>(v)));
        }
        return result;
    }

    /// Makes number_at(i), for i < count, new independent variables of the values value_at(i).
    template <class NumberAt, class ValueAt>
    void make_variables(std::size_t count, NumberAt number_at, ValueAt value_at) {
        place next = append_variables(count);
        for (std::size_t i = 0; i < count; ++i) number_at(i) = number(value_at(i), next++);
    }

    // Derivatives ----------------------------------------------------------------------------------------------------

    /// Computes the derivative of y with respect to every recorded number, for x.gradient(). Discards the derivatives
    /// of earlier calls.
    void backward(const number& y, T weight = T(1)) {
        check_not_swept("backward");
        const index n = checked_output(y);
        clear_adjoints();
        adjoints_[n] = std::move(weight);
        sweep_adjoints();
    }
    /// The same for a weighted sum of outputs.
    void backward(std::initializer_list<seed<T>> seeds) {
        backward(std::span<const seed<T>>(seeds.begin(), seeds.size()));
    }
    void backward(std::span<const seed<T>> seeds) {
        check_not_swept("backward");
        for (const seed<T>& s : seeds) (void)checked_output(s.output);
        clear_adjoints();
        for (const seed<T>& s : seeds) {
            T& adjoint = adjoints_[recording_.number_of(s.output.place_)];
            adjoint = adjoint + s.weight;
        }
        sweep_adjoints();
    }
    /// The same for outputs and their weights in two lists.
    void backward(const list_of<number>& all_outputs, const list_of<T>& all_weights) {
        check_not_swept("backward");
        const std::span outputs = all_outputs.numbers();
        const std::span weights = all_weights.numbers();
        if (outputs.size() != weights.size())
            core::raise(std::invalid_argument("backward: " + std::to_string(outputs.size()) + " outputs and " +
                                              std::to_string(weights.size()) +
                                              " weights are given; give as many of both"));
        for (const number& y : outputs)
            if (y.is_recorded()) (void)checked_number(y, "backward");
        clear_adjoints();
        for (std::size_t k = 0; k < outputs.size(); ++k)
            if (outputs[k].is_recorded()) {
                T& adjoint = adjoints_[recording_.number_of(outputs[k].place_)];
                adjoint = adjoint + weights[k];
            }
        sweep_adjoints();
    }
    /// The derivatives of up to `Lanes` outputs in one sweep; missing outputs and outputs that are not recorded have
    /// zero derivatives.
    template <std::size_t Lanes>
    [[nodiscard]] lane_adjoints<T, Lanes> backward(const list_of<number>& all_outputs) {
        check_not_swept("backward");
        const std::span outputs = all_outputs.numbers();
        if (outputs.size() > Lanes)
            core::raise(std::invalid_argument("backward: " + std::to_string(outputs.size()) +
                                              " outputs are given for " + std::to_string(Lanes) +
                                              " lanes; give at most that many, or ask for more lanes"));
        lane_adjoints<T, Lanes> result = lanes_for_all<Lanes>();
        for (std::size_t k = 0; k < outputs.size(); ++k)
            if (outputs[k].is_recorded()) result.adjoints_[checked_number(outputs[k], "backward")][k] = T(1);
        sweep(result.adjoints_.data());
        return result;
    }
    /// The derivatives of up to `Lanes` weighted sums of outputs in one sweep. The weights of one sum follow those of
    /// another.
    template <std::size_t Lanes>
    [[nodiscard]] lane_adjoints<T, Lanes> backward(const list_of<number>& all_outputs, const list_of<T>& all_weights) {
        check_not_swept("backward");
        const std::span outputs = all_outputs.numbers();
        const std::span weights = all_weights.numbers();
        if (outputs.empty() ? !weights.empty()
                            : weights.size() % outputs.size() != 0 || weights.size() / outputs.size() > Lanes)
            core::raise(std::invalid_argument("backward: " + std::to_string(weights.size()) +
                                              " weights are given for " + std::to_string(outputs.size()) +
                                              " outputs in " + std::to_string(Lanes) +
                                              " lanes; give one weight per output and lane"));
        lane_adjoints<T, Lanes> result = lanes_for_all<Lanes>();
        for (std::size_t k = 0; k < outputs.size(); ++k) {
            if (!outputs[k].is_recorded()) continue;
            std::array<T, Lanes>& adjoint = result.adjoints_[checked_number(outputs[k], "backward")];
            for (std::size_t lane = 0; (lane + 1) * outputs.size() <= weights.size(); ++lane)
                adjoint[lane] = adjoint[lane] + weights[lane * outputs.size() + k];
        }
        sweep(result.adjoints_.data());
        return result;
    }
    /// Whether the recording can be swept forwards: what operation() records cannot.
    [[nodiscard]] bool can_sweep_forwards() const { return operations_.empty(); }
    /// The derivative, with respect to x, of the output passed to backward().
    [[nodiscard]] const T& gradient(const number& x) const {
        const index n = checked_number(x, "gradient");
        if (n >= swept_)
            core::raise(
                std::logic_error("gradient: backward() was not called since the number was recorded; call it first"));
        return adjoints_[n];
    }
    /// The derivatives with respect to `count` results that were recorded one after another, as the variables of a list
    /// are. Valid until the next sweep.
    [[nodiscard]] std::span<const T> gradients_from(const number& first, std::size_t count) const {
        const T& at = gradient(first);
        if (count > swept_ - recording_.number_of(first.place_))
            core::raise(std::out_of_range("gradients_from: fewer numbers were recorded after the first one before the "
                                          "sweep; ask for as many as were"));
        return {&at, count};
    }

    // What is recorded -----------------------------------------------------------------------------------------------

    /// The current position in the recording.
    [[nodiscard]] position mark() const { return recording_.here(); }
    /// Discards everything recorded since a mark and keeps the memory for later recordings. Using numbers recorded
    /// since then throws std::logic_error.
    void rewind(const position& to) {
        check_not_swept("rewind");
        if (to.owner != nullptr && to.owner != recording_.head_now())
            core::raise(std::logic_error("rewind: the mark belongs to another tape; use one of this tape"));
        if (!recording_.has(to))
            core::raise(std::logic_error("rewind: the mark is past the end of the recording, which was rewound to an "
                                         "earlier mark; set a new mark"));
        rewind_to(to);
    }
    /// Discards everything; keeps the memory.
    void clear() {
        check_not_swept("clear");
        rewind_to({});
    }
    /// Stops recording until resume(): results are plain numbers. A tape that was paused twice must be resumed twice.
    void pause() { recording_.pause(); }
    /// Continues recording after pause().
    void resume() { recording_.resume(); }
    /// Whether the tape is paused.
    [[nodiscard]] bool is_paused() const { return recording_.paused(); }

    /// Limits the memory that the tape may reserve, in bytes; zero for no limit. Exceeding it throws recording_full and
    /// leaves the tape unchanged.
    void limit_memory(std::size_t bytes) { recording_.limit = bytes; }
    /// What the tape holds, in counts and bytes.
    [[nodiscard]] memory_statistics memory() const {
        const std::size_t statements = recording_.next() - 1, operands = recording_.operand_count();
        return {statements, operands, operands * (sizeof(T) + sizeof(index)) + statements * sizeof(T),
                recording_.bytes_reserved() + recording_.bytes_elsewhere};
    }

    // Statements -----------------------------------------------------------------------------------------------------

    /// Records a result with known partial derivatives as one statement.
    [[nodiscard]] number statement(const T& value, std::span<const number> operands, std::span<const T> partials) {
        if (operands.size() != partials.size())
            core::raise(std::invalid_argument("statement: " + std::to_string(operands.size()) + " operands and " +
                                              std::to_string(partials.size()) +
                                              " partial derivatives are given; give as many of both"));
        return append(value, operands, partials.data());
    }
    [[nodiscard]] number statement(const T& value, std::initializer_list<number> operands,
                                   std::initializer_list<T> partials) {
        return statement(value, std::span(operands.begin(), operands.size()),
                         std::span(partials.begin(), partials.size()));
    }

    /// Records an operation with a user-defined reverse derivative: results with these values. `backward` is called
    /// once per sweep and lane with the adjoints; it reads those of the results and adds to those of the operands. If
    /// it changes the tape, that throws std::logic_error.
    template <class Backward>
    [[nodiscard]] std::vector<number> operation(std::span<const T> values, Backward backward) {
        check_not_swept("operation");
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
        }
        CHAINRULE_CATCH(...) {
            rewind_to(before);
            CHAINRULE_RETHROW;
        }
        return results;
    }

    /// The index of a result in the recording; zero for numbers that are not recorded. Throws std::logic_error for a
    /// number of another tape.
    [[nodiscard]] index number_of(const number& x) const {
        if (!x.is_recorded()) return 0;
        return checked_number(x, "tape");
    }
    /// What is recorded, for functions of the library that read it.
    [[nodiscard]] const recording<T>& entries() const { return recording_; }

    /// Offers the memory of an empty tape to the system, for calls that keep their tapes: core/large_memory.hpp.
    [[nodiscard]] bool offer_to_system() {
        if constexpr (std::is_trivially_copyable_v<T>)
            return recording_.offer_to_system() && core::offer_to_system(adjoints_.data(), adjoints_.size());
        else
            return false;
    }

    /// The place of a number, for statements of expressions (tape/recording/statement_writer.hpp).
    [[gnu::always_inline]] static place place_of(const number& x) { return x.place_; }

    /// For interop/eigen.hpp: the tape of a recorded number. Throws std::logic_error if it is destroyed.
    [[nodiscard]] static basic_tape* tape_of(const number& x) { return tape_of_operand(x.place_); }

private:
    friend class active<T>;
    template <class, std::size_t>
    friend class lane_adjoints;
    friend class section<T>;
    friend class statement_writer<T>;

    struct external_operation {
        position begin, at;
        std::function<void(const adjoint_view<T>&)> backward;
    };
    // Prevents recording during its lifetime.
    struct sweep_in_progress {
        recording<T>& of;
        explicit sweep_in_progress(recording<T>& r) : of(r) { of.sweep_begins(); }
        ~sweep_in_progress() { of.sweep_ends(); }
        sweep_in_progress(const sweep_in_progress&) = delete;
        sweep_in_progress& operator=(const sweep_in_progress&) = delete;
    };

    recording<T> recording_;
    std::vector<T, core::large_allocator<T>> adjoints_;
    index swept_ = 0; // results before this one have a derivative
    std::vector<external_operation> operations_;
    std::uint64_t part_ = parts::now; // in which the tape was made or last got variables

    void rewind_to(const position& to) {
        recording_.rewind(to);
        if (!operations_.empty()) [[unlikely]]
            forget_operations(to.next);
        swept_ = std::min(swept_, to.next);
        heads<T>::last_rotation() = {}; // each recording computes what it needs
    }

    [[gnu::noinline]] void forget_operations(index from) {
        while (!operations_.empty() && operations_.back().at.next > from) operations_.pop_back();
    }

    [[nodiscard]] bool has_operation_since(const position& begin) const {
        return !operations_.empty() && operations_.back().at.next > begin.next;
    }

    [[nodiscard]] number handle(const T& value, place result) { return {value, result}; }

    /// The index of a handle on this tape.
    [[nodiscard, gnu::always_inline]] index checked_number(const number& x, const char* call) const {
        index found;
        return recording_.head_now()->now.find(x.place_, found) ? found : checked_older_number(x, call);
    }
    /// The same for an output, which need not depend on anything: the adjoint with index zero is never read.
    [[nodiscard, gnu::always_inline]] index checked_output(const number& y) const {
        return y.place_ == constant_result ? 0 : checked_number(y, "backward");
    }
    [[nodiscard, gnu::noinline]] index checked_older_number(const number& x, const char* call) const {
        if (!x.is_recorded())
            core::raise(std::logic_error(std::string(call) +
                                         ": the number is not recorded; make variables with tape.variable(...)"));
        if (checked_tape(x.place_, call) != this)
            core::raise(std::logic_error(std::string(call) + ": the number belongs to another tape; use that one"));
        return number_kept(x.place_);
    }
    /// The tape of a result.
    [[nodiscard]] static basic_tape* checked_tape(place where, const char* call) {
        basic_tape* const tape = heads<T>::of(where)->tape_of(where);
        if (tape == nullptr)
            core::raise(
                std::logic_error(std::string(call) +
                                 ": a number is used whose tape is destroyed; keep the tape as long as its numbers"));
        return tape;
    }
    // A thread that computes a part of parallel(...) may record on tapes of that part alone.
    void check_part() const {
        if (parts::now != 0 && part_ != parts::now)
            core::raise(
                std::logic_error("active: the function given to parallel(...) uses a number of a tape outside it; "
                                 "pass the number as an argument"));
    }
    /// The tape of an operand, on which its statement is recorded.
    [[nodiscard, gnu::noinline]] static basic_tape* tape_of_operand(place where) {
        basic_tape* const found = checked_tape(where, "active");
        found->check_part();
        return found;
    }
    [[nodiscard]] index number_kept(place where) const {
        const index found = recording_.number_of(where);
        if (found == 0)
            core::raise(std::logic_error(
                "tape: a number is used that was recorded before the tape was rewound or cleared; create it again"));
        return found;
    }
    // The first of the consecutive places of new variables.
    [[gnu::noinline]] place append_variables(std::size_t count) {
        check_not_swept("variable");
        if (recording_.paused())
            core::raise(std::logic_error("variable: the tape is paused, so derivatives with respect to the variable "
                                         "would be lost; call resume() first"));
        part_ = parts::now;
        if (count == 0) return 0;
        const place first = recording_.append_variables(count);
        heads<T>::expect(recording_.head_now());
        return first;
    }
    [[gnu::always_inline]] void check_not_swept(const char* call) const {
        if (recording_.swept()) [[unlikely]]
            report_swept(call);
    }
    [[noreturn, gnu::noinline]] static void report_swept(const char* call) {
        core::raise(std::logic_error(
            std::string(call) + ": the tape is being swept; an operation's function may read and add adjoints, and "
                                "record on another tape only"));
    }

    // After an unfinished sweep, no number has a derivative.
    void clear_adjoints() {
        const std::size_t size = recording_.next();
        swept_ = 0;
        if (adjoints_.size() < size) {
            const std::size_t larger = std::max(size, adjoints_.size() + adjoints_.size() / 2);
            recording_.check_limit((larger - adjoints_.size()) * sizeof(T));
            decltype(adjoints_)().swap(adjoints_); // not needed, so no copy
            recording_.bytes_elsewhere = 0;
            adjoints_.resize(larger);
            recording_.bytes_elsewhere = larger * sizeof(T);
        }
        sweeping::set_to_zero(adjoints_.data(), size);
    }
    void sweep_adjoints() {
        sweep(adjoints_.data());
        swept_ = recording_.next();
    }

    template <std::size_t Lanes>
    [[nodiscard]] lane_adjoints<T, Lanes> lanes_for_all() const {
        recording_.check_limit(recording_.next() * sizeof(std::array<T, Lanes>));
        return {recording_.head_now(), recording_.head_now()->now.end(), recording_.next()};
    }

    template <class Adjoint>
    void sweep(Adjoint* adjoints) {
        if (operations_.empty()) {
            sweeping::run(recording_, adjoints);
            return;
        }
        const sweep_in_progress sweeping_now(recording_);
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
        check_not_swept("statement");
        check_part();
        std::vector<index> recorded;
        std::vector<T> kept;
        for (std::size_t i = 0; i < operands.size(); ++i) {
            if (!operands[i].is_recorded()) continue;
            recorded.push_back(checked_number(operands[i], "statement"));
            kept.push_back(partials[i]);
        }
        if (recorded.empty() || recording_.paused()) return value;
        return handle(value, recording_.append(kept.data(), recorded.data(), recorded.size()));
    }
};

template <class T>
inline const T& active<T>::gradient() const {
    const head<T>& expected = *heads<T>::recent();
    index n;
    if (expected.now.find(place_, n) && n < expected.tape->swept_) [[likely]]
        return expected.tape->adjoints_[n];
    return older_gradient();
}
template <class T>
const T& active<T>::older_gradient() const {
    if (!is_recorded())
        core::raise(std::logic_error("gradient: the number is not recorded; make variables with tape.variable(...)"));
    return basic_tape<T>::checked_tape(place_, "gradient")->gradient(*this);
}

/// The tape for double; basic_tape<T> for other number types.
using tape = basic_tape<double>;

} // namespace chainrule::tape
