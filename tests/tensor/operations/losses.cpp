// SPDX-License-Identifier: BSL-1.0
//
// Probabilities and losses, for scores of any size: softmax, log_softmax, cross_entropy, mse, hinge; and relu and
// sigmoid, whose edges are those of the table.
#include "../gradients.hpp"

#include <limits>

namespace {

using namespace gradients;
using doubles = std::vector<double>;
constexpr double infinity = std::numeric_limits<double>::infinity(),
                 not_a_number = std::numeric_limits<double>::quiet_NaN();

} // namespace

TEST_CASE("softmax and its logarithm along any axis", "[tensor]") {
    const tensor<double> x{{0, std::log(2.0), std::log(5.0)}};
    compare(softmax(x), doubles{0.125, 0.25, 0.625}, 1e-15);
    compare(log_softmax(x), doubles{std::log(0.125), std::log(0.25), std::log(0.625)}, 1e-15);
    compare(softmax(transpose(x), 0), doubles{0.125, 0.25, 0.625}, 1e-15);
    compare(softmax(slice(x, 1, -1, ct::to_the_end, -1)), doubles{0.625, 0.25, 0.125}, 1e-15);
    CHECK(softmax(ct::zeros<double>({3, 0})).shape() == extents{3, 0});
    CHECK(softmax(ct::zeros<double>({0, 3}), 1).shape() == extents{0, 3});
    CHECK(softmax(tensor<double>{5}).item() == 1);
    for (const ct::index axis : {0, 1, -1}) {
        check_gradients([axis](const auto& a) { return softmax(a[0], axis); }, {drawn({3, 2, 4}, 1)});
        check_gradients([axis](const auto& a) { return log_softmax(a[0], axis); }, {drawn({3, 2, 4}, 1)});
    }
}

TEST_CASE("softmax and cross-entropy are stable at scores of +-1000", "[tensor]") {
    tensor<float> x{{1000, -1000, 999}};
    x.requires_grad(true);
    const tensor<float> p = softmax(x), l = log_softmax(x);
    CHECK(p(0, 0) == Approx(0.7310586f));
    CHECK(p(0, 1) == 0);
    CHECK(l(0, 1) == Approx(-2000.3133f));
    sum(l).backward();
    CHECK(x.grad()(0, 1) == 1);
    CHECK(x.grad()(0, 0) == Approx(1 - 3 * 0.7310586f));
    x.zero_grad();
    const tensor<float> loss = cross_entropy(x, tensor<int>{1});
    CHECK(loss.item() == Approx(2000.3133f));
    loss.backward();
    CHECK(x.grad()(0, 1) == -1);
    CHECK(x.grad()(0, 0) == Approx(0.7310586f));
    CHECK(cross_entropy(tensor<float>{{-1000, -1000}}, tensor<int>{0}).item() == Approx(std::log(2.0f)));
    CHECK(std::isnan(cross_entropy(tensor<float>{{0, std::nanf("")}}, tensor<int>{0}).item()));
}

TEST_CASE("cross-entropy is the mean of -log softmax at the labels", "[tensor]") {
    const tensor<double> scores = drawn({5, 3}, 1);
    const std::vector<unsigned char> labels{0, 2, 1, 2, 0};
    const auto composed = [](const auto& a) {
        return -mean(gather(log_softmax(a[0]), 1, tensor<ct::index>{{0}, {2}, {1}, {2}, {0}}));
    };
    const auto direct = [&labels](const auto& a) { return cross_entropy(a[0], labels); };
    compare(direct(tensors<double>{scores}), composed(tensors<double>{scores}).values(), 1e-15);
    check_gradients(direct, {scores});
    check_gradients(composed, {scores});
    check_gradients([](const auto& a) { return cross_entropy(a[0], tensor<int>{0, 0}); }, {drawn({2, 1}, 1)});
    CHECK(std::isnan(cross_entropy(ct::zeros<double>({0, 3}), tensor<int>(extents{0}, {})).item()));
    // Rows that lie apart, and the labels of a view.
    const tensor<double> wide = drawn({5, 6}, 2);
    CHECK(cross_entropy(slice(wide, 1, 0, 3), labels).item() ==
          cross_entropy(slice(wide, 1, 0, 3).clone(), labels).item());
    CHECK(cross_entropy(scores, slice(tensor<int>{0, 9, 2, 9, 1, 9, 2, 9, 0}, 0, 0, ct::to_the_end, 2)).item() ==
          cross_entropy(scores, labels).item());
}

TEST_CASE("losses of many rows and of many classes lose no digits to the count", "[tensor]") {
    const std::vector<int> labels(200000, 3);
    CHECK(cross_entropy(ct::zeros<float>({200000, 10}), labels).item() == Approx(std::log(10.0)).epsilon(1e-6));
    CHECK(log_softmax(ct::zeros<float>({1, 200000}))(0, 7) == Approx(-std::log(200000.0)).epsilon(1e-6));
    tensor<float> scores = ct::zeros<float>({1, 200000});
    scores.requires_grad(true);
    (sum(log_softmax(scores) * 0.1F)).backward(); // of each 0.1 - (200,000 times 0.1) / 200,000
    for (const float slope : scores.grad().values())
        if (std::abs(slope) > 1e-6F) FAIL(slope);
}

TEST_CASE("mse and hinge are means", "[tensor]") {
    CHECK(mse(tensor<double>{1, 2}, tensor<double>{3, 3}).item() == 2.5);
    CHECK(hinge(tensor<double>{2, 0.5, -1}, tensor<double>{1, 1, 1}).item() == Approx(2.5 / 3));
    check_gradients([](const auto& a) { return mse(a[0], a[1]); }, {drawn({3, 2}, 1), drawn({3, 2}, 2)});
    check_gradients([](const auto& a) { return hinge(a[0], a[0] * 0 + 1); }, {distinct({3, 2}, 1)});
}

TEST_CASE("relu passes the gradient of what is positive: its mask", "[tensor]") {
    tensor<double> x{-2, -0.0, 0, 3, infinity, -infinity};
    x.requires_grad(true);
    const tensor<double> y = relu(x);
    CHECK(y.values() == doubles{0, 0, 0, 3, infinity, 0});
    y.backward(tensor<double>{1, 2, 3, 4, 5, 6});
    CHECK(x.grad().values() == doubles{0, 0, 0, 4, 5, 0});
    CHECK(std::isnan(relu(tensor<double>{not_a_number})(0)));
    check_gradients([](const auto& a) { return relu(a[0]) * a[0]; }, {distinct({12}, 1)});
    // The relu that became part of a product has the same edges.
    const tensor<double> one{{1}};
    tensor<double> w{{-2, 0, 3}};
    w.requires_grad(true);
    const tensor<double> z = relu(matmul(one, w));
    sum(z).backward();
    CHECK(z.values() == doubles{0, 0, 3});
    CHECK(w.grad().values() == doubles{0, 0, 1});
    CHECK(std::isnan(relu(matmul(one, tensor<double>{{not_a_number}})).item()));
}

TEST_CASE("edge values are those of the numbers: log(0), sqrt(0), 0 / 0", "[tensor]") {
    tensor<double> x{0, 1};
    x.requires_grad(true);
    CHECK(log(x)(0) == -infinity);
    sum(log(x)).backward();
    CHECK(x.grad().values() == doubles{infinity, 1});
    x.zero_grad();
    sum(sqrt(x)).backward();
    CHECK(x.grad().values() == doubles{infinity, 0.5});
    CHECK(std::isnan((x / x)(0)));
    CHECK((1 / x)(0) == infinity);
}
