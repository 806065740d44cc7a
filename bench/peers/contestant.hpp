// SPDX-License-Identifier: BSL-1.0
//
// What may take part in the comparison: a function for each workload from a point to the values and all derivatives there, in
// one row as the hand-written answer has them. Each library stands in a file of its own, since their headers clash; it says
// how a gradient is taken with it in a struct with `template <class Workload> static void answer(const double*, double*)`.
// Next: peers.cpp, which compares and measures.
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>

#include "../workloads/determinant.hpp"
#include "../workloads/gaussian_mixture.hpp"
#include "../workloads/log_product_sine.hpp"
#include "../workloads/lorenz_96.hpp"
#include "../workloads/mixed_operations.hpp"
#include "../workloads/reprojection.hpp"

namespace peers {

using all_workloads = std::tuple<workloads::log_product_sine, workloads::mixed_operations, workloads::reprojection,
                                 workloads::lorenz_96, workloads::gaussian_mixture, workloads::determinant>;

template <class Workload>
using answer_of = decltype(Workload::by_hand(typename Workload::data{}, Workload::at));

template <class Workload>
inline constexpr std::size_t inputs = Workload::at.size();

template <class Workload>
inline constexpr std::size_t outputs = sizeof(answer_of<Workload>) / sizeof(double) / (inputs<Workload> + 1);

/// The data of a workload: not constant, so that no compiler computes with it.
template <class Workload>
inline constinit typename Workload::data given{};

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

template <class Library>
contestant contestant_of(const char* name) {
    return [name]<class... Workload>(std::type_identity<std::tuple<Workload...>>) {
        return contestant{name, {Library::template answer<Workload>...}};
    }(std::type_identity<all_workloads>{});
}

}  // namespace peers
