// SPDX-License-Identifier: BSL-1.0
//
// The lists that functions of a tape take. Those of Eigen: tests/interop/eigen_points.cpp.
#include "catch.hpp"

#include <chainrule/tape.hpp>
#include <chainrule/tape/eager.hpp>
#include <chainrule/tape/sparse.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <span>
#include <string>
#include <vector>

namespace {

namespace tape = chainrule::tape;
using number = tape::active<double>;
using eager = tape::eager<double>;

// Product and quotient of two variables, in several kinds of lists.
struct two_outputs {
    tape::tape t;
    std::vector<number> x = t.variables({3.0, 2.0});
    number product = x[0] * x[1], quotient = x[0] / x[1];
    const std::vector<number> in_vector{product, quotient};
    const std::deque<number> in_deque{product, quotient};
    const std::vector<eager> as_eager{product, quotient};
    const eager x_as_eager[2] = {x[0], x[1]};
};
const std::vector by_both{2.0, 3.0, 0.5, -0.75}; // row by row

std::vector<double> elements(const tape::matrix<double>& j) { return {j(0, 0), j(0, 1), j(1, 0), j(1, 1)}; }

} // namespace

TEST_CASE("a Jacobian of a tape takes lists of any kind", "[tape]") {
    two_outputs of;
    CHECK(elements(tape::jacobian(of.t, of.in_vector, of.x)) == by_both);
    CHECK(elements(tape::jacobian(of.t, of.in_deque, std::span(of.x))) == by_both);
    CHECK(elements(tape::jacobian(of.t, of.as_eager, of.x_as_eager)) == by_both);
    CHECK(elements(tape::jacobian(of.t, {of.product, of.quotient}, {of.x[0], of.x[1]})) == by_both);
    CHECK(std::ranges::equal(tape::jacobian_sparsity(of.t, of.as_eager, of.x).row(1), std::array{0, 1}));
}

TEST_CASE("sweeps take lists of any kind", "[tape]") {
    two_outputs of;
    const auto in_lanes = [&](const auto& outputs) {
        const auto adjoints = of.t.backward<2>(outputs);
        return std::vector{adjoints[of.x[0]][0], adjoints[of.x[1]][0], adjoints[of.x[0]][1], adjoints[of.x[1]][1]};
    };
    CHECK(in_lanes(of.in_vector) == by_both);
    CHECK(in_lanes(of.in_deque) == by_both);
    CHECK(in_lanes(of.as_eager) == by_both);
    CHECK(of.t.backward<2>({of.product, of.quotient})[of.x[0]] == std::array{2.0, 0.5});
    CHECK(of.t.backward<1>(of.as_eager, {2.0, 4.0})[of.x[1]] == std::array{3.0});

    const std::deque<double> weights{2.0, 4.0};
    for (int way = 0; way < 4; ++way) {
        if (way == 0) of.t.backward(of.in_vector, std::vector{2.0, 4.0});
        if (way == 1) of.t.backward(of.in_deque, weights);
        if (way == 2) of.t.backward(of.as_eager, {2.0, 4.0});
        if (way == 3) of.t.backward({of.product, of.quotient}, {2.0, 4.0});
        CHECK(of.x[0].gradient() == 6.0);
        CHECK(of.x[1].gradient() == 3.0);
        of.t.backward(of.product);
        CHECK(of.x[0].gradient() == 2.0);
    }
    CHECK_THROWS_AS(of.t.backward(of.in_deque, {1.0}), std::invalid_argument);
    CHECK_THROWS_AS(of.t.backward<1>(of.as_eager), std::invalid_argument);
}
