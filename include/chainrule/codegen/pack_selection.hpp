// SPDX-License-Identifier: BSL-1.0
//
// Which packs of instructions (codegen/packs.hpp) stay: those that save more instructions than packing and unpacking
// their lanes takes. codegen/vectors.hpp writes the packed program.
#pragma once

#include <chainrule/codegen/packs.hpp>

namespace chainrule::codegen {

/// The packs of a program that save instructions.
class pack_selection : public pack_search {
public:
    using pack_search::pack_search;

    /// Finds packs that save instructions. Returns false if there are none.
    constexpr bool find() { return search() && prune(); }

protected:
    // How the lanes of a pack get an operand.
    enum class source : unsigned char { same_pack, spread, variables, numbers, constants, shuffle, gather };
    struct operand {
        source from = source::gather;
        int first = 0, second = 0; // packs; the slot that is spread; the first variable or number
        int pattern = 0;
        int cost = 0;
    };

    // The output instruction of a slot that counts for stores: the first.
    [[nodiscard]] constexpr int output_of(int i) const {
        for (int u = at_.items[i].users; u != 0; u = next_use_.items[u - 1])
            if (at_.items[(u - 1) / 3].what == opcode::output) return (u - 1) / 3;
        return -1;
    }
    constexpr void find_outputs(pack_state& p) const {
        p.outputs = -1;
        for (int l = 0; l < lanes_; ++l) {
            const int o = output_of(p.lane[l]);
            if (o < 0 || (l > 0 && at_.items[o].b != p.outputs + l)) {
                p.outputs = -1;
                return;
            }
            if (l == 0) p.outputs = at_.items[o].b;
        }
        p.stores = lanes_;
    }

    // Whether slots are the same, or read the same memory.
    [[nodiscard]] constexpr bool equal(int i, int j) const {
        if (i == j) return true;
        const slot &s = at_.items[i], &t = at_.items[j];
        return s.what == t.what && (s.what == opcode::variable || s.what == opcode::number) && s.a == t.a;
    }

    [[nodiscard]] constexpr operand find_operand(const pack_state& p, int k) const {
        int o[most_lanes]{};
        for (int l = 0; l < lanes_; ++l) o[l] = operand_of(p.lane[l], k);
        const slot& s = at_.items[o[0]];
        bool same = true, constant = true, in_order = s.what == opcode::variable || s.what == opcode::number;
        for (int l = 0; l < lanes_; ++l) {
            const slot& t = at_.items[o[l]];
            same = same && equal(o[0], o[l]);
            constant = constant && o[l] < first_;
            in_order = in_order && t.what == s.what && t.a == s.a + l;
        }
        if (same && (pack_of(o[0]) < 0)) return {source::spread, o[0], 0, 0, o[0] < first_ ? 0 : 1};
        if (constant) return {source::constants, 0, 0, 0, 0};
        if (in_order) return {s.what == opcode::variable ? source::variables : source::numbers, s.a, 0, 0, 0};
        // Lanes of at most two packs.
        operand found{source::same_pack, pack_of(o[0]), -1, 0, 0};
        bool straight = true;
        for (int l = 0; l < lanes_; ++l) {
            const int q = pack_of(o[l]);
            if (q < 0) return gathered(o);
            if (q != found.first && found.second < 0) found.second = q;
            if (q != found.first && q != found.second) return gathered(o);
            const int from = lane_of(q, o[l]) + (q == found.first ? 0 : lanes_);
            straight = straight && from == l;
            found.pattern |= from << 3 * l;
        }
        if (straight) return found;
        found.from = source::shuffle;
        if (found.second < 0) found.second = found.first;
        found.cost = lanes_ == 2 ? 1 : 2;
        return found;
    }
    [[nodiscard]] constexpr operand gathered(const int* o) const {
        int cost = lanes_ - 1;
        for (int l = 0; l < lanes_; ++l)
            if (pack_of(o[l]) >= 0) ++cost;
        return {source::gather, 0, 0, 0, cost};
    }

    // The instructions that a pack saves. The cost of taking a lane out of it is its own.
    [[nodiscard]] constexpr int saved(const pack_state& p) const {
        const slot& s = at_.items[p.lane[0]];
        int gain = (lanes_ - 1) * (s.what == opcode::divide ? 2 : 1);
        for (int k = 0; k < s.operands; ++k) {
            bool repeated = false;
            for (int j = 0; j < k; ++j) repeated = repeated || operand_of(p.lane[0], j) == operand_of(p.lane[0], k);
            if (!repeated) gain -= find_operand(p, k).cost;
        }
        if (p.outputs >= 0) gain += lanes_ - 1;
        for (int l = 1; l < lanes_; ++l) {
            bool alone = false;
            for (int u = at_.items[p.lane[l]].users; u != 0 && !alone; u = next_use_.items[u - 1]) {
                const int user = (u - 1) / 3;
                alone = pack_of(user) < 0 && !(p.outputs >= 0 && at_.items[user].what == opcode::output);
            }
            if (alone) --gain;
        }
        return gain;
    }

    // How many packs a search may look at again: clang counts some 300 steps for each.
#if defined(__clang__)
    static constexpr int most_pruned = 1500;
#else
    static constexpr int most_pruned = 1 << 30;
#endif
    // What a pack saves together with what it spares the packs of its operands and users: lanes taken out for it, and
    // its lanes put together.
    [[nodiscard]] constexpr int saved_with_neighbours(pack_state& p) {
        constexpr int most = 8;
        int neighbours[most]{}, n = 0;
        const auto add = [&](int i) {
            const int q = pack_of(i);
            for (int k = 0; k < n; ++k)
                if (neighbours[k] == q) return;
            if (q >= 0 && n < most) neighbours[n++] = q;
        };
        for (int k = 0; k < at_.items[p.lane[0]].operands; ++k) add(operand_of(p.lane[0], k));
        for (int u = at_.items[p.lane[0]].users; u != 0; u = next_use_.items[u - 1]) add((u - 1) / 3);
        const bool dropped = p.dropped;
        int gain = saved(p);
        p.dropped = false;
        for (int k = 0; k < n; ++k) gain += saved(packs_.items[neighbours[k]]);
        p.dropped = true;
        for (int k = 0; k < n; ++k) gain -= saved(packs_.items[neighbours[k]]);
        p.dropped = dropped;
        return gain;
    }
    // Drops packs that cost more than they save, first each for itself, while all others are there. What then links
    // two chains of packs may cost less than to take one apart and to put the other together, so in later rounds
    // neighbours count too. Returns whether the rest is worth it.
    constexpr bool prune() {
        for (int i = 0; i < packs_.count; ++i) find_outputs(packs_.items[i]);
        core::list<int> gains(packs_.count);
        int most = 0, left = most_pruned - packs_.count;
        for (int i = 0; i < packs_.count; ++i) {
            gains.items[i] = saved(packs_.items[i]);
            if (gains.items[i] > 0) most += gains.items[i];
        }
        if (!pays_off(most)) return false;
        for (int i = 0; i < packs_.count; ++i) packs_.items[i].dropped = gains.items[i] < 0;
        bool changed = true;
        for (int round = 0; round < 5 && changed; ++round) {
            changed = false;
            for (int i = packs_.count - 1; i >= 0; --i) {
                pack_state& p = packs_.items[i];
                if (--left < 0) return false;
                const int gain = saved(p);
                bool keep = gain >= 0 && !p.dropped;
                if (!keep && gain >= -2 * lanes_) {
                    left -= 2 * lanes_;
                    keep = saved_with_neighbours(p) > 0;
                }
                changed = changed || keep == p.dropped;
                p.dropped = !keep;
            }
        }
        return pays_off(drop_groups());
    }
    // With two lanes, compilers gain much of it by themselves.
    [[nodiscard]] constexpr bool pays_off(int saved_in_all) const {
        return saved_in_all >= 2 * lanes_ && 4 * lanes_ * saved_in_all * formula_cost >= cost_;
    }
    // Drops packs that depend on each other and cost more than they save together. Returns what the rest saves.
    constexpr int drop_groups() {
        core::list<int> next(packs_.count, -1); // a later pack of the same group
        core::list<int> gain(packs_.count, 0);  // of a group, by its last pack
        const auto last_of = [&](int i) {
            for (; next.items[i] >= 0; i = next.items[i]) {
                const int after = next.items[next.items[i]];
                if (after >= 0) next.items[i] = after;
            }
            return i;
        };
        for (int i = 0; i < packs_.count; ++i) {
            const pack_state& p = packs_.items[i];
            for (int k = 0; k < at_.items[p.lane[0]].operands && !p.dropped; ++k)
                for (int l = 0; l < lanes_; ++l) {
                    const int q = pack_of(operand_of(p.lane[l], k));
                    if (q < 0) continue;
                    const int to = last_of(i), from = last_of(q);
                    if (to != from) next.items[from] = to;
                }
        }
        int total = 0;
        for (int i = 0; i < packs_.count; ++i)
            if (!packs_.items[i].dropped) gain.items[last_of(i)] += saved(packs_.items[i]);
        for (int i = 0; i < packs_.count; ++i)
            if (gain.items[i] > 0) total += gain.items[i];
        for (int i = 0; i < packs_.count; ++i)
            if (gain.items[last_of(i)] < 0) packs_.items[i].dropped = true;
        return total;
    }
};

} // namespace chainrule::codegen
