// SPDX-License-Identifier: BSL-1.0
//
// Gradients with Sacado's reverse mode. Rad records while it computes; its memory is used again at the first operation
// after a sweep. RadVec and Rad with RAD_REINIT take 1.4 to 2 times as long.
#include <Sacado_trad.hpp>

#include <cmath>

// erfc, which Sacado lacks, by its function for users' own.
namespace Sacado::Rad {

inline ADvari<double>& erfc(const ADvar<double>& x) {
    constexpr double two_over_root_pi = 1.12837916709551257390;
    return ADf1(std::erfc(x.val()), -two_over_root_pi * std::exp(-x.val() * x.val()), x);
}

inline ADvari<double>& erfc(const ADvari<double>& x) { return erfc(ADvar<double>(x)); }

} // namespace Sacado::Rad

#include "contestant.hpp"

namespace peers {
namespace {

struct sacado_rad {
    using number = Sacado::Rad::ADvar<double>;

    template <class Workload>
    static void answer(const double* x, double* answer) {
        constexpr std::size_t n = inputs<Workload>, m = outputs<Workload>;
        std::array<number, n> point;
        for (std::size_t i = 0; i < n; ++i) point[i] = x[i];
        auto results = run<Workload>(point.data());
        double weights[m] = {}, *derivatives = answer + m;
        number* pointers[m];
        for (std::size_t j = 0; j < m; ++j) pointers[j] = &results[j];
        for (std::size_t j = 0; j < m; ++j) {
            answer[j] = results[j].val();
            weights[j] = 1.0;
            number::Weighted_Gradcomp(m, pointers, weights);
            weights[j] = 0.0;
            for (std::size_t i = 0; i < n; ++i) *derivatives++ = point[i].adj();
        }
    }
};

} // namespace

contestant sacado() { return contestant_of<sacado_rad>("Sacado Rad"); }

} // namespace peers
