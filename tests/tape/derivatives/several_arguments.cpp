// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of functions of several arguments of which some are lists.
#include "catch.hpp"
#include "tape/layers.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/fixed_matrix.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/eager.hpp>

#include <array>
#include <concepts>
#include <span>
#include <tuple>
#include <vector>

namespace {

namespace tape = chainrule::tape;

/// The functions of tape/layers.hpp, of one list.
constexpr auto joined_layer = [](const auto& all) {
    return layer(std::vector{all[0], all[1]}, all[2], std::vector{all[3], all[4]});
};
constexpr auto joined_several = [](const auto& all) { return several(std::vector{all[0], all[1]}, all[2]); };

const std::vector<double> weights = {0.5, -1.5}, inputs = {2.0, 3.0}, all = {0.5, -1.5, 0.7, 2.0, 3.0};

template <class Gradient, class Parts>
void check_parts(const Gradient& expected, const Parts& parts) {
    const auto& [w, b, x] = parts;
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(w[i] == expected[i]);
        CHECK(x[i] == expected[3 + i]);
    }
    CHECK(b == expected[2]);
}

} // namespace

TEST_CASE("the gradient of a function of lists and numbers has a part for each", "[several]") {
    const auto expected = tape::value_and_gradient(joined_layer, all);
    const auto gradient = tape::gradient(layer, weights, 0.7, inputs);
    static_assert(std::same_as<decltype(gradient), const std::tuple<std::vector<double>, double, std::vector<double>>>);
    check_parts(expected.gradient, gradient);
    const auto both = tape::value_and_gradient(layer, weights, 0.7, inputs);
    CHECK(both.value == expected.value);
    check_parts(expected.gradient, both.gradient);

    // Each part is laid out as its argument.
    const std::array<double, 2> a = {0.5, -1.5};
    const double numbers[] = {2.0, 3.0};
    const auto fixed = tape::gradient(layer, a, 0.7, numbers);
    static_assert(
        std::same_as<decltype(fixed), const std::tuple<std::array<double, 2>, double, std::array<double, 2>>>);
    check_parts(expected.gradient, fixed);
    const chainrule::fixed_vector<double, 2> v = {0.5, -1.5};
    check_parts(expected.gradient, tape::gradient(layer, v, 0.7, std::span(inputs)));

    // In a number type for all.
    const auto in_float = tape::gradient(layer, std::vector{0.5f, -1.5f}, 0.7f, std::vector{2.0f, 3.0f});
    CHECK(std::get<1>(in_float) == Approx(expected.gradient[2]).epsilon(1e-5));
    static_assert(std::same_as<std::tuple_element_t<1, std::remove_const_t<decltype(in_float)>>, float>);
    const auto of_integers = tape::gradient(layer, a, 1, std::array{2, 3});
    CHECK(std::get<2>(of_integers)[1] == std::get<2>(tape::gradient(layer, a, 1.0, inputs))[1]);
}

TEST_CASE("Jacobians and Hessians of functions of lists and numbers", "[several]") {
    const auto expected = tape::value_and_jacobian(joined_several, std::vector{0.5, -1.5, 0.7});
    const auto found = tape::value_and_jacobian(several, weights, 0.7);
    CHECK(found.values == expected.values);
    const auto& [by_weights, by_bias] = found.jacobian;
    REQUIRE(by_weights.rows() == 3);
    REQUIRE(by_weights.columns() == 2);
    REQUIRE(by_bias.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 2; ++j) CHECK(by_weights(i, j) == expected.jacobian(i, j));
        CHECK(by_bias[i] == expected.jacobian(i, 2));
    }
    CHECK(std::get<1>(tape::jacobian(several, weights, 0.7)) == by_bias);

    const auto pair = [](const auto& w, const auto& b) {
        return std::array<std::remove_cvref_t<decltype(b)>, 2>{w[0] * b, w[1] * b * b};
    };
    const auto fixed = tape::jacobian(pair, std::array{0.5, -1.5}, 2.0);
    CHECK(std::get<0>(fixed) == std::array<std::array<double, 2>, 2>{{{2.0, 0.0}, {0.0, 4.0}}});
    CHECK(std::get<1>(fixed) == std::array{0.5, -6.0});

    // A Hessian is of all numbers, one after another.
    const auto second = tape::hessian(layer, weights, 0.7, inputs);
    const auto second_expected = tape::hessian(joined_layer, all);
    CHECK(second.value == second_expected.value);
    check_parts(second_expected.gradient, second.gradient);
    for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t j = 0; j < 5; ++j) CHECK(second.hessian(i, j) == second_expected.hessian(i, j));
}

TEST_CASE("arguments may be empty, constants, or active numbers", "[several]") {
    const auto bias_only = tape::gradient(layer, std::vector<double>{}, 0.7, std::vector<double>{});
    CHECK(std::get<0>(bias_only).empty());
    CHECK(std::get<1>(bias_only) == Approx(3 * 0.7 * 0.7));
    const auto constant = tape::gradient([](const auto&, const auto&) { return 3.0; }, weights, 0.7);
    CHECK(std::get<0>(constant) == std::vector{0.0, 0.0});
    CHECK(std::get<1>(constant) == 0.0);

    // The derivative of the squared gradient by the bias, by hand.
    const auto squared = [](const auto& at) {
        const auto gradient = tape::gradient(layer, std::vector{at[0], at[1]}, at[2], std::vector{at[3], at[4]});
        return std::get<1>(gradient) * std::get<1>(gradient);
    };
    const auto gradient = tape::gradient(squared, all);
    const auto second = tape::hessian(joined_layer, all);
    for (std::size_t i = 0; i < 5; ++i)
        CHECK(gradient[i] == Approx(2 * second.gradient[2] * second.hessian(2, i)).epsilon(1e-14));
}

TEST_CASE("a list after the point of a function of one argument is memory for the gradient", "[several]") {
    std::vector<double> to(2);
    tape::gradient([](const auto& w) { return w[0] * w[1]; }, weights, to);
    CHECK(to == std::vector{-1.5, 0.5});
    CHECK(tape::value_and_gradient([](const auto& w) { return w[0] * w[0]; }, weights, to) == 0.25);
    CHECK(to == std::vector{1.0, 0.0});
    // The same lists for a function of two.
    const auto product = [](const auto& w, const auto& x) { return w[0] * x[1]; };
    const auto [by_weights, by_to] = tape::gradient(product, weights, to);
    CHECK(by_weights == std::vector{0.0, 0.0});
    CHECK(by_to == std::vector{0.0, 0.5});

    // A function of any number of lists gets both, and nothing is written into them.
    const std::vector<double> before = to;
    const auto of_all = [](const auto& first, const auto&... others) {
        std::remove_cvref_t<decltype(first[0])> sum = first[0];
        ((sum += others[0] * others[1]), ...);
        return sum;
    };
    const auto of_both = tape::value_and_gradient(of_all, weights, to);
    CHECK(of_both.value == weights[0] + to[0] * to[1]);
    CHECK(std::get<1>(of_both.gradient) == std::vector{before[1], before[0]});
    CHECK(to == before);
}

TEST_CASE("templates of any number are functions of lists and numbers", "[several]") {
    const auto ratio = []<class T>(const std::vector<T>& w, T b) -> T { return w[0] / (w[1] + b); };
    const auto [by_weights, by_bias] = tape::gradient(tape::eagerly(ratio), weights, 0.5);
    CHECK(by_weights[0] == -1.0);
    CHECK(by_weights[1] == -0.5);
    CHECK(by_bias == -0.5);

    const auto dot = []<class T>(const std::vector<T>& w, const std::vector<T>& x) -> T { return w[0] * x[1] - w[1]; };
    const auto [by_first, by_second] = tape::gradient(tape::eagerly(dot), weights, inputs);
    CHECK(by_first == std::vector{3.0, -1.0});
    CHECK(by_second == std::vector{0.0, 0.5});
    std::vector<double> to(2);
    tape::gradient(tape::eagerly([]<class T>(const std::vector<T>& w) -> T { return w[0] * w[1]; }), weights, to);
    CHECK(to == std::vector{-1.5, 0.5});
}

TEST_CASE("points, directions and weights may be in braces", "[several]") {
    const auto square = [](const auto& x) { return x[0] * x[0] * x[1]; };
    const auto pair = [](const auto& x) {
        return std::array<std::remove_cvref_t<decltype(x[0])>, 2>{x[0] * x[1], x[0] - x[1]};
    };
    CHECK(tape::gradient(square, {2.0, 3.0}) == std::vector{12.0, 4.0});
    CHECK(tape::gradient(square, {2, 3}) == std::vector{12.0, 4.0});
    CHECK(tape::value_and_gradient(square, {2.0, 3.0}).value == 12.0);
    CHECK(tape::jacobian(pair, {2.0, 3.0})(0, 0) == 3.0);
    CHECK(tape::value_and_jacobian(pair, {2.0, 3.0}).values == std::array{6.0, -1.0});
    CHECK(tape::hessian(square, {2.0, 3.0}).hessian(0, 1) == 4.0);
    CHECK(tape::jvp(pair, {2.0, 3.0}, {1.0, -1.0}) == std::array{1.0, 2.0});
    CHECK(tape::vjp(pair, {2.0, 3.0}, {1.0, 10.0}) == std::vector{13.0, -8.0});
    CHECK(tape::hvp(square, {2.0, 3.0}, {1.0, 0.0}) == std::vector{6.0, 4.0});
}
