// SPDX-License-Identifier: BSL-1.0
//
// How can a selection be evaluated in a constant expression? There an operation outside of its domain is an error, also
// in an arm that is not taken. So instructions run there when a result needs them, in as many passes as selections are
// nested; at run time both arms are computed, without a branch. kernel/emit.hpp asks for it.
#pragma once

#include <chainrule/program/code.hpp>

#include <cstddef>

namespace chainrule::kernel {

/// The order for a program of `Size` instructions behind `First` constants.
template <std::size_t First, std::size_t Size>
class lazy_order {
public:
    constexpr explicit lazy_order(const program::instruction* code) : code_(code) {
        for (std::size_t i = 0; i < First; ++i) done_[i] = true;
    }

    /// Begins a pass: finds out what the results need, as far as conditions are known. False where all is done.
    constexpr bool begin(const bool* conditions) {
        conditions_ = conditions;
        for (bool& n : needed_) n = false;
        bool complete = true;
        for (std::size_t i = Size; i-- > 0;) {
            const program::instruction& s = code_[i];
            if (s.what == program::operation::output) needed_[First + i] = true;
            if (!needed_[First + i] || done_[First + i]) continue;
            complete = false;
            visit_operands(s, [&](std::size_t slot) { needed_[slot] = true; });
        }
        return !complete;
    }
    /// Whether instruction i is to run now; it then counts as done.
    constexpr bool runs(std::size_t i) {
        bool ready = needed_[First + i] && !done_[First + i];
        if (ready && code_[i].what == program::operation::select) ready = done_[at(code_[i].a)];
        if (ready) visit_operands(code_[i], [&](std::size_t slot) { ready = ready && done_[slot]; });
        if (ready) done_[First + i] = true;
        return ready;
    }

private:
    const program::instruction* code_;
    const bool* conditions_ = nullptr;
    bool done_[First + Size + 1] = {};
    bool needed_[First + Size + 1] = {};

    static constexpr std::size_t at(int slot) { return static_cast<std::size_t>(slot); }

    template <class Visitor>
    constexpr void visit_operands(const program::instruction& s, Visitor visit) const {
        using program::operation;
        if (s.what <= operation::constant || s.what == operation::refresh) return;
        visit(at(s.a));
        if (s.what == operation::select) {
            if (done_[at(s.a)]) visit(at(conditions_[at(s.a)] ? s.b : s.c));
        } else if (s.what < operation::sine_cosine && s.what != operation::negate) {
            visit(at(s.b));
            if (s.what == operation::call ||
                (operation::multiply_add <= s.what && s.what <= operation::negative_multiply_subtract))
                visit(at(s.c));
        }
    }
};

} // namespace chainrule::kernel
