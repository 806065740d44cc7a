// SPDX-License-Identifier: BSL-1.0
//
// Jacobians from a tape, by reverse or forward sweeps that process several outputs or inputs at once, and dual numbers
// on a tape (chainrule/dual.hpp). tape/derivatives/function_derivatives.hpp differentiates functions in one call.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/core/raise.hpp>
#include <chainrule/dual/dual_variables.hpp>
#include <chainrule/tape/derivatives/matrix.hpp>
#include <chainrule/tape/recording/forward_sweep.hpp>
#include <chainrule/tape/recording/recorded_call.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace chainrule {

// An operation on a dual number of active numbers and an active number gives a dual number.
template <class T, std::size_t N>
inline constexpr bool expressions::has_own_operators<dual<T, N>> =
    expressions::is_active<T> || expressions::has_own_operators<T>;

} // namespace chainrule

namespace chainrule::tape {

template <class T, std::size_t N, class Inner>
inline constexpr bool is_recorded_as<dual<T, N>, Inner> = is_recorded_as<T, Inner>;

namespace sweeping {

/// Calls f(lanes, first, count) for parts of so many directions, with the lanes as a constant: eight at once, and fewer
/// at the end.
template <class F>
void for_each_part(std::size_t directions, F f) {
    for (std::size_t first = 0; first < directions; first += 8) {
        const std::size_t count = std::min(std::size_t{8}, directions - first);
        if (count > 4)
            f(std::integral_constant<std::size_t, 8>{}, first, count);
        else if (count > 2)
            f(std::integral_constant<std::size_t, 4>{}, first, count);
        else
            f(std::integral_constant<std::size_t, 2>{}, first, count);
    }
}

/// What the sweeps in so many directions cost, in lanes: each sweep reads the entries once for all of its lanes.
[[nodiscard]] inline std::size_t cost(std::size_t directions) {
    constexpr std::size_t reading = 4;
    std::size_t sum = 0;
    sweeping::for_each_part(directions, [&](auto lanes, std::size_t, std::size_t) { sum += reading + lanes; });
    return sum;
}

/// A Jacobian, row by row, by forward sweeps. False if an element may not be finite.
template <class T>
[[nodiscard]] bool write_forwards(T* to, const basic_tape<T>& on, std::span<const active<T>> outputs,
                                  std::span<const active<T>> inputs) {
    const auto numbers = [&](std::span<const active<T>> of) {
        std::vector<index> found(of.size());
        for (std::size_t i = 0; i < of.size(); ++i) found[i] = on.number_of(of[i]);
        return found;
    };
    const std::vector<index> rows = numbers(outputs), columns = numbers(inputs);
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i] == 0) std::fill_n(to + i * columns.size(), columns.size(), T(0));
    forward_jacobian<T> jacobian(on.entries(), rows, columns);
    on.entries().check_limit(jacobian.bytes());
    return jacobian.write(to);
}

/// Writes a Jacobian row by row: see jacobian(tape, outputs, inputs).
template <class T>
void write_jacobian(T* to, basic_tape<T>& on, std::span<const active<T>> outputs, std::span<const active<T>> inputs) {
    for (const active<T>& x : inputs)
        if (on.number_of(x) == 0)
            core::raise(std::logic_error("jacobian: an input is not recorded; make variables with tape.variable(...)"));
    // A reverse sweep skips what an output does not depend on, even if its derivatives are infinite; a forward sweep
    // would make NaN of them.
    if constexpr (std::floating_point<T>)
        if (on.can_sweep_forwards() && sweeping::cost(inputs.size()) < sweeping::cost(outputs.size()) &&
            sweeping::write_forwards(to, on, outputs, inputs))
            return;
    sweeping::for_each_part(outputs.size(), [&](auto lanes, std::size_t first, std::size_t count) {
        const auto adjoints = on.template backward<lanes>(outputs.subspan(first, count));
        for (std::size_t j = 0; j < inputs.size(); ++j) {
            const std::array<T, lanes> by_input = adjoints[inputs[j]];
            for (std::size_t i = 0; i < count; ++i) to[(first + i) * inputs.size() + j] = by_input[i];
        }
    });
}

} // namespace sweeping

/// The derivatives of outputs (rows) with respect to inputs (columns) on the same tape, each a list of any
/// kind; rows of outputs that are not recorded are zero. Takes one reverse sweep per eight outputs, or one forward
/// sweep for as many inputs as eight registers hold if that takes less and the tape has no operation(). Throws
/// std::logic_error for an input that is not on the tape.
template <class T, list_of_actives<T> Outputs = std::vector<active<T>>,
          list_of_actives<T> Inputs = std::vector<active<T>>>
[[nodiscard]] matrix<T> jacobian(basic_tape<T>& on, const Outputs& outputs, const Inputs& inputs) {
    const list_of<active<T>> all_outputs(outputs), all_inputs(inputs);
    const std::span rows = all_outputs.numbers(), columns = all_inputs.numbers();
    auto result = matrix<T>::to_be_written(rows.size(), columns.size());
    sweeping::write_jacobian(result.data(), on, rows, columns);
    return result;
}

} // namespace chainrule::tape

#include <chainrule/core/names_end.inc>
