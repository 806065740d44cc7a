// SPDX-License-Identifier: BSL-1.0
//
// The slots of values and adjoints in the memory of a replay. A value that no derivative reads, and every adjoint,
// gives its memory to others after its last use, so that a long recording does not leave the caches. The results of a
// group of operations lie in one block.
#pragma once

#include <chainrule/tape/replay/run.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <unordered_map>
#include <vector>

namespace chainrule::tape::replays {

struct block_of_slots {
    slot first, count;
};

/// Keeps lists of slots, equal ones once.
class slot_lists {
public:
    [[nodiscard]] slot_list add(std::span<slot> list) {
        const slot lowest = *std::ranges::min_element(list);
        std::size_t hash = list.size();
        for (slot& s : list) {
            s -= lowest;
            hash = (hash ^ s) * 0x9e3779b97f4a7c15ull;
            hash ^= hash >> 29;
        }
        const auto [first, last] = known_.equal_range(hash);
        for (auto at = first; at != last; ++at)
            if (at->second.count == list.size() &&
                std::ranges::equal(list, std::span(all_).subspan(at->second.first, list.size())))
                return {lowest, at->second.first};
        const auto place = static_cast<slot>(all_.size());
        known_.emplace(hash, block_of_slots{place, static_cast<slot>(list.size())});
        all_.insert(all_.end(), list.begin(), list.end());
        return {lowest, place};
    }
    [[nodiscard]] std::vector<slot> take() { return std::move(all_); }

private:
    std::vector<slot> all_;
    std::unordered_multimap<std::size_t, block_of_slots> known_; // by hash
};

/// Gives out blocks of slots, those given back first.
class free_slots {
public:
    [[nodiscard]] slot take(slot count) {
        int tried = 0;
        for (auto at = free_.begin(); at != free_.end() && tried < most_tried; ++at, ++tried) {
            if (at->second < count) continue;
            const block_of_slots found{at->first, at->second};
            free_.erase(at);
            if (found.count > count) free_.emplace(found.first + count, found.count - count);
            return found.first;
        }
        end_ += count;
        return end_ - count;
    }
    void give_back(block_of_slots block) {
        const auto next = free_.lower_bound(block.first);
        if (next != free_.end() && block.first + block.count == next->first) {
            block.count += next->second;
            free_.erase(next);
        }
        const auto after = free_.lower_bound(block.first);
        if (after != free_.begin()) {
            const auto before = std::prev(after);
            if (before->first + before->second == block.first) {
                before->second += block.count;
                return;
            }
        }
        free_.emplace(block.first, block.count);
    }
    /// How many slots there are.
    [[nodiscard]] slot size() const { return end_; }

private:
    static constexpr int most_tried = 64; // or many small blocks would take quadratic time
    std::map<slot, slot> free_;           // sizes by first slot
    slot end_ = 0;
};

/// The life of a group's results. Groups are numbered in the order of execution.
struct life {
    static constexpr slot for_ever = ~slot{0}, never = for_ever - 1;

    slot count = 0;             // of results
    slot last_use = 0;          // the last group that takes a value, or for_ever
    slot first_adjoint = never; // the last group that adds to an adjoint, or for_ever for outputs
};

/// The groups in the order of a slot each of them has.
template <class Key>
[[nodiscard]] std::vector<slot> groups_by(std::size_t count, Key key) {
    std::vector<slot> order(count);
    std::iota(order.begin(), order.end(), slot{0});
    std::sort(order.begin(), order.end(), [&](slot a, slot b) { return key(a) != key(b) ? key(a) < key(b) : a < b; });
    return order;
}

/// The first slots of the groups' values, which begin at a slot; returns the end. Values that stay follow the others
/// in the order in which they are computed, which a sweep back reads in reverse.
[[nodiscard]] inline slot place_values(const std::vector<life>& groups, slot begin, std::vector<slot>& first) {
    const std::vector<slot> ending = groups_by(groups.size(), [&](slot g) { return groups[g].last_use; });
    first.resize(groups.size());
    free_slots passing;
    slot staying = 0;
    auto over = ending.begin();
    for (slot g = 0; g < groups.size(); ++g) {
        slot& place = first[g];
        if (groups[g].last_use == life::for_ever) {
            place = staying;
            staying += groups[g].count;
        } else {
            place = passing.take(groups[g].count);
        }
        for (; over != ending.end() && groups[*over].last_use <= g; ++over)
            passing.give_back({first[*over], groups[*over].count});
    }
    for (slot g = 0; g < groups.size(); ++g)
        first[g] += begin + (groups[g].last_use == life::for_ever ? passing.size() : 0);
    return begin + passing.size() + staying;
}

/// The same for the adjoints, in the order of a sweep back. begins(g, block) is called for each block that is cleared
/// before group g, and with the number of groups for those of outputs.
template <class Begins>
[[nodiscard]] slot place_adjoints(const std::vector<life>& groups, slot begin, std::vector<slot>& first,
                                  Begins begins) {
    const std::vector<slot> starting = groups_by(groups.size(), [&](slot g) { return groups[g].first_adjoint; });
    const auto all = static_cast<slot>(groups.size());
    first.resize(groups.size());
    free_slots blocks;
    auto at = starting.size();
    const auto start = [&](slot now) {
        for (; at > 0; --at) {
            const slot g = starting[at - 1];
            const slot begun = groups[g].first_adjoint;
            if (begun == life::never) continue;
            if (now != all && begun < now) return;
            if (now == all && begun != life::for_ever) return;
            first[g] = begin + blocks.take(groups[g].count);
            begins(now, block_of_slots{first[g], groups[g].count});
        }
    };
    start(all);
    for (slot g = all; g-- > 0;) {
        start(g);
        if (groups[g].first_adjoint != life::never) blocks.give_back({first[g] - begin, groups[g].count});
    }
    return begin + blocks.size();
}

} // namespace chainrule::tape::replays
