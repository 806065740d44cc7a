// SPDX-License-Identifier: BSL-1.0
//
// GradBench's evals that ask for a Jacobian, with Sacado's forward mode: all derivatives of a number in an array of
// static size.
#include <Sacado_No_Kokkos.hpp>

#include "peer.hpp"

namespace gradbench {
namespace {

class sacado_sfad {
public:
    static constexpr bool goes_forward = true;

    template <class F, std::size_t N>
    void jacobian(const F& f, const std::array<double, N>& x, double* to) {
        constexpr int n = static_cast<int>(N);
        using number = Sacado::Fad::SFad<double, n>;
        std::array<number, N> point;
        for (int i = 0; i < n; ++i) {
            const auto k = static_cast<std::size_t>(i);
            point[k] = number(n, i, x[k]);
        }
        for (const number& result : f(point))
            for (int i = 0; i < n; ++i) *to++ = result.dx(i);
    }
};

} // namespace

peer sacado_forward() { return peer_of<sacado_sfad>("Sacado SFad"); }

} // namespace gradbench
