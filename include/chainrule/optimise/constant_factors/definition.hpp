// SPDX-License-Identifier: BSL-1.0
//
// Places constant factors. A multiple of a sum or product of a derivative may be computed instead, so that the constant
// factors in its uses vanish or become equal: 200 * t and 400 * x * t cost less as s = 200 * t and 2 * (x * s). This
// pass chooses the multiples.
#pragma once

#include <chainrule/optimise/shared_products.hpp>

namespace chainrule::optimise {

/// A use of a node, in a list of all uses of that node.
struct factor_use {
    int user; // a sum or product, or -1 - (number of an output)
    int next; // or -1
};

class constant_factor_placement {
public:
    /// The state of a pass that stopped early.
    struct progress {
        int done = 0;  // of the steps of run()
        int next = 0;  // the node or output with which the next step continues
        int asked = 0; // the number of outputs; the intermediate results follow
        int any = 0;   // whether there is a constant factor anywhere
        list<factor_use> uses;
        list<int> scale;             // by node: the quotient of the computed term and the node
        list<int> heads, use_counts; // by node
        list<int> free;              // sums and products whose scale can be chosen
        list<bool> active;           // by node: whether the node or a use of it has a constant factor

        template <class Progress, class Visitor>
        static constexpr void each_member(Progress& p, Visitor& visit) {
            visit(p.done), visit(p.next), visit(p.asked), visit(p.any), visit(p.uses), visit(p.scale), visit(p.heads);
            visit(p.use_counts), visit(p.free), visit(p.active);
        }
    };

    constexpr constant_factor_placement(graph_data& g, factored_products& d, equal_values& values, list<term>& outputs,
                                        progress& from)
        : g_(g), coefficients_(g.coefficients), d_(d), v_(values), outputs_(outputs), at_(from), uses_(from.uses),
          scale_(from.scale), heads_(from.heads), use_counts_(from.use_counts), free_(from.free), active_(from.active) {
    }

    /// Chooses the multiples, puts constant factors into products, and replaces the terms of sums and the outputs by
    /// the terms that are computed for them. Returns false if nodes are left after so many visits.
    constexpr bool run(int visits) {
        const int all = visits;
        if (at_.done == 0) {
            begin();
            ++at_.done;
        }
        if (at_.done == 1) {
            for (; at_.next < d_.needed.count && visits > 0; --visits, ++at_.next)
                if (d_.needed.items[at_.next]) find_uses(at_.next);
            if (!visited(d_.needed.count)) return false;
        }
        if (at_.done == 2) {
            // The choice for all nodes is one step, and the last of its evaluation if they are many.
            if (visits < all && visits < 10 * d_.needed.count) return false;
            if (visits == all && all < 1 << 20) most_effort_ = effort_alone;
            find_uses_in_outputs();
            if (at_.any != 0 && d_.needed.count + coefficients_.magnitudes.count <= most_nodes) {
                choose();
                visits -= 10 * d_.needed.count;
            }
            ++at_.done;
        }
        if (at_.done == 3) {
            for (; at_.next < outputs_.count && visits > 0; --visits, ++at_.next)
                place_sign_of(outputs_.items[at_.next]);
            if (!visited(outputs_.count)) return false;
        }
        if (at_.done == 4) {
            for (; at_.next < d_.needed.count && visits > 0; --visits, ++at_.next)
                if (d_.needed.items[at_.next]) fix_scale_of(at_.next);
            if (!visited(d_.needed.count)) return false;
            outputs_.truncate(at_.asked);
        }
        if (at_.done == 5) {
            for (; at_.next < d_.needed.count && visits > 0; --visits, ++at_.next) {
                const int computed = coefficients_.computed;
                compared_ = 0;
                if (d_.needed.items[at_.next]) replace_terms(at_.next);
                visits -= 4 * (coefficients_.computed - computed) + compared_ / 8;
            }
            if (!visited(d_.needed.count)) return false;
        }
        for (; at_.next < outputs_.count && visits > 0; --visits, ++at_.next) {
            term& output = outputs_.items[at_.next];
            if (!output.is_zero()) output = representative(output, g_.size());
        }
        return visited(outputs_.count);
    }

private:
    // Bounds the work per node: nodes with more uses and sums with more terms keep their scale.
    static constexpr int most_uses = 32;
    static constexpr int most_terms = 12;
    // Graphs of more nodes and coefficients keep all scales.
    static constexpr int most_nodes = 8000;
    // Bounds the total work, since compilers limit the steps of an evaluation, clang to fewer than g++. After that, the
    // choice is not improved further. (clang: alone in an evaluation, the choice may take twice as much.)
#if defined(__clang__)
    static constexpr int usual_effort = 5000, effort_alone = 10000, most_computed = 3000;
#else
    static constexpr int usual_effort = 20000, effort_alone = 20000, most_computed = 6000;
#endif

    graph_data& g_;
    coefficient_table& coefficients_;
    factored_products& d_;
    equal_values& v_;
    list<term>& outputs_;
    progress& at_;
    list<factor_use>& uses_;
    list<int>& scale_;
    list<int>&heads_, &use_counts_;
    list<int>& free_;
    list<bool>& active_;
    list<int> candidates_;
    int group_magnitudes_[most_terms]{}; // of the terms of a sum
    bool group_starts_[most_terms]{};    // whether a group has a single number
    list<int> settled_;  // by node: whether improve() (1) and improve_with_users() (2) find no better scale
    bool tries_ = false; // scales are set, and reset, to compare costs
    int most_effort_ = usual_effort;
    int effort_ = 0;  // terms and literals inspected
    int copying_ = 0; // of those, for multiples of values
    int computed_before_ = coefficients_.computed;
    int compared_ = 0; // multiples of values that were compared with the terms of a sum

    [[nodiscard]] constexpr bool exhausted() const {
        return effort_ > most_effort_ || coefficients_.computed - computed_before_ > most_computed;
    }

    // Whether a step visited all. Then the next begins with the first again.
    constexpr bool visited(int count) {
        if (at_.next < count) return false;
        at_.next = 0;
        ++at_.done;
        return true;
    }

    [[nodiscard]] constexpr bool is_product(int id) const { return d_.factors_of.items[id] >= 0; }
    [[nodiscard]] constexpr int literal(int p, int i) const {
        return d_.literals.items[d_.factored.items[p].first + i];
    }

    [[nodiscard]] constexpr bool is_sum_or_output(int user) const { return user < 0 || !is_product(user); }

    [[nodiscard]] constexpr bool is_fused(int id) const { return is_product(id) && use_counts_.items[id] == 1; }

    // Whether a scaled value may be computed from a node. (Those that this pass makes have numbers after the nodes, and
    // depend on a variable only.)
    [[nodiscard]] constexpr bool depends(int value, int id) const { return id <= value && value < d_.needed.count; }

    static constexpr void insert(list<int>& set, int user) {
        for (int i = 0; i < set.count; ++i)
            if (set.items[i] == user) return;
        set.push_back(user);
    }

    // Uses: optimise/constant_factors/uses.hpp
    // To look for a term in such a sum, once for each of its terms, would take time quadratic in their number.
    [[nodiscard]] constexpr bool is_long_sum(int user) const { return user >= 0 && g_.nodes.items[user].b > 64; }
    [[nodiscard]] constexpr int coefficient_in(int user, int id);
    constexpr void add_use(int id, int user);
    constexpr void begin();
    constexpr void find_uses(int id);
    constexpr void find_uses_in_outputs();
    constexpr void activate(int id);
    constexpr void set_scale(int id, int scale);
    template <class Visit>
    constexpr void each_operand(int id, Visit visit);
    constexpr void unsettle(int id);

    // Costs: optimise/constant_factors/costs.hpp
    static constexpr int no_limit = 1 << 30;
    [[nodiscard]] constexpr int magnitude(int c, int id);
    [[nodiscard]] constexpr int natural_scale(int p);
    [[nodiscard]] constexpr int missing_factor(int id);
    [[nodiscard]] constexpr int scaled_literal(int p, int c, int& value);
    [[nodiscard]] constexpr int cost(int user);
    [[nodiscard]] constexpr int cost_of_sum(int id);
    [[nodiscard]] constexpr int cost_around(int id, int most = no_limit);
    [[nodiscard]] constexpr int cost_of(const list<int>& users, int most = no_limit);

    // Choices: optimise/constant_factors/choices.hpp
    constexpr void choose();
    constexpr void add_candidate(int c);
    constexpr void find_candidates(int id);
    constexpr void pull(int id);
    constexpr void give_back(int id);
    constexpr bool improve(int id);
    constexpr bool improve_with_users(int id);
    constexpr void find_distant_candidates(int id, int product);
    constexpr void copy_scaled_atoms();
    constexpr void consider_copy(term t, int scale);
    constexpr void try_copy(int c, int atom);

    // Placement: optimise/constant_factors/placement.hpp
    [[nodiscard]] constexpr bool has_negative_use(int id);
    [[nodiscard]] constexpr bool can_be_opposite(int id);
    constexpr void place_sign_of(term output);
    constexpr void fix_scale_of(int id);
    [[nodiscard]] constexpr term representative(term t, int user);
    constexpr void replace_terms(int id);
};

} // namespace chainrule::optimise
