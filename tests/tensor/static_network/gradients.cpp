// SPDX-License-Identifier: BSL-1.0
//
// Loss, outputs and derivatives of networks with static shapes against plain loops, at widths and batches that no tile
// of a product divides.
#include "networks.hpp"

#include <chainrule/dual.hpp>

namespace {

using namespace static_networks;

std::vector<int> random_classes(std::size_t count, std::size_t classes, unsigned seed) {
    std::mt19937 dice(seed);
    std::vector<int> labels(count);
    for (int& l : labels) l = classes == 1 ? (dice() % 2 == 0 ? -1 : 1) : static_cast<int>(dice() % classes);
    return labels;
}

/// Loss, outputs and all derivatives against plain loops.
template <class Network, class Loss, class Label>
void check_gradient(plain::loss kind, Loss loss, std::size_t batch, const std::vector<Label>& labels,
                    Network& network) {
    using T = typename Network::number;
    const double tolerance = std::is_same_v<T, float> ? 1e-5 : 1e-13;
    auto expected = plain_of<Network>(static_cast<unsigned>(batch));
    take_weights(network, expected);
    const auto inputs = random_numbers<T>(batch * Network::inputs, 7);
    CAPTURE(batch, Network::widths.size(), Network::inputs, Network::outputs);

    const T expected_loss = expected.gradient(kind, inputs, labels);
    typename Network::parameters derivatives;
    REQUIRE(network.gradient(inputs, labels, derivatives, loss) == Approx(expected_loss).epsilon(tolerance));
    REQUIRE(network.loss(inputs, labels, loss) == Approx(expected_loss).epsilon(tolerance));
    REQUIRE(largest_difference(network.forward(inputs), expected.forward(inputs).back()) < tolerance);
    for (std::size_t k = 0; k < Network::layers; ++k) {
        CAPTURE(k);
        REQUIRE(largest_difference(derivatives.weights(k), expected.by_weights[k]) < tolerance);
        REQUIRE(largest_difference(derivatives.biases(k), expected.by_biases[k]) < tolerance);
        REQUIRE(largest_difference(network.weights(k), expected.weights[k]) == 0.0);
        REQUIRE(largest_difference(network.biases(k), expected.biases[k]) == 0.0);
    }
}

template <class Network>
void check_gradients() {
    Network network; // one for all batches, so that what a larger one leaves behind would show
    for (const std::size_t batch : {33u, 7u, 1u, 3u, 130u}) {
        const auto labels = random_classes(batch, Network::outputs, static_cast<unsigned>(batch));
        if constexpr (Network::outputs == 1)
            check_gradient(plain::loss::hinge, losses::hinge{}, batch, labels, network);
        else
            check_gradient(plain::loss::cross_entropy, losses::cross_entropy{}, batch, labels, network);
        const auto targets = random_numbers<typename Network::number>(batch * Network::outputs, 3);
        check_gradient(plain::loss::mean_squared, losses::mean_squared{}, batch, targets, network);
    }
}

} // namespace

TEST_CASE("a static network computes loss and derivatives as plain loops do", "[tensor]") {
    check_gradients<tensor::static_network<4, 8, 2>>();
    check_gradients<tensor::static_network<2, 16, 16, 1>>();
    check_gradients<tensor::static_network<1, 1, 1>>();
    check_gradients<tensor::static_network<70, 37, 20>>();
    check_gradients<tensor::static_network<7, 300, 3>>();
    check_gradients<relu_double<5, 17, 9, 4>>();
    check_gradients<tanh_double<65, 19, 13>>();
    check_gradients<tanh_double<3, 140, 1>>();
}

TEST_CASE("derivatives of a network of sigmoids are quotients of differences", "[tensor]") {
    tensor::basic_static_network<double, tensor::activations::sigmoid, 3, 5, 2> network(4);
    const auto inputs = random_numbers<double>(3 * 6, 8), targets = random_numbers<double>(2 * 6, 5);
    decltype(network)::parameters derivatives;
    network.gradient(inputs, targets, derivatives, losses::mean_squared{});
    const auto loss_at = [&](std::size_t k, std::vector<double> weights, std::size_t i, double change) {
        weights[i] += change;
        network.set_weights(k, weights);
        return network.loss(inputs, targets, losses::mean_squared{});
    };
    for (std::size_t k = 0; k < network.layers; ++k) {
        const auto weights = network.weights(k), found = derivatives.weights(k);
        for (std::size_t i = 0; i < weights.size(); ++i) {
            CAPTURE(k, i);
            const double h = 1e-6, above = loss_at(k, weights, i, h), below = loss_at(k, weights, i, -h);
            CHECK(found[i] == Approx((above - below) / (2 * h)).epsilon(1e-6).margin(1e-9));
        }
        network.set_weights(k, weights);
    }
    // As a function of the inputs, in numbers of any kind.
    const auto outputs = forward(
        network, std::array{chainrule::dual<double>(0.3), chainrule::dual<double>(-0.7), chainrule::dual<double>(1.1)});
    CHECK(outputs[0].value == Approx(network.forward(std::vector{0.3, -0.7, 1.1})[0]).epsilon(1e-14));
}
