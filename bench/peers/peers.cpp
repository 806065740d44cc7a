// SPDX-License-Identifier: BSL-1.0
//
// Times of gradients with other libraries and by hand. The file of each library states how it is used.
#include "rows.hpp"

namespace peers {

#define CONTESTANT(name) contestant name();
#include "contestants.inc" // written by CMakeLists.txt: those found, by_hand first
#undef CONTESTANT

} // namespace peers

int main(int count, char** arguments) {
    peers::add_rows({
#define CONTESTANT(name) peers::name(),
#include "contestants.inc"
#undef CONTESTANT
    });
    return bench::run(count, arguments);
}
