// SPDX-License-Identifier: BSL-1.0
//
// Orders instructions so that few results occupy registers at a time. Depth-first order completes a value before its
// derivatives, which then need its parts again. Here an instruction that ends the life of at least as many results as
// it creates runs as soon as its operands are available.
#pragma once

#include <chainrule/codegen/code.hpp>

namespace chainrule::codegen {

/// What the ordering for registers knows of an instruction.
struct instruction_state {
    int place;     // its new position, or -1
    int arity;     // 0 for an instruction that reads memory
    int remaining; // operands not yet computed
    int lives;     // remaining uses; 0 for results in memory
    int uses;      // the first, 3 * user + operand + 1, or 0
    int window;    // for a stored number or a parameter: the time of the last read, or -1
};

class register_order {
public:
    static constexpr instruction_state unplaced{-1, 0, 0, 0, 0, -1};
    /// The state of a pass that stopped early.
    struct progress {
        int counted = 0; // whether the uses are
        int next = 0;    // the instruction with which the pass continues
        int numbers_read = 0;
        list<instruction> result;
        list<instruction_state> at; // by instruction
        list<int> next_use;         // by use: the next of the same instruction
        list<int> stack;
        list<int> sequence; // the instructions in the order in which they run if registers suffice, or empty: as made

        template <class Progress, class Visitor>
        static constexpr void each_member(Progress& p, Visitor& visit) {
            visit(p.counted), visit(p.next), visit(p.numbers_read), visit(p.result), visit(p.at), visit(p.next_use);
            visit(p.stack), visit(p.sequence);
        }
    };

    /// The inputs from `first_parameter` to the one before `variables` are parameters. `by_terms`: each term of a sum
    /// is added as soon as it is computed, as it would be in values as written.
    constexpr register_order(code& c, progress& from, int first_parameter, int variables, bool by_terms)
        : body_(c.body), first_(c.calls_end), size_(c.body.count), first_parameter_(first_parameter),
          variables_(variables), state_(from), result_(from.result), at_(from.at), next_(from.next_use),
          stack_(from.stack), numbers_read_(from.numbers_read), by_terms_(by_terms) {}

    /// Reorders the instructions after the calls. Returns false if some are left after so many visits.
    constexpr bool run(int visits) {
        if (state_.counted == 0) {
            at_ = list<instruction_state>(size_, unplaced);
            next_ = list<int>(3 * size_);
            count_uses();
            visits -= size_;
            if (by_terms_) find_sequence();
            for (int i = 0; i < first_; ++i) at_.items[i].place = i;
            state_.counted = 1;
            state_.next = first_;
        }
        for (; state_.next < size_; ++state_.next) {
            const int i = by_terms_ ? state_.sequence.items[state_.next - first_] : state_.next;
            if (stack_.count == 0 && at_.items[i].arity != 0 && at_.items[i].place < 0) execute(i);
            while (stack_.count != 0) {
                if (visits-- <= 0) return false;
                const int next = stack_.items[--stack_.count];
                if (at_.items[next].place < 0 && frees_registers(next)) execute(next);
            }
        }
        body_.truncate(first_);
        for (int i = 0; i < result_.count; ++i) body_.push_back(result_.items[i]);
        return true;
    }

private:
    list<instruction>& body_;
    int first_ = 0;
    int size_ = 0;
    int first_parameter_ = 0;
    int variables_ = 0;
    progress& state_;
    list<instruction>& result_;
    list<instruction_state>& at_;
    list<int>& next_;
    list<int>& stack_;
    int& numbers_read_;
    bool by_terms_ = false;

    [[nodiscard]] static constexpr int arity(opcode what) {
        return row_of(what).as == counted::memory ? 0 : slots_read(what);
    }

    constexpr void count_uses() {
        for (int i = 0; i < size_; ++i) at_.items[i].arity = arity(body_.items[i].what);
        for (int i = size_ - 1; i >= first_; --i) {
            const int n = at_.items[i].arity;
            const instruction& s = body_.items[i];
            if (n > 2) add_use(i, 2, s.c);
            if (n > 1) add_use(i, 1, s.b);
            if (n > 0) add_use(i, 0, s.a);
        }
    }
    constexpr void add_use(int i, int k, int o) {
        instruction_state& operand = at_.items[o];
        if (operand.arity == 0) return;
        ++operand.lives;
        next_.items[3 * i + k] = operand.uses;
        operand.uses = 3 * i + k + 1;
        if (o >= first_) ++at_.items[i].remaining;
    }

    // Depth first from the outputs, and in sums what was added before.
    constexpr void find_sequence() {
        list<bool> seen(size_);
        for (int i = 0; i < first_; ++i) seen.items[i] = true;
        for (int pass = 0; pass < 2; ++pass)
            for (int root = first_; root < size_; ++root) {
                if (pass == 0 && body_.items[root].what != opcode::output) continue;
                stack_.push_back(2 * root);
                while (stack_.count != 0) {
                    const int top = stack_.pop_back(), i = top >> 1;
                    if ((top & 1) != 0) state_.sequence.push_back(i);
                    if (seen.items[i] || (top & 1) != 0) continue;
                    seen.items[i] = true;
                    stack_.push_back(top | 1);
                    const instruction& s = body_.items[i];
                    if (at_.items[i].arity > 1) stack_.push_back(2 * s.b);
                    if (at_.items[i].arity > 0) stack_.push_back(2 * s.a);
                    if (at_.items[i].arity > 2) stack_.push_back(2 * s.c);
                }
            }
    }

    // Whether an instruction that can run ends the life of at least as many results as it creates.
    [[nodiscard]] constexpr bool frees_registers(int i) const {
        if (at_.items[i].remaining > 0) return false;
        const instruction& s = body_.items[i];
        if (s.what == opcode::output) return true;
        const int n = at_.items[i].arity;
        if (at_.items[s.a].lives == 1) return true;
        if (n > 1 && at_.items[s.b].lives == 1) return true;
        if (n > 2 && at_.items[s.c].lives == 1) return true;
        return n == 2 && s.a == s.b && at_.items[s.a].lives == 2;
    }

    // Stored numbers and parameters are read again from time to time: compilers keep a number that was read until its
    // last use, and would spill it if registers are scarce.
    static constexpr int numbers_in_registers = 12;

    [[nodiscard]] constexpr bool is_stored(const instruction& s) const {
        return s.what == opcode::number || (s.what == opcode::variable && s.a >= first_parameter_ && s.a < variables_);
    }

    constexpr int placed(int o) {
        instruction_state& operand = at_.items[o];
        const opcode what = body_.items[o].what;
        if (o >= first_ && is_stored(body_.items[o]) && operand.window != numbers_read_ / numbers_in_registers) {
            if (numbers_read_ > 0 && numbers_read_ % numbers_in_registers == 0)
                result_.push_back({opcode::refresh, 0, 0, 0, 0});
            operand.window = numbers_read_++ / numbers_in_registers;
            operand.place = -1;
        }
        if (operand.place < 0) {
            operand.place = first_ + result_.count;
            result_.push_back(body_.items[o]);
            if (what == opcode::reload) result_.back().a = at_.items[body_.items[o].a].place;
        }
        return operand.place;
    }

    constexpr void execute(int i) {
        instruction s = body_.items[i];
        const int operands[] = {s.a, s.b, s.c};
        const int n = at_.items[i].arity;
        s.a = placed(s.a);
        if (n > 1) s.b = placed(s.b);
        if (n > 2) s.c = placed(s.c);
        at_.items[i].place = first_ + result_.count;
        result_.push_back(s);
        for (int k = 0; k < n; ++k) {
            instruction_state& operand = at_.items[operands[k]];
            if (operand.lives == 0) continue;
            if (--operand.lives != 1) continue;
            for (int u = operand.uses; u != 0; u = next_.items[u - 1]) {
                const int user = (u - 1) / 3;
                if (at_.items[user].place < 0 && at_.items[user].remaining == 0) stack_.push_back(user);
            }
        }
        for (int u = at_.items[i].uses; u != 0; u = next_.items[u - 1])
            if (--at_.items[(u - 1) / 3].remaining == 0) stack_.push_back((u - 1) / 3);
    }
};

} // namespace chainrule::codegen
