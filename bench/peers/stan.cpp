// SPDX-License-Identifier: BSL-1.0
//
// How does one take a gradient with Stan Math? Operations go to its arena while they are computed; recover_memory empties
// the arena, which keeps its blocks.
#include <stan/math/rev/core.hpp>
#include <stan/math/rev/scal/fun/cos.hpp>
#include <stan/math/rev/scal/fun/exp.hpp>
#include <stan/math/rev/scal/fun/log.hpp>
#include <stan/math/rev/scal/fun/sin.hpp>
#include <stan/math/rev/scal/fun/sqrt.hpp>
#include <stan/math/rev/scal/fun/tanh.hpp>

#include "contestant.hpp"

namespace peers {
namespace {

struct stan_math {
    template <class Workload>
    static void answer(const double* x, double* answer) {
        using stan::math::var;
        constexpr std::size_t n = inputs<Workload>, m = outputs<Workload>;
        std::array<var, n> point;
        for (std::size_t i = 0; i < n; ++i) point[i] = x[i];
        auto results = run<Workload>(point.data());
        double* derivatives = answer + m;
        for (std::size_t j = 0; j < m; ++j) {
            answer[j] = results[j].val();
            if (j > 0) stan::math::set_zero_all_adjoints();
            stan::math::grad(results[j].vi_);
            for (std::size_t i = 0; i < n; ++i) *derivatives++ = point[i].adj();
        }
        stan::math::recover_memory();
    }
};

}  // namespace

contestant stan() { return contestant_of<stan_math>("Stan Math"); }

}  // namespace peers
