// SPDX-License-Identifier: BSL-1.0
//
// The loops over steps: forwards, which record for each step what the reverse pass needs: its state, and values of its
// program; backwards, with an adjoint; and forwards with tangents. steps/two_parts.hpp divides the program of a step.
#pragma once

#include <chainrule/core/checkpointing.hpp>
#include <chainrule/entry/results.hpp>
#include <chainrule/kernel/numbers.hpp>
#include <chainrule/steps/two_parts.hpp>

#include <array>
#include <cstddef>

// Loops whose machine code is the same in every call, so that what is computed twice is the same to the last bit:
// otherwise compilers could contract products and sums differently where one result is not used.
#if defined(__clang__) || defined(__CUDACC__)
#define CHAINRULE_ALONE [[gnu::noinline]]
#else
#define CHAINRULE_ALONE [[gnu::noipa]]
#endif

namespace chainrule::stepping {

/// No data.
struct no_rows {
    using variables = core::type_list<>;
    static constexpr std::size_t columns = 0;
};

/// The inputs of a program: the state, parameters of wrt(), a row of data, parameters of given(), then weights or a
/// direction. Parameters of wrt() and given() lie one after the other.
template <class T, int States, int Parameters, int Columns, int Given>
struct inputs_of_step {
    const T* state;
    const T* shared;
    const T* row;
    const T* further;
    CHAINRULE_STEP constexpr const T& operator[](std::size_t i) const {
        constexpr std::size_t s = States, p = s + Parameters, c = p + Columns, g = c + Given;
        return i < s   ? state[i]
               : i < p ? shared[i - s]
               : i < c ? row[i - p]
               : i < g ? shared[i - s - static_cast<std::size_t>(Columns)]
                       : further[i - g];
    }
    CHAINRULE_STEP constexpr void refresh() { kernel::forget(shared); }
};
/// Outputs that begin at a number.
template <class T, std::size_t First>
struct outputs_from {
    T* to;
    CHAINRULE_STEP constexpr T& operator[](std::size_t k) const { return to[k - First]; }
};

/// The steps of a system: their variables, data and expressions, and the loops over them. Step is the next state, and
/// after it the running cost if there is one.
template <class States, class Wrt, class Data, class Given, class... Step>
struct sweeps {
    static constexpr std::size_t states = std::size_t{States::size}, parameters = std::size_t{Wrt::size},
                                 columns = states + parameters, data_columns = Data::columns,
                                 given = std::size_t{Given::size}, rows = sizeof...(Step);
    static constexpr bool has_cost = rows > states;
    using expressions = core::type_list<Step...>;
    using inputs = decltype(States{} + Wrt{} + typename Data::variables{} + Given{});
    template <unsigned Request>
    using code = codegen::compiled<Request, static_cast<int>(columns), inputs, expressions>;
    template <unsigned Request>
    using parts =
        two_parts<typename code<request::values | Request>::program, int{inputs::size}, static_cast<int>(rows)>;
    template <class T>
    using program_inputs = inputs_of_step<T, static_cast<int>(states), static_cast<int>(parameters),
                                          static_cast<int>(data_columns), static_cast<int>(given)>;

    /// Checks that compilers manage a program.
    template <unsigned Request>
    static consteval bool complete() {
        return codegen::small_enough<request::values | Request, static_cast<int>(columns), inputs, expressions>();
    }
    /// The numbers of a record.
    static constexpr std::size_t record = states + parts<request::cotangents>::kept;

    const expression_vector<Step...>& f;
    const Data& data;

    template <class T>
    CHAINRULE_STEP constexpr void load([[maybe_unused]] T* to, [[maybe_unused]] std::size_t step) const {
        if constexpr (data_columns > 0) {
            typename Data::number loaded[data_columns];
            data.load(loaded, step, 1);
            for (std::size_t j = 0; j < data_columns; ++j) to[j] = static_cast<T>(loaded[j]);
        }
    }

    /// Steps first to last. Records lie `stride` numbers apart: with 0 there is one, of the last step.
    template <class T>
    CHAINRULE_ALONE constexpr void forwards(std::size_t first, std::size_t last, T* state, const T* shared, T* cost,
                                            T* records, std::size_t stride) const {
        T x[states], sum = *cost;
        for (std::size_t i = 0; i < states; ++i) x[i] = state[i];
        for (std::size_t k = first; k < last; ++k, records += stride) {
            for (std::size_t i = 0; i < states; ++i) records[i] = x[i];
            T row[data_columns + 1], next[rows];
            load(row, k);
            const outputs_from<T, 0> outputs{next};
            parts<request::cotangents>::template run_first<T>(program_inputs<T>{x, shared, row, nullptr},
                                                              kernel::numbers_of<T>(f), outputs, records + states);
            for (std::size_t i = 0; i < states; ++i) x[i] = next[i];
            if constexpr (has_cost) sum = sum + next[states];
        }
        for (std::size_t i = 0; i < states; ++i) state[i] = x[i];
        *cost = sum;
    }

    /// The same, without records.
    template <class T, class Visit>
    constexpr void forwards(std::size_t first, std::size_t last, T* x, const T* shared, T* cost,
                            const Visit& visit) const {
        for (std::size_t k = first; k < last; ++k) {
            visit(x);
            T row[data_columns + 1], next[rows];
            load(row, k);
            outputs_from<T, 0> outputs{next};
            kernel::runner<typename code<request::values>::program>::template run<T>(
                program_inputs<T>{x, shared, row, nullptr}, kernel::numbers_of<T>(f), outputs);
            for (std::size_t i = 0; i < states; ++i) x[i] = next[i];
            if constexpr (has_cost) *cost = *cost + next[states];
        }
    }

    /// Steps last to first, from their records. The gradient has the adjoint of the state, then that of the parameters.
    template <class T>
    CHAINRULE_ALONE constexpr void backwards(std::size_t first, std::size_t last, T* gradient, const T* shared,
                                             const T* records) const {
        T weights[rows], all[parameters + 1];
        for (std::size_t i = 0; i < states; ++i) weights[i] = gradient[i];
        for (std::size_t i = 0; i < parameters; ++i) all[i] = gradient[states + i];
        if constexpr (has_cost) weights[states] = T(1);
        records += (last - first) * record;
        for (std::size_t k = last; k-- > first;) {
            records -= record;
            T row[data_columns + 1], adjoints[columns];
            load(row, k);
            const outputs_from<T, rows> outputs{adjoints};
            parts<request::cotangents>::template run_second<T>(program_inputs<T>{records, shared, row, weights},
                                                               kernel::numbers_of<T>(f), outputs, records + states);
            for (std::size_t i = 0; i < states; ++i) weights[i] = adjoints[i];
            for (std::size_t i = 0; i < parameters; ++i) all[i] = all[i] + adjoints[states + i];
        }
        for (std::size_t i = 0; i < states; ++i) gradient[i] = weights[i];
        for (std::size_t i = 0; i < parameters; ++i) gradient[states + i] = all[i];
    }

    /// All steps with tangents in some directions: of the state, of the parameters (which stay), and of the costs.
    template <class T, std::size_t Directions>
    constexpr void with_tangents(std::size_t count, T* x, const T* shared, T* cost,
                                 std::array<std::array<T, columns>, Directions>& directions,
                                 std::array<T, Directions>& costs) const {
        using program = parts<request::tangents>;
        for (std::size_t k = 0; k < count; ++k) {
            T row[data_columns + 1], next[rows], kept[program::kept + 1];
            load(row, k);
            const outputs_from<T, 0> values{next};
            program::template run_first<T>(program_inputs<T>{x, shared, row, nullptr}, kernel::numbers_of<T>(f), values,
                                           kept);
            for (std::size_t d = 0; d < Directions; ++d) {
                T tangents[rows];
                const outputs_from<T, rows> outputs{tangents};
                program::template run_second<T>(program_inputs<T>{x, shared, row, directions[d].data()},
                                                kernel::numbers_of<T>(f), outputs, static_cast<const T*>(kept));
                for (std::size_t i = 0; i < states; ++i) directions[d][i] = tangents[i];
                if constexpr (has_cost) costs[d] = costs[d] + tangents[states];
            }
            for (std::size_t i = 0; i < states; ++i) x[i] = next[i];
            if constexpr (has_cost) *cost = *cost + next[states];
        }
    }
};

/// Reverses a loop in little memory: as many states as allowed, and one record.
template <class Sweeps, class T>
class checkpointed_sweeps {
    static constexpr std::size_t states = Sweeps::states;

public:
    constexpr checkpointed_sweeps(const Sweeps& loops, std::size_t steps, std::size_t snapshots, const T* shared,
                                  T* memory)
        : loops_(loops), steps_(steps), snapshots_(snapshots), shared_(shared), record_(memory),
          kept_(memory + Sweeps::record) {}

    /// Runs all steps, at least one, and keeps states on the way.
    constexpr void forwards(T* state, T* cost) const {
        std::size_t first = 0, left = snapshots_;
        T* at = kept_;
        copy(state, at);
        while (steps_ - first > 1) {
            const std::size_t next = first + core::checkpointing::next_snapshot(steps_ - first, left);
            loops_.forwards(first, next, state, shared_, cost, record_, 0);
            first = next;
            if (steps_ - first == 1) break;
            at += states;
            copy(state, at);
            --left;
        }
        loops_.forwards(first, steps_, state, shared_, cost, record_, 0);
    }
    /// Reverses all steps after forwards().
    constexpr void backwards(T* gradient) const { reverse(0, steps_, kept_, snapshots_, true, gradient); }

private:
    const Sweeps& loops_;
    std::size_t steps_, snapshots_;
    const T* shared_;
    T* record_;
    T* kept_;

    static constexpr void copy(const T* from, T* to) {
        for (std::size_t i = 0; i < states; ++i) to[i] = from[i];
    }
    // From the state before step `first`, in `kept`. `Fresh`: forwards() has just been here. Calls nest at most as deep
    // as there are snapshots.
    constexpr void reverse(std::size_t first, std::size_t last, T* kept, std::size_t snapshots, bool fresh,
                           T* gradient) const {
        while (last - first > 1) {
            const std::size_t middle = first + core::checkpointing::next_snapshot(last - first, snapshots);
            if (!fresh) {
                T state[states], cost(0);
                copy(kept, state);
                loops_.forwards(first, middle, state, shared_, &cost, record_, 0);
                if (last - middle > 1)
                    copy(state, kept + states);
                else
                    loops_.forwards(middle, last, state, shared_, &cost, record_, 0);
            }
            if (last - middle > 1)
                reverse(middle, last, kept + states, snapshots - 1, fresh, gradient);
            else
                loops_.backwards(middle, last, gradient, shared_, record_);
            last = middle;
            fresh = false;
        }
        if (!fresh) {
            T state[states], cost(0);
            copy(kept, state);
            loops_.forwards(first, last, state, shared_, &cost, record_, 0);
        }
        loops_.backwards(first, last, gradient, shared_, record_);
    }
};

} // namespace chainrule::stepping

#undef CHAINRULE_ALONE
