// SPDX-License-Identifier: BSL-1.0
//
// chainrule's kernels on the workloads of the tapes. A workload that is an expression is one kernel; sums over data
// and steps in time are in sums_and_steps.hpp. Recursive workloads have no kernel.
#include <new>

#include "sums_and_steps.hpp"

namespace peers {
namespace {

/// The workload as a function object, which holds its stored numbers: not constant, as they are known only at run time.
template <class Workload>
auto function_of = Workload::function(given<Workload>);

struct compile_time {
    template <class Workload>
    static constexpr bool is_expression = requires { Workload::function(given<Workload>); };

    template <class Workload>
    static constexpr bool takes_part = is_expression<Workload> || requires { &sum_or_steps<Workload>::answer; };

    template <class Workload>
    static void answer(const double* x, double* answer) {
        const auto& point = *reinterpret_cast<const workloads::point<inputs<Workload>>*>(x);
        const auto ask = [&] {
            if constexpr (!is_expression<Workload>)
                return sum_or_steps<Workload>::answer(given<Workload>, point);
            else if constexpr (outputs<Workload> == 1)
                return function_of<Workload>.value_and_gradient(point);
            else
                return function_of<Workload>.value_and_jacobian(point);
        };
        static_assert(sizeof(ask()) == sizeof(answer_of<Workload>));
        ::new (static_cast<void*>(answer)) decltype(ask())(ask());
    }
};

} // namespace

contestant kernel() { return contestant_of<compile_time>("chainrule compile-time"); }

} // namespace peers
