// SPDX-License-Identifier: BSL-1.0
//
// Gradients with chainrule's forward mode. A dual number carries the derivatives with respect to all inputs; one run
// computes all of them.
#include <chainrule/dual.hpp>

#include <utility>

#include "contestant.hpp"

namespace peers {
namespace {

struct custom_dual {
    template <class Workload>
    static constexpr bool takes_part = few_inputs<Workload>;

    template <class Workload>
    static void answer(const double* x, double* answer) {
        constexpr std::size_t n = inputs<Workload>, m = outputs<Workload>;
        using number = chainrule::dual<double, n>;
        const auto point = [x]<std::size_t... I>(std::index_sequence<I...>) {
            return std::array<number, n>{number::variable(x[I], I)...};
        }(std::make_index_sequence<n>{});
        const auto results = run<Workload>(point.data());
        double* derivatives = answer + m;
        for (std::size_t j = 0; j < m; ++j) {
            answer[j] = results[j].value;
            for (const double derivative : results[j].tangents) *derivatives++ = derivative;
        }
    }
};

} // namespace

contestant dual_numbers() { return contestant_of<custom_dual>("chainrule dual"); }

} // namespace peers
