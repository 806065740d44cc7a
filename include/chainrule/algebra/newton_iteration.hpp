// SPDX-License-Identifier: BSL-1.0
//
// The iteration of newton(). The root is a function of the parameters, and the implicit function theorem gives its
// derivatives: the iteration runs in plain numbers, and one last step in the numbers of the parameters (dual or active)
// adds their derivatives.
#pragma once

#include <chainrule/core/is_finite.hpp>
#include <chainrule/algebra/implicit.hpp>
#include <chainrule/algebra/root_status.hpp>
#include <chainrule/entry/function.hpp>
#include <chainrule/matrices/gaussian_elimination.hpp>

#include <array>
#include <cstddef>
#include <limits>

namespace chainrule {

/// A root, or the last iterate if none was found.
template <class Value>
struct root_result {
    Value value;        ///< a number, or a std::array of one per unknown
    int iterations;     ///< evaluations of the equations and their derivatives
    root_status status; ///< why the search ended
    /// Whether value is a root.
    [[nodiscard]] constexpr bool converged() const { return status == root_status::converged; }
};

namespace detail {

inline constexpr int most_iterations = 100;

// The iteration in plain numbers.
template <class F, class T, std::size_t N>
[[nodiscard]] constexpr root_result<std::array<T, N>> iterate(const F& f, std::array<T, N> y) {
    const T epsilon(limits_of<T>::epsilon());
    std::array<T, N> last{}, recent{};
    T at_start(0); // the greatest magnitude in g
    for (std::size_t i = 0; i < N; ++i) recent[i] = detail::magnitude_of(y[i]);
    for (int k = 1; k <= most_iterations; ++k) {
        auto [r, j] = f.value_and_jacobian(y);
        bool finite = true, zero = true;
        T greatest(0);
        for (std::size_t i = 0; i < N; ++i) {
            const T size = detail::magnitude_of(r[i]);
            if (greatest < size) greatest = size;
            finite = finite && core::is_finite(r[i]);
            zero = zero && r[i] == 0;
            for (std::size_t l = 0; l < N; ++l) finite = finite && core::is_finite(j[i][l]);
        }
        if (!finite) return {y, k, root_status::not_finite};
        if (zero) return {y, k, root_status::converged};
        if (!detail::eliminate(j, r)) {
            // Near a double root, an unknown that is there already has no slope, while others still move.
            bool near = k > 1;
            for (std::size_t i = 0; i < N; ++i)
                near = near && detail::is_small_step<T>(last[i], detail::magnitude_of(y[i]), recent[i]);
            return {y, k, near ? root_status::converged : root_status::no_slope};
        }
        if (k == 1) at_start = greatest;
        bool done = true;
        for (std::size_t i = 0; i < N; ++i) {
            const T before = detail::magnitude_of(y[i]);
            y[i] = y[i] - r[i];
            if (!core::is_finite(y[i])) return {y, k, root_status::not_finite};
            // Tested for each unknown separately: the step changed at most the last digit, or rounding in g stopped it.
            // Where g is greater than at the start, no unknown is zero: a step led to a pole at zero, beside which
            // steps are small. Rounding that stopped an unknown once has stopped it for good: of many unknowns, some
            // steps always shrink by chance.
            const T size = detail::magnitude_of(y[i]), change = detail::magnitude_of(r[i]);
            recent[i] = size < recent[i] / 2 ? recent[i] / 2 : size;
            const T& lately = greatest <= at_start ? recent[i] : size;
            const bool stopped = k > 1 && detail::is_stopped<T>(change, last[i], before, size, lately);
            done = done && (change <= epsilon * size || stopped);
            last[i] = stopped ? T(0) : change;
        }
        if (done) return {y, k, root_status::converged};
    }
    return {y, most_iterations, root_status::no_convergence};
}

template <class... V, class... T>
constexpr auto plain_parameters(const binding<V, T>&... values) {
    return chainrule::given(binding<V, typename carried<T>::plain>{carried<T>::value(values.value)}...);
}

// Transfers the derivatives of the parameters to the root.
template <class Number, class Plain, class F, class T, std::size_t N>
[[nodiscard]] constexpr std::array<Number, N> carry(const Plain& plain, const F& f, const std::array<T, N>& root,
                                                    bool& regular) {
    std::array<Number, N> y;
    for (std::size_t i = 0; i < N; ++i) y[i] = Number(root[i]);
    if constexpr (carried<Number>::depth == 1) {
        // One step with the inverse of the plain Jacobian.
        const auto jacobian = plain.jacobian(root);
        const auto residual = f(y);
        std::array<std::array<T, N>, N> inverse{};
        for (std::size_t k = 0; k < N; ++k) {
            auto j = jacobian;
            inverse[k][k] = 1;
            regular = regular && detail::eliminate(j, inverse[k]);
        }
        for (std::size_t i = 0; i < N; ++i)
            for (std::size_t k = 0; k < N; ++k) y[i] = y[i] - inverse[k][i] * residual[k];
    } else {
        // Each step doubles the order up to which derivatives are correct.
        for (int step = 0; step < carried<Number>::depth; ++step) {
            auto [r, j] = f.value_and_jacobian(y);
            regular = regular && detail::eliminate(j, r);
            for (std::size_t i = 0; i < N; ++i) y[i] = y[i] - r[i];
        }
    }
    return y;
}

template <class Number, class G, class... Y, class S, std::size_t N, class... Bindings>
[[nodiscard]] constexpr root_result<std::array<Number, N>>
find_root(const G& g, type_list<Y...> unknowns, const std::array<S, N>& start, const Bindings&... parameters) {
    const auto f = detail::outputs_of(g);
    using plain = typename carried<Number>::plain;
    const auto in_plain = chainrule::function(f, unknowns, detail::plain_parameters(parameters...));
    std::array<plain, N> y;
    for (std::size_t i = 0; i < N; ++i) y[i] = static_cast<plain>(carried<S>::value(start[i]));
    const auto found = detail::iterate(in_plain, y);
    std::array<Number, N> value;
    for (std::size_t i = 0; i < N; ++i) value[i] = Number(found.value[i]);
    root_status status = found.status;
    if constexpr (carried<Number>::depth > 0)
        if (found.converged()) {
            bool regular = true;
            value = detail::carry<Number>(in_plain, chainrule::function(f, unknowns, chainrule::given(parameters...)),
                                          found.value, regular);
            if (!regular) status = root_status::no_slope;
        }
    return {value, found.iterations, status};
}

} // namespace detail

} // namespace chainrule
