// SPDX-License-Identifier: BSL-1.0
//
// Unselected elements do not leak into gradients: through operators, flat functions, matrix products and reductions.
#include "arms_not_taken.hpp"

namespace {

double gradient_at(const tensor<double>& x, ct::index i) { return x.grad()(i); }

} // namespace

TEST_CASE("tensors: no operator leaks from an element that is not chosen") {
    for (const double bad : hard)
        for (const double other : hard) {
            const std::vector<tensor<double>> at{pair(0.75, bad), pair(1.5, other)};
            check_choices([](const auto& a) { return a[0] * a[1]; }, at);
            check_choices([](const auto& a) { return a[0] / a[1]; }, at);
            check_choices([](const auto& a) { return 2.0 / a[0] - a[1] / 3.0 + sqrt(a[0]); }, at);
        }
}

TEST_CASE("tensors: flat functions let nothing through") {
    for (const double at : {-1.0, 0.0}) { // sqrt'(0) is infinite, and so is the gradient that relu must not pass on
        tensor<double> x = pair(at, 4);
        x.requires_grad(true);
        ct::sum(ct::sqrt(ct::relu(x))).backward();
        CHECK(gradient_at(x, 0) == 0);
        CHECK(gradient_at(x, 1) == 0.25);
        x.zero_grad();
        ct::sum(ct::log(ct::max(x, 0.0))).backward();
        CHECK(gradient_at(x, 0) == (at < 0 ? 0 : infinity)); // on a tie half of it
        CHECK(gradient_at(x, 1) == 0.25);
    }
    tensor<double> x = pair(0, 4);
    x.requires_grad(true);
    ct::sum(ct::relu(ct::log(x))).backward(); // of -inf
    CHECK(gradient_at(x, 0) == 0);
    CHECK(gradient_at(x, 1) == 0.25);
    x.zero_grad();
    ct::sum(ct::clamp(1.0 / x, -1.0, 1.0)).backward();
    CHECK(gradient_at(x, 0) == 0);
    CHECK(gradient_at(x, 1) == -1.0 / 16);
    x.zero_grad();
    ct::sum(ct::clamp(ct::log(x), -1.0, 2.0)).backward();
    CHECK(gradient_at(x, 0) == 0);
    CHECK(gradient_at(x, 1) == 0.25);
    x.zero_grad();
    const tensor<bool> zero = ct::equal(x, 0.0);
    ct::sum(ct::where(zero, 1.0, ct::sin(x) / x)).backward();
    CHECK(gradient_at(x, 0) == 0);
    CHECK(gradient_at(x, 1) == Approx((4 * std::cos(4.0) - std::sin(4.0)) / 16));
    x.zero_grad();
    (ct::max(ct::sqrt(x)) + ct::min(ct::where(zero, 5.0, ct::log(x)))).backward();
    CHECK(gradient_at(x, 0) == 0);
    CHECK(gradient_at(x, 1) == 0.5);
}

TEST_CASE("tensors: NaN in, NaN out where it is chosen") {
    tensor<double> x = pair(not_a_number, 4);
    x.requires_grad(true);
    ct::sum(ct::relu(ct::sqrt(x) * x)).backward();
    CHECK(std::isnan(gradient_at(x, 0)));
    CHECK(gradient_at(x, 1) == 3);
}

TEST_CASE("tensors: rows that are not chosen leak through no matrix product") {
    for (const double bad : {infinity, -infinity, not_a_number})
        for (const ct::index size : {2, 40}) { // by every kernel of products
            CAPTURE(bad, size);
            const auto filled = [&](ct::extents shape, double first) {
                tensor<double> x = ct::full<double>(shape, 0.5);
                x.mutable_span()[0] = first;
                return x.requires_grad(true);
            };
            const auto only_last = [&](const tensor<double>& y) { return ct::sum(ct::slice(y, 0, size - 1)); };
            const auto finite = [](const tensor<double>& x) {
                for (const double g : x.grad().values())
                    if (!std::isfinite(g)) return false;
                return true;
            };
            { // a row of x
                tensor<double> x = filled({size, size}, bad), w = filled({size, size}, 0.25), b = filled({size}, 0);
                only_last(ct::linear(x, w, b)).backward();
                CHECK((finite(x) && finite(w) && finite(b)));
                CHECK(x.grad()(0, 0) == 0);
                CHECK(w.grad()(0, 0) == 0.5);
                tensor<double> y = ct::matmul(x, w) + b;
                for (tensor<double>* t : {&x, &w, &b}) t->zero_grad();
                only_last(ct::relu(std::move(y))).backward();
                CHECK((finite(x) && finite(w) && finite(b)));
                CHECK(w.grad()(0, 0) == 0.5);
            }
            { // a column of the weights
                tensor<double> x = filled({size, size}, 0.25), w = filled({size, size}, bad);
                ct::sum(ct::slice(ct::matmul(x, w), 1, 1)).backward();
                CHECK((finite(x) && finite(w)));
                CHECK(x.grad()(0, 0) == 0.5 * static_cast<double>(size - 1));
                CHECK((w.grad()(0, 0) == 0 && w.grad()(0, 1) == 0.25 + 0.5 * static_cast<double>(size - 1)));
            }
            { // the second of a stack, with a transposed operand
                tensor<double> x = filled({2, size, size}, bad), w = filled({size, size}, 0.25);
                ct::sum(ct::select(ct::matmul(x, ct::transpose(w)), 0, 1)).backward();
                CHECK((finite(x) && finite(w)));
            }
            { // images
                tensor<double> x = filled({2, 1, 5, 5}, bad), kernels = filled({2, 1, 2, 2}, 0.25);
                ct::sum(ct::select(ct::conv2d(x, kernels), 0, 1)).backward();
                CHECK((finite(x) && finite(kernels)));
                x.zero_grad();
                kernels.zero_grad();
                ct::sum(ct::slice(ct::conv2d(x, kernels), 2, 1)).backward();
                CHECK((finite(x) && finite(kernels)));
            }
        }
}

TEST_CASE("tensors: rows that are not chosen leak through no reduction") {
    tensor<double> x{{-infinity, -infinity, -infinity}, {1, 2, 3}}; // a row that is masked whole: its softmax is NaN
    x.requires_grad(true);
    const auto check = [&](const tensor<double>& y) {
        x.zero_grad();
        y.backward();
        for (ct::index j = 0; j < 3; ++j) {
            CHECK(x.grad()(0, j) == 0);
            CHECK(std::isfinite(x.grad()(1, j)));
        }
    };
    const auto weighted = [](const tensor<double>& y) { return ct::sum(y * tensor<double>{1, 2, 4}); };
    check(weighted(ct::select(ct::softmax(x), 0, 1)));
    check(weighted(ct::select(ct::log_softmax(x), 0, 1)));
    check(weighted(ct::where(tensor<bool>{{false}, {true}}, ct::softmax(x), 0.0)));
    check(ct::select(ct::mean(x, 1), 0, 1) + ct::select(ct::variance(x, 1), 0, 1));
    check(ct::select(ct::max(x - x, 1), 0, 1) + ct::select(ct::min(x, 1), 0, 1)); // of NaN
    const tensor<bool> usable{false, true};
    check(ct::sum(ct::where(usable,
                            ct::stack({ct::cross_entropy(ct::slice(x, 0, 0, 1), std::vector<int>{1}),
                                       ct::cross_entropy(ct::slice(x, 0, 1), std::vector<int>{1})}),
                            0.0)));
}
