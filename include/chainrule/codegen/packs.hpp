// SPDX-License-Identifier: BSL-1.0
//
// Finds instructions of the same form in a finished program, such as those of the terms of a sum, that could be one
// vector instruction. (Superword-level parallelism, Larsen and Amarasinghe 2000.) Packs are found from outputs, inputs
// and stored numbers that are contiguous, and then among operands and users of packs. codegen/pack_selection.hpp
// chooses those that pay off.
#pragma once

#include <chainrule/codegen/cost.hpp>
#include <chainrule/codegen/packed.hpp>
#include <chainrule/core/hash.hpp>
#include <chainrule/core/list.hpp>

namespace chainrule::codegen {

/// The number of instructions that a program must have to be packed, and the greatest, since compilers limit the steps
/// of an evaluation.
inline constexpr int fewest_instructions_packed = 24, most_instructions_packed = 4000;

/// The packs of a program, for vectors of 2 or 4 lanes.
class pack_search {
public:
    enum : unsigned { most_lanes = 4 };

    /// Slots begin with the constants.
    constexpr pack_search(int lanes, const packed* body, int size, int constants)
        : lanes_(lanes), body_(body), first_(constants), size_(constants + size) {}

    /// Finds packs. Returns false if there are none.
    constexpr bool search() {
        if (!has_repeated_forms()) return false;
        at_.resize(size_);
        for (int i = first_; i < size_; ++i) read(i, unpack(body_[i - first_]));
        list_forms();
        list_uses();
        pack_outputs();
        pack_users(opcode::variable);
        pack_users(opcode::number);
        pack_forms();
        return packs_.count != 0;
    }

protected:
    struct slot {
        opcode what = opcode::constant;
        unsigned char function = 0;
        unsigned char operands = 0;
        bool formula = false;
        int a = 0, b = 0, c = 0;
        int height = 0; // instructions on the longest path from a leaf
        int pack = -1;
        int users = 0; // the first use, 3 * user + operand + 1, or 0
        int next_of_form = -1;
    };
    struct pack_state {
        int lane[most_lanes]{};
        int last = 0;     // the greatest of these
        int outputs = -1; // the first of the outputs in order that the lanes are, or -1
        int stores = 0;   // outputs that are still to be stored
        int place = -1;
        bool dropped = false;
    };

    enum : int { formula_cost = operation_cost::multiplication };

    int lanes_;
    int cost_ = 0; // of the program, with each formula as one multiplication
    const packed* body_;
    int first_;
    int size_;
    core::list<hash_value> form_; // by slot: of the instruction and all below, without the numbers of leaves
    core::list<int> key_, count_; // by slot: the place of its form; by place: how often it occurs
    core::list<slot> at_;
    core::list<int> next_use_;
    core::list<pack_state> packs_;
    core::list<int> forms_; // the first slot of each form that is frequent
    core::list<int> stack_;
    core::list<int> outputs_; // by number: the output instruction

    // Whether formulas whose form occurs as often as there are lanes are a large part of a program's cost: calls are
    // computed one by one. (Most programs have none, so this lists nothing else.)
    constexpr bool has_repeated_forms() {
        int capacity = 64;
        while (capacity < 2 * size_) capacity *= 2;
        core::list<hash_value> keys(capacity, 0);
        count_ = core::list<int>(capacity, 0);
        key_ = core::list<int>(size_, 0);
        form_ = core::list<hash_value>(size_, 1);
        hash_value* const form = form_.items;
        int repeated = 0;
        for (int i = first_; i < size_; ++i) {
            const packed p = body_[i - first_];
            const auto what = static_cast<opcode>(p & 255);
            const int n = slots_read(what);
            hash_value h = (p & 65535) + 3;
            if (n > 0) h = (h ^ form[p >> 16 & 65535]) * 0x9E3779B97F4A7C15ull, h ^= h >> 29;
            if (n > 1) h = (h ^ form[p >> 32 & 65535]) * 0xBF58476D1CE4E5B9ull, h ^= h >> 31;
            if (n > 2) h = (h ^ form[p >> 48]) * 0x94D049BB133111EBull, h ^= h >> 30;
            form[i] = h;
            if (row_of(what).sign == nullptr) {
                if (n > 0) cost_ += cost_of(unpack(p));
                continue;
            }
            cost_ += formula_cost;
            unsigned k = static_cast<unsigned>(h) & static_cast<unsigned>(capacity - 1);
            while (keys.items[k] != h && keys.items[k] != 0) k = (k + 1) & static_cast<unsigned>(capacity - 1);
            keys.items[k] = h;
            key_.items[i] = static_cast<int>(k);
            const int count = ++count_.items[k];
            if (count >= lanes_) repeated += count == lanes_ ? lanes_ : 1;
        }
        return repeated >= 2 * lanes_ && 5 * (repeated - repeated / lanes_) * formula_cost >= cost_;
    }

    constexpr void read(int i, const instruction& s) {
        slot& t = at_.items[i];
        t.what = s.what;
        t.function = s.function;
        t.operands = static_cast<unsigned char>(slots_read(s.what));
        t.formula = row_of(s.what).sign != nullptr;
        t.a = s.a, t.b = s.b, t.c = s.c;
        if (t.operands > 0 && at_.items[s.a].height >= t.height) t.height = at_.items[s.a].height + 1;
        if (t.operands > 1 && at_.items[s.b].height >= t.height) t.height = at_.items[s.b].height + 1;
        if (t.operands > 2 && at_.items[s.c].height >= t.height) t.height = at_.items[s.c].height + 1;
        if (s.what != opcode::output) return;
        if (s.b >= outputs_.count) outputs_.resize(s.b + 1, -1);
        outputs_.items[s.b] = i;
    }
    // The slots of each form that occurs as often as there are lanes, in order.
    constexpr void list_forms() {
        for (int i = size_ - 1; i >= first_; --i) {
            int& last = count_.items[key_.items[i]]; // the count, then -1 - the slot
            if (!at_.items[i].formula || (last >= 0 && last < lanes_)) continue;
            at_.items[i].next_of_form = last < 0 ? -1 - last : -1;
            last = -1 - i;
        }
        for (int k = 0; k < count_.count; ++k)
            if (count_.items[k] < 0) forms_.push_back(-1 - count_.items[k]);
    }

    constexpr void list_uses() {
        next_use_.resize(3 * size_, 0);
        for (int i = size_ - 1; i >= first_; --i) {
            const slot& s = at_.items[i];
            if (s.operands > 2) add_use(i, 2, s.c);
            if (s.operands > 1) add_use(i, 1, s.b);
            if (s.operands > 0) add_use(i, 0, s.a);
        }
    }
    constexpr void add_use(int i, int k, int o) {
        next_use_.items[3 * i + k] = at_.items[o].users;
        at_.items[o].users = 3 * i + k + 1;
    }
    [[nodiscard]] constexpr int operand_of(int i, int k) const {
        const slot& s = at_.items[i];
        return k == 0 ? s.a : k == 1 ? s.b : s.c;
    }

    // Makes a pack if all lanes are free formulas of one kind. Lanes of the same height do not depend on each other,
    // nor does a pack on one that depends on it.
    constexpr bool make_pack(const int* lanes) {
        const slot& s = at_.items[lanes[0]];
        if (!s.formula) return false;
        for (int l = 0; l < lanes_; ++l) {
            const slot& t = at_.items[lanes[l]];
            if (t.what != s.what || t.height != s.height || t.pack >= 0) return false;
            for (int m = 0; m < l; ++m)
                if (lanes[m] == lanes[l]) return false;
        }
        pack_state p;
        for (int l = 0; l < lanes_; ++l) {
            p.lane[l] = lanes[l];
            if (lanes[l] > p.last) p.last = lanes[l];
            at_.items[lanes[l]].pack = packs_.count;
        }
        packs_.push_back(p);
        return true;
    }
    // The same, and makes packs of operands and users as far as possible: depth first, so that what stands first in an
    // instruction decides which lanes are together.
    constexpr void grow(const int* lanes) {
        if (!make_pack(lanes)) return;
        stack_.push_back(4 * (packs_.count - 1));
        while (stack_.count != 0) {
            const int top = stack_.back(), k = top & 3;
            const int* const of = packs_.items[top >> 2].lane;
            const int before = packs_.count;
            if (k < at_.items[of[0]].operands) {
                int below[most_lanes]{};
                for (int l = 0; l < lanes_; ++l) below[l] = operand_of(of[l], k);
                ++stack_.back();
                make_pack(below);
            } else {
                --stack_.count;
                follow_users(top >> 2);
            }
            for (int p = packs_.count - 1; p >= before; --p) stack_.push_back(4 * p);
        }
    }
    // Makes packs of users of slots that have the same form.
    constexpr void follow_users(int p) {
        int lanes[most_lanes]{};
        for (int l = 0; l < lanes_; ++l) lanes[l] = packs_.items[p].lane[l];
        for (int u = at_.items[lanes[0]].users; u != 0; u = next_use_.items[u - 1]) {
            const slot& s = at_.items[(u - 1) / 3];
            if (!s.formula || s.pack >= 0) continue;
            int above[most_lanes]{(u - 1) / 3};
            int l = 1;
            for (; l < lanes_; ++l) {
                above[l] = free_user(lanes[l], form_.items[above[0]], (u - 1) % 3);
                if (above[l] < 0) break;
            }
            if (l == lanes_) make_pack(above);
        }
    }
    [[nodiscard]] constexpr int free_user(int i, hash_value form, int k) const {
        for (int u = at_.items[i].users; u != 0; u = next_use_.items[u - 1]) {
            const slot& t = at_.items[(u - 1) / 3];
            if ((u - 1) % 3 == k && form_.items[(u - 1) / 3] == form && t.pack < 0 && t.formula) return (u - 1) / 3;
        }
        return -1;
    }

    constexpr void pack_outputs() {
        for (int b = 0; b + lanes_ <= outputs_.count;) {
            int lanes[most_lanes]{}, l = 0;
            for (; l < lanes_ && outputs_.items[b + l] >= 0; ++l) lanes[l] = at_.items[outputs_.items[b + l]].a;
            const int before = packs_.count;
            if (l == lanes_) grow(lanes);
            b += packs_.count > before ? lanes_ : 1;
        }
    }
    // From inputs or stored numbers in order.
    constexpr void pack_users(opcode what) {
        core::list<int> slots; // by number
        for (int i = first_; i < size_; ++i) {
            if (at_.items[i].what != what) continue;
            if (at_.items[i].a >= slots.count) slots.resize(at_.items[i].a + 1, -1);
            if (slots.items[at_.items[i].a] < 0) slots.items[at_.items[i].a] = i;
        }
        for (int a = 0; a + lanes_ <= slots.count; ++a) {
            if (slots.items[a] < 0) continue;
            for (int u = at_.items[slots.items[a]].users; u != 0; u = next_use_.items[u - 1]) {
                const slot& s = at_.items[(u - 1) / 3];
                if (!s.formula || s.pack >= 0) continue;
                int above[most_lanes]{(u - 1) / 3};
                int l = 1;
                for (; l < lanes_ && slots.items[a + l] >= 0; ++l) {
                    above[l] = free_user(slots.items[a + l], form_.items[above[0]], (u - 1) % 3);
                    if (above[l] < 0) break;
                }
                if (l == lanes_) grow(above);
            }
        }
    }
    // What is left of each form, in order.
    constexpr void pack_forms() {
        for (int f = forms_.count - 1; f >= 0; --f) {
            int lanes[most_lanes]{}, l = 0;
            for (int i = forms_.items[f]; i >= 0; i = at_.items[i].next_of_form) {
                if (at_.items[i].pack >= 0) continue;
                lanes[l++] = i;
                if (l == lanes_) grow(lanes), l = 0;
            }
        }
    }

    [[nodiscard]] constexpr int pack_of(int i) const {
        const int p = at_.items[i].pack;
        return p >= 0 && !packs_.items[p].dropped ? p : -1;
    }
    [[nodiscard]] constexpr int lane_of(int p, int i) const {
        int l = 0;
        while (packs_.items[p].lane[l] != i) ++l;
        return l;
    }
};

} // namespace chainrule::codegen
