// SPDX-License-Identifier: BSL-1.0
//
// Objects of the tape that were moved from: they are empty, or say so in a sentence.
#include "catch.hpp"
#include "sentence.hpp"
#include "tape/private_cache.hpp"

#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>
#include <chainrule/tape/save.hpp>
#include <chainrule/tape/sparse.hpp>

#include <array>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

namespace tape = chainrule::tape;

constexpr auto product = [](const auto& x) { return x[0] * sin(x[1]); };
constexpr auto products = [](const auto& x) {
    return std::vector<std::remove_cvref_t<decltype(x[0])>>{x[0] * sin(x[1]), x[1] * x[1]};
};
const std::vector<double> x{1.0, 2.0}, one{1.0, 1.0};
const std::string sentence =
    "replay: the recording was moved from and holds nothing; use the object that it was moved to, or assign another";

} // namespace

// NOLINTBEGIN(bugprone-use-after-move)
TEST_CASE("a recording that was moved from says so", "[tape]") {
    auto r = tape::record(product, x);
    auto other = std::move(r);
    const auto moved = [](auto call) { CHECK(sentence_of(call) == sentence); };
    moved([&] { (void)r(x); });
    moved([&] { (void)r(std::vector<double>{}); });
    moved([&] { (void)r.value_and_gradient(x); });
    moved([&] { (void)r.hessian(x); });
    moved([&] { (void)r.jvp(x, one); });
    moved([&] { (void)r.vjp(x, 1.0); });
    moved([&] { (void)r.hvp(x, one); });
    moved([&] { (void)r.taylor<2>(x, one); });
    moved([&] { (void)r.taylor(x, one, 2); });
    moved([&] { (void)r.sparse_hessian(x); });
    moved([&] { (void)r.jacobian_sparsity(); });
    moved([&] { (void)r(tape::matrix<double>(3, 2)); });
    moved([&] { (void)r.value_and_gradient(tape::matrix<double>(3, 2)); });
    moved([&] { r.record_again(x); });
    moved([&] { (void)r.inputs(); });
    moved([&] { (void)r.outputs(); });
    moved([&] { (void)r.operations(); });
    moved([&] { (void)r.comparisons(); });
    moved([&] {
        std::ostringstream to;
        tape::save(r, to);
    });
    moved([&] { (void)tape::to_c(r); });
    moved([&] { (void)tape::compile(r); });
    CHECK(other(x) == Approx(std::sin(2.0)));
    r = other;
    CHECK(r(x) == other(x));

    auto several = tape::record(products, x);
    const auto kept = std::move(several);
    moved([&] { (void)several.jacobian(x); });
    CHECK(kept.outputs() == 2);
}

TEST_CASE("a compiled recording that was moved from says so", "[tape]") {
    if (!compiles()) return;
    const private_cache cache;
    auto options = cache.options();
    options.points = true;
    const auto moved = [](auto call) { CHECK(sentence_of(call) == sentence); };
    auto k = tape::compile(tape::record(product, x), options);
    auto other = std::move(k);
    moved([&] { (void)k(x); });
    moved([&] { (void)k.value_and_gradient(x); });
    moved([&] { (void)k.gradient(std::array{1.0, 2.0}); });
    moved([&] { (void)k(tape::matrix<double>(3, 2)); });
    moved([&] { (void)k.value_and_gradient(tape::matrix<double>(3, 2)); });
    moved([&] { (void)k.inputs(); });
    CHECK(other(x) == Approx(std::sin(2.0)));
    k = std::move(other);
    CHECK(k(x) == Approx(std::sin(2.0)));
    moved([&] { (void)other(x); });

    options.points = false;
    options.sparse = true;
    auto sparse = tape::compile(tape::record(products, x), options);
    const auto kept = std::move(sparse);
    moved([&] { (void)sparse.jacobian(x); });
    moved([&] { (void)sparse.sparse_jacobian(x); });
    moved([&] { (void)sparse.jacobian_sparsity(); });
    CHECK(kept.jacobian_sparsity().size() == 3);
    options.hessians = true;
    auto second = tape::compile(tape::record(product, x), options);
    const auto kept_too = std::move(second);
    moved([&] { (void)second.hessian(x); });
    moved([&] { (void)second.sparse_hessian(x); });
    moved([&] { (void)second.hessian_sparsity(); });
}

TEST_CASE("a pattern that was moved from has no rows", "[tape]") {
    tape::sparsity_pattern pattern = tape::jacobian_sparsity(products, x);
    tape::sparsity_pattern other = std::move(pattern);
    CHECK(other.row_count() == 2);
    CHECK(pattern.row_count() == 0);
    CHECK(pattern.column_count() == 0);
    CHECK(pattern.transposed().row_count() == 0);
    CHECK(pattern.made_symmetric().row_count() == 0);
    CHECK(tape::jacobian_plan(pattern).groups().count == 0);
    std::vector<int> nothing;
    pattern.add_row(nothing);
    CHECK(pattern.row_count() == 1);
    CHECK(pattern.row(0).empty());
    pattern = std::move(other);
    CHECK(pattern.size() == 3);
    CHECK(other.row_count() == 0);

    auto matrix = tape::sparse_jacobian(products, x);
    const auto kept = std::move(matrix);
    CHECK_THROWS_AS(matrix(0, 0), std::out_of_range);
    CHECK(kept(1, 1) == 4);

    tape::jacobian_plan plan(tape::jacobian_sparsity(products, x));
    const tape::jacobian_plan moved = std::move(plan);
    CHECK(contains(sentence_of([&] { (void)tape::sparse_jacobian(products, x, plan); }),
                   "sparse_jacobian: the point has 2 numbers and the pattern 0 columns; make a plan for this point"));
    CHECK(tape::sparse_jacobian(products, x, moved).size() == 3);
}

TEST_CASE("derivatives in lanes that were moved from say so", "[tape]") {
    tape::tape t;
    const auto a = t.variable(2.0);
    const tape::active<double> y = a * a;
    auto lanes = t.backward<2>(std::vector{y});
    const auto other = std::move(lanes);
    CHECK(other[a][0] == 4);
    CHECK(sentence_of([&] { (void)lanes[a]; }) ==
          "backward: the derivatives were moved from; use the object that they were moved to");
}
// NOLINTEND(bugprone-use-after-move)
