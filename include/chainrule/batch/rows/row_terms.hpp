// SPDX-License-Identifier: BSL-1.0
//
// The terms that one row, or one row per lane, contributes: its numbers are loaded, the kernel runs, and a form turns
// the kernel's outputs into terms. batch/execution/blocks.hpp reduces them.
#pragma once

#include <chainrule/batch/lanes/reductions.hpp>
#include <chainrule/batch/rows/split_runner.hpp>
#include <chainrule/codegen/compile.hpp>
#include <chainrule/kernel/numbers.hpp>

#include <limits>

namespace chainrule::batches {

/// The outputs of the kernel are the terms.
template <std::size_t Outputs>
struct outputs_as_terms {
    static constexpr std::size_t outputs = Outputs, terms = Outputs;
    template <class V>
    [[gnu::always_inline]] static void form(V* to, const V* output) {
        for_each_index<Outputs>([&](std::size_t k) __attribute__((always_inline)) { to[k] = output[k]; });
    }
};

/// Of residuals and their derivatives: half the sum of their squares, J^T r, and the upper triangle of J^T J.
template <std::size_t Residuals, std::size_t Columns>
struct squares {
    static constexpr std::size_t outputs = Residuals * (1 + Columns), terms = 1 + Columns + Columns * (Columns + 1) / 2;
    template <class V>
    [[gnu::always_inline]] static void form(V* to, const V* output) {
        for_each_index<terms>([&](std::size_t k) __attribute__((always_inline)) { to[k] = V(0); });
        for_each_index<Residuals>([&](std::size_t r) __attribute__((always_inline)) {
            const V* const row = output + Residuals + r * Columns;
            const V residual = output[r];
            to[0] += V(0.5) * residual * residual;
            for_each_index<Columns>([&](std::size_t j) __attribute__((always_inline)) {
                to[1 + j] += row[j] * residual;
                // Row j of the triangle begins behind those of Columns, Columns - 1, ... entries.
                const std::size_t begin = 1 + Columns + j * Columns - j * (j + 1) / 2;
                for (std::size_t i = j; i < Columns; ++i) to[begin + i] += row[j] * row[i];
            });
        });
    }
};

/// Of the tangents of residuals along a direction, and the Jacobian: J^T (J d).
template <std::size_t Residuals, std::size_t Columns>
struct squares_along {
    static constexpr std::size_t outputs = Residuals * (1 + Columns), terms = Columns;
    template <class V>
    [[gnu::always_inline]] static void form(V* to, const V* output) {
        for_each_index<Columns>([&](std::size_t j) __attribute__((always_inline)) {
            to[j] = V(0);
            for (std::size_t r = 0; r < Residuals; ++r)
                to[j] += output[r * Columns + j] * output[Residuals * Columns + r];
        });
    }
};

/// Places of variables in a row: of the weight, of the mask, or -1.
struct row_roles {
    int weight = -1, mask = -1;
    bool counted = false;    // a further term: the weight, or 1
    bool greatest = false;   // the term is one of a maximum: a weight only tells whether the row counts
    bool leaves_out = false; // a row of weight 0 counts not even if its terms are infinite
};

/// The value: the first of two outputs. The second goes elsewhere.
struct value_as_term {
    static constexpr std::size_t outputs = 2, terms = 1;
    template <class V>
    [[gnu::always_inline]] static void form(V* to, const V* output) {
        *to = *output;
    }
};
/// What else happens to the outputs of rows: nothing.
struct no_destination {
    template <class L>
    [[gnu::always_inline]] void operator()(std::size_t, std::size_t, const L*, const L*) const {}
};

/// All that a reduction needs to know of rows. `Places` has the program for a request, and tells for each of its inputs
/// which number of the row it is, or -1 - k for shared number k.
template <class Places, unsigned Request, std::size_t Shared, class Data, class Form, row_roles Roles, class T,
          class To = no_destination>
struct row_terms {
    using Code = typename Places::template code<Request>;
    using F = typename Places::vector;
    static constexpr std::size_t columns = Data::columns, outputs = Form::outputs;
    static constexpr bool masked = Roles.mask >= 0;
    using runner = split_runner<typename Code::program, Places>;
    static constexpr std::size_t instructions = runner::per_row;
    /// The number of states that rows are added to at once. The order of a sum depends on it, so it depends on the
    /// formula alone: the value is the same with and without derivatives.
    static constexpr int operations = Places::template code<request::values>::code().size;
    static constexpr std::size_t together = operations <= 12 ? 4 : operations <= 24 ? 2 : 1;
    /// Whether the kernel is copied for the last lanes of a block.
    static constexpr bool small = together > 1 || instructions <= 300;

    const Data& data;
    const F& f;
    const std::array<T, Shared>& shared;
    [[no_unique_address]] To to = {};

    template <class L, class Numbers>
    struct in_lanes {
        Data data; // a copy, which no store of results can change
        L shared[Shared < 1 ? 1 : Shared];
        Numbers numbers;
        [[no_unique_address]] To to;
        typename runner::template shared_slots<T> kept;

        [[gnu::always_inline]] void compute(L* terms, std::size_t row, std::size_t count) const {
            L loaded[columns];
            data.load(loaded, row, count);
            L output[outputs];
            const inputs_of_row<Places, L> inputs{shared, loaded};
            L* const first = output;
            runner::template run<L>(kept, inputs, numbers, first);
            to(row, count, output, loaded);
            Form::form(terms, output);
            if constexpr (Roles.weight >= 0 && Roles.greatest)
                terms[0] =
                    select(loaded[Roles.weight] != L(0), terms[0], L(-std::numeric_limits<element<L>>::infinity()));
            else if constexpr (Roles.weight >= 0)
                for_each_index<Form::terms>([&](std::size_t k) __attribute__((always_inline)) {
                    const L weight = loaded[Roles.weight];
                    terms[k] = terms[k] * weight;
                    if constexpr (Roles.leaves_out) terms[k] = select(weight != L(0), terms[k], L(0));
                });
            if constexpr (Roles.counted) terms[Form::terms] = Roles.weight >= 0 ? loaded[Roles.weight] : L(1);
        }
        [[gnu::always_inline]] auto valid(std::size_t row, std::size_t count) const {
            L loaded[columns];
            data.load(loaded, row, count);
            return loaded[Roles.mask] != L(0);
        }
    };

    template <class L>
    [[gnu::always_inline]] auto prepared() const {
        using numbers = decltype(kernel::numbers_of<L>(f));
        in_lanes<L, numbers> made{data, {}, kernel::numbers_of<L>(f), to, {}};
        for_each_index<Shared>([&](std::size_t k) __attribute__((always_inline)) { made.shared[k] = L(shared[k]); });
        runner::prepare(made.kept, inputs_of_row<Places, T>{shared.data(), nullptr}, kernel::numbers_of<T>(f));
        return made;
    }
};

} // namespace chainrule::batches
