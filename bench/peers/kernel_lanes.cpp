// SPDX-License-Identifier: BSL-1.0
//
// The kernels of a loop that is no sum over data, for several points at once, with a SIMD number type, here xsimd's:
// kernels compute with any number-like type.
#include <xsimd/xsimd.hpp>

#include <new>

#include "loops_around_kernels.hpp"

namespace peers {

using several = xsimd::batch<double>;

template <>
struct lanes<several> {
    static constexpr std::size_t count = several::size;

    static several of(auto get) {
        alignas(several) double each[count];
        for (std::size_t lane = 0; lane < count; ++lane) each[lane] = get(lane);
        return several::load_aligned(each);
    }

    static double sum(const several& numbers) { return xsimd::hadd(numbers); }
};

namespace {

struct in_lanes {
    template <class Workload>
    static constexpr bool takes_part = std::is_same_v<Workload, workloads::gaussian_mixture>;

    template <class Workload>
    static void answer(const double* x, double* answer) {
        const auto& point = *reinterpret_cast<const workloads::point<inputs<Workload>>*>(x);
        ::new (static_cast<void*>(answer))
            answer_of<Workload>(loop_around_kernels<Workload>::template answer<several>(given<Workload>, point));
    }
};

} // namespace

contestant kernel_lanes() { return contestant_of<in_lanes>("chainrule, xsimd lanes"); }

} // namespace peers
