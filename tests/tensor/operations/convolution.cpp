// SPDX-License-Identifier: BSL-1.0
//
// Convolution, max-pooling and dropout: values against plain loops, gradients against differences.
#include "../gradients.hpp"

#include <cmath>
#include <limits>

namespace {

using namespace gradients;
using doubles = std::vector<double>;

doubles convolved(const tensor<double>& x, const tensor<double>& kernels, const ct::window& moving) {
    const auto positions = [&](ct::index size, ct::index kernel) {
        return (size + 2 * moving.padding - kernel) / moving.stride + 1;
    };
    doubles result;
    for (ct::index n = 0; n < x.size(0); ++n)
        for (ct::index k = 0; k < kernels.size(0); ++k)
            for (ct::index p = 0; p < positions(x.size(2), kernels.size(2)); ++p)
                for (ct::index q = 0; q < positions(x.size(3), kernels.size(3)); ++q) {
                    double total = 0;
                    for (ct::index c = 0; c < x.size(1); ++c)
                        for (ct::index i = 0; i < kernels.size(2); ++i)
                            for (ct::index j = 0; j < kernels.size(3); ++j) {
                                const ct::index y = p * moving.stride + i - moving.padding,
                                                z = q * moving.stride + j - moving.padding;
                                if (y >= 0 && y < x.size(2) && z >= 0 && z < x.size(3))
                                    total += x(n, c, y, z) * kernels(k, c, i, j);
                            }
                    result.push_back(total);
                }
    return result;
}

} // namespace

TEST_CASE("convolution agrees with plain loops for every stride, padding and size", "[tensor]") {
    for (const ct::index height : {1, 4, 5})
        for (const ct::index width : {3, 6})
            for (const ct::index kernel : {1, 2, 3})
                for (const ct::index stride : {1, 2, 3})
                    for (const ct::index padding : {0, 1, 2, 4}) {
                        if (height + 2 * padding < kernel) continue;
                        CAPTURE(height, width, kernel, stride, padding);
                        const tensor<double> x = drawn({2, 3, height, width}, 1),
                                             k = drawn({4, 3, kernel, std::min<ct::index>(kernel, 2)}, 2);
                        const ct::window moving{stride, padding};
                        compare(conv2d(x, k, moving), convolved(x, k, moving), 1e-14);
                    }
}

TEST_CASE("convolution passes gradients to images, kernels and bias", "[tensor]") {
    const auto with = [](const ct::window& moving) {
        return [moving](const auto& a) { return conv2d(a[0], a[1], a[2], moving); };
    };
    const tensor<double> bias = drawn({2}, 3);
    check_gradients(with({}), {drawn({2, 2, 4, 3}, 1), drawn({2, 2, 2, 2}, 2), bias});
    check_gradients(with({.stride = 2, .padding = 1}), {drawn({1, 2, 4, 5}, 1), drawn({2, 2, 3, 2}, 2), bias});
    check_gradients(with({.stride = 1, .padding = 3}), {drawn({1, 1, 1, 2}, 1), drawn({2, 1, 2, 2}, 2), bias});
    check_gradients(with({}), {ct::zeros<double>({0, 2, 4, 3}), drawn({2, 2, 2, 2}, 2), bias});
    // Large enough for the library of matrices.
    const tensor<double> x = drawn({1, 3, 14, 14}, 4), k = drawn({16, 3, 5, 5}, 5);
    compare(conv2d(x, k), convolved(x, k, {}), 1e-13);
}

TEST_CASE("max-pooling keeps the largest of each window and gives it the gradient", "[tensor]") {
    const tensor<double> x = reshape(ct::arange<double>(24), {1, 2, 3, 4});
    CHECK(max_pool2d(x, 2).shape() == extents{1, 2, 1, 2});
    CHECK(max_pool2d(x, 2).values() == doubles{5, 7, 17, 19});
    CHECK(max_pool2d(-x, 2, {.stride = 1}).values() == doubles{0, -1, -2, -4, -5, -6, -12, -13, -14, -16, -17, -18});
    CHECK(max_pool2d(-x - 1, 3, {.stride = 2, .padding = 1}).values() == doubles{-1, -2, -5, -6, -13, -14, -17, -18});
    // With a padding alone, the window still moves by its size.
    CHECK(max_pool2d(x, 2, {.padding = 1}).shape() == extents{1, 2, 2, 3});
    CHECK(max_pool2d(x, 2, {.padding = 1}).values() == doubles{0, 2, 3, 8, 10, 11, 12, 14, 15, 20, 22, 23});
    check_gradients([](const auto& a) { return max_pool2d(a[0], 2); }, {distinct({2, 2, 4, 5}, 1)}, 1e-3);
    check_gradients([](const auto& a) { return exp(max_pool2d(a[0], 3, {.stride = 1, .padding = 1})); },
                    {distinct({1, 2, 4, 3}, 2)}, 1e-3);
    tensor<double> equal = ct::ones<double>({1, 1, 2, 2});
    equal.requires_grad(true);
    max_pool2d(equal, 2).backward();
    CHECK(equal.grad().values() == doubles{1, 0, 0, 0}); // the first of a tie
    CHECK(std::isnan(max_pool2d(ct::full<double>({1, 1, 2, 2}, std::numeric_limits<double>::quiet_NaN()), 2).item()));
    CHECK(max_pool2d(ct::zeros<double>({0, 1, 2, 2}), 2).shape() == extents{0, 1, 1, 1});
}

TEST_CASE("dropout keeps the mean, and passes the gradient of what it kept", "[tensor]") {
    ct::generator random(3);
    tensor<double> x = ct::ones<double>({100, 100});
    x.requires_grad(true);
    const tensor<double> y = ct::dropout(x, 0.25, random);
    const ct::index kept = sum(y > 0).item();
    CHECK(kept > 7300);
    CHECK(kept < 7700);
    CHECK(max(y).item() == 1 / 0.75);
    sum(y).backward();
    CHECK(x.grad() == y);
    CHECK(ct::dropout(x, 0, random) == x);
    CHECK(ct::dropout(x, 0.5, random) != ct::dropout(x, 0.5, random));
    ct::generator again(3);
    CHECK(ct::dropout(x, 0.25, again) == y);
}

TEST_CASE("what dropout drops is 0, and so is its gradient, even where numbers are not finite", "[tensor]") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (const double odd : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
        CAPTURE(odd);
        ct::generator random(11), again(11);
        tensor<double> x = ct::full<double>({40}, odd), seed = ct::full<double>({40}, odd);
        x.requires_grad(true);
        const std::vector<double> kept = ct::dropout(ct::ones<double>({40}), 0.5, again).values();
        const tensor<double> y = ct::dropout(x, 0.5, random);
        y.backward(seed);
        const std::vector<double> values = y.values(), gradient = x.grad().values();
        for (std::size_t i = 0; i < kept.size(); ++i) {
            CAPTURE(i);
            CHECK((kept[i] == 0 ? values[i] == 0 : !std::isfinite(values[i])));
            CHECK((kept[i] == 0 ? gradient[i] == 0 : !std::isfinite(gradient[i])));
        }
    }
}
