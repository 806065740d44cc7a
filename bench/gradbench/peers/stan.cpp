// SPDX-License-Identifier: BSL-1.0
//
// GradBench's evals with Stan Math's reverse mode, recorded anew at each call in its arena, which keeps its blocks. Its
// second derivatives, which kmeans would need, are forward over reverse, of nested numbers: left out.
#include <stan/math/rev/core.hpp>
#include <stan/math/rev/meta.hpp>
#include <stan/math/rev/scal/fun/cos.hpp>
#include <stan/math/rev/scal/fun/exp.hpp>
#include <stan/math/rev/scal/fun/log.hpp>
#include <stan/math/rev/scal/fun/sin.hpp>
#include <stan/math/rev/scal/fun/sqrt.hpp>
#include <stan/math/rev/scal/fun/tanh.hpp>

#include "peer.hpp"

namespace gradbench {
namespace {

class stan_math {
public:
    template <class F>
    void gradient(const F& f, const numbers& x, numbers& result) {
        using stan::math::var;
        const std::vector<var> point(x.begin(), x.end());
        const var value = f(point);
        stan::math::grad(value.vi_);
        for (std::size_t i = 0; i < x.size(); ++i) result[i] = point[i].adj();
        stan::math::recover_memory();
    }

    /// One sweep back for each row.
    template <class F, std::size_t N>
    void jacobian(const F& f, const std::array<double, N>& x, double* to) {
        using stan::math::var;
        const std::vector<var> point(x.begin(), x.end());
        for (const var& value : f(point)) {
            stan::math::set_zero_all_adjoints();
            stan::math::grad(value.vi_);
            for (const var& each : point) *to++ = each.adj();
        }
        stan::math::recover_memory();
    }
};

} // namespace

peer stan() { return peer_of<stan_math>("Stan Math"); }

} // namespace gradbench
