// SPDX-License-Identifier: BSL-1.0
//
// Turns a graph into straight-line code. Divisions by the same node share a reciprocal, sums become fused
// multiply-adds, sine and cosine of one argument become one call, and instructions are in depth-first order of the
// outputs. The passes in optimise/ have already decided how products share factors.
#pragma once

#include <chainrule/codegen/code.hpp>
#include <chainrule/optimise/shared_products.hpp>

namespace chainrule::codegen {

/// What the scheduler knows of a node or of an extracted pair.
struct node_state {
    int uses;
    int reciprocal_uses;
    int slot;
    int reciprocal_slot;
    int reciprocal;              // a value node that equals its reciprocal
    int sine, cosine;            // of this node
    int pair_slot, pair_place;   // where sincos returned its results
    int multiple, multiple_slot; // coefficient and slot of the last output that is a multiple
};

class scheduler {
public:
    static constexpr node_state unused{0, 0, -1, -1, -1, -1, -1, -1, -1, 0, -1};
    /// The state of a pass that stopped early.
    struct progress {
        int done = 0; // of the steps of run()
        int next = 0; // the call or output with which the next step continues
        int zero_slot = -1;
        list<node_state> at; // by node, and by number of an extracted pair
        list<int> calls, inputs;
        list<int> constant_slots; // by coefficient number
        list<int> stack;

        template <class Progress, class Visitor>
        static constexpr void each_member(Progress& p, Visitor& visit) {
            visit(p.done), visit(p.next), visit(p.zero_slot), visit(p.at), visit(p.calls), visit(p.inputs);
            visit(p.constant_slots), visit(p.stack);
        }
    };

    /// The inputs from `first_parameter` on are parameters.
    constexpr scheduler(graph_data& g, const factored_products& products, list<term>& outputs, code& made,
                        progress& from, int first_parameter)
        : g_(g), coefficients_(g.coefficients), outputs_(outputs), p_(products), state_(from), at_(from.at),
          calls_(from.calls), inputs_(from.inputs), constant_slots_(from.constant_slots), stack_(from.stack),
          first_parameter_(first_parameter), code_(made) {}

    /// Appends the program that computes the outputs, before codegen/order.hpp reorders it. Value outputs are nodes as
    /// written (coefficient one). Returns false if some is left after so many visits.
    constexpr bool run(int visits) {
        visits_ = visits;
        if (state_.done == 0) {
            at_ = list<node_state>(p_.factors_of.count, unused);
            find_partners();
            use_outputs();
            ++state_.done;
        }
        if (state_.done == 1) {
            if (!count_uses()) return false;
            place_output_signs();
            ++state_.done;
        }
        if (!emit_calls()) return false;
        for (; state_.next < outputs_.count; ++state_.next) {
            if (!emit_from(outputs_.items[state_.next])) return false;
            // Written immediately: a value that waits until the end of the program would occupy a register or be
            // spilled.
            emit(opcode::output, output_slot(state_.next), state_.next);
        }
        return true;
    }

private:
    graph_data& g_;
    coefficient_table& coefficients_;
    list<term>& outputs_;
    const factored_products& p_;
    progress& state_;
    list<node_state>& at_;
    list<int>&calls_, &inputs_;
    list<int>& constant_slots_;
    list<int>& stack_;
    list<int> factor_slots_;
    int visits_ = 0; // left to this evaluation
    int first_parameter_;
    struct addend {
        int c = 0; // coefficient number
        int left = -1;
        int right = -1; // left * right, or left alone
        int next = -1;  // addend of the same group: those whose coefficients have the same magnitude
    };
    list<addend> addends_;
    list<int> groups_;        // the first addend of each
    list<int> last_of_group_; // by magnitude; -1 between calls
    code& code_;

    constexpr int emit(opcode what, int a, int b = 0, int c = 0, unsigned function = 0) {
        if (what == opcode::call && function == functions::weighted::position) code_.conditional = true;
        code_.body.push_back({what, static_cast<unsigned char>(function), a, b, c});
        return code_.body.count - 1;
    }
    constexpr int constant_slot(int c) {
        if (constant_slots_.count <= c) constant_slots_.resize(c + 8, -1);
        if (constant_slots_.items[c] < 0) {
            code_.constants.push_back(coefficients_.value(c));
            constant_slots_.items[c] = emit(opcode::constant, code_.constants.count - 1);
        }
        return constant_slots_.items[c];
    }

    constexpr int zero_slot() {
        if (state_.zero_slot < 0) {
            code_.constants.push_back(coefficient(0));
            state_.zero_slot = emit(opcode::constant, code_.constants.count - 1);
        }
        return state_.zero_slot;
    }

    [[nodiscard]] constexpr bool is_product(int id) const { return p_.factors_of.items[id] >= 0; }
    // A product that is used only in one sum is fused into it.
    [[nodiscard]] constexpr bool fused(int id) const {
        return at_.items[id].uses == 1 && is_product(id) && p_.factored.items[p_.factors_of.items[id]].guards == 0;
    }
    // The condition of a guard; its negation needs no instruction, since the arms can be exchanged.
    [[nodiscard]] constexpr int condition_of_guard(int guard) const {
        return g_.is_negation(guard) ? g_.nodes.items[guard].a : guard;
    }

    // Whether a product of an input and a stored number is computed anew by each sum that adds it: a multiply-add costs
    // what an addition costs, and sums of one form stay so, wherever others have some of their products too.
    [[nodiscard]] constexpr bool recomputed(int id) const {
        if (id >= p_.needed.count) return false;
        const node& m = g_.nodes.items[id];
        return m.what == kind::multiply && ((is_input(m.a) && is_stored(m.b)) || (is_stored(m.a) && is_input(m.b)));
    }
    [[nodiscard]] constexpr bool is_input(int id) const { return g_.nodes.items[id].what == kind::variable; }
    // A stored number or a parameter.
    [[nodiscard]] constexpr bool is_stored(int id) const {
        const node& n = g_.nodes.items[id];
        return n.what == kind::stored_number || (n.what == kind::variable && n.a >= first_parameter_);
    }
    [[nodiscard]] constexpr bool fused_value(int id) const {
        return g_.nodes.items[id].what == kind::multiply &&
               ((at_.items[id].slot < 0 && at_.items[id].uses == 1) || recomputed(id));
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
        if (shares_alone) return emit(opcode::multiply, others, share);
        return emit(opcode::call, share, others, share, functions::weighted::position);
    }

    // Uses: codegen/schedule/uses.hpp
    constexpr void find_partners();
    constexpr void use_outputs();
    constexpr bool count_uses();
    constexpr void use(int id);
    constexpr void place_output_signs();

    // Order: codegen/schedule/traversal.hpp
    constexpr bool emit_calls();
    constexpr bool emit_from(term output);
    constexpr void visit(int top);
    constexpr void push_operands(int id);
    constexpr void push_factors(int id);
    constexpr void push_value(int id, bool fuse);

    // Values: codegen/schedule/values.hpp
    constexpr void emit_node(int id);
    constexpr int emit_value_sum(const node& m);
    constexpr int emit_condition(const node& m);
    constexpr int emit_three(opcode what, const node& m);
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
    constexpr int accumulate_group(int first, bool flip, int acc);
    constexpr void link_groups();
    constexpr int numbers_first(int first);
    constexpr int emit_sum(int id);
};

} // namespace chainrule::codegen
