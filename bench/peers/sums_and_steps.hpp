// SPDX-License-Identifier: BSL-1.0
//
// Workloads that are not a single expression: sums over data, which the library computes in SIMD lanes, and repeated
// steps. kernel.cpp uses them along with the workloads that are one expression.
#pragma once

#include <chainrule/batch/sum.hpp>
#include <chainrule/batch/sum_over_components.hpp>
#include <chainrule/chainrule.hpp>
#include <chainrule/steps/repeat.hpp>

#include <algorithm>
#include <span>
#include <utility>

#include "contestant.hpp"

namespace peers {

/// answer(data, point) for a workload that is not a single expression; nothing for others.
template <class Workload>
struct sum_or_steps {};

/// A sum over data, in lanes.
template <>
struct sum_or_steps<workloads::logistic_regression> {
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

    static workloads::value_and_gradient<weights> answer(const workload::data& seen,
                                                         const workloads::point<weights>& at) {
        const auto mean_loss =
            chainrule::mean(loss, chainrule::over(x = seen.x, label = seen.label), chainrule::wrt(w));
        const auto [value, gradient] = mean_loss.value_and_gradient(at);
        return {value, gradient};
    }
};

/// Repeated steps of the Runge-Kutta method.
template <>
struct sum_or_steps<workloads::lorenz_96> {
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

    static workloads::value_and_gradient<size> answer(const workload::data&, const state& start) {
        using namespace chainrule::literals;
        constexpr auto x = chainrule::variables<"x", size>;
        const auto energy =
            chainrule::repeat(make_step(), chainrule::steps(workload::steps), chainrule::final_cost(0.5_c * dot(x, x)));
        const auto [value, gradient] = energy.value_and_gradient(start);
        return {value, gradient};
    }
};

/// A sum over data of the logarithm of a sum over components. Q (x - mu) is Q x - Q mu, where the second product does
/// not depend on x.
template <>
struct sum_or_steps<workloads::gaussian_mixture> {
    using workload = workloads::gaussian_mixture;
    static constexpr std::size_t d = workload::dimensions, components = workload::components;
    static constexpr std::size_t triangle = workload::triangle, below_diagonal = triangle - d;

    static constexpr auto alpha = chainrule::variable<"alpha">;
    static constexpr auto x = chainrule::variables<"x", d>;
    static constexpr auto mean = chainrule::variables<"mu", d>;
    static constexpr auto logarithms = chainrule::variables<"l", d>;
    static constexpr auto below = chainrule::variables<"r", below_diagonal>;
    static constexpr auto gamma = chainrule::variable<"gamma">;
    static constexpr auto m = chainrule::variable<"m">;

    /// The product of Q with a vector: below the diagonal Q is given column by column.
    static constexpr auto product = [](const auto& v) {
        const auto row = [&]<std::size_t I, std::size_t... J>(std::integral_constant<std::size_t, I>,
                                                              std::index_sequence<J...>) {
            return ((exp(logarithms.template get<I>()) * v.template get<I>()) + ... +
                    (below.template get<J * d - J*(J + 1) / 2 + I - J - 1>() * v.template get<J>()));
        };
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return chainrule::vector(row(std::integral_constant<std::size_t, I>{}, std::make_index_sequence<I>{})...);
        }(std::make_index_sequence<d>{});
    };
    static constexpr auto log_determinant = []<std::size_t... I>(std::index_sequence<I...>) {
        return (logarithms.template get<I>() + ...);
    }(std::make_index_sequence<d>{});
    static constexpr auto diagonal = []<std::size_t... I>(std::index_sequence<I...>) {
        return chainrule::vector(exp(logarithms.template get<I>())...);
    }(std::make_index_sequence<d>{});
    static constexpr auto half = [] {
        using namespace chainrule::literals;
        return 0.5_c;
    }();
    static constexpr auto term = alpha + log_determinant - half * squared_norm(product(x) - product(mean));
    static constexpr auto prior =
        m * log_determinant - half * gamma * gamma * (squared_norm(diagonal) + squared_norm(below));

    static workloads::value_and_gradient<workload::inputs> answer(const workload::data& given,
                                                                  const workloads::point<workload::inputs>& at) {
        namespace cr = chainrule;
        const auto alphas = std::span(at.data(), components);
        const double* const factors = at.data() + workload::first_factor;
        const auto all = cr::over(alpha = alphas, mean = cr::table(at.data() + workload::first_mean, components, d),
                                  logarithms = cr::table(factors, components, d, triangle),
                                  below = cr::table(factors + d, components, below_diagonal, triangle));
        const auto likelihood = cr::sum(cr::log_sum_exp(term, all, cr::wrt(x)), cr::over(x = given.seen));
        const auto normalisation = cr::log_sum_exp(alpha, cr::over(alpha = alphas));
        const auto of_factor =
            cr::function(prior, cr::wrt(logarithms, below), cr::given(gamma = given.gamma, m = given.m));

        workloads::value_and_gradient<workload::inputs> result;
        auto& [value, gradient] = result;
        constexpr auto n = static_cast<double>(workload::points);
        std::array<double, components> shares;
        const auto of_likelihood = likelihood.value_and_gradients();
        value = of_likelihood.value - n * normalisation.value_and_column_gradient(alpha, shares);
        for (std::size_t k = 0; k < components; ++k) {
            const double* const its = of_likelihood.of_components[k].data();
            gradient[k] = its[0] - n * shares[k];
            std::copy_n(its + 1, d, gradient.data() + workload::first_mean + k * d);
            std::array<double, triangle> factor;
            std::copy_n(factors + k * triangle, triangle, factor.begin());
            const auto its_prior = of_factor.value_and_gradient(factor);
            value += its_prior.value;
            for (std::size_t i = 0; i < triangle; ++i)
                gradient[workload::first_factor + k * triangle + i] = its[1 + d + i] + its_prior.gradient[i];
        }
        return result;
    }
};

} // namespace peers
