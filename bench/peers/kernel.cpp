// SPDX-License-Identifier: BSL-1.0
//
// How long does chainrule's compile-time half take for what the tapes compute? It takes part where the workload is an
// expression: loops over data and recursion are the tapes' own ground.
#include <new>

#include "contestant.hpp"

namespace peers {
namespace {

struct compile_time {
    template <class Workload>
    static constexpr bool takes_part = requires { Workload::function(); };

    template <class Workload>
    static void answer(const double* x, double* answer) {
        const auto& point = *reinterpret_cast<const workloads::point<inputs<Workload>>*>(x);
        constexpr auto function = Workload::function();
        const auto ask = [&] {
            if constexpr (outputs<Workload> == 1) return function.value_and_gradient(point);
            else return function.value_and_jacobian(point);
        };
        static_assert(sizeof(ask()) == sizeof(answer_of<Workload>));
        ::new (static_cast<void*>(answer)) decltype(ask())(ask());
    }
};

}  // namespace

contestant kernel() { return contestant_of<compile_time>("chainrule compile-time"); }

}  // namespace peers
