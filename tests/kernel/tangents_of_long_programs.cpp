// SPDX-License-Identifier: BSL-1.0
//
// The Hessian of a long program is computed on tangents at run time.
#include "random_operations.hpp"

#include <type_traits>

namespace {

namespace cr = chainrule;
namespace request = chainrule::request;

constexpr auto eight = cr::function<8>(random_operations<18, 7>{});

} // namespace

TEST_CASE("Hessians of long programs are computed on tangents at run time", "[tangents]") {
    // On processors with vectors.
    constexpr unsigned all = request::values | request::jacobians | request::hessians;
    using F = std::remove_cvref_t<decltype(eight)>;
    static_assert(
        cr::kernel::vector_lanes<double> == 0 ||
        cr::detail::runs_on_tangents<F, 8, request::hessians, double, cr::detail::symmetric_outputs<double, 8>>());
    static_assert(cr::kernel::vector_lanes<double> == 0 ||
                  cr::detail::runs_on_tangents<F, 8, all, double, cr::detail::second_order_outputs<double, 8>>());
    static_assert(!cr::detail::runs_on_tangents<F, 8, request::hessians, long double,
                                                cr::detail::symmetric_outputs<long double, 8>>());
    const auto exact = eight.hessian(a_point<8, long double>());
    check_entries(eight.hessian(a_point<8>()), exact);
    const auto got = eight.value_gradient_and_hessian(a_point<8>());
    check_entries(got.hessian, exact);
    const auto first = eight.value_and_gradient(a_point<8>());
    CHECK(got.value == Approx(first.value).epsilon(1e-15));
    for (std::size_t i = 0; i < 8; ++i) CHECK(got.gradient[i] == Approx(first.gradient[i]).epsilon(1e-14));
    // A constant expression has no vectors.
    constexpr auto constant = eight.hessian(a_point<8>());
    check_entries(constant, exact);
}
