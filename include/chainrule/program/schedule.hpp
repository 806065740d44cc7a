// SPDX-License-Identifier: BSL-1.0
//
// How does a graph become straight-line code? Products are split into multiplications so that common parts are computed
// once (greedy extraction of literal pairs; compare Hosangadi, Fallah, Kastner, "Optimizing polynomial expressions by
// algebraic factorization and common subexpression elimination", 2006), divisions by the same node share a reciprocal,
// sums become fused multiply-adds, and everything is put in depth-first order of the outputs.
#pragma once

#include <chainrule/program/code.hpp>
#include <chainrule/program/graph.hpp>

namespace chainrule::program {

class scheduler {
public:
    constexpr explicit scheduler(graph_data& g) : g_(g), coefficients_(g.coefficients) {}

    /// The program that computes the outputs. Value outputs are nodes as written (coefficient one).
    [[nodiscard]] constexpr code run(list<term> outputs) {
        outputs_.swap(outputs);
        mark_needed();
        find_realizations();
        collect_products();
        reuse_value_products();
        extract_pairs();
        count_uses();
        place_output_scales();
        for (int i = 0; i < outputs_.size(); ++i) {
            emit_from(outputs_[i]);
            // Written at once: a value that waits for the end of the program would occupy a register or be spilled.
            emit(operation::output, output_slot(outputs_[i]), i);
        }
        return static_cast<code&&>(code_);
    }

private:
    // A literal is a node or its reciprocal: 2 * id + (1 if reciprocal).
    struct plan {
        int first = 0;
        int count = 0;
    };
    struct pair {
        int left = 0;
        int right = 0;
        int count = 0;
        int occurrences = -1;
    };
    struct link {
        int product = 0;
        int next = -1;
    };
    struct scaled_value {
        int c = 0;
        int id = 0;
        int next = -1;
    };

    graph_data& g_;
    coefficient_table& coefficients_;
    list<term> outputs_;
    list<bool> needed_, as_written_;
    list<term> realized_;      // by product: the term of a value node that equals it
    list<int> scaled_heads_;   // by node: value nodes that equal a multiple of it
    list<scaled_value> scaled_;
    list<int> plan_of_;        // by node (extracted pairs have numbers after the graph's): index into plans_
    list<plan> plans_;
    list<int> plan_ids_;
    list<int> literals_;
    list<pair> pairs_;
    list<int> pair_table_;
    list<link> links_;
    list<int> uses_, reciprocal_uses_;
    list<int> reciprocal_node_; // by node: a value node that is its reciprocal
    list<int> sum_scale_;
    list<int> sine_of_, cosine_of_;
    list<int> slot_, reciprocal_slot_;
    list<int> constant_slots_; // by coefficient number
    list<int> stack_;
    code code_;

    // 1. What is needed ----------------------------------------------------------------------------------------------

    constexpr void mark_needed() {
        const int n = g_.size();
        needed_ = list<bool>(n, false);
        as_written_ = list<bool>(n, false);
        for (int i = 0; i < outputs_.size(); ++i)
            if (!outputs_[i].is_zero()) needed_[outputs_[i].id] = as_written_[outputs_[i].id] = true;
        for (int id = n - 1; id >= 0; --id) {
            if (!needed_[id]) continue;
            const node& m = g_[id];
            if (m.what >= kind::sum) {
                for (int i = 0; i < m.b; ++i) needed_[g_.pool[m.a + i].id] = true;
            } else if (m.what >= kind::negate) {
                needed_[m.a] = as_written_[m.a] = true;
                if (m.b >= 0) needed_[m.b] = as_written_[m.b] = true;
            }
        }
    }

    // Value nodes that must be computed anyway and equal a needed product, or a multiple of a needed node.
    constexpr void find_realizations() {
        const int n = needed_.size();
        realized_ = list<term>(n);
        scaled_heads_ = list<int>(n, -1);
        reciprocal_node_ = list<int>(n, -1);
        sine_of_ = list<int>(n, -1);
        cosine_of_ = list<int>(n, -1);
        for (int id = 0; id < n; ++id) {
            if (!needed_[id]) continue;
            const node m = g_[id];
            if (m.what == kind::call) {
                if (m.function == functions::sin::position) sine_of_[m.a] = id;
                if (m.function == functions::cos::position) cosine_of_[m.a] = id;
            }
            if (!as_written_[id] || (m.what != kind::multiply && m.what != kind::divide)) continue;
            if (m.what == kind::divide && m.a == graph_data::one) reciprocal_node_[m.b] = id;
            const term t = g_.canonical[id];
            if (t.is_zero() || t.id >= n || !needed_[t.id]) continue;
            scaled_.push_back({t.c, id, scaled_heads_[t.id]});
            scaled_heads_[t.id] = scaled_.size() - 1;
            if (g_[t.id].what == kind::product && (realized_[t.id].is_zero() || (t.c >> 1) == 0))
                realized_[t.id] = {coefficients_.over(0, t.c), id};
        }
    }

    // The cheapest known way to write a derivative term: as a value that is there already, if there is one.
    [[nodiscard]] constexpr term representative(term t) {
        if (t.id >= scaled_heads_.size()) return t;
        for (int i = scaled_heads_[t.id]; i >= 0; i = scaled_[i].next)
            if ((scaled_[i].c >> 1) == (t.c >> 1)) return {(scaled_[i].c ^ t.c) & 1, scaled_[i].id};
        const term r = realized_[t.id];
        return r.is_zero() ? t : term{coefficients_.times(t.c, r.c), r.id};
    }

    // 2. Products ----------------------------------------------------------------------------------------------------

    constexpr void collect_products() {
        const int n = needed_.size();
        plan_of_ = list<int>(n, -1);
        // A nested product is a literal, which has no coefficient.
        for (int id = 0; id < n; ++id) {
            if (!needed_[id] || g_[id].what != kind::product || !realized_[id].is_zero()) continue;
            for (int i = 0; i < g_[id].b; ++i) {
                const int factor = g_.pool[g_[id].a + i].id;
                if (!realized_[factor].is_zero() && realized_[factor].c != 0) realized_[factor] = {};
            }
        }
        for (int id = 0; id < n; ++id) {
            if (!needed_[id] || g_[id].what != kind::product || !realized_[id].is_zero()) continue;
            const node& m = g_[id];
            const int first = literals_.size();
            for (int i = 0; i < m.b; ++i) {
                const term f = g_.pool[m.a + i];
                const int literal = 2 * (realized_[f.id].is_zero() ? f.id : realized_[f.id].id) + (f.c < 0 ? 1 : 0);
                for (int e = f.c < 0 ? -f.c : f.c; e > 0; --e) literals_.push_back(literal);
            }
            add_plan(id, first);
        }
        pair_table_ = list<int>(1024, -1);
        for (int p = 0; p < plans_.size(); ++p)
            for (int i = 0; i < plans_[p].count; ++i)
                for (int j = i + 1; j < plans_[p].count; ++j) add_pair(p, literal(p, i), literal(p, j));
    }

    constexpr void add_plan(int id, int first) {
        plan_of_[id] = plans_.size();
        plan_ids_.push_back(id);
        plans_.push_back({first, literals_.size() - first});
    }
    [[nodiscard]] constexpr int literal(int p, int i) const { return literals_[plans_[p].first + i]; }

    [[nodiscard]] constexpr int find_pair(int left, int right) const {
        const unsigned mask = static_cast<unsigned>(pair_table_.size()) - 1;
        unsigned place = static_cast<unsigned>(mix(static_cast<hash_value>(left), static_cast<hash_value>(right))) & mask;
        for (; pair_table_[static_cast<int>(place)] >= 0; place = (place + 1) & mask) {
            const pair& q = pairs_[pair_table_[static_cast<int>(place)]];
            if (q.left == left && q.right == right) break;
        }
        return static_cast<int>(place);
    }

    constexpr void add_pair(int p, int left, int right) {
        if (right < left) {
            const int t = left;
            left = right;
            right = t;
        }
        const int place = find_pair(left, right);
        int q = pair_table_[place];
        if (q < 0) {
            q = pairs_.size();
            pairs_.push_back({left, right});
            pair_table_[place] = q;
            if (2 * pairs_.size() > pair_table_.size()) {
                pair_table_ = list<int>(2 * pair_table_.size(), -1);
                for (int i = 0; i < pairs_.size(); ++i) pair_table_[find_pair(pairs_[i].left, pairs_[i].right)] = i;
            }
        }
        if (pairs_[q].occurrences >= 0 && links_[pairs_[q].occurrences].product == p) return;
        links_.push_back({p, pairs_[q].occurrences});
        pairs_[q].occurrences = links_.size() - 1;
        ++pairs_[q].count;
    }

    // Where the two literals of pair q stand in product p; false where they no longer do.
    [[nodiscard]] constexpr bool locate(int q, int p, int& i, int& j) const {
        i = j = -1;
        for (int k = 0; k < plans_[p].count; ++k) {
            if (i < 0 && literal(p, k) == pairs_[q].left)
                i = k;
            else if (j < 0 && literal(p, k) == pairs_[q].right)
                j = k;
        }
        return i >= 0 && j >= 0;
    }

    [[nodiscard]] constexpr int count_occurrences(int q) const {
        int count = 0, i = 0, j = 0;
        for (int l = pairs_[q].occurrences; l >= 0; l = links_[l].next)
            if (locate(q, links_[l].product, i, j)) ++count;
        return count;
    }

    // Puts node `id` in the place of the pair, in every product but its own.
    constexpr void replace_pair(int q, int id) {
        int i = 0, j = 0;
        for (int l = pairs_[q].occurrences; l >= 0; l = links_[l].next) {
            const int p = links_[l].product;
            if (plan_ids_[p] == id || !locate(q, p, i, j)) continue;
            plan& m = plans_[p];
            literals_[m.first + (i < j ? i : j)] = 2 * id;
            for (int k = (i < j ? j : i) + 1; k < m.count; ++k) literals_[m.first + k - 1] = literals_[m.first + k];
            --m.count;
            for (int k = 0; k < m.count; ++k)
                if (literal(p, k) != 2 * id) add_pair(p, literal(p, k), 2 * id);
        }
    }

    constexpr void reuse_value_products() {
        if (plans_.empty()) return;
        for (int id = 0; id < needed_.size(); ++id) {
            if (!as_written_[id] || (g_[id].what != kind::multiply && g_[id].what != kind::divide)) continue;
            const int a = 2 * g_[id].a, b = 2 * g_[id].b + (g_[id].what == kind::divide ? 1 : 0);
            const int q = pair_table_[find_pair(a < b ? a : b, a < b ? b : a)];
            if (q >= 0) replace_pair(q, id);
        }
    }

    constexpr void extract_pairs() {
        for (int least : {8, 4, 3, 2}) {
            for (int q = 0; q < pairs_.size(); ++q) {
                if (pairs_[q].count < least) continue;
                const int count = count_occurrences(q);
                pairs_[q].count = count;
                if (count < least) continue;
                // A product that is just this pair lends its number.
                int id = -1, i = 0, j = 0;
                for (int l = pairs_[q].occurrences; l >= 0 && id < 0; l = links_[l].next)
                    if (plans_[links_[l].product].count == 2 && locate(q, links_[l].product, i, j))
                        id = plan_ids_[links_[l].product];
                if (id < 0) {
                    id = plan_of_.size();
                    plan_of_.push_back(-1);
                    const int first = literals_.size();
                    literals_.push_back(pairs_[q].left);
                    literals_.push_back(pairs_[q].right);
                    add_plan(id, first);
                }
                replace_pair(q, id);
                pairs_[q].count = 0;
            }
        }
    }

    // 3. Uses --------------------------------------------------------------------------------------------------------

    template <class Visit>
    constexpr void for_each_operand(int id, Visit visit) {
        if (id >= needed_.size() || plan_of_[id] >= 0) {
            const int p = plan_of_[id];
            for (int i = 0; i < plans_[p].count; ++i) visit(literal(p, i) >> 1, (literal(p, i) & 1) != 0);
            return;
        }
        const node m = g_[id];
        switch (m.what) {
        case kind::sum:
            for (int i = 0; i < m.b; ++i) {
                const term t = representative(g_.pool[m.a + i]);
                if (t.id != graph_data::one) visit(t.id, false);
            }
            break;
        case kind::constant:
        case kind::variable:
        case kind::slot:
        case kind::product: break;
        default:
            visit(m.a, false);
            if (m.b >= 0) visit(m.b, false);
            break;
        }
    }

    constexpr void count_uses() {
        const int n = plan_of_.size();
        uses_ = list<int>(n, 0);
        reciprocal_uses_ = list<int>(n, 0);
        for (int i = 0; i < outputs_.size(); ++i) {
            if (outputs_[i].is_zero()) continue;
            outputs_[i] = representative(outputs_[i]);
            use(outputs_[i].id);
            ++uses_[outputs_[i].id]; // outputs need a slot of their own: never fused into a sum
        }
        while (!stack_.empty()) {
            const int id = stack_.pop_back();
            for_each_operand(id, [&](int operand, bool reciprocal) {
                if (reciprocal) ++reciprocal_uses_[operand];
                use(operand);
            });
        }
    }
    constexpr void use(int id) {
        if (uses_[id]++ == 0) stack_.push_back(id);
    }

    // A sum that only an output uses takes the output's coefficient into its own.
    constexpr void place_output_scales() {
        sum_scale_ = list<int>(plan_of_.size(), 0);
        for (int i = 0; i < outputs_.size(); ++i) {
            term& t = outputs_[i];
            if (t.is_zero() || t.c == 0 || uses_[t.id] != 2) continue;
            if (t.id >= needed_.size() || g_[t.id].what != kind::sum) continue;
            sum_scale_[t.id] = t.c;
            t.c = 0;
        }
    }

    // 4. Emission ----------------------------------------------------------------------------------------------------

    constexpr int emit(operation what, int a, int b = 0, int c = 0, unsigned function = 0) {
        code_.body.push_back({what, static_cast<unsigned char>(function), a, b, c});
        return code_.body.size() - 1;
    }
    constexpr int constant_slot(int c) {
        if (constant_slots_.size() <= c) constant_slots_.resize(c + 8, -1);
        if (constant_slots_[c] < 0) {
            code_.constants.push_back(coefficients_.value(c));
            constant_slots_[c] = emit(operation::constant, code_.constants.size() - 1);
        }
        return constant_slots_[c];
    }

    [[nodiscard]] constexpr bool is_product(int id) const { return id >= needed_.size() || plan_of_[id] >= 0; }
    // A product that one sum alone uses is fused into it.
    [[nodiscard]] constexpr bool fused(int id) const {
        return is_product(id) && uses_[id] == 1 && plans_[plan_of_[id]].count >= 1;
    }

    [[nodiscard]] constexpr bool fused_value(int id) const {
        return slot_[id] < 0 && uses_[id] == 1 && g_[id].what == kind::multiply;
    }

    constexpr void emit_from(term output) {
        if (slot_.empty()) {
            slot_ = list<int>(plan_of_.size(), -1);
            reciprocal_slot_ = list<int>(plan_of_.size(), -1);
        }
        if (output.is_zero()) return;
        stack_.push_back(2 * output.id);
        while (!stack_.empty()) {
            const int top = stack_.pop_back();
            const int id = top >> 1;
            if (slot_[id] >= 0) continue;
            if ((top & 1) != 0) {
                emit_node(id);
                continue;
            }
            stack_.push_back(top | 1);
            const int bottom = stack_.size();
            push_operands(id);
            // The first operand is to be computed first: it must lie on top.
            for (int i = bottom, j = stack_.size() - 1; i < j; ++i, --j) {
                const int t = stack_[i];
                stack_[i] = stack_[j];
                stack_[j] = t;
            }
        }
    }
    constexpr void push_operands(int id) {
        const bool is_node = id < needed_.size();
        const bool is_sum = is_node && g_[id].what == kind::sum;
        bool fuse_value = is_node && (g_[id].what == kind::add || g_[id].what == kind::subtract);
        for_each_operand(id, [&](int operand, bool) {
            if (fuse_value && fused_value(operand)) {
                fuse_value = false;
                if (slot_[g_[operand].a] < 0) stack_.push_back(2 * g_[operand].a);
                if (slot_[g_[operand].b] < 0) stack_.push_back(2 * g_[operand].b);
                return;
            }
            if (is_sum && fused(operand))
                for_each_operand(operand, [&](int inner, bool) {
                    if (slot_[inner] < 0) stack_.push_back(2 * inner);
                });
            else if (slot_[operand] < 0)
                stack_.push_back(2 * operand);
        });
    }

    constexpr void emit_node(int id) {
        if (is_product(id)) {
            slot_[id] = emit_product(id);
            return;
        }
        const node m = g_[id];
        switch (m.what) {
        case kind::constant: slot_[id] = constant_slot(m.a); break;
        case kind::variable: slot_[id] = emit(operation::variable, m.a); break;
        case kind::slot: slot_[id] = emit(operation::number, m.a); break;
        case kind::negate: slot_[id] = emit(operation::negate, slot_[m.a]); break;
        case kind::add:
        case kind::subtract: slot_[id] = emit_value_sum(m); break;
        case kind::multiply: slot_[id] = emit(operation::multiply, slot_[m.a], slot_[m.b]); break;
        case kind::divide: slot_[id] = emit(operation::divide, slot_[m.a], slot_[m.b]); break;
        case kind::call: emit_call(id, m); break;
        case kind::sum: slot_[id] = emit_sum(id); break;
        case kind::product: break;
        }
    }

    // a * b + c in one expression, as the user wrote it: the compiler may contract it if its flags say so.
    constexpr int emit_value_sum(const node& m) {
        const bool adds = m.what == kind::add;
        if (fused_value(m.a)) {
            const node p = g_[m.a];
            return emit(adds ? operation::multiply_add : operation::multiply_subtract, slot_[p.a], slot_[p.b], slot_[m.b]);
        }
        if (fused_value(m.b)) {
            const node p = g_[m.b];
            return emit(adds ? operation::multiply_add : operation::negative_multiply_add, slot_[p.a], slot_[p.b],
                        slot_[m.a]);
        }
        return emit(adds ? operation::add : operation::subtract, slot_[m.a], slot_[m.b]);
    }

    constexpr void emit_call(int id, const node& m) {
        const bool is_sine = m.function == functions::sin::position;
        if (is_sine || m.function == functions::cos::position) {
            const int other = is_sine ? cosine_of_[m.a] : sine_of_[m.a];
            if (other >= 0 && uses_[other] > 0) {
                const int first = emit(operation::sine_cosine, slot_[m.a]);
                emit(operation::cosine_of_pair, slot_[m.a]);
                slot_[is_sine ? id : other] = first;
                slot_[is_sine ? other : id] = first + 1;
                return;
            }
        }
        slot_[id] = emit(operation::call, slot_[m.a], m.b < 0 ? 0 : slot_[m.b], 0, m.function);
    }

    [[nodiscard]] constexpr int reciprocal_slot(int id) {
        if (reciprocal_slot_[id] < 0) reciprocal_slot_[id] = emit(operation::divide, constant_slot(0), slot_[id]);
        return reciprocal_slot_[id];
    }
    // Whether the reciprocal of a node is worth a slot: it is there, or has several uses.
    [[nodiscard]] constexpr bool has_reciprocal(int id) {
        if (reciprocal_slot_[id] >= 0) return true;
        if (id < reciprocal_node_.size() && reciprocal_node_[id] >= 0 && slot_[reciprocal_node_[id]] >= 0) {
            reciprocal_slot_[id] = slot_[reciprocal_node_[id]];
            return true;
        }
        return reciprocal_uses_[id] > 1;
    }

    // A product as left * right, or as left alone where right < 0.
    struct factors {
        int left = -1;
        int right = -1;
    };
    // `c` is the coefficient of the product. It is set to one where it went into a numerator.
    constexpr factors emit_factors(int id, int& c) {
        const plan m = plans_[plan_of_[id]];
        list<int> slots;
        int denominator = -1;
        for (int i = 0; i < m.count; ++i) {
            const int l = literals_[m.first + i];
            if ((l & 1) == 0) {
                slots.push_back(slot_[l >> 1]);
            } else if (has_reciprocal(l >> 1)) {
                slots.push_back(reciprocal_slot(l >> 1));
            } else {
                const int s = slot_[l >> 1];
                denominator = denominator < 0 ? s : emit(operation::multiply, denominator, s);
            }
        }
        if (denominator >= 0) {
            if (slots.empty()) {
                slots.push_back(constant_slot(c));
                c = 0;
            }
            slots[0] = emit(operation::divide, slots[0], denominator);
        }
        int left = slots[0];
        for (int i = 1; i + 1 < slots.size(); ++i) left = emit(operation::multiply, left, slots[i]);
        return {left, slots.size() > 1 ? slots.back() : -1};
    }
    constexpr int emit_product(int id) {
        int c = 0;
        const factors f = emit_factors(id, c);
        return f.right < 0 ? f.left : emit(operation::multiply, f.left, f.right);
    }

    struct addend {
        int c = 0; // coefficient number
        int left = -1;
        int right = -1; // left * right, or left alone
    };
    constexpr addend make_addend(term t) {
        if (t.id == graph_data::one) return {0, constant_slot(t.c), -1};
        if (!fused(t.id)) return {t.c, slot_[t.id], -1};
        int c = t.c & ~1;
        const factors f = emit_factors(t.id, c);
        return {c | (t.c & 1), f.left, f.right};
    }

    // acc + sign * left * right, and so on; acc < 0: nothing yet. `pending` is a value still to be subtracted.
    constexpr int accumulate(int acc, const addend& x, bool negative) {
        if (acc < 0) {
            const int s = x.right < 0 ? x.left : emit(operation::multiply, x.left, x.right);
            return negative ? emit(operation::negate, s) : s;
        }
        if (x.right < 0) return emit(negative ? operation::subtract : operation::add, acc, x.left);
        return emit(negative ? operation::negative_multiply_add : operation::multiply_add, x.left, x.right, acc);
    }

    // The sum of those addends whose coefficient has magnitude number m, divided by m and by sign; starts from acc.
    constexpr int accumulate_group(const list<addend>& addends, int m, bool flip, int acc) {
        int started = -1; // what the sum was started with
        bool done = false;
        if (acc < 0) {
            // Best start: a positive single, then a positive product minus a single, then any positive one.
            int product = -1, single = -1;
            for (int i = 0; i < addends.size(); ++i) {
                const addend& x = addends[i];
                if ((x.c >> 1) != m) continue;
                const bool negative = ((x.c & 1) != 0) != flip;
                if (!negative && x.right < 0 && started < 0) started = i;
                if (!negative && x.right >= 0 && product < 0) product = i;
                if (negative && x.right < 0 && single < 0) single = i;
            }
            if (started < 0 && product >= 0) {
                started = product;
                if (single >= 0) {
                    acc = emit(operation::multiply_subtract, addends[product].left, addends[product].right,
                               addends[single].left);
                    done = true;
                    for (int i = 0; i < addends.size(); ++i)
                        if ((addends[i].c >> 1) == m && i != product && i != single)
                            acc = accumulate(acc, addends[i], ((addends[i].c & 1) != 0) != flip);
                }
            }
            if (!done && started >= 0) acc = accumulate(acc, addends[started], false);
        }
        if (done) return acc;
        for (int i = 0; i < addends.size(); ++i)
            if ((addends[i].c >> 1) == m && i != started)
                acc = accumulate(acc, addends[i], ((addends[i].c & 1) != 0) != flip);
        return acc;
    }

    constexpr int emit_sum(int id) {
        const node m = g_[id];
        list<addend> addends;
        for (int i = 0; i < m.b; ++i) {
            const term t = g_.pool[m.a + i];
            addends.push_back(make_addend(representative({coefficients_.times(t.c, sum_scale_[id]), t.id})));
        }
        int acc = -1;
        bool any_positive = false;
        for (int i = 0; i < addends.size(); ++i) any_positive = any_positive || addends[i].c == 0;
        // Terms with coefficient +-1 first; where none is positive, another group makes a better start.
        if (any_positive) acc = accumulate_group(addends, 0, false, -1);
        for (int i = 0; i < addends.size(); ++i) {
            const int group = addends[i].c >> 1;
            bool seen = group == 0;
            for (int k = 0; k < i && !seen; ++k) seen = (addends[k].c >> 1) == group;
            if (seen) continue;
            // One sign is taken out with the magnitude: the one of a positive term if the sum still has to start.
            bool negative = (addends[i].c & 1) != 0;
            for (int k = i; k < addends.size() && negative; ++k) negative = addends[k].c != 2 * group;
            const int inner = accumulate_group(addends, group, negative, -1);
            acc = accumulate(acc, {0, inner, constant_slot(2 * group)}, negative);
        }
        if (!any_positive) acc = accumulate_group(addends, 0, false, acc);
        return acc;
    }

    constexpr int output_slot(term t) {
        if (t.is_zero()) {
            code_.constants.push_back(coefficient(0));
            return emit(operation::constant, code_.constants.size() - 1);
        }
        if (t.id == graph_data::one) return constant_slot(t.c);
        if (t.c == 0) return slot_[t.id];
        if (t.c == 1) return emit(operation::negate, slot_[t.id]);
        return emit(operation::multiply, constant_slot(t.c), slot_[t.id]);
    }
};

} // namespace chainrule::program
