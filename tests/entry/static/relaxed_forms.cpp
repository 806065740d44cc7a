// SPDX-License-Identifier: BSL-1.0
//
// Which form relaxed values have: calls that merge and that must not, Horner's rule, and the form that costs least. The
// relaxed programs of the workloads of bench/ cost less than those as written, never more.
#include "../../../bench/workloads/black_scholes.hpp"
#include "../../../bench/workloads/helmholtz.hpp"
#include "../../../bench/workloads/log_product_sine.hpp"
#include "../../../bench/workloads/reprojection.hpp"
#include "../../../bench/workloads/rosenbrock.hpp"

namespace cr = chainrule;
using namespace cr::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;
constexpr unsigned values = cr::request::values, gradient = values | cr::request::jacobians;

template <unsigned Request, class E>
constexpr auto relaxed(const E& e) {
    return cr::operation_count<Request>(cr::function(e, cr::wrt(x, y, z), cr::relaxed()));
}
template <unsigned Request, class E>
constexpr auto written(const E& e) {
    return cr::operation_count<Request>(cr::function(e, cr::wrt(x, y, z)));
}

// Exponentials whose only use is one product or quotient are one call.
static_assert(relaxed<values>(exp(x) * exp(y)).calls == 1);
static_assert(relaxed<values>(exp(x) * z / exp(y) * exp(z)).calls == 1);
static_assert(relaxed<gradient>(exp(x) * exp(y) * exp(z)).calls == 1);
static_assert(relaxed<values>(exp(x) * y * exp(-x)).total == 0);
// Not if another part uses one of them, or a condition decides about it.
static_assert(relaxed<values>(exp(x) * exp(y) + exp(x)).calls == 2);
static_assert(relaxed<values>((exp(x) * z) * exp(y) + sin(exp(x) * z)).calls == 3);
static_assert(relaxed<values>(select(z > 0_c, exp(x), y) * exp(y)).calls == 2);
// Powers of one base; with exact exponents the sum may need no call.
static_assert(relaxed<values>(pow(x, y) * pow(x, z)).calls == 1);
static_assert(relaxed<values>(pow(x, 0.3_c) * pow(x, 0.7_c)).total == 0);
static_assert(relaxed<values>(pow(x, 2.5_c) / pow(x, 0.2_c)).calls == 1);
static_assert(relaxed<values>(pow(x, z) * pow(y, z)).calls == 2);
// log(x y) overflows where log(x) + log(y) is finite, and exists where both are negative; the same for roots.
static_assert(relaxed<values>(log(x) + log(y)).calls == 2);
static_assert(relaxed<values>(sqrt(x) * sqrt(y)).calls == 2);
// 1 / u from 1 / sqrt(u), where u cannot be negative.
constexpr auto length = sqrt(x * x + y * y);
static_assert(relaxed<values>(cr::vector(x / length, z / (x * x + y * y))).divisions == 1);
static_assert(relaxed<values>(cr::vector(x / sqrt(y), z / y)).divisions == 2);

// One reciprocal for two divisors, where each output that is divided by one is divided by the other, too.
constexpr auto product_and_quotient = z / (x * y) + sin(z / y);
static_assert(written<values>(product_and_quotient).divisions == 2);
static_assert(relaxed<values>(product_and_quotient).divisions == 1);
static_assert(relaxed<values>(cr::vector(z / (x * y), z / y)).divisions == 2);
constexpr auto two_pairs = product_and_quotient + y / (z * (x + 1_c)) + cos(x / z);
static_assert(written<values>(two_pairs).divisions == 4 && relaxed<values>(two_pairs).divisions == 2);

// Horner's rule: as many fused operations as the degree.
constexpr auto cubic = 2_c * x * x * x + 5_c * x * x + 3_c * x + 7_c;
static_assert(written<values>(cubic).total == 7 && relaxed<values>(cubic).total == 3);
static_assert(relaxed<values>(y * pow(x, 4_c) + z * x * x + 7_c).total == 3);
static_assert(relaxed<values>(x * x * y + x * z + 2_c).total == 2);
static_assert(relaxed<gradient>(x * x * y + x * z + 2_c).cost < written<gradient>(x * x * y + x * z + 2_c).cost);
// Where it saves nothing, powers stay: x x + x is one operation.
static_assert(relaxed<values>(x * x + x).total == 1);
static_assert(relaxed<values>(x * x + y * y).total == written<values>(x * x + y * y).total);

// What saves nothing stays as written: a quotient is cheaper than a reciprocal and a product.
static_assert(relaxed<values>(x / y + z) == written<values>(x / y + z));
static_assert(cr::function(1_c / 3_c * x + y - y / 5_c, cr::wrt(x, y), cr::relaxed())(0.0, 5.0) == 4.0);

/// The cost of a workload's program as written minus that of the relaxed one.
template <unsigned Request, class E, class V, class Bindings, bool Scalar>
constexpr int saved(const cr::positional_function<E, V, Bindings, Scalar>& f) {
    using parts = cr::detail::function_parts;
    const auto other =
        cr::detail::make_function<Scalar, V, Bindings>(cr::relaxed(parts::expressions(f)), parts::bound(f));
    return cr::operation_count<Request>(f).cost - cr::operation_count<Request>(other).cost;
}
template <unsigned Request, class Workload>
constexpr int saved_in = saved<Request>(Workload::function(typename Workload::data{}));

static_assert(saved_in<gradient, workloads::log_product_sine> == 0);
static_assert(saved_in<values, workloads::black_scholes> >= 18);
static_assert(saved_in<gradient, workloads::black_scholes> >= 19);
static_assert(cr::operation_count<gradient>(cr::function(workloads::black_scholes::formula<workloads::expressions>(
                                                             0.5_c, 2_c, x, y, z, cr::variable<"sigma">,
                                                             cr::variable<"time">),
                                                         cr::wrt(x, y, z, cr::variable<"sigma">, cr::variable<"time">),
                                                         cr::relaxed()))
                  .divisions == 2); // spot / strike, and 1 / (sigma sqrt(time))
static_assert(saved_in<values, workloads::rosenbrock> >= 16);
static_assert(saved_in<gradient, workloads::rosenbrock> >= 16);
static_assert(saved_in<values, workloads::reprojection> >= 4);
static_assert(saved_in<gradient, workloads::reprojection> >= 7);
static_assert(saved_in<gradient, workloads::helmholtz_exact> >= 58);
