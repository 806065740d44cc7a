// SPDX-License-Identifier: BSL-1.0
//
// Turns a graph into straight-line code. Divisions by the same node share a reciprocal, sums become fused
// multiply-adds, sine and cosine of one argument become one call, and instructions are in depth-first order of the
// outputs. The passes in optimise/ have already decided how products share factors.
#pragma once

#include <chainrule/codegen/code.hpp>
#include <chainrule/optimise/shared_products.hpp>

namespace chainrule::codegen {

class scheduler {
public:
    constexpr scheduler(graph_data& g, const factored_products& products)
        : g_(g), coefficients_(g.coefficients), p_(products), at_(products.factors_of.count) {}

    /// The program that computes the outputs, before codegen/order.hpp reorders it. Value outputs are nodes as written
    /// (coefficient one).
    [[nodiscard]] constexpr code run(list<term> outputs) {
        outputs_.swap(outputs);
        find_partners();
        count_uses();
        place_output_signs();
        emit_calls();
        for (int i = 0; i < outputs_.count; ++i) {
            emit_from(outputs_.items[i]);
            // Written immediately: a value that waits until the end of the program would occupy a register or be
            // spilled.
            emit(operation::output, output_slot(i), i);
        }
        return static_cast<code&&>(code_);
    }

private:
    graph_data& g_;
    coefficient_table& coefficients_;
    list<term> outputs_;
    const factored_products& p_;
    struct node_state {
        int uses = 0;
        int reciprocal_uses = 0;
        int slot = -1;
        int reciprocal_slot = -1;
        int reciprocal = -1;                  // a value node that equals its reciprocal
        int sine = -1, cosine = -1;           // of this node
        int pair_slot = -1, pair_place = -1;  // where sincos returned its results
        int multiple = 0, multiple_slot = -1; // coefficient and slot of the last output that is a multiple
    };
    list<node_state> at_; // by node, and by number of an extracted pair
    list<int> calls_, inputs_;
    list<int> constant_slots_; // by coefficient number
    list<int> stack_;
    list<int> factor_slots_;
    struct addend {
        int c = 0; // coefficient number
        int left = -1;
        int right = -1; // left * right, or left alone
    };
    list<addend> addends_;
    code code_;
    int zero_slot_ = -1;

    constexpr int emit(operation what, int a, int b = 0, int c = 0, unsigned function = 0) {
        if (what == operation::call && function == functions::weighted::position) code_.conditional = true;
        code_.body.push_back({what, static_cast<unsigned char>(function), a, b, c});
        return code_.body.count - 1;
    }
    constexpr int constant_slot(int c) {
        if (constant_slots_.count <= c) constant_slots_.resize(c + 8, -1);
        if (constant_slots_.items[c] < 0) {
            code_.constants.push_back(coefficients_.value(c));
            constant_slots_.items[c] = emit(operation::constant, code_.constants.count - 1);
        }
        return constant_slots_.items[c];
    }

    constexpr int zero_slot() {
        if (zero_slot_ < 0) {
            code_.constants.push_back(coefficient(0));
            zero_slot_ = emit(operation::constant, code_.constants.count - 1);
        }
        return zero_slot_;
    }

    [[nodiscard]] constexpr bool is_product(int id) const { return p_.factors_of.items[id] >= 0; }
    // A product that is used only in one sum is fused into it.
    [[nodiscard]] constexpr bool fused(int id) const {
        return at_.items[id].uses == 1 && is_product(id) && p_.plans.items[p_.factors_of.items[id]].guards == 0;
    }
    // The condition of a guard; its negation needs no instruction, since the arms can be exchanged.
    [[nodiscard]] constexpr int condition_of_guard(int guard) const {
        return g_.is_negation(guard) ? g_.nodes.items[guard].a : guard;
    }

    [[nodiscard]] constexpr bool fused_value(int id) const {
        return at_.items[id].slot < 0 && at_.items[id].uses == 1 && g_.nodes.items[id].what == kind::multiply;
    }

    constexpr void push(int id) {
        if (at_.items[id].slot < 0) stack_.push_back(2 * id);
    }

    [[nodiscard]] constexpr bool has_pair(int argument) const {
        const int s = at_.items[argument].sine, c = at_.items[argument].cosine;
        return s >= 0 && c >= 0 && at_.items[s].uses > 0 && at_.items[c].uses > 0;
    }

    // A product as left * right, or as left alone if right < 0.
    struct factors {
        int left = -1;
        int right = -1;
    };

    // A share times what came before, if anything did. Other shares are finite or NaN.
    constexpr int emit_share(int share, int others, bool shares_alone) {
        if (others < 0) return share;
        if (shares_alone) return emit(operation::multiply, others, share);
        return emit(operation::call, share, others, share, functions::weighted::position);
    }

    // Uses: codegen/schedule/uses.hpp
    constexpr void find_partners();
    constexpr void count_uses();
    constexpr void use(int id);
    constexpr void place_output_signs();

    // Order: codegen/schedule/traversal.hpp
    constexpr void emit_calls();
    constexpr void emit_from(term output);
    constexpr void push_operands(int id);
    constexpr void push_factors(int id);
    constexpr void push_value(int id, bool fuse);

    // Values: codegen/schedule/values.hpp
    constexpr void emit_node(int id);
    constexpr int emit_value_sum(const node& m);
    constexpr int emit_condition(const node& m);
    constexpr int emit_three(operation what, const node& m);
    constexpr int emit_call(int id, const node& m);
    constexpr void emit_pair(int argument);
    constexpr int output_slot(int i);

    // Products: codegen/schedule/products.hpp
    [[nodiscard]] constexpr int reciprocal_slot(int id);
    [[nodiscard]] constexpr bool has_reciprocal(int id);
    constexpr factors emit_factors(int id, int& c);
    constexpr int emit_product(int id);

    // Sums: codegen/schedule/sums.hpp
    constexpr addend make_addend(term t);
    constexpr int accumulate(int acc, const addend& x, bool negative);
    constexpr int accumulate_group(const list<addend>& addends, int m, bool flip, int acc);
    constexpr int emit_sum(int id);
};

} // namespace chainrule::codegen
