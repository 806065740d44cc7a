// SPDX-License-Identifier: BSL-1.0
//
// The modes of differentiation: the outputs of each request in order, and how each is derived. A new mode is a flag
// (differentiate/requests.hpp), and a row of the table with a function that derives it. Kernels, sparsity patterns and
// texts read the layout of the outputs here.
#pragma once

#include <chainrule/differentiate/derivation.hpp>
#include <chainrule/differentiate/taylor.hpp>

#include <array>
#include <cstddef>

namespace chainrule::differentiate {

// How each mode is derived: these return whether all is, as the functions of a derivation do
// ---------------------------

constexpr bool derive_jacobians(derivation& d) { return d.need_first() && d.append(d.state.first); }
constexpr bool derive_hessians(derivation& d) { return d.need_hessians() && d.append_rows(d.state.second); }
constexpr bool derive_thirds(derivation& d) {
    // A reverse sweep from each entry of the Hessians gives those by its last variable and the later ones.
    if (!d.need_hessians()) return false;
    list<int> last;
    for (int row = 0; last.count < d.state.second.count; ++row)
        for (int j = row % d.variables.count; j < d.variables.count; ++j) last.push_back(j);
    return d.run_reverse_sweeps(d.state.second, [&](int entry) { return last.items[entry]; }) && d.append_made();
}
constexpr bool derive_tangents(derivation& d) { return d.run_along(d.state.roots) && d.append_all_made(); }
constexpr bool derive_cotangents(derivation& d) { return d.need_weighted_gradient() && d.append(d.state.weighted); }
constexpr bool derive_weighted_hessians(derivation& d) {
    return d.need_weighted_gradient() && d.run_rows(d.state.weighted) && d.append_made();
}
constexpr bool derive_hessian_products(derivation& d) {
    return d.need_first() && d.run_along(d.state.first) && d.append_all_made();
}
constexpr bool derive_series(derivation& d, const list<term>& direction) {
    const int order = static_cast<int>(d.request >> 16);
    return d.run_sweeps(d.state.roots.count, [&](int i, int effort, bool begun) {
        taylor_sweep sweep(d.p.g, d.variables);
        const term root = d.state.roots.items[i];
        // It visits each node once for each order, and its state is several times that of others.
        effort /= 2;
        const int each = size_of_graph(d.p.g) / 2, visits = each < effort / (order + 1) ? order * each : effort;
        if (d.p.visited < 1 << 20 && visits < 1 << 20) d.p.visited += visits;
        begun ? sweep.resume(root, direction, order, d.state.made, effort, d.state)
              : sweep.start(root, direction, order, d.state.made, effort, d.state);
        return size_of_graph(d.p.g);
    }) && d.append_all_made();
}
constexpr bool derive_taylor_coefficients(derivation& d) {
    list<term> one;
    one.push_back({0, canonical_graph::one});
    return derive_series(d, one);
}
constexpr bool derive_taylor_along(derivation& d) { return derive_series(d, d.further_inputs(d.variables.count)); }
// Not a null pointer: with -fsanitize=undefined, g++ 12 compares no address in a constant expression.
constexpr bool derive_nothing(derivation&) { return true; }

/// The subject of a mode: each expression, or the weighted sum of the expressions.
enum class subject : unsigned char { each, weighted_sum };
/// Marks Taylor coefficients in place of a degree: their count is the order plus one.
inline constexpr int series = -1;

struct mode {
    unsigned request;
    subject of;
    int degree;       // of the derivatives: the number of variables i <= j <= ... per output
    bool of_jacobian; // derived from first derivatives
    bool (*derive)(derivation&);
};
/// In the order of the outputs.
inline constexpr mode modes[] = {
    {request::values, subject::each, 0, false, derive_nothing}, // the expressions themselves
    {request::jacobians, subject::each, 1, true, derive_jacobians},
    {request::hessians, subject::each, 2, true, derive_hessians},
    {request::thirds, subject::each, 3, true, derive_thirds},
    {request::tangents, subject::each, 0, false, derive_tangents},
    {request::cotangents, subject::weighted_sum, 1, false, derive_cotangents},
    {request::weighted_hessians, subject::weighted_sum, 2, false, derive_weighted_hessians},
    {request::hessian_products, subject::each, 1, true, derive_hessian_products},
    {request::taylor_coefficients, subject::each, series, false, derive_taylor_coefficients},
    {request::taylor_along, subject::each, series, false, derive_taylor_along},
};

// The layout of the outputs ------------------------------------------------------------------------------------------

/// The number of derivatives of one expression by variables i <= j <= ....
[[nodiscard]] constexpr int entry_count(int degree, int columns) {
    int count = 1;
    for (int d = 0; d < degree; ++d) count = count * (columns + d) / (d + 1);
    return count;
}
/// The number of outputs of a mode for `rows` expressions and `columns` variables.
[[nodiscard]] constexpr int output_count(const mode& m, unsigned request, int rows, int columns) {
    const int each = m.degree == series ? static_cast<int>(request >> 16) + 1 : entry_count(m.degree, columns);
    return m.of == subject::each ? rows * each : each;
}
/// The number of the first output of a mode.
[[nodiscard]] constexpr int first_output(unsigned of, unsigned request, int rows, int columns) {
    int first = 0;
    for (const mode& m : modes) {
        if (m.request == of) break;
        if ((request & m.request) != 0) first += output_count(m, request, rows, columns);
    }
    return first;
}

/// The meaning of an output: a derivative of the expression in a row, by variables.
struct output_place {
    int row = 0;
    int degree = 0;
    int by[3] = {};
};
[[nodiscard]] constexpr output_place place_of_output(int k, unsigned request, int rows, int columns) {
    for (const mode& m : modes) {
        if ((request & m.request) == 0) continue;
        const int count = output_count(m, request, rows, columns);
        if (k >= count) {
            k -= count;
            continue;
        }
        const int each = m.of == subject::each ? count / rows : count;
        output_place place{k / each, m.degree == series ? 0 : m.degree};
        int rest = k % each, v = 0;
        for (int d = 0; d + 1 < m.degree; ++d) {
            for (int n = 0; (n = entry_count(m.degree - 1 - d, columns - v)) <= rest; ++v) rest -= n;
            place.by[d] = v;
        }
        if (m.degree > 0) place.by[m.degree - 1] = v + rest;
        return place;
    }
    return {};
}

/// All i <= j <= ... below `Columns`, in the order of outputs.
template <std::size_t Degree, std::size_t Columns>
[[nodiscard]] consteval auto ascending_indices() {
    std::array<std::array<std::size_t, Degree>, static_cast<std::size_t>(entry_count(int{Degree}, int{Columns}))> all{};
    std::array<std::size_t, Degree> at{};
    for (auto& each : all) {
        each = at;
        std::size_t last = Degree;
        while (last > 1 && at[last - 1] + 1 == Columns) --last;
        const std::size_t next = at[last - 1] + 1;
        for (std::size_t d = last - 1; d < Degree; ++d) at[d] = next;
    }
    return all;
}

} // namespace chainrule::differentiate
