// SPDX-License-Identifier: BSL-1.0
//
// Templates that take no formulas on eager numbers, by all calls of the tape.
#include "catch.hpp"
#include "foreign_templates.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/eager.hpp>
#include <chainrule/tape/replay.hpp>
#include <chainrule/tape/sparse.hpp>

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

namespace cr = chainrule;
namespace tape = chainrule::tape;

const std::vector<double> at{1.5, 2.5, 0.75};

Approx near(double v) { return Approx(v).epsilon(1e-12); }

template <class F>
std::vector<double> slopes_by_dual_numbers(const F& f, const std::vector<double>& x) {
    const auto directions = cr::dual_variables(std::array{x[0], x[1], x[2]});
    const auto y = f(std::vector(directions.begin(), directions.end()));
    return {y.tangents.begin(), y.tangents.end()};
}

} // namespace

TEST_CASE("templates that take no formulas are differentiated with eager numbers", "[tape]") {
    const auto exact = slopes_by_dual_numbers(foreign::all, at);
    const auto found = tape::value_and_gradient(tape::eagerly(foreign::all), at);
    CHECK(found.value == foreign::all(at));
    for (std::size_t i = 0; i < at.size(); ++i) CHECK(found.gradient[i] == near(exact[i]));
}

TEST_CASE("eagerly(f) serves every call of the tape", "[tape]") {
    const auto f = tape::eagerly(foreign::few);
    const auto exact = slopes_by_dual_numbers(foreign::few, at);
    const std::vector direction{1.0, -0.5, 2.0};
    const double slope = std::inner_product(exact.begin(), exact.end(), direction.begin(), 0.0);
    CHECK(tape::jvp(f, at, direction) == near(slope));
    CHECK(tape::vjp(f, at, 2.0)[1] == near(2 * exact[1]));
    std::vector<double> to(3);
    CHECK(tape::value_and_gradient(f, at, to) == foreign::few(at));
    CHECK(to[2] == near(exact[2]));

    auto recorded = tape::record(foreign::few, at);
    const auto second = recorded.hessian(at).hessian;
    const auto h = tape::hessian(f, at);
    CHECK(h.value == foreign::few(at));
    const auto product = tape::hvp(f, at, direction);
    for (std::size_t i = 0; i < 3; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            CHECK(h.hessian(i, j) == near(second(i, j)).margin(1e-10));
            sum += second(i, j) * direction[j];
        }
        CHECK(product[i] == near(sum));
    }
    // Reverse over reverse, with eager numbers inside, outside and in both.
    const auto first = [&](const auto& x) { return tape::gradient(f, x)[0]; };
    CHECK(tape::gradient(first, at)[1] == near(second(0, 1)));
    CHECK(tape::gradient(tape::eagerly(first), at)[1] == near(second(0, 1)));
    const auto active_inside = [](const auto& x) {
        using T = std::remove_cvref_t<decltype(x[0])>;
        const auto inner = [&](const auto& y) { return sin(y * x[0]) * y / x[1] + (x[0] < y ? x[0] : T(x[1])); };
        return tape::gradient(inner, x[1])[0];
    };
    CHECK(tape::gradient(tape::eagerly(active_inside), at)[0] ==
          near(tape::jvp(active_inside, at, std::vector{1., 0., 0.})));
    CHECK(tape::sparse_hessian(f, at)(1, 2) == near(second(1, 2)));
    CHECK(tape::record(f, at).gradient(at)[0] == near(exact[0]));
}
