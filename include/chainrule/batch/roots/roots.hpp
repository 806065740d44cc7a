// SPDX-License-Identifier: BSL-1.0
//
// Newton's method for many small systems of equations, in SIMD lanes: one problem per lane, each of which ends
// independently. The rules are those of newton() for one system (algebra/newton.hpp). batch/batch.hpp has the call.
#pragma once

#include <chainrule/batch/execution/batch_run.hpp>
#include <chainrule/batch/lanes/lane_algebra.hpp>
#include <chainrule/batch/roots/root_results.hpp>
#include <chainrule/batch/roots/solve_options.hpp>
#include <chainrule/core/is_finite.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace chainrule {

namespace batches {

/// A search for the roots of N equations in N unknowns. Problems wait in slots, a register of slots at a time takes a
/// step, and when enough searches have ended the others move together. The slots of a register do not influence one
/// another, so the root of a problem does not depend on which others there are.
template <class Program, class T, class Inputs, class Outputs, std::size_t N, bool Damped>
class root_search {
    using L = widest<T>;
    static constexpr std::size_t lanes = lane_count<L>;
    static constexpr std::size_t parameters = Inputs::count - N;

    // The most iterations that a lane counts, and a result.
    static constexpr int most_counted =
        std::numeric_limits<T>::digits < 30 ? 1 << std::numeric_limits<T>::digits : (1 << 30) - 1;
    // What a slot holds. Damped searches return to where they come from; the others keep how far from 0 g was at the
    // start.
    static constexpr std::size_t y = 0, last = N, recent = 2 * N, base = 3 * N, step = base + (Damped ? N : 0),
                                 length = step + (Damped ? N : 0), residual = length + (Damped ? 1 : 0),
                                 at_start = residual + 1, iterations = at_start + (Damped ? 0 : 1),
                                 end = iterations + 1, parameter = end + 1, fields = parameter + parameters;

public:
    /// Slots: as many as the first-level cache holds, and at least two registers.
    static constexpr std::size_t room = [] {
        std::size_t fit = 24576 / (fields * sizeof(T)) / lanes * lanes;
        return fit > 256 ? std::size_t{256} : fit < 2 * lanes ? 2 * lanes : fit;
    }();

    root_search(const Inputs& inputs, const Outputs& outputs, const T* numbers, const newton_options& options,
                root_outcomes<T>& outcomes)
        : inputs_(inputs), outputs_(outputs), numbers_(numbers), outcomes_(outcomes),
          tolerance_(std::max(static_cast<T>(options.tolerance), std::numeric_limits<T>::epsilon())),
          most_(std::clamp(options.iterations, 1, most_counted)) {}

    /// Solves the problems from `first` up to the one before `behind`.
    void solve(std::size_t first, std::size_t behind) {
        for (; first < behind; first += room) {
            std::size_t used = std::min(room, behind - first);
            fill(first, used);
            std::size_t registers = (used + lanes - 1) / lanes;
            bool in_order = true;
            for (std::size_t active = used; active != 0;) {
                active = take_steps(registers);
                const std::size_t needed = (active + lanes - 1) / lanes;
                if (active != 0 && 2 * needed > registers) continue;
                if (in_order)
                    write_in_order(first, used);
                else
                    write(used);
                if (active != 0) move_together(used);
                in_order = false;
                used = active;
                registers = needed;
            }
        }
    }

private:
    static constexpr T is_active = -1; // what `end` holds before the search ends: then it is a root_status

    const Inputs inputs_;
    const Outputs outputs_;
    const T* const numbers_;
    root_outcomes<T>& outcomes_;
    const T tolerance_;
    const int most_;
    alignas(64) T slots_[fields][room];
    std::uint32_t problems_[room]; // behind the first of the call
    std::size_t origin_ = 0;

    [[nodiscard]] static T read(const Inputs& inputs, std::size_t i, std::size_t problem) {
        if (Inputs::layouts[i] == layout::contiguous) return inputs.first[i][problem];
        if (Inputs::layouts[i] == layout::common) return *inputs.first[i];
        return inputs.first[i][static_cast<std::ptrdiff_t>(problem) * inputs.stride[i]];
    }

    void fill(std::size_t first, std::size_t used) {
        const std::size_t padded = (used + lanes - 1) / lanes * lanes;
        origin_ = first;
        for_each_index<Inputs::count>([&](std::size_t i) __attribute__((always_inline)) {
            T* const to = slots_[i < N ? y + i : parameter + i - N];
            for (std::size_t k = 0; k < used; ++k) to[k] = read(inputs_, i, first + k);
            for (std::size_t k = used; k < padded; ++k) to[k] = to[used - 1]; // raises no exceptions of its own
        });
        const auto fill_field = [&](std::size_t field, T number) { std::fill_n(slots_[field], padded, number); };
        for (std::size_t i = 0; i < N; ++i) {
            fill_field(last + i, std::numeric_limits<T>::infinity());
            for (std::size_t k = 0; k < padded; ++k) slots_[recent + i][k] = magnitude(slots_[y + i][k]);
        }
        if constexpr (Damped)
            fill_field(length, T(1));
        else
            fill_field(at_start, T(0));
        fill_field(residual, std::numeric_limits<T>::infinity());
        fill_field(iterations, T(0));
        std::fill_n(slots_[end], used, is_active);
        std::fill(slots_[end] + used, slots_[end] + padded, T(0));
    }

    void write_in_order(std::size_t first, std::size_t used) {
        for (std::size_t i = 0; i < N; ++i)
            for (std::size_t k = 0; k < used; ++k) at(outputs_, i, first + k) = slots_[y + i][k];
        for (std::size_t k = 0; k < used; ++k) note(first + k, k);
        for (std::size_t k = 0; k < used; ++k) problems_[k] = static_cast<std::uint32_t>(k);
    }
    void write(std::size_t used) {
        for (std::size_t k = 0; k < used; ++k) {
            const std::size_t problem = origin_ + problems_[k];
            for (std::size_t i = 0; i < N; ++i) at(outputs_, i, problem) = slots_[y + i][k];
            note(problem, k);
        }
    }
    void note(std::size_t problem, std::size_t slot) {
        outcomes_.note(problem, static_cast<root_status>(static_cast<int>(slots_[end][slot])),
                       static_cast<int>(slots_[iterations][slot]), slots_[residual][slot]);
    }
    [[nodiscard]] static T& at(const Outputs& outputs, std::size_t i, std::size_t problem) {
        const std::ptrdiff_t stride = Outputs::layouts[i] == layout::contiguous ? 1 : outputs.stride[i];
        return outputs.first[i][static_cast<std::ptrdiff_t>(problem) * stride];
    }

    // The searches that go on move to the first slots.
    void move_together(std::size_t used) {
        std::uint32_t from[room + 1];
        std::size_t active = 0;
        for (std::size_t k = 0; k < used; ++k) {
            from[active] = static_cast<std::uint32_t>(k);
            active += slots_[end][k] == is_active ? 1u : 0u;
        }
        const std::size_t padded = (active + lanes - 1) / lanes * lanes;
        for (std::size_t k = active; k < padded; ++k) from[k] = from[active - 1];
        for (auto& field : slots_)
            for (std::size_t k = 0; k < padded; ++k) field[k] = field[from[k]];
        for (std::size_t k = 0; k < active; ++k) problems_[k] = problems_[from[k]];
        std::fill(slots_[end] + active, slots_[end] + padded, T(0));
    }

    // What the kernel reads.
    struct inputs_of_slots {
        const root_search& search;
        std::size_t slot;
        [[gnu::always_inline]] L operator[](std::size_t i) const {
            if (i >= N && Inputs::layouts[i] == layout::common) return L(*search.inputs_.first[i]);
            return load<L>(&search.slots_[i < N ? y + i : parameter + i - N][slot]);
        }
        [[gnu::always_inline]] void refresh() {}
    };

    using mask = decltype(L(0) == L(0));

    // What a step finds out, for each lane. `helps`, `exhausted` and `start` are for damped steps.
    struct findings {
        mask finite, zero; // the residuals and the Jacobian; all residuals
        mask singular, bounded, small, rested;
        mask helps, exhausted, start;
    };

    [[nodiscard, gnu::always_inline]] L field(std::size_t f, std::size_t slot) const {
        return load<L>(&slots_[f][slot]);
    }
    [[gnu::always_inline]] void set(std::size_t f, std::size_t slot, const L& number) {
        store(number, &slots_[f][slot]);
    }

    // The residuals r, the Jacobian j and the greatest residual.
    [[gnu::always_inline]] L evaluate(std::size_t slot, L (&r)[N], L (&j)[N][N], findings& is) const {
        L found[N + N * N];
        L* const first = found;
        kernel::runner<Program>::template run<L>(inputs_of_slots{*this, slot}, broadcast_numbers<L>{numbers_}, first);
        L greatest = L(0);
        is.finite = is.zero = greatest == greatest;
        for_each_index<N>([&](std::size_t i) __attribute__((always_inline)) {
            r[i] = found[i];
            is.finite = is.finite & core::is_finite(r[i]);
            is.zero = is.zero & (r[i] == L(0));
            const L size = magnitude(r[i]);
            greatest = select(size <= greatest, greatest, size);
            for_each_index<N>([&](std::size_t l) __attribute__((always_inline)) {
                j[i][l] = found[N + i * N + l];
                is.finite = is.finite & core::is_finite(j[i][l]);
            });
        });
        return greatest;
    }

    // The root_status of each lane after a step, or is_active.
    [[nodiscard, gnu::always_inline]] static L status_after(const findings& is, const mask& steps, const mask& on) {
        const auto status = [](root_status s) { return L(static_cast<T>(static_cast<int>(s))); };
        L after = select(on & !is.exhausted, L(is_active), status(root_status::no_convergence));
        after = select((steps | !(is.helps | is.start)) & is.small, status(root_status::converged), after);
        after = select(is.helps & !is.bounded, status(root_status::not_finite), after);
        after = select(is.helps & is.singular,
                       select(is.rested, status(root_status::converged), status(root_status::no_slope)), after);
        after = select(is.helps & is.zero, status(root_status::converged), after);
        return select((is.helps | is.start) & !is.finite, status(root_status::not_finite), after);
    }

    // A step of every search; the number of those that go on. The only instance of the kernel.
    [[gnu::noinline]] std::size_t take_steps(std::size_t registers) {
        L going_on = L(0);
        for (std::size_t slot = 0; slot < registers * lanes; slot += lanes) {
            const L before = field(end, slot);
            const mask active = before < L(0);
            if (any_of(active)) going_on = going_on + select(active & (take_step(slot, active) < L(0)), L(1), L(0));
        }
        return static_cast<std::size_t>(sum_of(going_on));
    }

    // A step of one register; the status of each lane after it.
    [[gnu::always_inline]] L take_step(std::size_t slot, const mask& active) {
        // What is written at the end stays as it was when the search ended.
        const auto keep = [&](std::size_t f, const L& number)
                              __attribute__((always_inline)) { set(f, slot, select(active, number, field(f, slot))); };
        L r[N], j[N][N];
        findings is;
        L greatest = evaluate(slot, r, j, is);
        const mask all = L(0) == L(0);
        is.singular = eliminate(j, r);
        is.rested = field(iterations, slot) > L(0); // by the step before, as in newton()
        // Not where g is greater than at the start: beside a pole steps are small, too.
        mask may_be_zero = all;
        if constexpr (!Damped) {
            const L first_greatest = select(is.rested, field(at_start, slot), greatest);
            set(at_start, slot, first_greatest);
            may_be_zero = greatest <= first_greatest;
        }
        L moved[N];
        is.bounded = is.small = all;
        for_each_index<N>([&](std::size_t i) __attribute__((always_inline)) {
            moved[i] = field(y + i, slot) - r[i];
            is.bounded = is.bounded & core::is_finite(moved[i]);
        });

        // Damped: an iterate from which g was not brought closer to 0 is left, and the step to it halved.
        is.helps = all, is.exhausted = is.start = !all;
        L half = L(0);
        if constexpr (Damped) {
            is.start = field(iterations, slot) == L(0);
            half = field(length, slot) / L(2);
            is.helps = is.finite & (is.start | is.zero |
                                    (greatest < field(residual, slot) * (L(1) - L(T(1e-4)) * field(length, slot))));
            is.exhausted = (half < L(T(1e-9))) & !(is.helps | is.start);
        }
        const mask helps = is.helps, start = is.start;
        const mask steps = is.finite & helps & !is.zero & !is.singular;
        for_each_index<N>([&](std::size_t i) __attribute__((always_inline)) {
            const L from = field(y + i, slot), size = magnitude(moved[i]), change = magnitude(r[i]);
            const L previous = field(last + i, slot), recently = field(recent + i, slot), halved = recently / L(2);
            is.rested = is.rested & detail::is_small_step<T>(previous, magnitude(from), recently);
            const L lately = select(size < halved, halved, size);
            const auto stopped =
                detail::is_stopped<T>(change, previous, magnitude(from), size, select(may_be_zero, lately, size));
            const auto in_place = (change <= L(tolerance_) * size) | stopped;
            const L compared = select(stopped, L(0), change);
            if constexpr (Damped) {
                // Where a small step does not help, rounding hides the root: it is where the step began.
                const L began = field(base + i, slot), back = field(step + i, slot);
                const auto hidden = detail::is_small_step<T>(magnitude(back), magnitude(began), recently);
                is.small = is.small & ((helps & in_place) | (hidden & !helps));
                keep(y + i, select(steps, moved[i], select(helps | start, from, began - half * back)));
                set(base + i, slot, select(helps, from, began));
                set(step + i, slot, select(helps, r[i], back));
                set(last + i, slot, select(helps, compared, previous));
                set(recent + i, slot, select(helps, lately, recently));
            } else {
                is.small = is.small & in_place;
                keep(y + i, select(steps, moved[i], from));
                set(last + i, slot, compared);
                set(recent + i, slot, lately);
            }
        });
        if constexpr (Damped) {
            const mask returns = (is.small | is.exhausted) & !(helps | start);
            for_each_index<N>([&](std::size_t i) __attribute__((always_inline)) {
                keep(y + i, select(returns, field(base + i, slot), field(y + i, slot)));
            });
            set(length, slot, select(helps, L(1), half));
            greatest = select(helps | start, greatest, field(residual, slot));
        }

        const L evaluations = field(iterations, slot) + L(1);
        keep(residual, greatest);
        keep(iterations, evaluations);
        const mask on = evaluations < L(static_cast<T>(most_));
        if (!any_of(active & !(steps & on & !is.small))) return L(is_active);
        const L after = status_after(is, steps, on);
        keep(end, after);
        return after;
    }
};

/// Newton's method for the problems of a call.
template <class F, class Points, class Outs, class Executor, class Outcomes, class... Options>
void find_roots(const F& f, const Points& points, const Outs& outs, const Executor& executor, Outcomes& outcomes,
                const Options&... options) {
    using inputs = columns_for<Points, F>;
    using outputs = typename F::outputs_list;
    constexpr unsigned wanted = request::values | request::jacobians;
    constexpr std::size_t size = inputs::variables;
    if constexpr (right_columns<fault_of_columns<inputs, no_columns, Outs, size, size>()>())
        with_streams<0>(
            f, points, no_columns{}, outs,
            [&]<class T, class In, class Out>(const In& from, const Out& where, const T* numbers, std::size_t count) {
                if constexpr (detail::all_bound<wanted, size, typename inputs::names, outputs>()) {
                    constexpr bool is_damped = (false || ... || std::is_same_v<Options, damping>);
                    using search = root_search<typename F::template code<wanted>::program, T, In, Out, size, is_damped>;
                    deal(executor_or(executor, options...), count, search::room, 65536, report_among(options...),
                         [&](std::size_t first, std::size_t end) {
                             search(from, where, numbers, option_or<newton_options>(newton_options{}, options...),
                                    outcomes)
                                 .solve(first, end);
                         });
                }
            });
}

} // namespace batches
} // namespace chainrule
