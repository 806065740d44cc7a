// SPDX-License-Identifier: BSL-1.0
//
// The bugs that small engines for gradients had, each as a test with the name under which it is known.
#include "../sentence.hpp"
#include "gradients.hpp"

namespace {

using namespace gradients;
using doubles = std::vector<double>;

tensor<double> leaf(std::initializer_list<ct::nested_values<double>> numbers) {
    return tensor<double>(numbers).requires_grad(true);
}

} // namespace

TEST_CASE("a second backward passes nothing of the first one on again (micrograd #53, #102)", "[tensor]") {
    const tensor<double> x = leaf({1, 2});
    tensor<double> y = x * x;
    const tensor<double> z = sum(y * y);
    z.backward();
    CHECK(x.grad().values() == doubles{4, 32});
    z.backward();
    CHECK(x.grad().values() == doubles{8, 64});
    // Not even where the gradient in between is kept: that is the sum of both passes, and each passed on its own part.
    tensor<double> kept = x * 3;
    kept.retain_grad();
    const tensor<double> w = sum(kept * kept);
    x.node().forget_gradient();
    w.backward();
    CHECK(kept.grad().values() == doubles{6, 12});
    CHECK(x.grad().values() == doubles{18, 36});
    w.backward();
    CHECK(kept.grad().values() == doubles{12, 24});
    CHECK(x.grad().values() == doubles{36, 72});
    kept.zero_grad();
    CHECK_FALSE(kept.has_grad());
    kept.backward(tensor<double>{1, 1});
    kept.backward(tensor<double>{1, 1});
    CHECK(kept.grad().values() == doubles{2, 2});
    CHECK(x.grad().values() == doubles{42, 78});
}

TEST_CASE("a reused node passes its gradient on once, when all of it is there (micrograd #2, #64, #68)", "[tensor]") {
    const tensor<double> a = leaf({3});
    const tensor<double> b = a + a; // read by two operations of different depth
    const tensor<double> c = b * b;
    const tensor<double> d = b + exp(c * 0.1) * b;
    d.backward();
    // d = b + b exp(b^2 / 10), b = 6
    const double e = std::exp(3.6);
    CHECK(a.grad().item() == Approx(2 * (1 + e + 6 * e * 1.2)).epsilon(1e-14));

    const tensor<double> x = leaf({-2}), y = leaf({3});
    const tensor<double> p = x * y, q = x + y;
    (p * q).backward();
    CHECK(x.grad().item() == -3);
    CHECK(y.grad().item() == -8);
}

TEST_CASE("diamonds on diamonds take one visit per node", "[tensor]") {
    const tensor<double> x = leaf({1});
    tensor<double> y = x;
    for (int i = 0; i < 60; ++i) y = (y + y) * 0.5; // 2^60 paths
    y.backward();
    CHECK(x.grad().item() == 1);
}

TEST_CASE("a chain of 200 000 nodes is differentiated and destroyed without recursion (micrograd #90, PyTorch #5534)",
          "[tensor]") {
    const tensor<double> x = leaf({1});
    {
        tensor<double> y = x;
        for (int i = 0; i < 200000; ++i)
            y = i % 4 == 0 ? y + 1 : i % 4 == 1 ? -y : i % 4 == 2 ? reshape(y, {1}) : y * 1.0;
        y.backward();
        CHECK(x.grad().item() == 1);
        CHECK(contains(to_graphviz(y), "t200000 ["));
    }
    { // never differentiated
        tensor<double> y = x;
        for (int i = 0; i < 200000; ++i) y = y * y + x;
    }
}

TEST_CASE("nothing keeps itself alive (cycles of shared_ptr through captured results)", "[tensor]") {
    ct::release_memory();
    const std::size_t before = ct::memory_used().bytes_in_use;
    {
        const tensor<double> x = leaf({1, 2, 3});
        tensor<double> y = softmax(exp(x) * x);
        y.retain_grad();
        const tensor<double> z = max(y) + sum(ct::concatenate({y, relu(y), select(ct::stack({x, y}), 0, 1)}));
        z.backward();
        CHECK(ct::memory_used().bytes_in_use > before);
    }
    CHECK(ct::memory_used().bytes_in_use == before);
}

TEST_CASE("the gradient of what was broadcast has its own shape (PyTorch #1787)", "[tensor]") {
    const tensor<double> x = leaf({{1, 2, 3}, {4, 5, 6}}), row = leaf({1, 2, 3}), column = leaf({{10}, {20}}),
                         scalar = leaf({2});
    sum((x + row) * column / scalar).backward();
    CHECK(row.grad().values() == doubles{15, 15, 15});
    CHECK(column.grad().shape() == extents{2, 1});
    CHECK(column.grad().values() == doubles{6, 10.5});
    CHECK(scalar.grad().shape() == extents{1});
    CHECK(scalar.grad().item() == -(10 * 12 + 20 * 21) / 4.0);
}

TEST_CASE("products with vectors have gradients of the vectors' shapes (Tinytorch #3)", "[tensor]") {
    const tensor<double> u = leaf({1, 2}), v = leaf({3, 4}), m = leaf({{1, 2}, {3, 4}});
    matmul(u, v).backward();
    CHECK(u.grad().values() == doubles{3, 4});
    CHECK(v.grad().values() == doubles{1, 2});
    sum(matmul(m, u)).backward();
    CHECK(m.grad().values() == doubles{1, 2, 1, 2});
    CHECK(u.grad().values() == doubles{3 + 4, 4 + 6});
    sum(matmul(v, m)).backward();
    CHECK(v.grad().values() == doubles{1 + 3, 2 + 7});
}

TEST_CASE("matmul adds to gradients instead of replacing them", "[tensor]") {
    const tensor<double> a = leaf({{1, 2}, {3, 4}});
    sum(matmul(a, a) + a).backward();
    CHECK(a.grad().values() == doubles{1 + 4 + 3, 1 + 4 + 7, 1 + 6 + 3, 1 + 6 + 7});
}

TEST_CASE("a matrix of one column is not taken for its transpose", "[tensor]") {
    // Its strides fit both readings; a gradient was wrong where the flag for the library was guessed from them.
    for (const ct::index inner : {1, 2, 5, 40}) {
        const tensor<double> column = drawn({inner, 1}, 1), row = drawn({1, inner}, 2);
        check_gradients([](const auto& a) { return matmul(a[0], a[1]); }, {column, row});
        check_gradients([](const auto& a) { return matmul(transpose(a[0]), transpose(a[1])); }, {column, row});
        check_gradients([](const auto& a) { return matmul(transpose(a[0]), a[0]); }, {column});
    }
}

TEST_CASE("handles stay valid, whatever is forgotten or released (Stan #868)", "[tensor]") {
    tensor<double> x = leaf({2}), y, g;
    {
        const tensor<double> inner = exp(x);
        y = inner * x;
    }
    ct::release_memory();
    y.backward();
    g = x.grad();
    const double expected = g.item();
    CHECK(expected == Approx(3 * std::exp(2.0)));
    x.zero_grad();
    CHECK(x.grad().item() == 0);
    CHECK(g.item() == expected); // a handle shows what it was given
    y.backward();
    y.backward();
    CHECK(g.item() == expected);
    CHECK(x.grad().item() == Approx(2 * expected));
    x = tensor<double>{1}; // the graph of y keeps the old one
    y.backward();
    y = x;
    CHECK(y.item() == 1);
}

TEST_CASE("an in-place change of what a derivative reads is noticed", "[tensor]") {
    const tensor<double> x = leaf({1, 2});
    tensor<double> y = x * 1.0;
    const tensor<double> z = y * y;
    y += 1;
    CHECK(contains(sentence_of([&] { sum(z).backward(); }),
                   "backward: operator* needs argument 1 of shape (2,), which was changed in place"));
}

TEST_CASE("numbers saved from a gradient do not change while that gradient is written", "[tensor]") {
    const tensor<double> w = leaf({1, 2});
    sum(w * w).backward();
    sum(w * sum(w.grad())).backward(); // reads the gradient 2 w and adds 6 to it
    CHECK(w.grad().values() == doubles{8, 10});
}

TEST_CASE("a training loop does not grow (tiny-dnn #927)", "[tensor]") {
    tensor<double> w = leaf({1, 2, 3});
    std::size_t in_use = 0, reserve = 0;
    for (int step = 0; step < 10000; ++step) {
        w.zero_grad();
        sum(square(w - 1)).backward();
        {
            const ct::no_grad unrecorded;
            w -= w.grad() * 0.01;
        }
        if (step == 10) {
            in_use = ct::memory_used().bytes_in_use;
            reserve = ct::memory_used().bytes_in_reserve;
        }
    }
    CHECK(w(2) == Approx(1).margin(1e-12));
    CHECK(ct::memory_used().bytes_in_use == in_use);
    CHECK(ct::memory_used().bytes_in_reserve == reserve);
}

TEST_CASE("a scalar 0 is a tensor and no null pointer", "[tensor]") {
    CHECK(tensor<double>(0).item() == 0);
    CHECK(tensor<float>(0).shape() == ct::extents{});
    CHECK(tensor<ct::index>{0}.shape() == ct::extents{1});
}
