// SPDX-License-Identifier: BSL-1.0
//
// Residuals of rows: Gauss-Newton matrices, their products, and Jacobians, against the kernel of one row.
#include "catch.hpp"
#include "sentence.hpp"

#include <chainrule/batch.hpp>
#include <chainrule/batch/residuals.hpp>
#include <chainrule/batch/threads.hpp>
#include <chainrule/chainrule.hpp>

#include <array>
#include <cmath>
#include <vector>

namespace cr = chainrule;
using namespace cr::literals;

namespace {

constexpr auto t = cr::variable<"t">;
constexpr auto y = cr::variable<"y">;
constexpr auto u = cr::variable<"u">;
constexpr auto a = cr::variable<"a">;
constexpr auto b = cr::variable<"b">;
constexpr auto c = cr::variable<"c">;
constexpr auto r = cr::vector(y - a * exp(-b * t), a + c * t);

constexpr std::size_t rows = 1037;
const std::vector<double> times = [] {
    std::vector<double> all(rows);
    for (std::size_t i = 0; i < rows; ++i) all[i] = 0.01 * static_cast<double>(i * 37 % 101);
    return all;
}();
const std::vector<double> counts = [] {
    std::vector<double> all(rows);
    for (std::size_t i = 0; i < rows; ++i) all[i] = 2.0 + 0.1 * static_cast<double>(i * 5 % 7);
    return all;
}();
constexpr std::array<double, 3> at = {2.0, 0.5, -0.25};

auto of_row(std::size_t i) {
    return cr::function(r, cr::wrt(a, b, c), cr::given(t = times[i], y = counts[i])).value_and_jacobian(at);
}
void check_close(double found, double expected) {
    CHECK(std::abs(found - expected) <= 1e-12 * (1 + std::abs(expected)));
}

} // namespace

TEST_CASE("the Gauss-Newton matrix is the sum over the residuals") {
    const auto all = cr::residuals(r, cr::over(t = times, y = counts), cr::wrt(a, b, c));
    double value = 0.0;
    std::array<double, 3> gradient{};
    std::array<std::array<double, 3>, 3> matrix{};
    for (std::size_t i = 0; i < rows; ++i) {
        const auto [values, jacobian] = of_row(i);
        for (std::size_t k = 0; k < 2; ++k) {
            value += 0.5 * values[k] * values[k];
            for (std::size_t p = 0; p < 3; ++p) {
                gradient[p] += jacobian[k][p] * values[k];
                for (std::size_t q = 0; q < 3; ++q) matrix[p][q] += jacobian[k][p] * jacobian[k][q];
            }
        }
    }
    const auto found = all.gauss_newton(at);
    const auto product = all.gauss_newton_product(at, std::array{1.0, -2.0, 3.0});
    check_close(found.value, value);
    check_close(all.half_squares(at), value);
    check_close(all.half_squares(2.0, 0.5, -0.25), value);
    for (std::size_t p = 0; p < 3; ++p) {
        check_close(found.gradient[p], gradient[p]);
        check_close(product[p], matrix[p][0] - 2 * matrix[p][1] + 3 * matrix[p][2]);
        for (std::size_t q = 0; q < 3; ++q) check_close(found.matrix[p][q], matrix[p][q]);
    }
    const auto threaded =
        cr::residuals(r, cr::over(t = times, y = counts), cr::wrt(a, b, c), cr::threads(2)).gauss_newton(at);
    CHECK(threaded.matrix == found.matrix);
}

TEST_CASE("weights scale the squares of residuals") {
    const std::vector<double> weights(rows, 0.25);
    const auto data = cr::over(t = times, y = counts, u = weights);
    const auto weighted = cr::residuals(r, data, cr::wrt(a, b, c), cr::weights(u)).gauss_newton(at);
    const auto plain = cr::residuals(r, data, cr::wrt(a, b, c)).gauss_newton(at);
    check_close(weighted.value, 0.25 * plain.value);
    check_close(weighted.gradient[1], 0.25 * plain.gradient[1]);
    check_close(weighted.matrix[0][2], 0.25 * plain.matrix[0][2]);
}

TEST_CASE("Jacobians are written row by row, dense and without zeros") {
    const auto all = cr::residuals(r, cr::over(t = times, y = counts), cr::wrt(a, b, c));
    CHECK(all.count() == 2 * rows);
    CHECK(all.sparse_entries() == 4 * rows);
    std::vector<double> values(2 * rows), jacobian(6 * rows), entries(4 * rows);
    std::vector<int> starts(2 * rows + 1), columns(4 * rows);
    all.values(at, values);
    all.jacobian(at, jacobian);
    all.sparse_structure(starts, columns);
    all.sparse_jacobian(at, entries);
    for (std::size_t i = 0; i < rows; ++i) {
        const auto expected = of_row(i);
        for (std::size_t k = 0; k < 2; ++k) {
            const std::size_t row = 2 * i + k;
            check_close(values[row], expected.values[k]);
            std::array<double, 3> from_sparse{};
            for (int e = starts[row]; e < starts[row + 1]; ++e)
                from_sparse[static_cast<std::size_t>(columns[static_cast<std::size_t>(e)])] =
                    entries[static_cast<std::size_t>(e)];
            for (std::size_t p = 0; p < 3; ++p) {
                check_close(jacobian[3 * row + p], expected.jacobian[k][p]);
                check_close(from_sparse[p], expected.jacobian[k][p]);
            }
        }
    }
    CHECK(starts.back() == static_cast<int>(4 * rows));
}

TEST_CASE("results have room, or are refused") {
    const auto all = cr::residuals(r, cr::over(t = times, y = counts), cr::wrt(a, b, c));
    std::vector<double> few(10);
    std::vector<int> starts(3), columns(4 * rows);
    CHECK(sentence_of([&] { all.values(at, few); }) ==
          "values: there are 2074 residuals, but room for 10; pass a range of as many");
    CHECK(sentence_of([&] { all.jacobian(at, few); }) ==
          "jacobian: there are 6222 entries, but room for 10; pass a range of as many");
    CHECK(sentence_of([&] { all.sparse_jacobian(at, few); }) ==
          "sparse_jacobian: there are 4148 entries, but room for 10; pass a range of as many");
    CHECK(sentence_of([&] { all.sparse_structure(starts, columns); }) ==
          "sparse_structure: there are 2075 row starts, but room for 3; pass a range of as many");
    std::vector<double> data(2 * rows, 1.0);
    const auto of_these = cr::residuals(r, cr::over(t = cr::column(data.data(), rows), y = counts), cr::wrt(a, b, c));
    CHECK(sentence_of([&] { of_these.values(at, data); }) ==
          "values: the results overlap the data; write them to memory of their own");
    CHECK(data == std::vector<double>(2 * rows, 1.0));
    const std::vector<double> none;
    const auto without_rows = cr::residuals(r, cr::over(t = none, y = none), cr::wrt(a, b, c));
    CHECK(without_rows.half_squares(at) == 0.0);
    CHECK(without_rows.gauss_newton(at).gradient[0] == 0.0);
}
