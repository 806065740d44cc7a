// SPDX-License-Identifier: BSL-1.0
//
// In which order do instructions run, so that few numbers wait in registers? Depth-first order computes a value wholly
// before its derivatives, which then need all its parts again. Here an instruction that ends the life of at least as many
// numbers as it begins runs as soon as its operands are there. program/schedule.hpp asks for it.
#pragma once

#include <chainrule/program/code.hpp>

namespace chainrule::program {

class register_order {
public:
    /// Reorders the instructions of c from number `first` on, which contain no call.
    constexpr register_order(code& c, int first) : body_(c.body), first_(first), size_(c.body.count) {
        count_uses();
        place_ = list<int>(size_, -1);
        window_ = list<int>(size_, -1);
        result_.reserve(size_ - first_);
        for (int i = 0; i < first_; ++i) place_.items[i] = i;
        for (int i = first_; i < size_; ++i) {
            if (is_leaf(i)) continue;
            execute(i);
            while (stack_.count != 0) {
                const int next = stack_.pop_back();
                if (place_.items[next] < 0 && balance(next) <= 0) execute(next);
            }
        }
        body_.truncate(first_);
        for (int i = 0; i < result_.count; ++i) body_.push_back(result_.items[i]);
    }

private:
    list<instruction>& body_;
    list<instruction> result_;
    int first_ = 0;
    int size_ = 0;
    list<int> window_;    // by stored number: when it was last read
    int numbers_read_ = 0;
    list<int> place_;     // by instruction: its new number, or -1
    list<int> remaining_; // by instruction: operands that are still to be computed
    list<int> lives_;     // by instruction: uses that are still to come; 0 for what is in memory
    list<int> heads_, next_; // by instruction: its uses, three for each user
    list<int> stack_;

    [[nodiscard]] constexpr bool is_leaf(int i) const {
        const operation what = body_.items[i].what;
        return what <= operation::constant || what == operation::reload;
    }
    [[nodiscard]] static constexpr int arity(operation what) {
        if (what <= operation::constant || what == operation::reload) return 0;
        if (what == operation::negate || what == operation::output) return 1;
        return what >= operation::multiply_add && what <= operation::negative_multiply_subtract ? 3 : 2;
    }
    [[nodiscard]] constexpr int operand(int i, int k) const {
        return k == 0 ? body_.items[i].a : k == 1 ? body_.items[i].b : body_.items[i].c;
    }

    constexpr void count_uses() {
        remaining_ = list<int>(size_);
        lives_ = list<int>(size_);
        heads_ = list<int>(size_, -1);
        next_ = list<int>(3 * size_, -1);
        for (int i = size_ - 1; i >= first_; --i)
            for (int k = arity(body_.items[i].what) - 1; k >= 0; --k) {
                const int o = operand(i, k);
                if (is_leaf(o)) continue;
                ++lives_.items[o];
                next_.items[3 * i + k] = heads_.items[o];
                heads_.items[o] = 3 * i + k;
                if (o >= first_) ++remaining_.items[i];
            }
    }

    // The numbers that an instruction adds to those that are needed afterwards; many where it cannot run yet.
    [[nodiscard]] constexpr int balance(int i) const {
        if (remaining_.items[i] > 0) return 100;
        int result = body_.items[i].what == operation::output ? 0 : 1;
        const int n = arity(body_.items[i].what);
        for (int k = 0; k < n; ++k)
            if (lives_.items[operand(i, k)] == 1) --result;
        if (n == 2 && body_.items[i].a == body_.items[i].b && lives_.items[body_.items[i].a] == 2) --result;
        return result;
    }

    [[nodiscard]] constexpr bool is_number(int i) const { return body_.items[i].what == operation::number; }

    // Stored numbers are read again now and then: compilers keep what was read until its last use, and would store and load it
    // again where registers are short.
    static constexpr int numbers_in_registers = 12;

    constexpr int placed(int o) {
        if (o >= first_ && is_number(o) && window_.items[o] != numbers_read_ / numbers_in_registers) {
            if (numbers_read_ > 0 && numbers_read_ % numbers_in_registers == 0) result_.push_back({operation::refresh});
            window_.items[o] = numbers_read_++ / numbers_in_registers;
            place_.items[o] = -1;
        }
        if (place_.items[o] < 0) {
            place_.items[o] = first_ + result_.count;
            result_.push_back(body_.items[o]);
            if (body_.items[o].what == operation::reload) result_.back().a = place_.items[body_.items[o].a];
        }
        return place_.items[o];
    }

    constexpr void execute(int i) {
        if (place_.items[i] >= 0) return;
        instruction s = body_.items[i];
        const int n = arity(s.what);
        if (n > 0) s.a = placed(s.a);
        if (n > 1) s.b = placed(s.b);
        if (n > 2) s.c = placed(s.c);
        place_.items[i] = first_ + result_.count;
        result_.push_back(s);
        for (int k = 0; k < n; ++k) {
            const int o = operand(i, k);
            if (lives_.items[o] == 0) continue;
            if (--lives_.items[o] != 1) continue;
            for (int u = heads_.items[o]; u >= 0; u = next_.items[u])
                if (place_.items[u / 3] < 0 && remaining_.items[u / 3] == 0) stack_.push_back(u / 3);
        }
        for (int u = heads_.items[i]; u >= 0; u = next_.items[u])
            if (--remaining_.items[u / 3] == 0) stack_.push_back(u / 3);
    }
};

} // namespace chainrule::program
