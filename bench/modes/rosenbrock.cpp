// SPDX-License-Identifier: BSL-1.0
//
// Rosenbrock's valley in 2 to 50 variables.
#include "../workloads/rosenbrock.hpp"
#include "three_ways.hpp"

namespace modes {
namespace {

template <std::size_t N>
void add() {
    ways<workloads::rosenbrock_of<N>> all("Rosenbrock, n:" + std::to_string(N));
    all.add_by_hand();
    all.add_kernel();
    all.add_tape();
}

} // namespace

void add_rosenbrock() {
    add<2>();
    add<5>();
    add<10>();
    add<20>();
    add<50>();
}

} // namespace modes
