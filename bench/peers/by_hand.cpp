// SPDX-License-Identifier: BSL-1.0
//
// The contestant against which all others are measured: the hand-written half of each workload.
#include <new>

#include "contestant.hpp"

namespace peers {
namespace {

struct hand {
    template <class Workload>
    [[gnu::flatten]] static void answer(const double* x, double* answer) {
        const auto& point = *reinterpret_cast<const workloads::point<inputs<Workload>>*>(x);
        ::new (static_cast<void*>(answer)) answer_of<Workload>(Workload::by_hand(given<Workload>, point));
    }
};

} // namespace

contestant by_hand() { return contestant_of<hand>("by hand"); }

} // namespace peers
