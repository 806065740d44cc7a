// SPDX-License-Identifier: BSL-1.0
//
// The hand-written code of workloads with data in its best form with SIMD. Those without data have no more lanes than
// the compiler finds in the hand-written code.
#include <new>

#include "../workloads/in_lanes.hpp"
#include "contestant.hpp"

namespace peers {
namespace {

struct hand_in_lanes {
    template <class Workload>
    static constexpr bool takes_part = requires { &workloads::in_lanes<Workload>::by_hand; };

    template <class Workload>
    static void answer(const double* x, double* answer) {
        const auto& point = *reinterpret_cast<const workloads::point<inputs<Workload>>*>(x);
        ::new (static_cast<void*>(answer))
            answer_of<Workload>(workloads::in_lanes<Workload>::by_hand(given<Workload>, point));
    }
};

} // namespace

contestant by_hand_lanes() { return contestant_of<hand_in_lanes>("by hand, SIMD"); }

} // namespace peers
