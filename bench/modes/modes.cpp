// SPDX-License-Identifier: BSL-1.0
//
// Times of value and derivatives with a compile-time kernel, with the tape, and by hand: on every workload, on others
// in 2 to 50 variables, and against other hand-written versions.
#include "../peers/rows.hpp"
#include "three_ways.hpp"

namespace peers {
contestant by_hand();
contestant kernel();
contestant tape_mode();
} // namespace peers

int main(int count, char** arguments) {
    peers::add_rows({peers::by_hand(), peers::kernel(), peers::tape_mode()});
    modes::add_rosenbrock();
    modes::add_helmholtz();
    modes::add_variants();
    return bench::run(count, arguments);
}
