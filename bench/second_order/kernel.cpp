// SPDX-License-Identifier: BSL-1.0
//
// Dense Hessians by chainrule's kernels: the value, the gradient and the Hessian are one. Kernels of products and
// sparse derivatives are in loops.cpp.
#include <chainrule/chainrule.hpp>

#include <new>

#include "contestant.hpp"

namespace second_order {
namespace {

namespace cr = chainrule;
using namespace cr::literals;

template <class Problem>
auto function_of = Problem::workload::function(given<typename Problem::workload>);

template <>
auto function_of<reprojection_hessian> = [] {
    const auto& [x, y] = given<workloads::reprojection>.feature;
    return workloads::reprojection::function_of(
        x, y, [](const auto& error_x, const auto& error_y) { return 0.5_c * (error_x * error_x + error_y * error_y); });
}();

template <class Problem>
struct kernel_of;
template <class Problem>
requires asks<Problem, hessian>
struct kernel_of<Problem> {
    static constexpr auto name = "chainrule compile-time";
    workloads::point<Problem::size> x = Problem::workload::at;
    using found = decltype(function_of<Problem>.value_gradient_and_hessian(x));
    found all{};

    void compute() { ::new (&all) found(function_of<Problem>.value_gradient_and_hessian(x)); }
    [[nodiscard]] bench::answer answer() const {
        return dense_answer(all.value, all.gradient, [&](std::size_t i, std::size_t j) { return all.hessian[i][j]; });
    }
};

} // namespace

contestant kernel() { return contestant_of<kernel_of>(); }

} // namespace second_order
