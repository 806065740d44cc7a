// SPDX-License-Identifier: BSL-1.0
//
// Expressions against other hand-written twins: a value summed in another order, a matrix known to be symmetric,
// constants known while compiling, loops for SIMD. And a determinant by a formula.
#include "../workloads/black_scholes.hpp"
#include "../workloads/determinant.hpp"
#include "../workloads/helmholtz.hpp"
#include "../workloads/rosenbrock.hpp"
#include "three_ways.hpp"

namespace modes {
namespace {

template <class Workload>
void add() {
    ways<Workload> all(Workload::name);
    all.add_by_hand();
    all.add_kernel();
    if constexpr (requires(typename Workload::data d) { Workload::template ordinary<double>(d, nullptr); })
        all.add_tape();
}

} // namespace

void add_variants() {
    add<workloads::determinant_of_four>();
    add<workloads::rosenbrock_reordered>();
    add<workloads::helmholtz_stored_symmetric>();
    add<workloads::helmholtz_exact>();
    add<workloads::helmholtz_exact_simd>();
}

} // namespace modes
