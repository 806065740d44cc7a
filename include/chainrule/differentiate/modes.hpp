// SPDX-License-Identifier: BSL-1.0
//
// The modes of differentiation: the possible requests, their outputs in order, and how each is derived. A new mode is a
// flag, and a row of the table with a function that derives it. Kernels, sparsity patterns and texts read the layout of
// the outputs here.
#pragma once

#include <chainrule/differentiate/elimination.hpp>
#include <chainrule/differentiate/hessians.hpp>
#include <chainrule/differentiate/tangent.hpp>
#include <chainrule/differentiate/taylor.hpp>

#include <array>
#include <cstddef>

namespace chainrule {

/// The results of a program: any combination, as a sum. The outputs are in this order.
namespace request {
enum flags : unsigned {
    values = 1,
    jacobians = 2,             ///< row by row
    hessians = 4,              ///< the upper triangle for each expression, row by row
    thirds = 8,                ///< the third derivatives of each expression by variables i <= j <= k
    tangents = 16,             ///< the derivative of each expression along a direction, which is a further input
    cotangents = 32,           ///< the gradient of the sum of weights times expressions; the weights are further inputs
    weighted_hessians = 64,    ///< the upper triangle of the Hessian of that sum
    hessian_products = 128,    ///< the Hessian times a direction
    without_zeros = 256,       ///< leaves out the derivatives that are zero everywhere
    taylor_coefficients = 512, ///< those of each expression in its one variable, up to the order of taylor_order()
    taylor_along = 1024,       ///< the same along a direction
};
} // namespace request

namespace differentiate {

/// A request for Taylor coefficients from order 0, the value, up to `order`.
[[nodiscard]] constexpr unsigned taylor_order(int order) { return static_cast<unsigned>(order) << 16; }

/// The graph of expressions with the requested results.
struct problem {
    canonical_graph g;
    list<term> outputs;
    list<int> pattern; // without zeros: the position, among all derivatives, of each remaining one
    int variable_count = 0;
    int first_parameter = 1 << 30; // inputs from this one to the last variable are parameters
    int unused = -1;
    bool too_large = false;  // the expressions have more than CHAINRULE_MAX_OPERATIONS operations
    bool rearranged = false; // whether there are relaxed values, rearranged (graph/relaxed.hpp)
    bool relaxed = false;    // whether relaxed() marks every expression
    paused_sweep sweep;      // the rest of the derivation, if it is too long for one constant evaluation

    constexpr problem() = default;
    constexpr explicit problem(empty_graph_tag read) : g(read) {}
};

// The Jacobian of the roots, row by row.
constexpr void derive_jacobian(canonical_graph& g, const list<term>& roots, const list<int>& wrt, jacobian_mode by,
                               list<term>& jacobian) {
    if (by == jacobian_mode::reverse) {
        adjoint_sweep sweep(g, wrt);
        for (int i = 0; i < roots.count; ++i) sweep.run(roots.items[i], jacobian);
    } else if (by == jacobian_mode::forward) {
        tangent_sweep sweep(g, wrt);
        list<term> columns;
        for (int j = 0; j < wrt.count; ++j) {
            list<term> axis(wrt.count, graph::zero_term);
            axis.items[j] = {0, canonical_graph::one};
            sweep.run(roots, axis, columns);
        }
        for (int i = 0; i < roots.count; ++i)
            for (int j = 0; j < wrt.count; ++j) jacobian.push_back(columns.items[j * roots.count + i]);
    } else {
        elimination(g, wrt).run(roots, jacobian);
    }
}

/// The state of a request during derivation, with data that several modes share.
struct derivation_state {
    problem& p;
    const list<term>& roots;
    const list<int>& wrt;
    unsigned request;
    adjoint_sweep sweep;
    list<term> jacobian, hessians, weighted_gradient; // hessians: upper triangles

    constexpr derivation_state(problem& of, const list<term>& outputs, const list<int>& by, unsigned asked)
        : p(of), roots(outputs), wrt(by), request(asked), sweep(of.g, by) {}

    /// Appends derivatives to the outputs, in their order; omits those that are zero everywhere if the request says so.
    constexpr void append(const list<term>& derivatives) const {
        const bool zeros = (request & without_zeros) == 0;
        for (int i = 0; i < derivatives.count; ++i) {
            if (!zeros && derivatives.items[i].is_zero()) continue;
            if (!zeros) p.pattern.push_back(i);
            p.outputs.push_back(derivatives.items[i]);
        }
    }
    /// The further inputs of a program, numbered after its variables: a direction or weights.
    [[nodiscard]] constexpr list<term> further_inputs(int count) const {
        list<term> inputs;
        for (int i = 0; i < count; ++i) inputs.push_back({0, p.g.variable(p.variable_count + i)});
        return inputs;
    }
    constexpr void need_hessians() {
        if (hessians.count == 0) append_hessians(p.g, wrt, jacobian, p.outputs, hessians);
    }
    constexpr void need_weighted_gradient() {
        if (weighted_gradient.count == 0) sweep.run(roots, further_inputs(roots.count), weighted_gradient);
    }
};

// How each mode is derived -------------------------------------------------------------------------------------------

constexpr void derive_jacobians(derivation_state& d) { d.append(d.jacobian); }
constexpr void derive_hessians(derivation_state& d) {
    d.need_hessians();
    d.append(d.hessians);
}
constexpr void derive_thirds(derivation_state& d) {
    d.need_hessians();
    list<term> thirds;
    for (int e = 0, row = 0; e < d.hessians.count; ++row)
        for (int j = row % d.wrt.count; j < d.wrt.count; ++j) d.sweep.run(d.hessians.items[e++], thirds, j);
    d.append(thirds);
}
constexpr void derive_tangents(derivation_state& d) {
    tangent_sweep(d.p.g, d.wrt).run(d.roots, d.further_inputs(d.wrt.count), d.p.outputs);
}
constexpr void derive_cotangents(derivation_state& d) {
    d.need_weighted_gradient();
    d.append(d.weighted_gradient);
}
constexpr void derive_weighted_hessians(derivation_state& d) {
    d.need_weighted_gradient();
    list<term> entries;
    append_hessians(d.p.g, d.wrt, d.weighted_gradient, d.p.outputs, entries);
    d.append(entries);
}
constexpr void derive_hessian_products(derivation_state& d) {
    tangent_sweep(d.p.g, d.wrt).run(d.jacobian, d.further_inputs(d.wrt.count), d.p.outputs);
}
constexpr void derive_series(derivation_state& d, const list<term>& inputs) {
    for (int i = 0; i < d.roots.count; ++i)
        taylor_sweep(d.p.g, d.wrt).run(d.roots.items[i], inputs, static_cast<int>(d.request >> 16), d.p.outputs);
}
constexpr void derive_taylor_coefficients(derivation_state& d) {
    list<term> one;
    one.push_back({0, canonical_graph::one});
    derive_series(d, one);
}
constexpr void derive_taylor_along(derivation_state& d) { derive_series(d, d.further_inputs(d.wrt.count)); }
// Not a null pointer: with -fsanitize=undefined, g++ 12 compares no address in a constant expression.
constexpr void derive_nothing(derivation_state&) {}

/// The subject of a mode: each expression, or the weighted sum of the expressions.
enum class subject : unsigned char { each, weighted_sum };
/// Marks Taylor coefficients in place of a degree: their count is the order plus one.
inline constexpr int series = -1;

struct mode {
    unsigned request;
    subject of;
    int degree;       // of the derivatives: the number of variables i <= j <= ... per output
    bool of_jacobian; // derived from first derivatives
    void (*derive)(derivation_state&);
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

} // namespace differentiate
} // namespace chainrule
