// SPDX-License-Identifier: BSL-1.0
//
// Sparse derivatives at run time: patterns by sets of indices and of bits, colourings, and entries against dense
// derivatives, with the number of runs.
#include "catch.hpp"
#include "sentence.hpp"

#include <chainrule/tape.hpp>
#include <chainrule/tape/sparse.hpp>

#include <cmath>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace {

namespace tape = chainrule::tape;
using number = tape::active<double>;
using pairs = std::vector<std::pair<std::size_t, std::size_t>>;

int runs = 0;

/// The sum of sin(x_i x_j + i) over pairs, of cubes over pairs of equals, and of a linear part without second
/// derivatives.
struct sum_over_pairs {
    pairs of;

    template <class List>
    auto operator()(const List& x) const {
        ++runs;
        std::remove_cvref_t<decltype(x[0])> s = 0.0;
        for (const auto& [i, j] : of)
            if (i == j)
                s += x[i] * x[i] * x[i];
            else
                s += sin(x[i] * x[j] + static_cast<double>(i)) - 2.0 * x[i];
        return s;
    }
};

std::vector<double> point_of(std::size_t size) {
    std::vector<double> x;
    for (std::size_t i = 0; i < size; ++i) x.push_back(0.4 + 0.013 * static_cast<double>(i % 61));
    return x;
}
/// All (i, j) with i <= j that belong.
template <class Belongs>
pairs pairs_where(std::size_t size, Belongs belongs) {
    pairs result;
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = i; j < size; ++j)
            if (belongs(i, j)) result.emplace_back(i, j);
    return result;
}
pairs banded(std::size_t size, std::size_t width) {
    pairs result;
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = i; j < std::min(size, i + width + 1); ++j) result.emplace_back(i, j);
    return result;
}

/// Checks pattern, entries, colouring and runs; returns the number of groups.
std::size_t check_hessian(const pairs& of, std::size_t size) {
    const sum_over_pairs f{of};
    const auto x = point_of(size);
    runs = 0;
    const tape::hessian_plan plan(tape::hessian_sparsity(f, x));
    CHECK(runs == 1);
    const tape::sparsity_pattern& pattern = plan.pattern();
    std::set<std::pair<std::size_t, std::size_t>> expected;
    for (const auto& [i, j] : of) {
        expected.emplace(i, j);
        expected.emplace(j, i);
        if (i != j) { // sin(x_i x_j) is curved in both
            expected.emplace(i, i);
            expected.emplace(j, j);
        }
    }
    CHECK(pattern.size() == expected.size());
    for (const auto& [i, j] : expected) CHECK(pattern.contains(i, j));

    // Each path of four vertices has three colours.
    const auto& group = plan.groups().groups;
    const auto at = [&](int v) { return group[static_cast<std::size_t>(v)]; };
    const auto next = [&](int v) { return pattern.row(static_cast<std::size_t>(v)); };
    bool star = true;
    for (int a = 0; a < static_cast<int>(size); ++a)
        for (const int b : next(a)) {
            if (b == a) continue;
            star = star && at(a) != at(b);
            for (const int c : next(b))
                for (const int d : next(c))
                    if (c != b && c != a && d != c && d != b && d != a)
                        star = star && !(at(a) == at(c) && at(b) == at(d));
        }
    CHECK(star);

    // Entries at another point, with the same plan.
    auto other = x;
    for (double& v : other) v = 1.1 - 0.5 * v;
    runs = 0;
    const std::vector<double> entries = tape::sparse_hessian(f, other, plan);
    CHECK(runs == static_cast<int>((plan.groups().count + 7) / 8));
    const auto dense = tape::hessian(f, other).hessian;
    const tape::sparse_matrix<double> sparse{pattern, entries};
    bool same = entries.size() == pattern.size();
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < size; ++j)
            same = same && std::abs(sparse(i, j) - dense(i, j)) <= 1e-12 * (1 + std::abs(dense(i, j)));
    CHECK(same);
    return plan.groups().count;
}

/// Elements of a matrix times its pattern of numbers: row i is the product of sin(x_j) over its columns.
struct products_of_rows {
    std::vector<std::vector<std::size_t>> rows;

    template <class List>
    auto operator()(const List& x) const {
        ++runs;
        using T = std::remove_cvref_t<decltype(x[0])>;
        std::vector<T> y;
        for (const auto& row : rows) {
            T p = 1.0;
            for (const std::size_t j : row) p *= 1.0 + sin(x[j]);
            y.push_back(p);
        }
        return y;
    }
};
/// Returns the plan.
tape::jacobian_plan check_jacobian(const products_of_rows& f, std::size_t size) {
    const auto x = point_of(size);
    runs = 0;
    const tape::jacobian_plan plan(tape::jacobian_sparsity(f, x));
    CHECK(runs == 1);
    std::size_t expected = 0;
    for (std::size_t i = 0; i < f.rows.size(); ++i) {
        expected += f.rows[i].size();
        for (const std::size_t j : f.rows[i]) CHECK(plan.pattern().contains(i, j));
    }
    CHECK(plan.pattern().size() == expected);
    CHECK(plan.pattern().transposed().transposed() == plan.pattern());
    runs = 0;
    const auto entries = tape::sparse_jacobian(f, x, plan);
    CHECK(runs == (plan.by_rows() ? 1 : static_cast<int>((plan.groups().count + 7) / 8)));
    const auto dense = tape::jacobian(f, x);
    const auto sparse = tape::sparse_jacobian(f, x);
    CHECK(sparse.entries == entries);
    bool same = true;
    for (std::size_t i = 0; i < dense.rows(); ++i)
        for (std::size_t j = 0; j < size; ++j) same = same && std::abs(sparse(i, j) - dense(i, j)) < 1e-13;
    CHECK(same);
    return plan;
}

} // namespace

TEST_CASE("sparse Hessians: arrow, band, block, random", "[tape]") {
    CHECK(check_hessian(pairs_where(12, [](auto i, auto j) { return i == j; }), 12) == 1);
    CHECK(check_hessian(pairs_where(12, [](auto i, auto j) { return i == j || i == 0; }), 12) == 2);
    CHECK(check_hessian(pairs_where(12, [](auto i, auto j) { return i == j || j == 11; }), 12) == 2);
    CHECK(check_hessian(pairs_where(12, [](auto i, auto j) { return i / 4 == j / 4; }), 12) == 4);
    CHECK(check_hessian(pairs_where(9, [](auto, auto) { return true; }), 9) == 9);
    CHECK(check_hessian(banded(30, 1), 30) == 3);
    CHECK(check_hessian(banded(30, 2), 30) <= 5);
    CHECK(check_hessian({{0, 5}}, 7) == 2);
    std::mt19937 random(7);
    for (int repeat = 0; repeat < 20; ++repeat) {
        const unsigned one_in = 3 + static_cast<unsigned>(repeat);
        const pairs of = pairs_where(18, [&](auto, auto) { return random() % one_in == 0; });
        if (!of.empty()) check_hessian(of, 18);
    }
    // Linear functions and constants have no entries.
    const auto linear = [](const auto& x) { return 2.0 * x[0] - x[1]; };
    CHECK(tape::sparse_hessian(linear, point_of(3)).entries.empty());
    CHECK(tape::sparse_hessian([](const auto&) { return 1.0; }, point_of(3)).pattern.row_count() == 3);
}

TEST_CASE("sparse Jacobians by columns and by rows", "[tape]") {
    products_of_rows band{}, arrow{}, random_rows{};
    for (std::size_t i = 0; i < 20; ++i) {
        band.rows.push_back({i, i + 1, i + 2});
        arrow.rows.push_back({i});
    }
    const auto of_band = check_jacobian(band, 22);
    CHECK(of_band.groups().count == 3);
    CHECK_FALSE(of_band.by_rows());
    for (std::size_t j = 1; j < 20; ++j) arrow.rows[0].push_back(j);
    const auto of_arrow = check_jacobian(arrow, 20); // a dense row: all others go together
    CHECK(of_arrow.groups().count == 2);
    CHECK(of_arrow.by_rows());
    std::mt19937 random(11);
    for (std::size_t i = 0; i < 15; ++i) {
        random_rows.rows.emplace_back();
        for (std::size_t j = 0; j < 25; ++j)
            if (random() % 6 == 0) random_rows.rows.back().push_back(j);
    }
    check_jacobian(random_rows, 25);
}

TEST_CASE("patterns by indices and by bits agree, over many blocks", "[tape]") {
    const std::size_t size = 1200;
    tape::tape t;
    std::vector<number> x, y;
    std::mt19937 random(3);
    for (const double v : point_of(size)) {
        x.push_back(t.variable(v));
        number s = 0.0;
        for (int k = 0; k < 4; ++k) s += x[random() % x.size()] * x.back();
        number other = 2.0 * s; // a set shared by two results
        for (int k = 0; k < 30; ++k) other = other * s + s;
        y.push_back(other);
    }
    y.push_back(x[17]); // an input is an output
    y.push_back(x[17]); // twice
    y.push_back(3.0);   // and so is a constant
    std::vector<tape::index> rows, columns;
    for (const auto& v : y) rows.push_back(t.number_of(v));
    for (const auto& v : x) columns.push_back(t.number_of(v));
    columns.push_back(t.number_of(y[40])); // an input is a result of others
    columns.push_back(t.number_of(x[17])); // and one is there twice
    tape::sparsity_pattern by_indices(size + 2), by_bits(size + 2), none(size + 2);
    REQUIRE(tape::sweeping::sets_of_indices(t.entries(), std::span<const tape::index>(rows),
                                            std::span<const tape::index>(columns), 1'000'000'000, by_indices));
    tape::sweeping::sets_of_bits(t.entries(), std::span<const tape::index>(rows), std::span<const tape::index>(columns),
                                 by_bits);
    CHECK(by_indices == by_bits);
    CHECK(by_indices.contains(40, size));
    CHECK(by_indices.contains(40, 40));
    CHECK(by_indices.row(size).size() == 2);
    CHECK(by_indices.row(size + 2).empty());
    CHECK(t.entries().block_count() > 5);
    CHECK_FALSE(tape::sweeping::sets_of_indices(t.entries(), std::span<const tape::index>(rows),
                                                std::span<const tape::index>(columns), 10, none));
}

TEST_CASE("a large band has few groups", "[tape]") {
    const std::size_t size = 3000;
    const sum_over_pairs f{banded(size, 2)};
    runs = 0;
    const auto h = tape::sparse_hessian(f, point_of(size));
    CHECK(runs == 2); // one for the pattern, one for all entries
    CHECK(h.pattern.size() == 5 * size - 6);
    CHECK(h(0, 3) == 0);
    // d2/dx_i dx_j of sin(x_i x_j + i)
    const auto x = point_of(size);
    const double angle = x[100] * x[102] + 100;
    CHECK(h(102, 100) == Approx(std::cos(angle) - x[100] * x[102] * std::sin(angle)));
}

TEST_CASE("misuse of sparse derivatives is answered in words", "[tape]") {
    const sum_over_pairs f{banded(5, 1)};
    const products_of_rows g{{{0, 1}, {1, 2}}};
    const tape::hessian_plan plan(tape::hessian_sparsity(f, point_of(5)));
    const tape::jacobian_plan columns(tape::jacobian_sparsity(g, point_of(3)));
    CHECK(contains(sentence_of([&] { (void)tape::sparse_hessian(f, point_of(6), plan); }),
                   "sparse_hessian: the point has 6 numbers and the pattern 5 columns; make a plan for this point"));
    CHECK(contains(sentence_of([&] { (void)tape::sparse_jacobian(g, point_of(6), columns); }),
                   "sparse_jacobian: the point has 6 numbers and the pattern 3 columns; make a plan for this point"));
    CHECK(contains(sentence_of([&] { (void)tape::sparse_jacobian(products_of_rows{{{0}}}, point_of(3), columns); }),
                   "sparse_jacobian: the function returns 1 numbers and the pattern has 2 rows; make a plan for this "
                   "function"));
    CHECK(contains(sentence_of([&] { tape::hessian_plan(tape::jacobian_sparsity(g, point_of(3))); }),
                   "hessian_plan: the pattern is not symmetric; pass that of a Hessian"));
    const std::string columns_of_row =
        "sparsity_pattern: a row has a column below 0 or beyond 2 columns, or one twice; "
        "add each column of an entry once, from 0";
    for (std::vector<int> row : {std::vector{0, 2}, std::vector{-1}, std::vector{1, 0, 1}}) {
        tape::sparsity_pattern own(2);
        CHECK(sentence_of([&] { own.add_row(row); }) == columns_of_row);
        CHECK(own.row_count() == 0);
    }
    const tape::sparsity_pattern pattern = tape::jacobian_sparsity(g, point_of(3)); // 2 x 3
    CHECK(pattern.contains(1, 2));
    CHECK(sentence_of([&] { (void)pattern.contains(2, 0); }) ==
          "sparsity_pattern: there is no row 2 in a matrix of 2 rows; they are numbered from 0");
    CHECK(sentence_of([&] { (void)pattern.contains(0, std::size_t{1} << 32); }) ==
          "sparsity_pattern: there is no column 4294967296 in a matrix of 3 columns; they are numbered from 0");
    CHECK(sentence_of([&] { (void)pattern.row(2); }) ==
          "sparsity_pattern: there is no row 2 in a matrix of 2 rows; they are numbered from 0");
    CHECK(sentence_of([&] { (void)pattern.made_symmetric(); }) ==
          "sparsity_pattern: a matrix of 2 x 3 has no symmetric pattern; take that of a square matrix");
    CHECK(contains(sentence_of([&] { (void)tape::sparse_hessian(f, point_of(5))(5, 0); }),
                   "sparse_matrix: there is no element (5, 0) in a matrix of 5 x 5"));
    tape::tape t;
    const std::vector x{t.variable(1.0)};
    const std::vector<number> plain{2.0};
    CHECK(contains(sentence_of([&] { (void)tape::jacobian_sparsity(t, x, plain); }),
                   "jacobian_sparsity: an input is not recorded; make variables with tape.variable(...)"));
    const auto y = t.operation(std::array{1.0}, [](auto, const auto&) {});
    CHECK(contains(sentence_of([&] { (void)tape::jacobian_sparsity(t, y, x); }),
                   "jacobian_sparsity: the tape has an operation(...), and what it depends on is unknown; use "
                   "jacobian(...)"));
}

TEST_CASE("the outputs and inputs of a recording are vectors, arrays or spans", "[tape]") {
    tape::tape t;
    std::vector<number> x = t.variables(std::vector{1.0, 2.0});
    const std::array<number, 2> same{x[0], x[1]};
    const number in_array[2] = {x[0], x[1]};
    std::vector<number> y{x[1] * x[1], sin(x[0])};
    const std::array<number, 2> as_well{y[0], y[1]};
    const auto check = [&](const auto& outputs, auto&& inputs) {
        const auto j = tape::jacobian(t, outputs, inputs);
        CHECK((j(0, 0) == 0 && j(0, 1) == 4 && j(1, 0) == std::cos(1.0) && j(1, 1) == 0));
        const tape::sparsity_pattern p = tape::jacobian_sparsity(t, outputs, inputs);
        CHECK((p.size() == 2 && p.contains(0, 1) && p.contains(1, 0)));
    };
    const auto with_outputs = [&](const auto& outputs) {
        check(outputs, x);
        check(outputs, std::as_const(x));
        check(outputs, same);
        check(outputs, in_array);
        check(outputs, std::span(x));
        check(outputs, std::span<const number>(x));
        check(outputs, std::span(same));
    };
    with_outputs(y);
    with_outputs(as_well);
    with_outputs(std::span(y));
    with_outputs(std::span(as_well));
    CHECK(tape::jacobian(t, y, {x[1]})(0, 0) == 4);
    CHECK(tape::jacobian_sparsity(t, {y[1]}, {x[0], x[1]}).contains(0, 0));
    CHECK(tape::jacobian(t, {y[0]}, std::array{x[1]})(0, 0) == 4);
}

TEST_CASE("constants in double beside floats of a tape of a tape are floats", "[tape]") {
    const auto f = [](const auto& x) {
        std::remove_cvref_t<decltype(x[0])> s = 0.0F;
        if (2.0 * x[0] < x[1] + 0.5) s += 2.0 * x[0] * x[0] * x[1] + pow(x[1], 3.0) / 3 + max(x[0] * 0.5, -1.0);
        return s;
    };
    const std::vector<float> x{0.5F, 2.0F};
    const auto h = tape::sparse_hessian(f, x);
    CHECK(h(0, 0) == 8.0F);
    CHECK(h(0, 1) == 2.0F);
    CHECK(h(1, 1) == 4.0F);
    CHECK(tape::hessian_sparsity(f, x).size() == 4);
    const auto slope = [&](const auto& at) { return 2.0 * tape::gradient(f, at)[0]; };
    CHECK(tape::gradient(slope, x) == std::vector{16.0F, 4.0F});
}
