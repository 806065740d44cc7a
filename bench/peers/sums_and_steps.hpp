// SPDX-License-Identifier: BSL-1.0
//
// Workloads that are not a single expression: sums over data, which the library computes in SIMD lanes, and repeated
// steps. kernel.cpp uses them along with the workloads that are one expression.
#pragma once

#include <chainrule/batch/sum.hpp>
#include <chainrule/chainrule.hpp>
#include <chainrule/steps/repeat.hpp>

#include <utility>

#include "../workloads/mixture_kernel.hpp"
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

/// A sum over data of the logarithm of a sum over components.
template <>
struct sum_or_steps<workloads::gaussian_mixture> {
    using workload = workloads::gaussian_mixture;

    static workloads::value_and_gradient<workload::inputs> answer(const workload::data& given,
                                                                  const workloads::point<workload::inputs>& at) {
        constexpr std::size_t d = workload::dimensions, first_factor = workload::first_factor;
        constexpr workloads::mixture_layout layout{workload::components, workload::first_mean, first_factor,
                                                   workload::triangle,   first_factor + d,     workload::triangle};
        workloads::value_and_gradient<workload::inputs> result;
        result.value = workloads::mixture_kernel<d>::value_and_gradient(
            given.seen, static_cast<double>(workload::points), given.gamma, given.m, layout, at.data(),
            result.gradient.data());
        return result;
    }
};

} // namespace peers
