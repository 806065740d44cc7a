// SPDX-License-Identifier: BSL-1.0
//
// Trains a small convolutional network to recognise handwritten digits: the 1797 images of scikit-learn (Debian:
// python3-sklearn), every fifth of them for the test. Takes a second or two. fashion_mnist.cpp is a larger program of
// this kind, with options, pictures and files.
#include "data/digits.hpp"
#include "data/classification.hpp"

#include <chainrule/tensor.hpp>

#include <cstdio>

namespace tensor = chainrule::tensor;
namespace layers = tensor::layers;

int main() {
    if (!examples::is_readable(examples::digits_file)) {
        std::printf("There is no data to learn from; install python3-sklearn.\n");
        return 0;
    }
    const examples::image_data images = examples::divided(examples::read_digits());
    const examples::samples training(images.training), test(images.test);
    std::printf("%zu pictures to learn from, %zu to test with\n\n", training.size(), test.size());

    tensor::generator random(1);
    // Braces, since the layers draw their weights in the order in which they are written.
    layers::sequential net{layers::convolution<float>(1, 16, 3, random, {.padding = 1}), layers::relu{},
                           layers::max_pool{2}, layers::flatten{}, layers::linear<float>(16 * 4 * 4, 10, random)};
    const auto scores = [&](const tensor::tensor<float>& pixels) { return net(reshape(pixels, {-1, 1, 8, 8})); };

    constexpr std::size_t epochs = 20;
    tensor::batches all(training.size(), 32, 1);
    const tensor::schedules::cosine rate{.highest = 0.01, .steps = epochs * all.count()};
    tensor::optimiser learning(tensor::parameters(net), tensor::optimisers::adam<float>());

    std::size_t step = 0;
    for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
        double sum = 0;
        for (const std::span<const std::size_t> batch : all.shuffled(epoch)) {
            const auto loss = cross_entropy(scores(take(training.pixels, batch)), take(training.labels, batch));
            learning.rate(rate(step++));
            learning.minimise(loss);
            sum += static_cast<double>(loss.item());
        }
        std::printf("epoch %2zu: loss %.4f\n", epoch + 1, sum / static_cast<double>(all.count()));
    }

    const tensor::no_grad unrecorded;
    const examples::answers answered(scores(test.pixels));
    const examples::confusion_matrix table = answered.compared_with(images.test, 10);
    std::printf("\n%s\n", table.text({"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}).c_str());
    std::printf("test accuracy at least 0.97: %s\n", table.accuracy() >= 0.97 ? "yes" : "no");
}
