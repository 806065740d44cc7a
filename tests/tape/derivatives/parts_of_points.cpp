// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of functions at points of several parts: lists of lists, such as the positions of particles and the rows
// of a matrix, structs and tuples; and of functions that return lists of lists.
#include "catch.hpp"
#include "sentence.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/fixed_matrix.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/eager.hpp>
#include <chainrule/tape/replay.hpp>

#include <array>
#include <concepts>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

namespace {

namespace tape = chainrule::tape;

template <class Lists>
using number_in = std::remove_cvref_t<decltype(std::declval<const Lists&>()[0][0])>;

/// The potential energy of particles.
constexpr auto energy = [](const auto& q) {
    number_in<decltype(q)> sum = 0.0;
    for (std::size_t i = 0; i < std::size(q); ++i)
        for (std::size_t j = i + 1; j < std::size(q); ++j) {
            number_in<decltype(q)> square = 0.0;
            for (std::size_t k = 0; k < 3; ++k) square += (q[i][k] - q[j][k]) * (q[i][k] - q[j][k]);
            sum -= 1.0 / sqrt(square);
        }
    return sum;
};
/// The same of one list.
constexpr auto flat_energy = [](const auto& all) {
    std::vector<std::array<std::remove_cvref_t<decltype(all[0])>, 3>> q(all.size() / 3);
    for (std::size_t i = 0; i < all.size(); ++i) q[i / 3][i % 3] = all[i];
    return energy(q);
};
/// A layer whose rows may differ in length.
constexpr auto layer = [](const auto& rows, const auto& bias) {
    auto y = bias;
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < rows[i].size(); ++j) y[i] += rows[i][j] * rows[i][j] * static_cast<double>(j + 1);
    return y;
};

using positions = std::vector<std::array<double, 3>>;
const positions q = {{0.0, 0.0, 0.0}, {1.0, 0.5, 0.0}, {0.0, 2.0, 1.0}};
const std::vector<double> flat = {0.0, 0.0, 0.0, 1.0, 0.5, 0.0, 0.0, 2.0, 1.0};

template <class Lists>
void check_lists(const std::vector<double>& expected, const Lists& lists) {
    REQUIRE(std::size(lists) * 3 == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(lists[i / 3][i % 3] == Approx(expected[i]));
}

} // namespace

TEST_CASE("the gradient at a list of lists is laid out as the point", "[lists]") {
    const auto expected = tape::value_and_gradient(flat_energy, flat);
    const auto gradient = tape::gradient(energy, q);
    static_assert(std::same_as<decltype(gradient), const positions>);
    check_lists(expected.gradient, gradient);
    const auto both = tape::value_and_gradient(energy, std::span(q));
    CHECK(both.value == expected.value);
    check_lists(expected.gradient, both.gradient);

    const double rows[3][3] = {{0.0, 0.0, 0.0}, {1.0, 0.5, 0.0}, {0.0, 2.0, 1.0}};
    const auto by_rows = tape::gradient(energy, rows);
    static_assert(std::same_as<decltype(by_rows), const std::array<std::array<double, 3>, 3>>);
    check_lists(expected.gradient, by_rows);
    const std::vector<chainrule::fixed_vector<double, 3>> fixed = {{0.0, 0.0, 0.0}, {1.0, 0.5, 0.0}, {0.0, 2.0, 1.0}};
    check_lists(expected.gradient, tape::gradient(energy, fixed));
    check_lists(expected.gradient, tape::gradient(tape::eagerly(energy), q));
    const std::array<std::array<int, 3>, 2> integers = {{{0, 0, 0}, {1, 2, 2}}};
    CHECK(tape::gradient(energy, integers)[1][1] == Approx(2.0 / 27.0));
    CHECK(tape::gradient(energy, positions{}).empty());

    // Lists of such, and as arguments beside others.
    const auto second = tape::gradient([](const auto& x) { return x[1][0][1] * x[0][0][0] * x[1][1][0]; },
                                       std::vector<std::vector<std::vector<double>>>{{{2.0}}, {{3.0, 5.0}, {7.0}}});
    CHECK(second == std::vector<std::vector<std::vector<double>>>{{{35.0}}, {{0.0, 14.0}, {10.0}}});
    const auto [by_lists, by_number] =
        tape::gradient([](const auto& x, const auto& t) { return energy(x) * t; }, q, 2.0);
    CHECK(by_number == expected.value);
    CHECK(by_lists[1][0] == Approx(2.0 * expected.gradient[3]));
}

TEST_CASE("Jacobians, Hessians and products at lists of lists", "[lists]") {
    const std::vector<std::vector<double>> rows = {{1.0, 2.0}, {3.0}};
    const auto [by_rows, by_bias] = tape::jacobian(layer, rows, std::vector{1.0, 2.0});
    REQUIRE(by_rows.columns() == 3); // of all numbers in their order
    CHECK(by_rows(0, 1) == 8.0);
    CHECK(by_rows(1, 1) == 0.0);
    CHECK(by_rows(1, 2) == 6.0);
    CHECK(by_bias(1, 1) == 1.0);
    const auto products = [](const auto& x) {
        return std::array<number_in<decltype(x)>, 2>{x[0][0] * x[1][1], x[1][0]};
    };
    const auto of_arrays = tape::jacobian(products, std::array{std::array{2.0, 3.0}, std::array{5.0, 7.0}});
    static_assert(std::same_as<decltype(of_arrays), const std::array<std::array<double, 4>, 2>>);
    CHECK(of_arrays == std::array<std::array<double, 4>, 2>{{{7.0, 0.0, 0.0, 2.0}, {0.0, 0.0, 1.0, 0.0}}});

    const auto expected = tape::hessian(flat_energy, flat);
    const auto second = tape::hessian(energy, q);
    CHECK(second.value == expected.value);
    check_lists(expected.gradient, second.gradient);
    for (std::size_t i = 0; i < 9; ++i)
        for (std::size_t j = 0; j < 9; ++j) CHECK(second.hessian(i, j) == Approx(expected.hessian(i, j)));

    const positions along = {{1.0, 0.0, 0.5}, {0.0, -1.0, 0.0}, {0.25, 0.0, 2.0}};
    const std::vector<double> flat_along = {1.0, 0.0, 0.5, 0.0, -1.0, 0.0, 0.25, 0.0, 2.0};
    CHECK(tape::jvp(energy, q, along) == Approx(tape::jvp(flat_energy, flat, flat_along)));
    CHECK(tape::value_and_jvp(energy, q, flat_along).value == expected.value);
    const auto product = tape::value_gradient_and_hvp(energy, q, along);
    check_lists(tape::hvp(flat_energy, flat, flat_along), product.product);
    check_lists(expected.gradient, product.gradient);
    check_lists(tape::vjp(flat_energy, flat, 2.0), tape::vjp(energy, q, 2.0));
    tape::matrix<double> directions(2, 9);
    for (std::size_t i = 0; i < 9; ++i) directions(1, i) = flat_along[i];
    CHECK(tape::hvp(energy, q, directions)(1, 4) == Approx(product.product[1][1]));
    CHECK(sentence_of([&] { static_cast<void>(tape::jvp(energy, q, positions(2))); }) ==
          "jvp: the point has 9 numbers and the direction 6; give as many of both");
}

TEST_CASE("a list of lists that a function returns counts as the list of its numbers", "[lists]") {
    const auto ragged = [](const auto& x) {
        using T = std::remove_cvref_t<decltype(x[0])>;
        return std::vector<std::vector<T>>{{x[0], x[1] * x[0]}, {x[1] * x[1]}};
    };
    const auto square = [](const auto& x) {
        using T = std::remove_cvref_t<decltype(x[0])>;
        return std::array<std::array<T, 2>, 2>{{{x[0], x[1] * x[0]}, {x[1] * x[1], T(0.0)}}};
    };
    const std::vector x = {2.0, 3.0};
    const auto all = tape::value_and_jacobian(ragged, x);
    CHECK(all.values == std::vector{2.0, 6.0, 9.0});
    CHECK(all.jacobian(1, 0) == 3.0);
    CHECK(all.jacobian(2, 1) == 6.0);
    CHECK(tape::jvp(ragged, x, x) == std::vector{2.0, 12.0, 18.0});
    CHECK(tape::vjp(ragged, x, std::vector{0.0, 1.0, 1.0}) == std::vector{3.0, 8.0});
    CHECK(tape::jacobian(square, std::array{2.0, 3.0}) ==
          std::array<std::array<double, 2>, 4>{{{1.0, 0.0}, {3.0, 2.0}, {0.0, 6.0}, {0.0, 0.0}}});

    auto r = tape::record(ragged, x);
    CHECK(r(std::vector{1.0, 5.0}) == std::vector{1.0, 5.0, 25.0});
    CHECK(r.jacobian(x)(2, 1) == 6.0);
}

TEST_CASE("recordings at lists of lists", "[lists]") {
    auto r = tape::record(energy, q);
    const positions other = {{0.5, 0.0, 0.0}, {1.0, 0.5, 4.0}, {0.0, 2.0, 1.0}};
    CHECK(r(other) == energy(other));
    const auto expected = tape::hessian(energy, other);
    const auto second = r.hessian(other);
    for (std::size_t i = 0; i < 9; ++i) {
        CHECK(second.gradient[i / 3][i % 3] == Approx(expected.gradient[i / 3][i % 3]));
        CHECK(second.hessian(i, 4) == Approx(expected.hessian(i, 4)));
    }
    static_assert(std::same_as<decltype(r.gradient(other)), positions>);
    CHECK(r.jvp(flat, flat) == Approx(tape::jvp(energy, q, q)));
    CHECK(sentence_of([&] { static_cast<void>(r(positions(2))); }) ==
          "replay: the recording has 3 lists in argument 1 and 2 are given; give as many as it has");

    auto of_rows = tape::record(layer, std::vector<std::vector<double>>{{1.0, 2.0}, {3.0}}, std::vector{1.0, 2.0});
    CHECK(sentence_of([&] {
              static_cast<void>(of_rows(std::vector<std::vector<double>>{{1.0}, {3.0, 2.0}}, std::vector{1.0, 2.0}));
          }) == "replay: the recording has 2 numbers in argument 1 and 1 are given; give as many as it has");
}
