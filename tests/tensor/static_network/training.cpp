// SPDX-License-Identifier: BSL-1.0
//
// Training of networks with static shapes: every optimiser against plain loops, step by step; copies; memory.
#include "../allocations.hpp"
#include "catch.hpp"
#include "plain_network.hpp"

#include <chainrule/tensor/static_network.hpp>

namespace tensor = chainrule::tensor;
namespace losses = chainrule::tensor::losses;

namespace {

using network_type = tensor::basic_static_network<double, tensor::activations::relu, 5, 19, 7, 3>;

struct problem {
    std::vector<double> inputs;
    std::vector<int> labels;

    explicit problem(std::size_t batch) : inputs(batch * 5), labels(batch) {
        std::mt19937 dice(11);
        std::uniform_real_distribution<double> any(-1, 1);
        for (double& x : inputs) x = any(dice);
        for (int& l : labels) l = static_cast<int>(dice() % 3);
    }
};

/// Calls f(weight, its derivative, its number) for each.
template <class F>
void each_parameter(plain::network<double>& n, const F& f) {
    std::size_t number = 0;
    for (std::size_t k = 0; k < n.layers(); ++k) {
        for (std::size_t i = 0; i < n.weights[k].size(); ++i) f(n.weights[k][i], n.by_weights[k][i], number++);
        for (std::size_t i = 0; i < n.biases[k].size(); ++i) f(n.biases[k][i], n.by_biases[k][i], number++);
    }
}

/// Trains both for some steps; `update` is what one step does to a parameter of the plain network.
template <class Optimiser, class Update>
void check_training(Optimiser optimiser, const Update& update) {
    const problem given(13);
    plain::network<double> expected({5, 19, 7, 3}, true, 1);
    network_type network;
    for (std::size_t k = 0; k < 3; ++k) {
        network.set_weights(k, expected.weights[k]);
        network.set_biases(k, expected.biases[k]);
    }
    for (int step = 1; step <= 25; ++step) {
        CAPTURE(step);
        const double loss = expected.gradient(plain::loss::cross_entropy, given.inputs, given.labels);
        each_parameter(expected, [&](double& w, double g, std::size_t number) { update(w, g, number, step); });
        REQUIRE(network.train_step(given.inputs, given.labels, optimiser) == Approx(loss).epsilon(1e-12));
        for (std::size_t k = 0; k < 3; ++k) {
            const auto weights = network.weights(k), biases = network.biases(k);
            for (std::size_t i = 0; i < weights.size(); ++i)
                REQUIRE(weights[i] == Approx(expected.weights[k][i]).epsilon(1e-10).margin(1e-12));
            for (std::size_t i = 0; i < biases.size(); ++i)
                REQUIRE(biases[i] == Approx(expected.biases[k][i]).epsilon(1e-10).margin(1e-12));
        }
    }
}

} // namespace

TEST_CASE("steps of gradient descent are those of plain loops", "[tensor]") {
    check_training(network_type::sgd(0.2), [](double& w, double g, std::size_t, int) { w -= 0.2 * g; });
}

TEST_CASE("steps with momentum and weight decay are those of plain loops", "[tensor]") {
    std::vector<double> v(1000);
    check_training(network_type::sgd(0.1, 0.9, 0.01), [&](double& w, double g, std::size_t number, int) {
        v[number] = 0.9 * v[number] + g + 0.01 * w;
        w -= 0.1 * v[number];
    });
}

TEST_CASE("steps of Adam are those of plain loops", "[tensor]") {
    std::vector<double> m(1000), v(1000);
    check_training(
        network_type::adam(0.01, 0.8, 0.95, 1e-7, 0.02), [&](double& w, double g, std::size_t number, int step) {
            g += 0.02 * w;
            m[number] = 0.8 * m[number] + 0.2 * g;
            v[number] = 0.95 * v[number] + 0.05 * g * g;
            const double first = m[number] / (1 - std::pow(0.8, step)), second = v[number] / (1 - std::pow(0.95, step));
            w -= 0.01 * first / (std::sqrt(second) + 1e-7);
        });
}

TEST_CASE("the settings of an optimiser may change between steps", "[tensor]") {
    network_type::sgd optimiser(0.0);
    check_training(optimiser, [](double&, double, std::size_t, int) {});
    const problem given(4);
    network_type network;
    const auto before = network.weights(1);
    network.train_step(given.inputs, given.labels, optimiser);
    REQUIRE(network.weights(1) == before);
    optimiser.rate = 0.1;
    network.train_step(given.inputs, given.labels, optimiser);
    REQUIRE(network.weights(1) != before);
}

TEST_CASE("a network learns two moons", "[tensor]") {
    // Half circles that no line separates; the hinge loss of a trained network is near 0.
    std::vector<float> points;
    std::vector<int> labels;
    for (int i = 0; i < 100; ++i) {
        const double angle = 3.14159265 * i / 99.0, side = i % 2 == 0 ? 1 : -1;
        points.push_back(static_cast<float>(side > 0 ? std::cos(angle) : 1 - std::cos(angle)));
        points.push_back(static_cast<float>(side > 0 ? std::sin(angle) : 0.5 - std::sin(angle)));
        labels.push_back(static_cast<int>(side));
    }
    tensor::static_network<2, 16, 16, 1> network(3);
    tensor::static_network<2, 16, 16, 1>::sgd by(0.3f);
    const float first = network.loss(points, labels, losses::hinge{});
    for (int step = 0; step < 1000; ++step) network.train_step(points, labels, by, losses::hinge{});
    REQUIRE(first > 0.5f);
    REQUIRE(network.loss(points, labels, losses::hinge{}) < 0.01f);
    REQUIRE(network.predict(points) == labels);
}

TEST_CASE("training is deterministic, copies are independent, and a seed decides the weights", "[tensor]") {
    const problem given(9);
    network_type a(5), b(5), c(6);
    REQUIRE(a.weights(0) == b.weights(0));
    REQUIRE(a.weights(0) != c.weights(0));
    network_type::adam by_a, by_b;
    for (int step = 0; step < 20; ++step) {
        a.train_step(given.inputs, given.labels, by_a);
        b.train_step(given.inputs, given.labels, by_b);
    }
    for (std::size_t k = 0; k < 3; ++k) REQUIRE(a.weights(k) == b.weights(k));
    const network_type copy = a;
    a.train_step(given.inputs, given.labels, by_a);
    REQUIRE(copy.weights(2) == b.weights(2));
    REQUIRE(copy.weights(2) != a.weights(2));
    network_type moved = std::move(a);
    REQUIRE(moved.forward(given.inputs).size() == 27);
}

TEST_CASE("weights at the beginning have the variance 2 / inputs", "[tensor]") {
    const tensor::static_network<200, 300> network(8);
    double sum = 0, squares = 0;
    for (const float w : network.weights(0)) {
        sum += static_cast<double>(w);
        squares += static_cast<double>(w) * static_cast<double>(w);
    }
    REQUIRE(sum / 60000 == Approx(0).margin(0.002));
    REQUIRE(squares / 60000 == Approx(0.01).epsilon(0.03));
    REQUIRE(network.biases(0) == std::vector<float>(300));
}

TEST_CASE("a step allocates nothing once its batch size was seen", "[tensor]") {
    const problem large(40), small(7);
    network_type network;
    network_type::sgd plain_sgd(0.1), with_momentum(0.1, 0.9);
    network_type::adam adam;
    std::vector<double> outputs(40 * 3);
    const auto steps = [&] {
        for (const problem* given : {&large, &small}) {
            network.train_step(given->inputs, given->labels, plain_sgd);
            network.train_step(given->inputs, given->labels, with_momentum);
            network.train_step(given->inputs, given->labels, adam);
        }
        network.forward(large.inputs, outputs);
    };
    const std::size_t at_first = counted::allocations;
    steps();
    const std::size_t before = counted::allocations;
    REQUIRE(before > at_first);
    for (int i = 0; i < 10; ++i) steps();
    REQUIRE(counted::allocations == before);
}
