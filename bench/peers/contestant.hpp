// SPDX-License-Identifier: BSL-1.0
//
// The interface of contestants: a function for each workload from a point to the values and all derivatives there, in
// one row like the hand-written answer. Each library is in a separate file, since their headers clash, and computes its
// gradient in a struct with `template <class Workload> static void answer(const double*, double*)`. peers.cpp compares
// and measures.
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>

#include "../workloads/black_scholes.hpp"
#include "../workloads/determinant.hpp"
#include "../workloads/gaussian_mixture.hpp"
#include "../workloads/helmholtz.hpp"
#include "../workloads/log_product_sine.hpp"
#include "../workloads/logistic_regression.hpp"
#include "../workloads/lorenz_96.hpp"
#include "../workloads/mixed_operations.hpp"
#include "../workloads/reprojection.hpp"
#include "../workloads/rosenbrock.hpp"

namespace peers {

using all_workloads = std::tuple<workloads::log_product_sine, workloads::mixed_operations, workloads::black_scholes,
                                 workloads::rosenbrock, workloads::helmholtz_stored, workloads::reprojection,
                                 workloads::logistic_regression, workloads::lorenz_96, workloads::gaussian_mixture,
                                 workloads::determinant>;

template <class Workload>
using answer_of = decltype(Workload::by_hand(typename Workload::data{}, Workload::at));

template <class Workload>
inline constexpr std::size_t inputs = Workload::at.size();

template <class Workload>
inline constexpr std::size_t outputs = sizeof(answer_of<Workload>) / sizeof(double) / (inputs<Workload> + 1);

/// Where derivatives go forward, one for each input: workloads of so many inputs that nobody would use forward mode are
/// left out.
template <class Workload>
inline constexpr bool few_inputs = inputs<Workload> <= 64;

/// The data of a workload: not constant, so that no compiler computes with it.
template <class Workload>
inline typename Workload::data given{};

/// The workload run on a library's numbers.
template <class Workload, class T>
std::array<T, outputs<Workload>> run(const T* x) {
    if constexpr (outputs<Workload> == 1)
        return {Workload::template ordinary<T>(given<Workload>, x)};
    else
        return Workload::template ordinary<T>(given<Workload>, x);
}

using function = void (*)(const double* point, double* answer);

struct contestant {
    const char* name;
    std::array<function, std::tuple_size_v<all_workloads>> answers;
};

/// The library's function for a workload, or null where it says that it takes no part.
template <class Library, class Workload>
constexpr function answer_by() {
    if constexpr (requires { Library::template takes_part<Workload>; }) {
        if constexpr (!Library::template takes_part<Workload>)
            return nullptr;
        else
            return Library::template answer<Workload>;
    } else {
        return Library::template answer<Workload>;
    }
}

template <class Library>
contestant contestant_of(const char* name) {
    return [name]<class... Workload>(std::type_identity<std::tuple<Workload...>>) {
        return contestant{name, {answer_by<Library, Workload>()...}};
    }(std::type_identity<all_workloads>{});
}

} // namespace peers
