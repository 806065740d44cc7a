// SPDX-License-Identifier: BSL-1.0
//
// Recordings of functions of several arguments of which some are lists, replayed and compiled.
#include "catch.hpp"
#include "sentence.hpp"
#include "tape/layers.hpp"
#include "tape/private_cache.hpp"

#include <chainrule/fixed_matrix.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/compile.hpp>

#include <array>
#include <concepts>
#include <span>
#include <stdexcept>
#include <tuple>
#include <vector>

namespace {

namespace tape = chainrule::tape;

const std::vector<double> weights = {0.5, -1.5}, inputs = {2.0, 3.0}, other_weights = {1.25, 0.75};

} // namespace

TEST_CASE("a recording of lists and numbers has derivatives in parts", "[several]") {
    auto r = tape::record(layer, weights, 0.7, inputs);
    CHECK(r.inputs() == 5);
    CHECK(r(other_weights, 0.3, inputs) == layer(other_weights, 0.3, inputs));
    const auto expected = tape::hessian(layer, other_weights, 0.3, inputs);
    const auto gradient = r.gradient(other_weights, 0.3, inputs);
    static_assert(std::same_as<decltype(gradient), const std::tuple<std::vector<double>, double, std::vector<double>>>);
    CHECK(gradient == expected.gradient);
    const auto both = r.value_and_gradient(other_weights, 0.3, inputs);
    CHECK(both.value == expected.value);
    CHECK(both.gradient == expected.gradient);
    const auto second = r.hessian(other_weights, 0.3, inputs);
    CHECK(second.gradient == expected.gradient);
    for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t j = 0; j < 5; ++j) CHECK(second.hessian(i, j) == Approx(expected.hessian(i, j)));

    // All numbers as one list, and one after another.
    const std::vector<double> all = {1.25, 0.75, 0.3, 2.0, 3.0}, along = {1.0, 0.0, 0.5, 0.0, 2.0};
    CHECK(r(all) == expected.value);
    CHECK(r(1.25, 0.75, 0.3, 2.0, 3.0) == expected.value);
    const std::vector<double> of_one_list = r.gradient(all);
    CHECK(of_one_list[2] == std::get<1>(gradient));
    double slope = 0;
    for (std::size_t i = 0; i < 5; ++i) slope += of_one_list[i] * along[i];
    CHECK(r.jvp(all, along) == Approx(slope));
    tape::matrix<double> rows(3, 5);
    for (std::size_t i = 0; i < 5; ++i) rows(2, i) = all[i];
    CHECK(r(rows)(2, 0) == Approx(expected.value));
}

TEST_CASE("parts of a recording are laid out as the arguments of the call", "[several]") {
    auto r = tape::record(layer, std::array{0.5, -1.5}, 1, std::span(inputs));
    const chainrule::fixed_vector<double, 2> v = {0.5, -1.5};
    const auto gradient = r.gradient(v, 2, inputs);
    static_assert(std::same_as<std::tuple_element_t<0, std::remove_const_t<decltype(gradient)>>,
                               chainrule::fixed_vector<double, 2>>);
    CHECK(std::get<2>(gradient) == std::get<2>(tape::gradient(layer, weights, 2.0, inputs)));

    // A function of arrays alone has an array for each of its rows.
    auto of_arrays = tape::record(
        [](const auto& w, const auto& b) {
            static_assert(std::tuple_size_v<std::remove_cvref_t<decltype(w)>> == 2);
            return std::array{w[0] * b, w[1] * b * b};
        },
        std::array{0.5, -1.5}, 0.7);
    const auto jacobian = of_arrays.jacobian(std::array{0.5, -1.5}, 0.7);
    static_assert(std::same_as<std::tuple_element_t<0, std::remove_const_t<decltype(jacobian)>>,
                               std::array<std::array<double, 2>, 2>>);
    CHECK(std::get<0>(jacobian)[1][1] == Approx(0.49));
    CHECK(std::get<1>(jacobian)[1] == Approx(-2.1));

    auto of_floats = tape::record(layer, std::vector{0.5f, -1.5f}, 0.7f, std::vector{2.0f, 3.0f});
    static_assert(std::same_as<decltype(of_floats(std::vector{0.5f, -1.5f}, 0.7f, std::vector{2.0f, 3.0f})), float>);
}

TEST_CASE("values and Jacobians of recordings of several arguments", "[several]") {
    auto r = tape::record(several, weights, 0.7);
    CHECK(r(other_weights, 0.3) == several(other_weights, 0.3));
    const auto expected = tape::value_and_jacobian(several, other_weights, 0.3);
    const auto all = r.value_and_jacobian(other_weights, 0.3);
    CHECK(all.values == expected.values);
    const auto& [by_weights, by_bias] = all.jacobian;
    CHECK(by_bias == std::get<1>(expected.jacobian));
    CHECK(by_bias == std::get<1>(r.jacobian(other_weights, 0.3)));
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 2; ++j) CHECK(by_weights(i, j) == std::get<0>(expected.jacobian)(i, j));
}

TEST_CASE("arguments of a recording are checked one by one", "[several]") {
    auto r =
        tape::record([](const auto& v, const auto& w) { return v[0] * w[0]; }, weights, std::vector{1.0, 2.0, 3.0});
    CHECK(sentence_of([&] { static_cast<void>(r(std::vector{1.0, 2.0, 3.0}, weights)); }) ==
          "replay: the recording has 2 numbers in argument 1 and 3 are given; give as many as it "
          "has");
    CHECK(sentence_of([&] { static_cast<void>(r.gradient(weights, weights)); }) ==
          "replay: the recording has 3 numbers in argument 2 and 2 are given; give as many as it "
          "has");
    CHECK(r(weights, std::vector{2.0, 0.0, 0.0}) == 1.0);
}

TEST_CASE("a recording of several arguments records again", "[several]") {
    const auto branching = [](const auto& v, const auto& limit) {
        if (v[0] > limit) return v[0] * limit;
        return v[1] * v[1];
    };
    auto r = tape::record(branching, std::vector{1.0, 3.0}, 2.0);
    CHECK(r(std::vector{1.0, 4.0}, 2.0) == 16.0);
    CHECK_THROWS_AS(r(std::vector{5.0, 4.0}, 2.0), tape::comparison_changed);
    r.record_again(std::vector{5.0, 4.0}, 2.0);
    CHECK(std::get<1>(r.gradient(std::vector{6.0, 4.0}, 2.0)) == 6.0);
    r.record_when_changed();
    CHECK(std::get<0>(r.gradient(std::vector{1.0, 4.0}, 2.0)) == std::vector{0.0, 8.0});

    // Lists of other lengths; where f throws, the recording stays.
    const auto last = [](const auto& v, const auto& w) {
        if (v.empty()) throw std::domain_error("no last element");
        return v[v.size() - 1] * w[0];
    };
    auto of_last = tape::record(last, weights, std::vector{3.0});
    of_last.record_again(std::vector{1.0, 2.0, 4.0}, std::vector{5.0});
    CHECK(of_last(std::vector{1.0, 2.0, 6.0}, std::vector{5.0}) == 30.0);
    CHECK_THROWS_AS(of_last.record_again(std::vector<double>{}, std::vector{5.0}), std::domain_error);
    CHECK(of_last(std::vector{1.0, 2.0, 6.0}, std::vector{5.0}) == 30.0);
}

TEST_CASE("compiled recordings of several arguments", "[several]") {
    if (!compiles()) return;
    auto r = tape::record(layer, weights, 0.7, inputs);
    const auto expected = r.hessian(other_weights, 0.3, inputs);
    const private_cache cache;
    auto k = tape::compile(r, cache.options(true));
    CHECK(k(other_weights, 0.3, inputs) == Approx(expected.value));
    const auto all = k.hessian(other_weights, 0.3, inputs);
    CHECK(std::get<1>(all.gradient) == Approx(std::get<1>(expected.gradient)));
    CHECK(std::get<2>(k.gradient(other_weights, 0.3, inputs))[1] == Approx(std::get<2>(expected.gradient)[1]));
    CHECK(all.hessian(0, 3) == Approx(expected.hessian(0, 3)));
    CHECK(sentence_of([&] { static_cast<void>(k(inputs, 0.3, std::vector{1.0})); }) ==
          "replay: the recording has 2 numbers in argument 3 and 1 are given; give as many as it "
          "has");
    auto of_list = tape::compile(tape::record(several, weights, 0.7), cache.options());
    CHECK(std::get<1>(of_list.jacobian(weights, 0.7))[2] == Approx(1.4));
}
