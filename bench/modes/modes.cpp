// SPDX-License-Identifier: BSL-1.0
//
// How long do value and derivatives take by a compile-time kernel, by the tape, and by hand? On every workload, on
// others in 2 to 50 variables, and against other hand-written twins.
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
