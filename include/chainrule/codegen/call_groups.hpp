// SPDX-License-Identifier: BSL-1.0
//
// Groups the calls of a finished program whose values are relaxed: calls of one function that do not depend on each
// other, two to four of them, become one call of a vector library. kernel/emit_call_groups.hpp turns the result into
// machine code.
#pragma once

#include <chainrule/codegen/vectors.hpp>
#include <chainrule/codegen/vector_library.hpp>

namespace chainrule::codegen {

/// Writes a program whose calls are grouped. Its instructions are those of the table, copies, and groups: a function of
/// v[a] and the slots after it, in place. (A template, so that programs without relaxed values do not pay for it.)
template <int Lanes>
class call_grouping {
public:
    /// Slots begin with the constants.
    constexpr call_grouping(const packed* body, int size, int constants)
        : body_(body), first_(constants), size_(constants + size), next_place_(constants) {}

    /// Finds the groups. Returns false if there are none.
    constexpr bool find() {
        list<int> level(size_, 0); // calls on the longest path from a leaf: those of one level are independent
        list<int> latest;          // by level: its latest group, or -1
        at_.resize(size_);
        for (int i = first_; i < size_; ++i) {
            const instruction s = unpack(body_[i - first_]);
            int above = 0;
            const int operands[] = {s.a, s.b, s.c};
            for (int k = 0; k < slots_read(s.what); ++k)
                if (level.items[operands[k]] > above) above = level.items[operands[k]];
            if (fewest_together(s) > 0) {
                ++above;
                if (above >= latest.count) latest.resize(above + 1, -1);
                join_group(i, s, latest.items[above]);
            }
            level.items[i] = above;
        }
        bool found = false;
        for (group& g : groups_) {
            g.dissolved = g.count < fewest_together(unpack(body_[g.member[0] - first_]));
            found = found || !g.dissolved;
        }
        return found;
    }

    /// The instructions of the grouped program.
    constexpr const list<packed>& write() {
        for (int i = 0; i < first_; ++i) at_.items[i].place = i;
        for (int i = first_; i < size_; ++i) {
            // A group waits for its last member, and for the first use of any.
            const int g = group_of(i);
            if (g >= 0 && groups_.items[g].member[groups_.items[g].count - 1] != i) continue;
            demand(i);
        }
        return written_;
    }

private:
    struct group {
        int member[static_cast<std::size_t>(Lanes)]{};
        int count = 0;
        int previous = -1; // group of the same level
        bool dissolved = false;
    };
    struct slot {
        int group = -1;
        int place = -1;
        int cosine = -1; // the place of the cosine of a pair in a group
    };

    const packed* body_;
    int first_, size_, next_place_;
    list<slot> at_;
    list<group> groups_;
    list<packed> written_;
    list<int> stack_;

    [[nodiscard]] constexpr instruction instruction_at(int i) const { return unpack(body_[i - first_]); }
    [[nodiscard]] static constexpr int fewest_together(const instruction& s) {
        if (s.what == opcode::sine_cosine) return fewest_at_once(functions::sin::position);
        return s.what == opcode::call ? fewest_at_once(s.function) : 0;
    }
    constexpr void join_group(int i, const instruction& s, int& latest) {
        int g = latest;
        for (; g >= 0; g = groups_.items[g].previous) {
            const instruction t = instruction_at(groups_.items[g].member[0]);
            if (t.what == s.what && t.function == s.function) break;
        }
        if (g < 0 || groups_.items[g].count == Lanes) {
            groups_.push_back({{}, 0, latest, false});
            g = latest = groups_.count - 1;
        }
        at_.items[i].group = g;
        groups_.items[g].member[groups_.items[g].count++] = i;
    }
    [[nodiscard]] constexpr int group_of(int i) const {
        const int g = at_.items[i].group;
        return g >= 0 && !groups_.items[g].dissolved ? g : -1;
    }
    /// The pair whose result an instruction takes, if its call is in a group, else -1.
    [[nodiscard]] constexpr int grouped_pair(const instruction& s) const {
        if (s.what != opcode::reload && s.what != opcode::cosine_of_pair) return -1;
        const instruction from = instruction_at(s.a);
        const int pair = from.what == opcode::cosine_of_pair ? from.a : s.a;
        return group_of(pair) >= 0 ? pair : -1;
    }

    constexpr int emit(opcode what, unsigned char function, int a, int b, int c) {
        written_.push_back(pack(instruction{what, function, a, b, c}));
        return next_place_++;
    }
    constexpr void demand(int what) {
        stack_.push_back(what);
        while (stack_.count != 0) {
            const int i = stack_.back(), before = stack_.count;
            if (at_.items[i].place < 0) {
                const instruction s = instruction_at(i);
                if (const int g = group_of(i); g >= 0) {
                    for (int l = groups_.items[g].count - 1; l >= 0; --l)
                        demand_operand(instruction_at(groups_.items[g].member[l]).a);
                } else {
                    const int operands[] = {s.a, s.b, s.c};
                    for (int k = slots_read(s.what) - 1; k >= 0; --k) demand_operand(operands[k]);
                }
                if (stack_.count != before) continue;
                place(i, s);
            }
            stack_.truncate(before - 1);
        }
    }
    constexpr void demand_operand(int i) {
        if (at_.items[i].place < 0) stack_.push_back(i);
    }
    constexpr void place(int i, const instruction& s) {
        if (const int g = group_of(i); g >= 0) {
            place_group(groups_.items[g], s);
        } else if (const int pair = grouped_pair(s); pair >= 0) {
            const bool cosine = s.what == opcode::cosine_of_pair || instruction_at(s.a).what == opcode::cosine_of_pair;
            at_.items[i].place = cosine ? at_.items[pair].cosine : at_.items[pair].place;
        } else {
            const int operands = slots_read(s.what);
            at_.items[i].place =
                emit(s.what, s.function, operands > 0 ? at_.items[s.a].place : s.a,
                     operands > 1 ? at_.items[s.b].place : s.b, operands > 2 ? at_.items[s.c].place : s.c);
        }
    }
    constexpr void place_group(const group& g, const instruction& s) {
        const bool pairs = s.what == opcode::sine_cosine;
        const int first = place_calls(g, pairs ? unsigned{functions::sin::position} : s.function);
        const int second = pairs ? place_calls(g, functions::cos::position) : -1;
        for (int l = 0; l < g.count; ++l) {
            at_.items[g.member[l]].place = first + l;
            at_.items[g.member[l]].cosine = second + l;
        }
    }
    constexpr int place_calls(const group& g, unsigned function) {
        const int first = next_place_;
        for (int l = 0; l < g.count; ++l)
            emit(static_cast<opcode>(vector_opcode::copy), 0, at_.items[instruction_at(g.member[l]).a].place, 0, 0);
        emit(static_cast<opcode>(vector_opcode::calls), static_cast<unsigned char>(function), first, 0, g.count);
        return first;
    }
};

/// A program whose calls are grouped for vectors of so many lanes, or none.
template <int Lanes, int Capacity>
[[nodiscard]] constexpr vector_program<Capacity> group_calls(const packed* body, int size, int constants) {
    call_grouping<Lanes> grouping(body, size, constants);
    if (!grouping.find()) return {};
    return vector_program<Capacity>(grouping.write(), constants);
}

} // namespace chainrule::codegen
