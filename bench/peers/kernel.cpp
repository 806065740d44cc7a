// SPDX-License-Identifier: BSL-1.0
//
// chainrule's kernels on the workloads of the tapes, with values as written and, of expressions, with relaxed values. A
// workload that is an expression is one kernel; sums over data and steps in time are in sums_and_steps.hpp. Recursive
// workloads have no kernel.
#include <new>

#include "sums_and_steps.hpp"

namespace peers {
namespace {

namespace cr = chainrule;
namespace core = chainrule::core;

/// The workload as a function object, which holds its stored numbers: not constant, as they are known only at run time.
template <class Workload>
auto function_of = Workload::function(given<Workload>);

/// The same with relaxed values.
template <class E, class V, class Bindings, bool Scalar>
auto with_relaxed_values(const cr::positional_function<E, V, Bindings, Scalar>& f) {
    using parts = cr::detail::function_parts;
    return cr::detail::make_function<Scalar, V, Bindings>(cr::relaxed(parts::expressions(f)), parts::bound(f));
}
template <class Workload>
auto relaxed_function_of = with_relaxed_values(Workload::function(given<Workload>));

template <class Workload>
inline constexpr bool is_an_expression = requires { Workload::function(given<Workload>); };

struct compile_time {
    template <class Workload>
    static constexpr bool is_expression = is_an_expression<Workload>;

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

struct relaxed {
    template <class Workload>
    static constexpr bool takes_part = is_an_expression<Workload>;

    template <class Workload>
    static void answer(const double* x, double* answer) {
        const auto& point = *reinterpret_cast<const workloads::point<inputs<Workload>>*>(x);
        const auto& f = relaxed_function_of<Workload>;
        if constexpr (outputs<Workload> == 1) {
            using result = decltype(f.value_and_gradient(point));
            static_assert(sizeof(result) == sizeof(answer_of<Workload>));
            ::new (static_cast<void*>(answer)) result(f.value_and_gradient(point));
        } else {
            using result = decltype(f.value_and_jacobian(point));
            static_assert(sizeof(result) == sizeof(answer_of<Workload>));
            ::new (static_cast<void*>(answer)) result(f.value_and_jacobian(point));
        }
    }
};

} // namespace

contestant kernel() { return contestant_of<compile_time>("chainrule compile-time"); }
contestant relaxed_kernel() { return contestant_of<relaxed>("chainrule, relaxed"); }

} // namespace peers
