// SPDX-License-Identifier: BSL-1.0
//
// Functions of the user on tensors, as layers, and in networks with static shapes.
#include "custom_functions.hpp"
#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/tensor.hpp>
#include <chainrule/tensor/static_network.hpp>

#include <vector>

namespace {

using namespace outside;
using namespace chainrule::literals;
namespace tensor = chainrule::tensor;

/// tanh. A network with static shapes can use its derivative, which is a formula in the result.
struct custom_tanh_function : cr::custom_function<custom_tanh_function, 1> {
    static constexpr char name[] = "custom_tanh";
    template <class T>
    static constexpr T value(const T& x) {
        return tanh(x);
    }
    template <int K, class T>
    static constexpr auto derivative(const T&, const T& r) {
        return 1 - r * r;
    }
};
} // namespace

TEST_CASE("a function of the user acts on the elements of tensors", "[custom_function]") {
    tensor::tensor<double> x{{0.3, -0.7}, {1.2, 2.0}};
    tensor::tensor<double> y{0.5, 1.5};
    x.requires_grad(true);
    y.requires_grad(true);
    const auto r = gelu(x) * mean(x, y) + mean(x, 2) + mean(0.5f, y);
    sum(r).backward();
    constexpr auto u = cr::variable<"u">;
    constexpr auto v = cr::variable<"v">;
    constexpr auto F = cr::function(gelu(u) * mean(u, v) + mean(u, 2_c) + mean(0.5_c, v), cr::wrt(u, v));
    double by_y[2] = {0, 0};
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            const auto e = F.value_and_gradient(x(i, j), y(j));
            CHECK(r(i, j) == Approx(e.value).epsilon(1e-14));
            CHECK(x.grad()(i, j) == Approx(e.gradient[0]).epsilon(1e-13));
            by_y[j] += e.gradient[1];
        }
    for (int j = 0; j < 2; ++j) CHECK(y.grad()(j) == Approx(by_y[j]).epsilon(1e-13));
}

TEST_CASE("a function of the user is an activation", "[custom_function]") {
    const tensor::layers::activation<gelu_function> layer;
    tensor::tensor<float> x{0.3f, -0.7f};
    x.requires_grad(true);
    const auto r = layer(x);
    sum(r).backward();
    CHECK(r(0) == gelu(0.3f));
    CHECK(x.grad()(1) ==
          Approx(cr::derivative(gelu(cr::variable<"x">), cr::variable<"x">)(cr::variable<"x"> = -0.7f)).epsilon(1e-6));

    using activation = tensor::activations::function<custom_tanh_function>;
    using table = tensor::activations::tanh;
    CHECK(activation::of(0.3f) == table::of(0.3f));
    constexpr auto w = cr::variable<"w">;
    CHECK(cr::to_string(activation::of(w)) == "custom_tanh(w)");

    tensor::basic_static_network<double, activation, 2, 5, 3> network;
    tensor::basic_static_network<double, table, 2, 5, 3> twin;
    const std::vector<double> weights{0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 0.7, -0.8, 0.9, 1.0};
    network.set_weights(0, weights);
    twin.set_weights(0, weights);
    const std::vector<double> inputs{0.3, -0.4, 1.5, 2.5};
    const std::vector<int> labels{0, 2};
    auto optimiser = decltype(network)::sgd(0.2);
    auto twins = decltype(twin)::sgd(0.2);
    for (int step = 0; step < 5; ++step)
        CHECK(network.train_step(inputs, labels, optimiser) ==
              Approx(twin.train_step(inputs, labels, twins)).epsilon(1e-13));
}
