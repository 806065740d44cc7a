// SPDX-License-Identifier: BSL-1.0
//
// A derivation in pieces, each in a constant evaluation of its own: sweeps over the graph in an order that the modes
// (differentiate/modes.hpp) give. It may pause within a sweep or between two.
#pragma once

#include <chainrule/differentiate/elimination.hpp>
#include <chainrule/differentiate/hessians.hpp>
#include <chainrule/differentiate/requests.hpp>

namespace chainrule::differentiate {

/// One piece of a derivation: up to that much effort of the graph. The functions return whether their results are
/// complete; if not, the same call in the next piece goes on.
class derivation {
public:
    problem& p;
    paused_sweep& state;
    const list<int> variables; // a copy: a sweep that pauses writes its own into the state
    const unsigned request;

    constexpr derivation(problem& of, int effort)
        : p(of), state(of.sweep), variables(of.sweep.variables), request(static_cast<unsigned>(of.sweep.request)),
          effort_(effort) {}

    /// Runs sweeps up to number `count`. sweep(number, effort, begun) begins one, or continues the one that has begun,
    /// and returns how many nodes it visited.
    template <class Sweep>
    constexpr bool run_sweeps(int count, const Sweep& sweep) {
        for (; state.sweeps_done < count; ++state.sweeps_done, state.begun = false) {
            // A sweep visits about as many nodes as the one before, which takes effort even where it adds nothing.
            if (!fresh_) {
                effort_ -= visits_;
                if (p.visited < 1 << 20) p.visited += visits_;
                if (!state.begun && effort_ <= 0) return false;
            }
            const int before = p.g.effort(), size = size_of_graph(p.g);
            visits_ = effort_of_growth(sweep(state.sweeps_done, effort_, state.begun) / 4);
            state.begun = true;
            fresh_ = false;
            if (state.next >= 0) return false;
            const int effort = p.g.effort() - before, growth = effort_of_growth(size_of_graph(p.g) - size);
            effort_ -= effort > growth ? effort : growth;
        }
        state.sweeps_done = 0;
        return true;
    }
    /// Reverse sweeps from outputs with respect to the variables, for each from its `first(number)` on.
    template <class First>
    constexpr bool run_reverse_sweeps(const list<term>& outputs, const First& first) {
        adjoint_sweep all(p.g, variables);
        return run_sweeps(outputs.count, [&](int i, int effort, bool begun) {
            begun ? all.resume(state.made, effort, state)
                  : all.start(outputs.items[i], state.made, effort, state, first(i));
            return all.visits();
        });
    }
    /// A forward sweep to outputs along the direction that further inputs give.
    constexpr bool run_along(const list<term>& outputs) {
        return run_sweeps(1, [&](int, int effort, bool begun) {
            tangent_sweep sweep(p.g, variables);
            begun ? sweep.resume(outputs, state.made, effort, state)
                  : sweep.start(outputs, further_inputs(variables.count), state.made, effort, state);
            return sweep.visits();
        });
    }

    /// The first derivatives: state.first.
    constexpr bool need_first() {
        if (is_complete(first_derivatives)) return true;
        const auto by = static_cast<jacobian_mode>(state.by);
        if (by == jacobian_mode::reverse) {
            if (!run_reverse_sweeps(state.roots, [](int) { return 0; })) return false;
            state.first.swap(state.made);
        } else if (by == jacobian_mode::forward) {
            if (!run_columns()) return false;
        } else {
            elimination(p.g, variables).run(state.roots, state.first);
        }
        if ((request & jacobians) == 0)
            for (const term& t : state.first) p.g.intermediate.push_back(t);
        return complete(first_derivatives);
    }
    /// The upper triangles of the Hessians: state.second.
    constexpr bool need_hessians() {
        if (is_complete(second_derivatives)) return true;
        if (!need_first() || !run_rows(state.first)) return false;
        if (!drops_zeros()) state.second.swap(state.made);
        return complete(second_derivatives);
    }
    /// The gradient of the weighted sum: state.weighted.
    constexpr bool need_weighted_gradient() {
        if (is_complete(weighted_gradient)) return true;
        if (!run_sweeps(1, [&](int, int effort, bool begun) {
                adjoint_sweep sweep(p.g, variables);
                begun ? sweep.resume(state.made, effort, state)
                      : sweep.start(state.roots, further_inputs(state.roots.count), state.made, effort, state);
                return sweep.visits();
            }))
            return false;
        state.weighted.swap(state.made);
        return complete(weighted_gradient);
    }
    /// Derives the rows of the Hessians from the first derivatives: state.made.
    constexpr bool run_rows(const list<term>& derivatives) {
        if (static_cast<hessian_form>(state.form) == hessian_form::unchosen) {
            // Too little may be left of this piece.
            if (!fresh_ && effort_ < effort_of_growth(most_compared + size_of_graph(p.g))) return false;
            // Also beside what is not requested itself: then a smaller request has the form of a larger one.
            list<term> besides = p.outputs;
            for (const term& t : p.g.intermediate) besides.push_back(t);
            const first_rows compared(p.g, variables, derivatives, besides, state.made);
            state.sweeps_done = compared.count;
            state.form = static_cast<int>(compared.form);
            effort_ -= effort_of_growth(compared.growth + compared.visits / 4);
            fresh_ = false;
            drop_zeros();
        }
        hessian_rows rows(p.g, variables, static_cast<hessian_form>(state.form));
        if (!run_sweeps(derivatives.count, [&](int row, int effort, bool begun) {
                rows.append_row(derivatives, row, state.made, effort, state, begun);
                if (state.next < 0) drop_zeros();
                return rows.visits();
            }))
            return false;
        state.form = static_cast<int>(hessian_form::unchosen);
        return true;
    }

    /// Appends derivatives to the outputs, in their order; omits those that are zero everywhere if the request says so.
    constexpr bool append(const list<term>& derivatives) const {
        const bool zeros = (request & without_zeros) == 0;
        for (int i = 0; i < derivatives.count; ++i) {
            if (!zeros && derivatives.items[i].is_zero()) continue;
            if (!zeros) p.pattern.push_back(i);
            p.outputs.push_back(derivatives.items[i]);
        }
        return true;
    }
    /// The same for the rows of Hessians.
    constexpr bool append_rows(const list<term>& rows) const {
        if (!drops_zeros()) return append(rows);
        for (const int place : state.places) p.pattern.push_back(place);
        for (const term& t : state.entries) p.outputs.push_back(t);
        state.places.truncate(0);
        state.entries.truncate(0);
        state.passed = 0;
        return true;
    }
    /// Appends what the last sweeps made: likewise, or all of it.
    constexpr bool append_made() {
        append_rows(state.made);
        state.made.truncate(0);
        return true;
    }
    constexpr bool append_all_made() {
        for (const term& t : state.made) p.outputs.push_back(t);
        state.made.truncate(0);
        return true;
    }
    /// The further inputs of a program, numbered after its variables: a direction or weights.
    [[nodiscard]] constexpr list<term> further_inputs(int count) const {
        list<term> inputs;
        for (int i = 0; i < count; ++i) inputs.push_back({0, p.g.variable(p.variable_count + i)});
        return inputs;
    }

private:
    // What several modes share, as a set of bits.
    static constexpr int first_derivatives = 1, second_derivatives = 2, weighted_gradient = 4;

    int effort_;     // what is left of the effort of this piece
    int visits_ = 0; // the effort of what the last sweep visited
    bool fresh_ = true;

    // The effort by which a graph grows so much, where many terms and coefficients are carried over.
    [[nodiscard]] static constexpr int effort_of_growth(int size) { return size / 3 * 7; }
    // Whether the zeros of Hessians are dropped row by row: a sparse one of hundreds of variables has tens of
    // thousands.
    [[nodiscard]] constexpr bool drops_zeros() const {
        return (request & without_zeros) != 0 && (request & thirds) == 0;
    }
    constexpr void drop_zeros() {
        if (!drops_zeros()) return;
        for (const term& t : state.made) {
            if (!t.is_zero()) {
                state.entries.push_back(t);
                state.places.push_back(state.passed);
            }
            ++state.passed;
        }
        state.made.truncate(0);
    }
    [[nodiscard]] constexpr bool is_complete(int part) const { return (state.complete & part) != 0; }
    constexpr bool complete(int part) {
        state.complete |= part;
        return true;
    }
    // A Jacobian by forward sweeps, one for each variable; they give its columns.
    constexpr bool run_columns() {
        const list<term>& roots = state.roots;
        tangent_sweep sweep(p.g, variables);
        if (!run_sweeps(variables.count, [&](int j, int effort, bool begun) {
                begun ? sweep.resume_column(roots, j, state.made, effort, state)
                      : sweep.start_column(roots, j, state.made, effort, state);
                return sweep.visits();
            }))
            return false;
        for (int i = 0; i < roots.count; ++i)
            for (int j = 0; j < variables.count; ++j) state.first.push_back(state.made.items[j * roots.count + i]);
        state.made.truncate(0);
        return true;
    }
};

} // namespace chainrule::differentiate
