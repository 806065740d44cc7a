// SPDX-License-Identifier: BSL-1.0
//
// Jacobians of 1,000 entries and more that are mostly zero everywhere: their program writes the other entries, and the
// rest is filled with zeros.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>

#include <array>
#include <cmath>
#include <utility>

namespace {

namespace cr = chainrule;

constexpr std::size_t rows = 50, columns = 20;
constexpr auto x = cr::variables<"x", columns>;
constexpr auto k = cr::variable<"k">;

constexpr std::size_t first_of(std::size_t row) { return row % columns; }
constexpr std::size_t second_of(std::size_t row) { return (7 * row + 3) % columns; }
template <std::size_t I>
constexpr auto row() {
    return sin(x[boost::hana::size_c<first_of(I)>]) * (x[boost::hana::size_c<second_of(I)>] + k);
}
constexpr auto F = []<std::size_t... I>(std::index_sequence<I...>) {
    return cr::function(cr::vector(row<I>()...), cr::wrt(x), cr::given(k = 0.25));
}(std::make_index_sequence<rows>{});
static_assert(F.jacobian_sparsity().size() < 2 * rows + 1);

template <class T>
std::array<T, columns> point() {
    std::array<T, columns> at;
    for (std::size_t j = 0; j < columns; ++j) at[j] = static_cast<T>(0.1 + 0.07 * static_cast<double>(j));
    return at;
}

template <class Matrix>
void check_entries(const Matrix& found, double tolerance) {
    const auto at = point<double>();
    double expected[rows][columns] = {};
    for (std::size_t i = 0; i < rows; ++i) {
        expected[i][first_of(i)] += std::cos(at[first_of(i)]) * (at[second_of(i)] + 0.25);
        expected[i][second_of(i)] += std::sin(at[first_of(i)]);
    }
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) {
            CAPTURE(i, j);
            CHECK(std::abs(static_cast<double>(found[i][j]) - expected[i][j]) <= tolerance);
            if (expected[i][j] == 0) CHECK(!std::signbit(found[i][j]));
        }
}

} // namespace

TEST_CASE("large Jacobians that are mostly zero have their zeros") {
    const auto at = point<double>();
    check_entries(F.jacobian(at), 1e-15);
    check_entries(F.jacobian(point<float>()), 1e-6);
    const auto both = F.value_and_jacobian(at);
    check_entries(both.jacobian, 1e-15);
    CHECK(both.values == F(at));

    // The entries, in order, are those of the sparse Jacobian.
    const auto entries = F.sparse_jacobian(at);
    const auto full = F.jacobian(at);
    constexpr auto pattern = F.jacobian_sparsity();
    for (std::size_t i = 0; i < rows; ++i)
        for (int e = pattern.row_starts[i]; e < pattern.row_starts[i + 1]; ++e)
            CHECK(entries[static_cast<std::size_t>(e)] ==
                  full[i][static_cast<std::size_t>(pattern.columns[static_cast<std::size_t>(e)])]);
}

TEST_CASE("they are differentiated again with dual numbers, and constants") {
    const auto at = point<double>();
    std::array<cr::dual<double, 1>, columns> along;
    for (std::size_t j = 0; j < columns; ++j) along[j] = at[j];
    along[3] = cr::dual_variables(at[3])[0];
    const auto matrix = F.jacobian(along);
    for (std::size_t i = 0; i < rows; ++i) {
        const std::size_t first = first_of(i), second = second_of(i);
        double expected[columns] = {};
        if (first == 3) {
            expected[first] = -std::sin(at[3]) * (at[second] + 0.25);
            expected[second] = std::cos(at[3]);
        } else if (second == 3) {
            expected[first] = std::cos(at[first]);
        }
        for (std::size_t j = 0; j < columns; ++j) {
            CAPTURE(i, j);
            CHECK(std::abs(matrix[i][j].tangents[0] - expected[j]) < 1e-15);
        }
    }
    constexpr auto constant = F.jacobian(std::array<double, columns>{});
    static_assert(constant[0][0] == 0.25 && constant[0][1] == 0 && constant[49][9] == 0.25);
}
