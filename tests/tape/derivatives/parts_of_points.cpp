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
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
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

// Structs: numbers, what has numbers, and what has none.
template <class T>
struct place {
    T x, y;
};
enum class side { left, right };
template <class T, int Size>
struct model {
    int count;
    T scale;
    place<T> offset;
    std::vector<T> weights;
    T bounds[Size];
    std::array<place<T>, 2> ends;
    std::string name;
    side of;
};
using model_of_doubles = model<double, 2>;
template <class T>
T squared(const place<T>& p) {
    return p.x * p.x + p.y * p.y;
}
constexpr auto loss = [](const auto& m) {
    auto sum = squared(m.offset);
    sum += m.scale * m.scale * m.count;
    for (const auto& w : m.weights) sum += w * w * w * m.bounds[1];
    if (m.of == side::right) sum += m.bounds[0] * m.ends[1].y * m.ends[0].x;
    return sum;
};
model_of_doubles some_model() {
    return {3, 2.0, {1.0, 0.5}, {1.0, 2.0, -1.0}, {0.5, 1.5}, {{{4.0, 5.0}, {6.0, 7.0}}}, "first", side::right};
}
/// The same of one list.
constexpr auto flat_loss = [](const auto& x) {
    using T = std::remove_cvref_t<decltype(x[0])>;
    return loss(model<T, 2>{
        3, x[0], {x[1], x[2]}, {x[3], x[4], x[5]}, {x[6], x[7]}, {{{x[8], x[9]}, {x[10], x[11]}}}, "", side::right});
};
const std::vector<double> numbers_of_model = {2.0, 1.0, 0.5, 1.0, 2.0, -1.0, 0.5, 1.5, 4.0, 5.0, 6.0, 7.0};
void check_model(const std::vector<double>& expected, const model_of_doubles& found) {
    const std::vector<double> all = {found.scale,      found.offset.x,   found.offset.y,  found.weights[0],
                                     found.weights[1], found.weights[2], found.bounds[0], found.bounds[1],
                                     found.ends[0].x,  found.ends[0].y,  found.ends[1].x, found.ends[1].y};
    for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i] == Approx(expected[i]));
    CHECK(found.count == 3); // constants
    CHECK(found.name == "first");
    CHECK(found.of == side::right);
}

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

TEST_CASE("derivatives at a struct are structs", "[structs]") {
    const model_of_doubles at = some_model();
    const auto expected = tape::hessian(flat_loss, numbers_of_model);
    const auto gradient = tape::gradient(loss, at);
    static_assert(std::same_as<decltype(gradient), const model_of_doubles>);
    check_model(expected.gradient, gradient);
    CHECK(tape::value_and_gradient(loss, at).value == expected.value);
    check_model(expected.gradient, tape::gradient(tape::eagerly(loss), at));
    const auto second = tape::hessian(loss, at);
    check_model(expected.gradient, second.gradient);
    REQUIRE(second.hessian.rows() == 12);
    for (std::size_t i = 0; i < 12; ++i)
        for (std::size_t j = 0; j < 12; ++j) CHECK(second.hessian(i, j) == Approx(expected.hessian(i, j)));

    check_model(tape::hvp(flat_loss, numbers_of_model, numbers_of_model), tape::hvp(loss, at, at));
    CHECK(tape::jvp(loss, at, at) == Approx(tape::jvp(flat_loss, numbers_of_model, numbers_of_model)));
    check_model(tape::vjp(flat_loss, numbers_of_model, 0.5), tape::vjp(loss, at, 0.5));

    auto r = tape::record(loss, at);
    CHECK(r(at) == expected.value);
    check_model(expected.gradient, r.gradient(at));
    model_of_doubles longer = at;
    longer.weights.push_back(1.0);
    CHECK(sentence_of([&] { static_cast<void>(r(longer)); }) ==
          "replay: the recording has 3 numbers in argument 1 and 4 are given; give as many as it has");
}

TEST_CASE("lists of structs, structs beside lists, and tuples", "[structs]") {
    const auto length = [](const auto& p) { return hypot(p[1].x - p[0].x, p[1].y - p[0].y); };
    const std::vector<place<double>> path = {{1.0, 2.0}, {4.0, 6.0}};
    const auto gradient = tape::gradient(length, path);
    static_assert(std::same_as<decltype(gradient), const std::vector<place<double>>>);
    CHECK(gradient[1].x == Approx(0.6));
    CHECK(gradient[0].y == Approx(-0.8));
    CHECK(tape::gradient(length, std::array<place<float>, 2>{{{1.0f, 2.0f}, {4.0f, 6.0f}}})[1].y == Approx(0.8f));
    CHECK(tape::gradient(length, std::array<place<int>, 2>{{{1, 2}, {4, 6}}})[1].y == Approx(0.8));

    // A gradient within a gradient, at structs of active numbers.
    const auto slope = [&](const auto& p) {
        const auto g = tape::gradient(length, p);
        return g[0].x * g[0].x;
    };
    CHECK(tape::gradient(slope, path)[0].x == Approx(2.0 * -0.6 * (16.0 / 125.0)));

    const auto of_expressions = [&](const auto& p, const auto& t) {
        using T = std::remove_cvref_t<decltype(t)>;
        return std::array<T, 2>{p.x * t, p.y * p.y * t * t};
    };
    const auto [by_place, by_time] = tape::jacobian(of_expressions, place<double>{2.0, 3.0}, 5.0);
    CHECK(by_place == std::array<std::array<double, 2>, 2>{{{5.0, 0.0}, {0.0, 150.0}}});
    CHECK(by_time == std::array<double, 2>{2.0, 90.0});

    const auto product = [](const auto& t) { return std::get<0>(t)[1] * std::get<1>(t) * std::get<1>(t); };
    const auto [by_list, by_number] = tape::gradient(product, std::pair{std::vector{1.0, 2.0}, 3.0});
    CHECK(by_list == std::vector{0.0, 9.0});
    CHECK(by_number == 12.0);
    const auto of_tuple = tape::gradient(product, std::tuple{std::array{1.0, 2.0}, 3});
    static_assert(std::same_as<decltype(of_tuple), const std::tuple<std::array<double, 2>, double>>);
    CHECK(std::get<1>(of_tuple) == 12.0);
}
