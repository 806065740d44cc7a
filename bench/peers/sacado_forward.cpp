// SPDX-License-Identifier: BSL-1.0
//
// Gradients with Sacado's forward mode, with all derivatives in an array of static size. Of its four kinds of such
// numbers, these two are the fastest, each for some workloads: SFad, and ELRCacheFad, which goes back through the
// expression of a statement and keeps values inside it.
#include <Sacado_No_Kokkos.hpp>

#include <cmath>

namespace peers {

/// erfc, which Sacado lacks, as its users add functions: the value, and the derivatives times that of the function.
template <class Number>
Number erfc_of(Number x) {
    constexpr double two_over_root_pi = 1.12837916709551257390;
    const double factor = -two_over_root_pi * std::exp(-x.val() * x.val());
    for (int i = 0; i < x.size(); ++i) x.fastAccessDx(i) *= factor;
    x.val() = std::erfc(x.val());
    return x;
}

} // namespace peers

namespace Sacado::Fad::Exp {

template <class Expression>
auto erfc(const Expr<Expression>& x) {
    return peers::erfc_of(typename BaseExprType<Expression>::type(x.derived()));
}

} // namespace Sacado::Fad::Exp

namespace Sacado::ELRCacheFad {

template <class Expression>
auto erfc(const Expr<Expression>& x) {
    return peers::erfc_of(typename Expr<Expression>::base_expr_type(x));
}

} // namespace Sacado::ELRCacheFad

#include "contestant.hpp"

namespace peers {
namespace {

template <template <class, int> class Number>
struct forward {
    template <class Workload>
    static constexpr bool takes_part = few_inputs<Workload>;

    template <class Workload>
    static void answer(const double* x, double* answer) {
        constexpr int n = static_cast<int>(inputs<Workload>), m = static_cast<int>(outputs<Workload>);
        using number = Number<double, n>;
        std::array<number, n> point;
        for (int i = 0; i < n; ++i) point[static_cast<std::size_t>(i)] = number(n, i, x[i]);
        const auto results = run<Workload>(point.data());
        double* derivatives = answer + m;
        for (const number& result : results) {
            *answer++ = result.val();
            for (int i = 0; i < n; ++i) *derivatives++ = result.dx(i);
        }
    }
};

} // namespace

contestant sacado_forward() { return contestant_of<forward<Sacado::Fad::SFad>>("Sacado SFad"); }
contestant sacado_statements() { return contestant_of<forward<Sacado::ELRCacheFad::SFad>>("Sacado ELRCacheFad"); }

} // namespace peers
