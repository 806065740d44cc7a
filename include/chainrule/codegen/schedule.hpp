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
    constexpr scheduler(graph_data& g, const shared_products& products)
        : g_(g), coefficients_(g.coefficients), p_(products), at_(products.plan_of.count) {}

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
    const shared_products& p_;
    struct node_state {
        int uses = 0;
        int reciprocal_uses = 0;
        int slot = -1;
        int reciprocal_slot = -1;
        int reciprocal = -1;                 // a value node that equals its reciprocal
        int sine = -1, cosine = -1;          // of this node
        int pair_slot = -1, pair_place = -1; // where sincos returned its results
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

    // Sines and cosines of one argument, and values that equal reciprocals.
    constexpr void find_partners() {
        const int n = p_.needed.count;
        for (int id = 0; id < n; ++id) {
            if (!p_.needed.items[id]) continue;
            const node& m = g_.nodes.items[id];
            if (m.what == kind::call_of_three) calls_.push_back(id);
            if (m.what == kind::call) {
                calls_.push_back(id);
                if (m.function == functions::sin::position) at_.items[m.a].sine = id;
                if (m.function == functions::cos::position) at_.items[m.a].cosine = id;
            } else if (m.what == kind::variable || m.what == kind::slot) {
                inputs_.push_back(id);
            }
            if (m.what == kind::divide && m.a == graph_data::one && p_.as_written.items[id]) at_.items[m.b].reciprocal = id;
        }
    }

    // Uses -----------------------------------------------------------------------------------------------------------

    constexpr void count_uses() {
        for (int i = 0; i < outputs_.count; ++i) {
            if (outputs_.items[i].is_zero()) continue;
            use(outputs_.items[i].id);
            ++at_.items[outputs_.items[i].id].uses; // outputs need their own slot and are never fused into a sum
        }
        while (stack_.count != 0) {
            const int id = stack_.pop_back();
            if (is_product(id)) {
                const plan m = p_.plans.items[p_.plan_of.items[id]];
                for (int i = m.first - m.guards; i < m.first; ++i) use(condition_of_guard(p_.literals.items[i]));
                for (int i = m.first; i < m.first + m.count; ++i) {
                    const int l = p_.literals.items[i];
                    if (l < 0) continue;
                    if ((l & 1) != 0) ++at_.items[l >> 1].reciprocal_uses;
                    use(l >> 1);
                }
                continue;
            }
            const node m = g_.nodes.items[id];
            if (m.what == kind::sum) {
                for (int i = m.a; i < m.a + m.b; ++i)
                    if (g_.pool.items[i].id != graph_data::one) use(g_.pool.items[i].id);
            } else if (m.what >= kind::select) {
                for (int i = m.a; i < m.a + m.b; ++i) use(g_.pool.items[i].id);
            } else if (m.what >= kind::negate) {
                use(m.a);
                if (m.b >= 0) use(m.b);
            }
        }
    }
    constexpr void use(int id) {
        if (at_.items[id].uses++ == 0) stack_.push_back(id);
    }

    // A sum that is used only by an output absorbs the output's sign.
    constexpr void place_output_signs() {
        for (int i = 0; i < outputs_.count; ++i) {
            term& t = outputs_.items[i];
            if (t.is_zero() || t.c != 1 || at_.items[t.id].uses != 2) continue;
            if (t.id >= p_.needed.count || g_.nodes.items[t.id].what != kind::sum) continue;
            const node& m = g_.nodes.items[t.id];
            for (int k = m.a; k < m.a + m.b; ++k) g_.pool.items[k].c ^= 1;
            t.c = 0;
        }
    }

    // Emission ----------------------------------------------------------------------------------------------------

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

    [[nodiscard]] constexpr bool is_product(int id) const { return p_.plan_of.items[id] >= 0; }
    // A product that is used only in one sum is fused into it.
    [[nodiscard]] constexpr bool fused(int id) const {
        return at_.items[id].uses == 1 && is_product(id) && p_.plans.items[p_.plan_of.items[id]].guards == 0;
    }
    // The condition of a guard; its negation needs no instruction, since the arms can be exchanged.
    [[nodiscard]] constexpr int condition_of_guard(int guard) const {
        return g_.is_negation(guard) ? g_.nodes.items[guard].a : guard;
    }

    [[nodiscard]] constexpr bool fused_value(int id) const {
        return at_.items[id].slot < 0 && at_.items[id].uses == 1 && g_.nodes.items[id].what == kind::multiply;
    }

    // Calls and their operands come first: no register is preserved across a call, so other results computed before the
    // last call would be stored and reloaded. A pair of sine and cosine comes before single results, since it is
    // returned in memory anyway.
    constexpr void emit_calls() {
        for (int i = 0; i < calls_.count; ++i) {
            const node& m = g_.nodes.items[calls_.items[i]];
            if (m.what != kind::call || m.function != functions::sin::position || !has_pair(m.a)) continue;
            emit_from({0, m.a});
            if (at_.items[calls_.items[i]].pair_place < 0) emit_pair(m.a);
        }
        for (int i = 0; i < calls_.count; ++i) {
            const int id = calls_.items[i];
            if (at_.items[id].uses > 0 && at_.items[id].pair_place < 0) emit_from({0, id});
        }
        code_.calls_end = code_.body.count;
        // Numbers in memory stay there until they are used.
        for (int i = 0; i < inputs_.count; ++i) at_.items[inputs_.items[i]].slot = -1;
        for (int i = 0; i < calls_.count; ++i)
            if (at_.items[calls_.items[i]].pair_place >= 0) at_.items[calls_.items[i]].slot = -1;
    }

    constexpr void emit_from(term output) {
        if (output.is_zero()) return;
        stack_.push_back(2 * output.id);
        while (stack_.count != 0) {
            const int top = stack_.pop_back();
            const int id = top >> 1;
            if (at_.items[id].slot >= 0) continue;
            if ((top & 1) != 0) {
                emit_node(id);
                continue;
            }
            stack_.push_back(top | 1);
            const int bottom = stack_.count;
            push_operands(id);
            // The first operand is computed first, so it must be on top of the stack.
            for (int i = bottom, j = stack_.count - 1; i < j; ++i, --j) {
                const int t = stack_.items[i];
                stack_.items[i] = stack_.items[j];
                stack_.items[j] = t;
            }
        }
    }
    constexpr void push_operands(int id) {
        if (is_product(id)) return push_factors(id);
        const node m = g_.nodes.items[id];
        if (m.what == kind::sum) {
            for (int i = m.a; i < m.a + m.b; ++i) {
                const int operand = g_.pool.items[i].id;
                if (operand == graph_data::one) continue;
                if (fused(operand))
                    push_factors(operand);
                else
                    push(operand);
            }
        } else if (m.what >= kind::select) {
            for (int i = m.a; i < m.a + m.b; ++i) push(g_.pool.items[i].id);
        } else if (m.what >= kind::negate) {
            const bool adds = m.what == kind::add || m.what == kind::subtract;
            const bool fuse_first = adds && fused_value(m.a);
            push_value(m.a, fuse_first);
            if (m.b >= 0) push_value(m.b, adds && !fuse_first && fused_value(m.b));
        }
    }
    constexpr void push(int id) {
        if (at_.items[id].slot < 0) stack_.push_back(2 * id);
    }
    constexpr void push_factors(int id) {
        const plan m = p_.plans.items[p_.plan_of.items[id]];
        for (int i = m.first - m.guards; i < m.first; ++i) push(condition_of_guard(p_.literals.items[i]));
        for (int i = m.first; i < m.first + m.count; ++i)
            if (p_.literals.items[i] >= 0) push(p_.literals.items[i] >> 1);
    }
    constexpr void push_value(int id, bool fuse) {
        if (!fuse) return push(id);
        push(g_.nodes.items[id].a);
        push(g_.nodes.items[id].b);
    }

    constexpr void emit_node(int id) {
        if (is_product(id)) {
            at_.items[id].slot = emit_product(id);
            return;
        }
        const node m = g_.nodes.items[id];
        int slot = -1;
        if (m.what == kind::sum)
            slot = emit_sum(id);
        else if (m.what == kind::add || m.what == kind::subtract)
            slot = emit_value_sum(m);
        else if (m.what == kind::multiply)
            slot = emit(operation::multiply, at_.items[m.a].slot, at_.items[m.b].slot);
        else if (m.what == kind::divide && m.a == graph_data::one)
            slot = reciprocal_slot(m.b);
        else if (m.what == kind::divide)
            slot = emit(operation::divide, at_.items[m.a].slot, at_.items[m.b].slot);
        else if (m.what == kind::call)
            slot = emit_call(id, m);
        else if (m.what == kind::variable)
            slot = emit(operation::variable, m.a);
        else if (m.what == kind::slot)
            slot = emit(operation::number, m.a);
        else if (m.what == kind::negate)
            slot = emit(operation::negate, at_.items[m.a].slot);
        else if (m.what == kind::condition)
            slot = emit_condition(m);
        else if (m.what == kind::select)
            slot = emit_three(operation::select, m);
        else if (m.what == kind::call_of_three)
            slot = emit_three(operation::call, m);
        else
            slot = constant_slot(m.a);
        at_.items[id].slot = slot;
    }

    // a * b + c in one expression, as the user wrote it: the compiler may contract it if its flags say so.
    constexpr int emit_value_sum(const node& m) {
        const bool adds = m.what == kind::add;
        if (fused_value(m.a)) {
            const node p = g_.nodes.items[m.a];
            return emit(adds ? operation::multiply_add : operation::multiply_subtract, at_.items[p.a].slot, at_.items[p.b].slot, at_.items[m.b].slot);
        }
        if (fused_value(m.b)) {
            const node p = g_.nodes.items[m.b];
            return emit(adds ? operation::multiply_add : operation::negative_multiply_add, at_.items[p.a].slot, at_.items[p.b].slot,
                        at_.items[m.a].slot);
        }
        return emit(adds ? operation::add : operation::subtract, at_.items[m.a].slot, at_.items[m.b].slot);
    }

    constexpr int emit_condition(const node& m) {
        code_.conditional = true;
        const int a = at_.items[m.a].slot;
        return emit(operation::condition, a, m.b < 0 ? a : at_.items[m.b].slot, 0, m.function);
    }
    constexpr int emit_three(operation what, const node& m) {
        const term* const operands = g_.pool.items + m.a;
        return emit(what, at_.items[operands[0].id].slot, at_.items[operands[1].id].slot, at_.items[operands[2].id].slot, m.function);
    }

    constexpr int emit_call(int id, const node& m) {
        const bool is_sine = m.function == functions::sin::position;
        if (is_sine || m.function == functions::cos::position) {
            if (at_.items[id].pair_place < 0) emit_pair(m.a);
            if (at_.items[id].pair_place >= 0)
                return emit(operation::reload, at_.items[id].pair_slot, at_.items[id].pair_place);
        }
        const int a = at_.items[m.a].slot;
        return emit(operation::call, a, m.b < 0 ? a : at_.items[m.b].slot, a, m.function);
    }
    // The sine and the cosine of an available node, if both are used.
    constexpr void emit_pair(int argument) {
        if (!has_pair(argument)) return;
        const int first = emit(operation::sine_cosine, at_.items[argument].slot, code_.pair_places);
        emit(operation::cosine_of_pair, first);
        const int ids[] = {at_.items[argument].sine, at_.items[argument].cosine};
        for (int i = 0; i < 2; ++i) {
            at_.items[ids[i]].pair_slot = first + i;
            at_.items[ids[i]].pair_place = code_.pair_places++;
        }
    }
    [[nodiscard]] constexpr bool has_pair(int argument) const {
        const int s = at_.items[argument].sine, c = at_.items[argument].cosine;
        return s >= 0 && c >= 0 && at_.items[s].uses > 0 && at_.items[c].uses > 0;
    }

    [[nodiscard]] constexpr int reciprocal_slot(int id) {
        if (at_.items[id].reciprocal_slot < 0) at_.items[id].reciprocal_slot = emit(operation::divide, constant_slot(0), at_.items[id].slot);
        return at_.items[id].reciprocal_slot;
    }
    // Whether the reciprocal of a node is worth a slot: it exists already, or has several uses.
    [[nodiscard]] constexpr bool has_reciprocal(int id) {
        if (at_.items[id].reciprocal_slot >= 0) return true;
        if (at_.items[id].reciprocal >= 0 && at_.items[at_.items[id].reciprocal].slot >= 0) {
            at_.items[id].reciprocal_slot = at_.items[at_.items[id].reciprocal].slot;
            return true;
        }
        return at_.items[id].reciprocal_uses > 1;
    }

    // A product as left * right, or as left alone if right < 0.
    struct factors {
        int left = -1;
        int right = -1;
    };
    // `c` is the coefficient of the product. It is set to one if a numerator absorbed it.
    constexpr factors emit_factors(int id, int& c) {
        const plan m = p_.plans.items[p_.plan_of.items[id]];
        list<int>& slots = factor_slots_;
        slots.truncate(0);
        int denominator = -1;
        for (int i = 0; i < m.count; ++i) {
            const int l = p_.literals.items[m.first + i];
            if (l < 0) {
                slots.push_back(constant_slot(-1 - l));
            } else if ((l & 1) == 0) {
                slots.push_back(at_.items[l >> 1].slot);
            } else if (has_reciprocal(l >> 1)) {
                slots.push_back(reciprocal_slot(l >> 1));
            } else {
                const int s = at_.items[l >> 1].slot;
                denominator = denominator < 0 ? s : emit(operation::multiply, denominator, s);
            }
        }
        if (denominator >= 0) {
            if (slots.count == 0) {
                slots.push_back(constant_slot(c));
                c = 0;
            }
            slots.items[0] = emit(operation::divide, slots.items[0], denominator);
        }
        if (slots.count == 0) return {}; // guards alone
        int left = slots.items[0];
        for (int i = 1; i + 1 < slots.count; ++i) left = emit(operation::multiply, left, slots.items[i]);
        return {left, slots.count > 1 ? slots.back() : -1};
    }
    constexpr int emit_product(int id) {
        int c = 0;
        const factors f = emit_factors(id, c);
        int slot = f.right < 0 ? f.left : emit(operation::multiply, f.left, f.right);
        const plan m = p_.plans.items[p_.plan_of.items[id]];
        for (int i = m.first - m.guards; i < m.first; ++i)
            if (!g_.is_condition(p_.literals.items[i])) slot = emit_share(at_.items[p_.literals.items[i]].slot, slot, f.left < 0);
        if (slot < 0) slot = constant_slot(0);
        for (int i = m.first - m.guards; i < m.first; ++i) {
            if (!g_.is_condition(p_.literals.items[i])) continue;
            const int guard = p_.literals.items[i], condition = condition_of_guard(guard);
            const bool holds = guard == condition;
            slot = emit(operation::select, at_.items[condition].slot, holds ? slot : zero_slot(), holds ? zero_slot() : slot);
        }
        return slot;
    }

    // A share times what came before, if anything did. Other shares are finite or NaN.
    constexpr int emit_share(int share, int others, bool shares_alone) {
        if (others < 0) return share;
        if (shares_alone) return emit(operation::multiply, others, share);
        return emit(operation::call, share, others, share, functions::weighted::position);
    }

    constexpr addend make_addend(term t) {
        if (t.id == graph_data::one) return {0, constant_slot(t.c), -1};
        if (!fused(t.id)) return {t.c, at_.items[t.id].slot, -1};
        int c = t.c & ~1;
        const factors f = emit_factors(t.id, c);
        return {c | (t.c & 1), f.left, f.right};
    }

    // acc + x or acc - x, in one instruction; acc < 0 means that the sum is empty.
    constexpr int accumulate(int acc, const addend& x, bool negative) {
        if (acc < 0) {
            const int s = x.right < 0 ? x.left : emit(operation::multiply, x.left, x.right);
            return negative ? emit(operation::negate, s) : s;
        }
        if (x.right < 0) return emit(negative ? operation::subtract : operation::add, acc, x.left);
        return emit(negative ? operation::negative_multiply_add : operation::multiply_add, x.left, x.right, acc);
    }

    // The sum of the addends whose coefficient has magnitude number m, divided by m and by sign; starts from acc.
    constexpr int accumulate_group(const list<addend>& addends, int m, bool flip, int acc) {
        int started = -1; // the first addend
        bool done = false;
        if (acc < 0) {
            // Best start: a positive single, then a positive product minus a single, then any positive one, then a
            // negative product minus a single.
            int product = -1, negative_product = -1, single = -1;
            for (int i = 0; i < addends.count; ++i) {
                const addend& x = addends.items[i];
                if ((x.c >> 1) != m) continue;
                const bool negative = ((x.c & 1) != 0) != flip;
                if (!negative && x.right < 0 && started < 0) started = i;
                if (!negative && x.right >= 0 && product < 0) product = i;
                if (negative && x.right >= 0 && negative_product < 0) negative_product = i;
                if (negative && x.right < 0 && single < 0) single = i;
            }
            if (started < 0) {
                started = product;
                const int both = product >= 0 ? product : negative_product;
                if (both >= 0 && single >= 0) {
                    acc = emit(product >= 0 ? operation::multiply_subtract : operation::negative_multiply_subtract,
                               addends.items[both].left, addends.items[both].right, addends.items[single].left);
                    done = true;
                    for (int i = 0; i < addends.count; ++i)
                        if ((addends.items[i].c >> 1) == m && i != both && i != single)
                            acc = accumulate(acc, addends.items[i], ((addends.items[i].c & 1) != 0) != flip);
                }
            }
            if (!done && started >= 0) acc = accumulate(acc, addends.items[started], false);
        }
        if (done) return acc;
        for (int i = 0; i < addends.count; ++i)
            if ((addends.items[i].c >> 1) == m && i != started)
                acc = accumulate(acc, addends.items[i], ((addends.items[i].c & 1) != 0) != flip);
        return acc;
    }

    constexpr int emit_sum(int id) {
        const node m = g_.nodes.items[id];
        list<addend>& addends = addends_;
        addends.truncate(0);
        for (int i = 0; i < m.b; ++i) addends.push_back(make_addend(g_.pool.items[m.a + i]));
        int acc = -1;
        bool any_positive = false;
        for (int i = 0; i < addends.count; ++i) any_positive = any_positive || addends.items[i].c == 0;
        // Terms with coefficient +-1 first; if none is positive, another group is a better start.
        if (any_positive) acc = accumulate_group(addends, 0, false, -1);
        for (int i = 0; i < addends.count; ++i) {
            const int group = addends.items[i].c >> 1;
            bool seen = group == 0;
            for (int k = 0; k < i && !seen; ++k) seen = (addends.items[k].c >> 1) == group;
            if (seen) continue;
            // One sign is factored out with the magnitude: that of a positive term if the sum is still empty.
            bool negative = (addends.items[i].c & 1) != 0;
            for (int k = i; k < addends.count && negative; ++k) negative = addends.items[k].c != 2 * group;
            const int inner = accumulate_group(addends, group, negative, -1);
            if (acc < 0)
                acc = emit(operation::multiply, inner, constant_slot(2 * group | (negative ? 1 : 0)));
            else
                acc = accumulate(acc, {0, inner, constant_slot(2 * group)}, negative);
        }
        if (!any_positive) acc = accumulate_group(addends, 0, false, acc);
        return acc;
    }

    // Outputs that are the same multiple of a node share one instruction.
    constexpr int output_slot(int i) {
        const term t = outputs_.items[i];
        if (t.is_zero()) return zero_slot();
        if (t.id == graph_data::one) return constant_slot(t.c);
        if (t.c == 0) return at_.items[t.id].slot;
        node_state& of = at_.items[t.id];
        if (of.multiple_slot < 0 || of.multiple != t.c) {
            of.multiple = t.c;
            of.multiple_slot = t.c == 1 ? emit(operation::negate, of.slot) : emit(operation::multiply, constant_slot(t.c), of.slot);
        }
        return of.multiple_slot;
    }
};

} // namespace chainrule::codegen
