// SPDX-License-Identifier: BSL-1.0
//
// Sets of indices that share what they have in common, so that many large sets which differ in little take little
// memory and time: trees over blocks of 64 indices, and each subtree exists once (hash consing). Unions follow
// C. Okasaki, A. Gill, "Fast mergeable integer maps" (1998). tape/sparse/sparsity.hpp finds patterns with them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace chainrule::tape::sweeping {

/// The sets, which are counted references: unite(a, b) and single(k) return one that the caller owns until release().
class shared_sets {
public:
    using set = std::uint32_t; // equal sets are equal numbers; 0 is empty

    shared_sets() : nodes_(1), buckets_(std::size_t{1} << 10), known_(std::size_t{1} << 10) {}

    [[nodiscard]] set single(std::size_t member) {
        return found_or_made(std::uint64_t{1} << member % 64, static_cast<std::uint32_t>(member / 64), 0);
    }
    [[nodiscard]] set unite(set a, set b) {
        ++steps_;
        if (a == b || b == 0) return retained(a);
        if (a == 0) return retained(b);
        if (nodes_[a].level < nodes_[b].level) std::swap(a, b);
        const node x = nodes_[a], y = nodes_[b];
        if (x.first >> x.level != y.first >> x.level) return joined(retained(a), retained(b));
        if (x.level == 0) return found_or_made(x.content | y.content, x.first, 0);
        if (x.level == y.level) return united_branches(a, b);
        const bool right = in_right_half(y.first, x.level);
        const set changed = unite(right ? right_of(x) : left_of(x), b),
                  kept = retained(right ? left_of(x) : right_of(x));
        return right ? branch(kept, changed, x) : branch(changed, kept, x);
    }
    void release(set s) {
        if (s == 0 || --nodes_[s].references != 0) return;
        const node x = nodes_[s];
        std::uint32_t* link = &buckets_[bucket_of(x.content, x.first, x.level)];
        while (*link != s) link = &nodes_[*link].next;
        *link = x.next;
        nodes_[s].made = 0;
        nodes_[s].next = free_;
        free_ = s;
        --count_;
        if (x.level == 0) return;
        release(left_of(x));
        release(right_of(x));
    }
    /// Adds the members of a set to a list, ascending.
    void append_members(set s, std::vector<int>& to) const {
        if (s == 0) return;
        const node& x = nodes_[s];
        if (x.level != 0) {
            append_members(left_of(x), to);
            append_members(right_of(x), to);
            return;
        }
        for (std::uint64_t rest = x.content; rest != 0; rest &= rest - 1)
            to.push_back(static_cast<int>(x.first * 64) + std::countr_zero(rest));
    }
    /// How many pairs of subtrees unions have visited.
    [[nodiscard]] std::size_t steps() const { return steps_; }
    /// How many subtrees there are.
    [[nodiscard]] std::size_t size() const { return count_; }

private:
    struct node {
        std::uint64_t content = 0; // level 0: which of the 64 indices of a block; else the two halves, none empty
        std::uint64_t made = 0;    // a serial number, counted from 1; 0 for a free node
        std::uint32_t first = 0;   // the first of the 2^level blocks that the node is about
        std::uint32_t level = 0;
        std::uint32_t references = 0;
        std::uint32_t next = 0; // in a bucket or in the list of free nodes
    };
    // Long unions are often repeated. Numbers of nodes are reused, so a union is known by when they were made.
    struct known_union {
        std::uint64_t a = 0, b = 0, result = 0;
        set place = 0;
    };

    std::vector<node> nodes_;
    std::vector<std::uint32_t> buckets_;
    std::vector<known_union> known_;
    std::uint32_t free_ = 0;
    std::size_t count_ = 0, steps_ = 0;
    std::uint64_t made_ = 0;

    static set left_of(const node& x) { return static_cast<set>(x.content); }
    static set right_of(const node& x) { return static_cast<set>(x.content >> 32); }
    static bool in_right_half(std::uint32_t block, std::uint32_t level) { return (block >> (level - 1) & 1u) != 0; }
    static std::uint64_t halves(set left, set right) { return left | std::uint64_t{right} << 32; }
    static std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
        const std::uint64_t product = (a ^ std::rotl(b, 29)) * 0x9e3779b97f4a7c15u;
        return product ^ product >> 32;
    }
    [[nodiscard]] std::size_t bucket_of(std::uint64_t content, std::uint32_t first, std::uint32_t level) const {
        return mixed(content, std::uint64_t{level} << 32 | first) & (buckets_.size() - 1);
    }
    set retained(set s) {
        if (s != 0) ++nodes_[s].references;
        return s;
    }

    set united_branches(set a, set b) {
        if (a > b) std::swap(a, b);
        const node x = nodes_[a], y = nodes_[b];
        known_union& known = known_[mixed(x.made, y.made) & (known_.size() - 1)];
        if (known.a == x.made && known.b == y.made && nodes_[known.place].made == known.result)
            return retained(known.place);
        const set left = unite(left_of(x), left_of(y)), right = unite(right_of(x), right_of(y));
        const set result = branch(left, right, x);
        known = {x.made, y.made, nodes_[result].made, result};
        return result;
    }
    // These take over the references that they are given.
    set joined(set a, set b) {
        const std::uint32_t x = nodes_[a].first, y = nodes_[b].first;
        const auto level = static_cast<std::uint32_t>(std::bit_width(x ^ y));
        if (x > y) std::swap(a, b);
        return branch(a, b, {.first = x >> level << level, .level = level});
    }
    set branch(set left, set right, const node& like) {
        const std::size_t before = count_;
        const set result = found_or_made(halves(left, right), like.first, like.level);
        if (count_ != before) return result;
        release(left);
        release(right);
        return result;
    }
    set found_or_made(std::uint64_t content, std::uint32_t first, std::uint32_t level) {
        std::uint32_t* bucket = &buckets_[bucket_of(content, first, level)];
        for (set s = *bucket; s != 0; s = nodes_[s].next)
            if (const node& x = nodes_[s]; x.content == content && x.first == first && x.level == level)
                return retained(s);
        if (count_ == buckets_.size()) {
            grow();
            bucket = &buckets_[bucket_of(content, first, level)];
        }
        set s = free_;
        if (s == 0) {
            s = static_cast<set>(nodes_.size());
            nodes_.emplace_back();
        } else {
            free_ = nodes_[s].next;
        }
        nodes_[s] = {content, ++made_, first, level, 1, *bucket};
        *bucket = s;
        ++count_;
        return s;
    }
    void grow() {
        buckets_.assign(buckets_.size() * 2, 0);
        for (set s = 1; s < nodes_.size(); ++s) {
            node& x = nodes_[s];
            if (x.made == 0) continue;
            std::uint32_t& bucket = buckets_[bucket_of(x.content, x.first, x.level)];
            x.next = bucket;
            bucket = s;
        }
    }
};

} // namespace chainrule::tape::sweeping
