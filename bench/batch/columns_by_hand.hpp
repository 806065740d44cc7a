// SPDX-License-Identifier: BSL-1.0
//
// The hand-written code of a workload at many points, with a column of numbers per variable and result. Two files
// compile it: by_hand.cpp point by point, and vectorised.cpp with flags that let g++ compute several points at once.
#pragma once

#include "../workloads/black_scholes.hpp"
#include "../workloads/log_product_sine.hpp"
#include "../workloads/mixed_operations.hpp"

#include <cstddef>
#include <utility>

namespace columns {

template <class Workload>
inline constexpr std::size_t inputs = Workload::at.size();

/// The inputs, the value and the gradient, in columns.
template <std::size_t Inputs>
struct memory {
    const double* in[Inputs];
    double* value;
    double* gradient[Inputs];
};

// The columns do not overlap, which g++ needs to be told before it vectorises.
template <class Workload, std::size_t... J>
inline void loop(const memory<inputs<Workload>>& where, std::size_t points, std::index_sequence<J...>) {
    const memory<inputs<Workload>> m = where;
#if defined(WORKLOADS_VECTORISED)
#pragma GCC ivdep
#endif
    for (std::size_t i = 0; i < points; ++i) {
        const auto found = Workload::by_hand({}, {m.in[J][i]...});
        m.value[i] = found.value;
        ((m.gradient[J][i] = found.gradient[J]), ...);
    }
}

#define COLUMNS_BY_HAND(NAME)                                                                                          \
    template <class Workload>                                                                                          \
    void NAME(const memory<inputs<Workload>>& m, std::size_t points);
COLUMNS_BY_HAND(by_hand)
COLUMNS_BY_HAND(vectorised)
#undef COLUMNS_BY_HAND

} // namespace columns

/// Defines the loops under a name.
#define COLUMNS_DEFINE(NAME)                                                                                           \
    namespace columns {                                                                                                \
    template <class Workload>                                                                                          \
    void NAME(const memory<inputs<Workload>>& m, std::size_t points) {                                                 \
        loop<Workload>(m, points, std::make_index_sequence<inputs<Workload>>{});                                       \
    }                                                                                                                  \
    template void NAME<workloads::log_product_sine>(const memory<2>&, std::size_t);                                    \
    template void NAME<workloads::mixed_operations>(const memory<12>&, std::size_t);                                   \
    template void NAME<workloads::black_scholes>(const memory<5>&, std::size_t);                                       \
    }
