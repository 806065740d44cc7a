// SPDX-License-Identifier: BSL-1.0
//
// The Helmholtz energy in 2 to 50 variables: as one expression, and, as it grows with the square of their number, with
// the quadratic form in a loop around an expression.
#include "../workloads/helmholtz_of_size.hpp"
#include "three_ways.hpp"

namespace modes {
namespace {

template <std::size_t N>
void add() {
    using workload = workloads::helmholtz_of<N>;
    ways<workload> all("Helmholtz, n:" + std::to_string(N));
    all.add_by_hand();
    if constexpr (N <= 20) all.add_kernel();
    all.add("chainrule compile-time and a loop", workload::with_loops);
    all.add_tape();
}

} // namespace

void add_helmholtz() {
    add<2>();
    add<5>();
    add<10>();
    add<20>();
    add<50>();
}

} // namespace modes
