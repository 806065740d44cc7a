// SPDX-License-Identifier: BSL-1.0
//
// Networks with static shapes: derivatives against differences, results against plain loops, the tape and expressions,
// and what they refuse. gradients.cpp has all derivatives at many widths.
#include "networks.hpp"
#include "sentence.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/tape.hpp>

#include <limits>

namespace {

namespace cr = chainrule;
using namespace static_networks;

} // namespace

TEST_CASE("the derivatives of a static network are those of differences", "[tensor]") {
    const auto check = [](auto network, auto loss, const auto& labels) {
        using network_type = decltype(network);
        const auto inputs = random_numbers<double>(3 * network_type::inputs, 5);
        typename network_type::parameters derivatives;
        network.gradient(inputs, labels, derivatives, loss);
        for (std::size_t k = 0; k < network_type::layers; ++k) {
            const auto weights = network.weights(k), by_weights = derivatives.weights(k);
            for (std::size_t i = 0; i < weights.size(); ++i) {
                auto moved = weights;
                double at[2];
                for (const int side : {0, 1}) {
                    moved[i] = weights[i] + (side == 0 ? -1e-5 : 1e-5);
                    network.set_weights(k, moved);
                    at[side] = network.loss(inputs, labels, loss);
                }
                network.set_weights(k, weights);
                REQUIRE((at[1] - at[0]) / 2e-5 == Approx(by_weights[i]).margin(1e-8));
            }
        }
    };
    check(tanh_double<4, 6, 3>(3), losses::cross_entropy{}, std::vector{2, 0, 1});
    check(tanh_double<4, 6, 1>(4), losses::hinge{}, std::vector{1, -1, 1});
    check(relu_double<4, 6, 2>(5), losses::mean_squared{}, random_numbers<double>(6, 8));
}

TEST_CASE("the outputs of a static network are the documented sums, bit for bit, whatever the batch", "[tensor]") {
    tensor::static_network<70, 300, 19> network;
    const auto expected = plain_of<tensor::static_network<70, 300, 19>>(2);
    take_weights(network, expected);
    const auto inputs = random_numbers<float>(200 * 70, 9);
    const auto outputs = network.forward(inputs);
#if !defined(__FMA__) // there the compiler may contract in one place and not in the other
    REQUIRE(outputs == expected.forward(inputs).back());
#endif
    for (const std::size_t row : {0u, 1u, 127u, 128u, 199u}) {
        const auto alone = network.forward(std::span(inputs).subspan(row * 70, 70));
        REQUIRE(std::equal(alone.begin(), alone.end(), outputs.begin() + static_cast<std::ptrdiff_t>(row * 19)));
    }
}

TEST_CASE("a class is that of the largest output", "[tensor]") {
    tensor::static_network<2, 3> network;
    network.set_weights(0, std::vector<float>{1, 0, -1, 0, 1, -1});
    REQUIRE(network.predict(std::vector<float>{1, 0, 0, 1, -1, -2, 0, 0}) == std::vector{0, 1, 2, 0});
    REQUIRE(network.predict(std::vector<float>{}).empty());
    tensor::static_network<2, 1> sign;
    sign.set_weights(0, std::vector<float>{1, -1});
    REQUIRE(sign.predict(std::vector<float>{3, 1, 1, 3, 2, 2}) == std::vector{1, -1, -1});
}

TEST_CASE("cross-entropy is stable at outputs of any size", "[tensor]") {
    tensor::static_network<1, 2> network;
    network.set_weights(0, std::vector<float>{1000, -1000});
    tensor::static_network<1, 2>::parameters derivatives;
    const std::vector<float> one{1};
    REQUIRE(network.gradient(one, std::vector{0}, derivatives) == 0.0f);
    REQUIRE(network.gradient(one, std::vector{1}, derivatives) == 2000.0f);
    REQUIRE(derivatives.weights(0) == std::vector<float>{1, -1});
}

TEST_CASE("NaN in a row of inputs reaches the outputs of this row, and the loss", "[tensor]") {
    tensor::static_network<2, 5, 3> network;
    std::vector<float> inputs{1, 2, 3, std::numeric_limits<float>::quiet_NaN(), 5, 6};
    const auto outputs = network.forward(inputs);
    for (std::size_t i = 0; i < 9; ++i) REQUIRE(std::isnan(outputs[i]) == (i / 3 == 1));
    REQUIRE(std::isnan(network.loss(inputs, std::vector{0, 1, 2})));
}

TEST_CASE("a static network of duals, of active numbers and of expressions", "[tensor]") {
    tanh_double<2, 3, 2> network(4);
    const auto plain_outputs = network.forward(std::vector{0.3, -0.7});

    const auto [x, y] = cr::dual_variables(0.3, -0.7);
    const auto of_duals = forward(network, std::array{x, y});
    const auto each = forward(network, x, y);

    cr::tape::tape recording;
    const std::array of_tape{recording.variable(0.3), recording.variable(-0.7)};
    const auto active = forward(network, of_tape);

    constexpr auto a = cr::variable<"a">;
    constexpr auto b = cr::variable<"b">;
    const auto [first, second] = forward(network, a, b);
    const auto outputs = cr::function(cr::vector(first, second), cr::wrt(a, b));
    const auto [values, jacobian] = outputs.value_and_jacobian(0.3, -0.7);

    for (std::size_t j = 0; j < 2; ++j) {
        REQUIRE(of_duals[j].value == Approx(plain_outputs[j]).epsilon(1e-14));
        REQUIRE(value(active[j]) == Approx(plain_outputs[j]).epsilon(1e-14));
        REQUIRE(values[j] == Approx(plain_outputs[j]).epsilon(1e-14));
        recording.backward(active[j]);
        for (std::size_t i = 0; i < 2; ++i) {
            // Differences of the network itself.
            std::vector<double> moved[2] = {{0.3, -0.7}, {0.3, -0.7}};
            moved[0][i] -= 1e-5;
            moved[1][i] += 1e-5;
            const double slope = (network.forward(moved[1])[j] - network.forward(moved[0])[j]) / 2e-5;
            REQUIRE(of_duals[j].tangents[i] == Approx(slope).epsilon(1e-8));
            REQUIRE(of_tape[i].gradient() == Approx(of_duals[j].tangents[i]).epsilon(1e-13));
            REQUIRE(jacobian[j][i] == Approx(of_duals[j].tangents[i]).epsilon(1e-13));
        }
    }
    REQUIRE(std::get<1>(each).tangents[0] == of_duals[1].tangents[0]);
    const auto by_a = cr::derivative(first, a);
    REQUIRE(by_a(a = 0.3, b = -0.7) == Approx(jacobian[0][0]).epsilon(1e-13));

    relu_double<2, 3, 1> with_relu(4);
    const auto of_relu = forward(with_relu, std::array{x, y});
    REQUIRE(of_relu[0].value == Approx(with_relu.forward(std::vector{0.3, -0.7})[0]).epsilon(1e-14));
}

TEST_CASE("a static network refuses sizes and labels that do not fit, in words", "[tensor]") {
    tensor::static_network<3, 4, 2> network;
    tensor::static_network<3, 4, 2>::sgd by(0.1f);
    const auto before = network.weights(0);
    const std::vector<float> rows(6, 1.0f);
    REQUIRE(sentence_of([&] { network.train_step(std::vector<float>(7), std::vector{0, 1}, by); }) ==
            "train_step: 7 numbers do not fill rows of 3, the width of the input; pass complete rows");
    REQUIRE(sentence_of([&] { network.train_step(rows, std::vector{0, 1, 1}, by); }) ==
            "train_step: 3 labels are given for 2 rows; pass 2");
    REQUIRE(sentence_of([&] { network.train_step(rows, std::vector{0, 2}, by); }) ==
            "train_step: label 2 of row 1 is not a class of a network with 2 outputs; labels are 0 to 1");
    REQUIRE(sentence_of([&] { network.train_step(rows, std::vector{-1, 0}, by); }) ==
            "train_step: label -1 of row 0 is not a class of a network with 2 outputs; labels are 0 to 1");
    REQUIRE(sentence_of([&] { network.train_step({}, std::vector<int>{}, by); }) ==
            "train_step: the batch has no rows; pass at least one");
    REQUIRE(sentence_of([&] { (void)network.loss(rows, std::vector{1.0f, 2.0f}, losses::mean_squared{}); }) ==
            "loss: 2 labels are given for 2 rows; pass 4");
    REQUIRE(
        sentence_of([&] { network.set_weights(1, std::vector<float>(6)); }) ==
        "set_weights: 6 numbers are given for layer 1, whose weights have the shape (4, 2); pass 8 in row-major order");
    REQUIRE(sentence_of([&] { network.set_biases(0, std::vector<float>(3)); }) ==
            "set_biases: 3 numbers are given for layer 0, whose biases have the shape (4,); pass 4 in row-major order");
    REQUIRE(sentence_of([&] { (void)network.weights(2); }) ==
            "weights: there is no layer 2 in a network of 2; they are numbered from 0");
    REQUIRE(sentence_of([&] { (void)network.weight(9, 0, 0); }) ==
            "weight: there is no layer 9 in a network of 2; they are numbered from 0");
    REQUIRE(sentence_of([&] { (void)network.weight(1, 4, 0); }) ==
            "weight: there is no input 4 in layer 1, which has 4; they are numbered from 0");
    REQUIRE(sentence_of([&] { (void)network.weight(1, 0, 2); }) ==
            "weight: there is no output 2 in layer 1, which has 2; they are numbered from 0");
    REQUIRE(sentence_of([&] { (void)network.bias(0, 4); }) ==
            "bias: there is no output 4 in layer 0, which has 4; they are numbered from 0");
    std::vector<float> outputs(3);
    REQUIRE(sentence_of([&] { network.forward(rows, outputs); }) ==
            "forward: 2 rows have 4 outputs, and there is place for 3; pass a span of that size");
    tensor::static_network<3, 1> one;
    tensor::static_network<3, 1>::sgd of_one(0.1f);
    REQUIRE(sentence_of([&] { one.train_step(rows, std::vector{1, 0}, of_one, losses::hinge{}); }) ==
            "train_step: label 0 of row 1 is neither -1 nor +1; the hinge loss needs these");
    REQUIRE(sentence_of([&] { (void)one.loss(rows, std::vector{1u, static_cast<unsigned>(-1)}, losses::hinge{}); }) ==
            "loss: label 4294967295 of row 1 is neither -1 nor +1; the hinge loss needs these");
    REQUIRE(network.weights(0) == before);
}

TEST_CASE("a static network that was moved from says so, until another is assigned", "[tensor]") {
    using small = tensor::static_network<2, 2>;
    small from;
    const small network = std::move(from);
    small::sgd by(0.1f);
    small::parameters derivatives;
    const std::vector<float> row{1, 2};
    const std::vector<int> label{1};
    const auto said = [](const char* call) {
        return call +
               std::string(": the network was moved from and has no weights; assign another to it before it is used");
    };
    CHECK(sentence_of([&] { (void)from.weights(0); }) == said("weights"));
    CHECK(sentence_of([&] { (void)from.bias(0, 0); }) == said("bias"));
    CHECK(sentence_of([&] { from.set_biases(0, row); }) == said("set_biases"));
    CHECK(sentence_of([&] { (void)from.forward(row); }) == said("forward"));
    CHECK(sentence_of([&] { (void)from.predict(row); }) == said("predict"));
    CHECK(sentence_of([&] { (void)from.train_step(row, label, by); }) == said("train_step"));
    CHECK(sentence_of([&] { (void)from.loss(row, label); }) == said("loss"));
    CHECK(sentence_of([&] { (void)forward(from, 1.0f, 2.0f); }) == said("forward"));
    CHECK(sentence_of([&] { (void)forward(from, std::array{1.0f, 2.0f}); }) == said("forward"));
    from = network;
    CHECK(from.forward(row) == small(network).forward(row));
    const small::parameters taken = std::move(derivatives);
    CHECK(sentence_of([&] { (void)from.gradient(row, label, derivatives); }) == said("gradient"));
}
