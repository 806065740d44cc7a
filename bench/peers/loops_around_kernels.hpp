// SPDX-License-Identifier: BSL-1.0
//
// Workloads with loops: a kernel for the body, and around it the loop that a user writes. kernel.cpp uses them along
// with the workloads that are one expression.
#pragma once

#include <chainrule/batch/sum.hpp>
#include <chainrule/chainrule.hpp>

#include <algorithm>
#include <utility>

#include "contestant.hpp"

namespace peers {

/// How a loop over data takes several points at once, where a number T is several numbers side by side. A double is
/// one.
template <class T>
struct lanes {
    static constexpr std::size_t count = 1;

    /// The T of get(0), get(1), ...
    static T of(auto get) { return get(std::size_t{0}); }
    static double sum(T number) { return number; }
};

/// answer<T>(data, point) for a workload that has a loop, which computes with numbers T; nothing for others.
template <class Workload>
struct loop_around_kernels {};

/// A sum over data, in lanes.
template <>
struct loop_around_kernels<workloads::logistic_regression> {
    using workload = workloads::logistic_regression;
    static constexpr std::size_t weights = workload::weights;
    static constexpr auto w = chainrule::variables<"w", weights>;
    static constexpr auto x = chainrule::variables<"x", weights>;
    static constexpr auto label = chainrule::variable<"label">;
    static constexpr auto one = [] {
        using namespace chainrule::literals;
        return 1_c;
    }();
    static constexpr auto loss = workload::loss<workloads::expressions>(one, label, dot(w, x));

    template <class>
    static workloads::value_and_gradient<weights> answer(const workload::data& seen,
                                                         const workloads::point<weights>& at) {
        const auto mean_loss =
            chainrule::mean(loss, chainrule::over(x = seen.x, label = seen.label), chainrule::wrt(w));
        const auto [value, gradient] = mean_loss.value_and_gradient(at);
        return {value, gradient};
    }
};

/// A kernel for one step of the Runge-Kutta method and its adjoint; the states before all steps are kept.
template <>
struct loop_around_kernels<workloads::lorenz_96> {
    using workload = workloads::lorenz_96;
    static constexpr std::size_t size = workload::size;
    using state = std::array<double, size>;

    static constexpr auto slope(const auto& x) {
        using namespace chainrule::literals;
        constexpr auto eight = 8_c;
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return chainrule::vector(((x.template get<(I + 1) % size>() - x.template get<(I + size - 2) % size>()) *
                                          x.template get<(I + size - 1) % size>() -
                                      x.template get<I>() + eight)...);
        }(std::make_index_sequence<size>{});
    }

    static constexpr auto make_step() {
        using namespace chainrule::literals;
        constexpr auto h = 0.001_c;
        constexpr auto x = chainrule::variables<"x", size>;
        constexpr auto k1 = slope(x);
        constexpr auto k2 = slope(x + 0.5_c * h * k1);
        constexpr auto k3 = slope(x + 0.5_c * h * k2);
        constexpr auto k4 = slope(x + h * k3);
        return chainrule::function(x + h / 6_c * (k1 + 2_c * (k2 + k3) + k4), chainrule::wrt(x));
    }

    template <class>
    static workloads::value_and_gradient<size> answer(const workload::data&, const state& start) {
        using namespace chainrule::literals;
        constexpr auto step = make_step();
        constexpr auto x = chainrule::variables<"x", size>;
        constexpr auto energy = chainrule::function(0.5_c * dot(x, x), chainrule::wrt(x));
        std::array<state, workload::steps + 1> states;
        states[0] = start;
        for (std::size_t s = 0; s < workload::steps; ++s) states[s + 1] = step(states[s]);
        auto [value, adjoint] = energy.value_and_gradient(states[workload::steps]);
        for (std::size_t s = workload::steps; s-- > 0;) adjoint = step.vjp(states[s], adjoint);
        return {value, adjoint};
    }
};

/// Kernels for what one component's parameters give, for its distance from a point, and for the logarithm of a sum of
/// exponentials. Q (x - mu) is Q x - b with b = Q mu, which no point has to compute. Values of all components come
/// first, since the weights of their derivatives depend on all of them.
template <>
struct loop_around_kernels<workloads::gaussian_mixture> {
    using workload = workloads::gaussian_mixture;
    static constexpr std::size_t d = workload::dimensions, components = workload::components;
    static constexpr std::size_t triangle = workload::triangle, off_diagonal = triangle - d;

    static constexpr auto x = chainrule::variables<"x", d>;

    /// The product of Q, given by its diagonal and then what is below, column by column, with a vector.
    template <class... Diagonal, class... Below, class... V>
    static constexpr auto product(const chainrule::expression_vector<Diagonal...>& diagonal,
                                  const chainrule::expression_vector<Below...>& below,
                                  const chainrule::expression_vector<V...>& v) {
        const auto row = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
            return [&]<std::size_t... J>(std::index_sequence<J...>) {
                return ((diagonal.template get<I>() * v.template get<I>()) + ... +
                        (below.template get<J * d - J*(J + 1) / 2 + I - J - 1>() * v.template get<J>()));
            }(std::make_index_sequence<I>{});
        };
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return chainrule::vector(row(std::integral_constant<std::size_t, I>{})...);
        }(std::make_index_sequence<d>{});
    }

    /// From alpha, the mean and the factor as it is parametrised: the constant of the term, b, and the diagonal; last,
    /// the part of the prior.
    static auto make_prepared(double gamma, double m) {
        using namespace chainrule::literals;
        constexpr auto alpha = chainrule::variable<"alpha">;
        constexpr auto its_gamma = chainrule::variable<"gamma">;
        constexpr auto its_m = chainrule::variable<"m">;
        constexpr auto mean = chainrule::variables<"mu", d>;
        constexpr auto logarithms = chainrule::variables<"l", d>;
        constexpr auto below = chainrule::variables<"r", off_diagonal>;
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            constexpr auto diagonal = chainrule::vector(exp(logarithms.template get<I>())...);
            constexpr auto log_determinant = (logarithms.template get<I>() + ...);
            constexpr auto b = product(diagonal, below, mean);
            constexpr auto prior = its_m * log_determinant -
                                   0.5_c * its_gamma * its_gamma * (squared_norm(diagonal) + squared_norm(below));
            return chainrule::function(chainrule::vector(alpha + log_determinant, b.template get<I>()...,
                                                         diagonal.template get<I>()..., prior),
                                       chainrule::wrt(alpha, mean, logarithms, below),
                                       chainrule::given(its_gamma = gamma, its_m = m));
        }(std::make_index_sequence<d>{});
    }

    /// Half the squared distance of a component from a point, as a function of b and Q.
    template <class T>
    static auto make_distance(const std::array<T, d>& at) {
        using namespace chainrule::literals;
        constexpr auto b = chainrule::variables<"b", d>;
        constexpr auto diagonal = chainrule::variables<"q", d>;
        constexpr auto below = chainrule::variables<"r", off_diagonal>;
        constexpr auto distance = 0.5_c * squared_norm(product(diagonal, below, x) - b);
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return chainrule::function(distance, chainrule::wrt(b, diagonal, below),
                                       chainrule::given((x.template get<I>() = at[I])...));
        }(std::make_index_sequence<d>{});
    }

    /// With the largest term taken out: any number would do.
    template <class T>
    static auto make_log_sum_exp(const T& largest) {
        constexpr auto shift = chainrule::variable<"shift">;
        constexpr auto t = chainrule::variables<"t", components>;
        return [&]<std::size_t... K>(std::index_sequence<K...>) {
            return chainrule::function(log((exp(t.template get<K>() - shift) + ...)) + shift, chainrule::wrt(t),
                                       chainrule::given(shift = largest));
        }(std::make_index_sequence<components>{});
    }

    template <class T>
    static auto log_sum_exp(const std::array<T, components>& t) {
        using std::max;
        T largest = t[0];
        for (std::size_t k = 1; k < components; ++k) largest = max(largest, t[k]);
        return make_log_sum_exp(largest).value_and_gradient(t);
    }

    template <class T>
    static workloads::value_and_gradient<workload::inputs> answer(const workload::data& given,
                                                                  const workloads::point<workload::inputs>& at) {
        constexpr std::size_t raw_size = 1 + d + triangle, ready_size = d + triangle; // alpha, mean, factor; b, Q
        std::array<std::array<double, raw_size>, components> raw;
        std::array<std::array<double, ready_size>, components> ready;
        std::array<double, components> alphas, constants;
        const auto prepare = make_prepared(given.gamma, given.m);
        double value = 0.0;
        for (std::size_t k = 0; k < components; ++k) {
            raw[k][0] = alphas[k] = at[k];
            std::copy_n(at.data() + workload::first_mean + k * d, d, raw[k].data() + 1);
            std::copy_n(at.data() + workload::first_factor + k * triangle, triangle, raw[k].data() + 1 + d);
            const auto prepared = prepare(raw[k]);
            constants[k] = prepared[0];
            std::copy_n(prepared.data() + 1, 2 * d, ready[k].data());
            std::copy_n(raw[k].data() + 1 + 2 * d, off_diagonal, ready[k].data() + 2 * d);
            value += prepared.back();
        }
        T likelihood = 0.0;
        std::array<std::array<T, ready_size>, components> sums;
        std::array<T, components> weight_sums, terms;
        for (auto& sum : sums) sum.fill(0.0);
        weight_sums.fill(0.0);
        for (std::size_t i = 0; i < workload::points; i += lanes<T>::count) {
            std::array<T, d> seen;
            for (std::size_t j = 0; j < d; ++j)
                seen[j] = lanes<T>::of([&](std::size_t lane) { return given.seen[i + lane][j]; });
            const auto distance = make_distance(seen);
            for (std::size_t k = 0; k < components; ++k) terms[k] = constants[k] - distance(ready[k]);
            const auto [its_likelihood, weights] = log_sum_exp(terms);
            likelihood += its_likelihood;
            for (std::size_t k = 0; k < components; ++k) {
                weight_sums[k] += weights[k];
                const auto derivatives = distance.vjp(ready[k], weights[k]);
                for (std::size_t j = 0; j < ready_size; ++j) sums[k][j] -= derivatives[j];
            }
        }
        const auto [normalisation, shares] = log_sum_exp(alphas);
        constexpr auto n = static_cast<double>(workload::points);
        workloads::value_and_gradient<workload::inputs> result{value + lanes<T>::sum(likelihood) - n * normalisation,
                                                               {}};
        for (std::size_t k = 0; k < components; ++k) {
            std::array<double, 2 + 2 * d> weights;
            weights.front() = lanes<T>::sum(weight_sums[k]);
            for (std::size_t i = 0; i < 2 * d; ++i) weights[1 + i] = lanes<T>::sum(sums[k][i]);
            weights.back() = 1.0;
            const auto derivatives = prepare.vjp(raw[k], weights);
            result.gradient[k] = derivatives[0] - n * shares[k];
            std::copy_n(derivatives.data() + 1, d, result.gradient.data() + workload::first_mean + k * d);
            double* const d_factor = result.gradient.data() + workload::first_factor + k * triangle;
            std::copy_n(derivatives.data() + 1 + d, triangle, d_factor);
            for (std::size_t i = d; i < triangle; ++i) d_factor[i] += lanes<T>::sum(sums[k][d + i]);
        }
        return result;
    }
};

} // namespace peers
