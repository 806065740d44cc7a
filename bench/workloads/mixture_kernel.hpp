// SPDX-License-Identifier: BSL-1.0
//
// The log-likelihood of a mixture of Gaussians in Dimensions dimensions, with the Wishart prior, as a sum over data of
// the logarithm of a sum over components: gaussian_mixture.hpp has the formula.
#pragma once

#include <chainrule/batch/sum.hpp>
#include <chainrule/batch/sum_over_components.hpp>
#include <chainrule/chainrule.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

namespace workloads {

/// Where the parameters of component 0 begin, and how far apart those of two components are. The weights are the first
/// parameters.
struct mixture_layout {
    std::size_t components;
    std::size_t means;
    std::size_t logarithms, between_logarithms;
    std::size_t below, between_below;
};

/// Q (x - mu) is Q x - Q mu, where the second product does not depend on x.
template <std::size_t Dimensions>
struct mixture_kernel {
    static constexpr std::size_t d = Dimensions, below_diagonal = d * (d - 1) / 2;

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

    /// The value at the parameters; writes the gradient, laid out as these. `seen` has a row for each of n points.
    template <class Rows>
    static double value_and_gradient(const Rows& seen, double n, double gamma_of_prior, double m_of_prior,
                                     const mixture_layout& of, const double* parameters, double* gradient) {
        namespace cr = chainrule;
        const std::size_t components = of.components;
        const auto alphas = std::span(parameters, components);
        const auto table = [&](const double* first, std::size_t columns, std::size_t between) {
            return cr::table(first, components, columns, static_cast<std::ptrdiff_t>(between));
        };
        const auto all = cr::over(alpha = alphas, mean = table(parameters + of.means, d, d),
                                  logarithms = table(parameters + of.logarithms, d, of.between_logarithms),
                                  below = table(parameters + of.below, below_diagonal, of.between_below));
        const auto likelihood = cr::sum(cr::log_sum_exp(term, all, cr::wrt(x)), cr::over(x = seen));
        const auto normalisation = cr::log_sum_exp(alpha, cr::over(alpha = alphas));
        const auto of_factor =
            cr::function(prior, cr::wrt(logarithms, below), cr::given(gamma = gamma_of_prior, m = m_of_prior));

        const auto of_likelihood = likelihood.value_and_gradients();
        const auto shares = std::span(gradient, components);
        double value = of_likelihood.value - n * normalisation.value_and_column_gradient(alpha, shares);
        for (std::size_t k = 0; k < components; ++k) {
            const double* const its = of_likelihood.of_components[k].data();
            gradient[k] = its[0] - n * shares[k];
            std::copy_n(its + 1, d, gradient + of.means + k * d);
            const std::size_t its_logarithms = of.logarithms + k * of.between_logarithms;
            const std::size_t its_below = of.below + k * of.between_below;
            std::array<double, d + below_diagonal> factor;
            std::copy_n(parameters + its_below, below_diagonal,
                        std::copy_n(parameters + its_logarithms, d, factor.begin()));
            const auto its_prior = of_factor.value_and_gradient(factor);
            value += its_prior.value;
            for (std::size_t i = 0; i < d; ++i) gradient[its_logarithms + i] = its[1 + d + i] + its_prior.gradient[i];
            for (std::size_t i = 0; i < below_diagonal; ++i)
                gradient[its_below + i] = its[1 + 2 * d + i] + its_prior.gradient[d + i];
        }
        return value;
    }
};

} // namespace workloads
