// SPDX-License-Identifier: BSL-1.0
//
// Programs on dual numbers (chainrule/dual.hpp), as programs on numbers with tangents in vectors. In an array of dual
// numbers, g++ would keep each slot in memory.
#pragma once

#include <chainrule/kernel/emit_tangents.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace chainrule::kernel {

/// The number of tangents of a dual number whose tangents are float or double, or 0 for other types.
template <class D>
inline constexpr int tangent_count = 0;
template <class D>
requires requires { D::tangent_count; } &&
             (std::same_as<decltype(D::value), double> || std::same_as<decltype(D::value), float>)
inline constexpr int tangent_count<D> = D::tangent_count;

/// The lanes for their tangents, or 0 for none, as in code that is not optimised: it would take longer to compile.
template <class D>
[[nodiscard]] consteval int lanes_of_tangents() {
    if constexpr (tangent_count<D> == 0) {
        return 0;
    } else {
        using number = decltype(D::value);
#if !defined(__OPTIMIZE__)
        if (sizeof(number) > 0) return 0;
#endif
        return sizeof(number) == 8 && vector_lanes<number> > 0 && tangent_count<D> <= 2 ? 2 : vector_lanes<number>;
    }
}

/// Where their tangents begin: stored numbers are dual or not.
template <class D, class Numbers>
inline constexpr auto seeds_of = std::same_as<std::remove_cvref_t<decltype(std::declval<const Numbers&>()[0])>, D>
                                     ? codegen::seeds::of_inputs_and_data
                                     : codegen::seeds::of_inputs;

/// The number at a place: where it is, or a conversion.
template <class D, class Source>
CHAINRULE_STEP constexpr decltype(auto) number_at(const Source& all, std::size_t place) {
    if constexpr (requires {
                      { all.in_order(place, place).first } -> std::convertible_to<const D*>;
                  })
        return *all.in_order(place, 1).first;
    else
        return static_cast<D>(all[place]);
}

/// The values of dual numbers, or of numbers that are not.
template <class D, class Source>
struct values_of_duals {
    Source& all;
    CHAINRULE_STEP constexpr auto operator[](std::size_t place) const {
        if constexpr (std::same_as<std::remove_cvref_t<decltype(all[place])>, D>)
            return kernel::number_at<D>(all, place).value;
        else
            return static_cast<decltype(D::value)>(all[place]);
    }
    CHAINRULE_STEP constexpr void refresh() const { all.refresh(); }
};

/// What steps refer to that compute the tangents of dual numbers.
template <class D, int Lanes, codegen::seeds From, class Variables, class Numbers, class Outputs>
struct dual_context {
    using number = decltype(D::value);
    using vector = vector_of<number, Lanes>;
    static constexpr auto from = From;
    static constexpr int columns = tangent_count<D>;
    static constexpr std::size_t groups = codegen::group_count(columns, Lanes);
    const number* v;
    const number* pairs;
    const bool* conditions;
    vector* tangents; // of each slot, group by group
    number* slopes;   // of each call, three places
    vector* zero;     // of all outputs; not zero if one is not finite
    Variables& variables;
    Numbers& numbers;
    Outputs& outputs;

    /// The derivative of a call by its K-th argument.
    template <int K, class Row>
    CHAINRULE_STEP static number slope(const number* v, std::size_t a, [[maybe_unused]] std::size_t b,
                                       [[maybe_unused]] std::size_t c, std::size_t slot) {
        if constexpr (int{Row::arity} == 1)
            return D::template slope<K, Row>(v[a], v[slot]);
        else if constexpr (int{Row::arity} == 2)
            return D::template slope<K, Row>(v[a], v[b], v[slot]);
        else
            return D::template slope<K, Row>(v[a], v[b], v[c], v[slot]);
    }
    CHAINRULE_STEP static codegen::variable_set moving_lanes(std::size_t, std::size_t) { return 0; } // all or none
    template <class Source>
    CHAINRULE_STEP static void read(const Source& all, std::size_t place, std::size_t group, vector& to) {
        const auto& tangents = kernel::number_at<D>(all, place).tangents;
        const std::size_t first = group * Lanes;
        if (first + Lanes <= std::size_t{columns}) {
            to = simd::load<std::size_t{Lanes}>(tangents.data() + first);
        } else {
            to = vector{};
            for (std::size_t k = 0; first + k < std::size_t{columns}; ++k) to[k] = tangents[first + k];
        }
    }
    /// Writes an output. A number that has no tangents has zeros.
    template <bool Moving>
    CHAINRULE_STEP void write(std::size_t output, std::size_t slot) const {
        if constexpr (std::same_as<decltype(outputs[output]), D&>) {
            write_to<Moving>(outputs[output], slot);
        } else {
            D result;
            write_to<Moving>(result, slot);
            outputs[output] = result;
        }
    }

private:
    template <bool Moving>
    CHAINRULE_STEP void write_to(D& to, std::size_t slot) const {
        to.value = v[slot];
        if constexpr (Moving) {
            for (std::size_t g = 0; g < groups; ++g) {
                const vector& all = tangents[slot * groups + g];
                *zero = *zero + all * number(0);
                kernel::store_tangents<number, Lanes, columns>(to.tangents.data(), g, all);
            }
        } else {
            to.tangents = {};
        }
    }
};

/// Whether all lanes are zero.
template <class Vector>
CHAINRULE_STEP inline bool are_zero(const Vector& all) {
    auto sum = all[0];
    for (std::size_t k = 1; k < sizeof(Vector) / sizeof sum; ++k) sum += all[k];
    return sum == 0;
}

/// Runs a program on dual numbers one operation after the other, apart from its caller: in constant expressions, and
/// where derivatives are not finite.
template <class Program, class T, class Variables, class Numbers, class Outputs>
[[gnu::noinline, gnu::cold]] constexpr void run_apart(const Variables& variables, const Numbers& numbers,
                                                      Outputs& outputs) {
    Program::template run<T, false>(variables, numbers, outputs);
}
/// The same with copies, so that the caller's numbers stay in registers, and its outputs if they have `by_copies`.
template <class Program, class T, class Variables, class Numbers, class Outputs>
CHAINRULE_STEP constexpr void run_copies_apart(const Variables& variables, const Numbers& numbers, Outputs& outputs) {
    const Variables own_variables = variables;
    const Numbers own_numbers = numbers;
    const auto run = [&](auto& to) { kernel::run_apart<Program, T>(own_variables, own_numbers, to); };
    if constexpr (requires { outputs.by_copies(run); })
        outputs.by_copies(run);
    else
        run(outputs);
}

} // namespace chainrule::kernel
