// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of functions at structs and tuples.
#include "catch.hpp"
#include "sentence.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/eager.hpp>
#include <chainrule/tape/replay.hpp>

#include <array>
#include <concepts>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

namespace tape = chainrule::tape;

// Fields with numbers, and constants.
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

} // namespace

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
    model_of_doubles other = at;
    other.count = 4;
    CHECK(
        sentence_of([&] { static_cast<void>(r(other)); }) ==
        "replay: a field of argument 1 that has no derivative is not as it was when the function was recorded; record "
        "it again");
    r.record_again(other);
    CHECK(r(other) == loss(other));
    r.record_again(at);
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
