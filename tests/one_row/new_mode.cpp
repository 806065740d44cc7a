// SPDX-License-Identifier: BSL-1.0
//
// Uses a mode of derivation that the library does not have: the sum of the second derivatives, once by each variable.
// Three places make it, in the copies of headers that CMakeLists.txt writes: the flag, the row of the table of modes
// with its function, and the member function that users call.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>

#include <cmath>

namespace {

namespace cr = chainrule;
namespace differentiate = chainrule::differentiate;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto F = cr::function(pow(x, 3_c) * y + sin(y), cr::wrt(x, y));

static_assert(F.laplacian(1.0, 2.0) != 0);
// Behind the values: the layout of the outputs follows the table.
constexpr unsigned both = cr::request::values | cr::request::laplacians;
static_assert(differentiate::first_output(cr::request::laplacians, both, 3, 2) == 3);
static_assert(decltype(F)::code<both>::code().output_count == 2);

} // namespace

TEST_CASE("a mode of three places is computed as its second derivatives", "[modes]") {
    const auto hessian = F.hessian(1.5, 2.0);
    CHECK(F.laplacian(1.5, 2.0) == Approx(hessian[0][0] + hessian[1][1]).epsilon(1e-14));
    CHECK(F.laplacian(1.5, 2.0) == Approx(6 * 1.5 * 2.0 - std::sin(2.0)).epsilon(1e-14));
}
