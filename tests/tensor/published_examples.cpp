// SPDX-License-Identifier: BSL-1.0
//
// The examples of tutorials on automatic differentiation give the numbers that the tutorials print: elementwise
// products, a matrix times a vector with a seed, the logistic function on a batch, the mask of relu, gradients summed
// over broadcast axes, graphs.
#include "../sentence.hpp"
#include "gradients.hpp"

namespace {

using namespace gradients;
using doubles = std::vector<double>;

} // namespace

TEST_CASE("an elementwise product gives each factor the other as gradient: 3 and 1", "[tensor]") {
    tensor<float> a{1}, b{3};
    a.requires_grad(true);
    b.requires_grad(true);
    const tensor<float> c = a * b;
    CHECK(c.item() == 3);
    c.backward();
    CHECK(a.grad().item() == 3);
    CHECK(b.grad().item() == 1);
    a.zero_grad();
    b.zero_grad();
    const tensor<float> d = matmul(a, b);
    CHECK(d.shape() == extents{});
    d.backward();
    CHECK(a.grad().item() == 3);
    CHECK(b.grad().item() == 1);
}

TEST_CASE("a matrix times a vector with the seed (1, 2)", "[tensor]") {
    tensor<double> vector{1, 2, 3}, matrix{{1, 2, 3}, {4, 5, 6}};
    vector.requires_grad(true);
    matrix.requires_grad(true);
    const tensor<double> y = matmul(matrix, vector);
    CHECK(y.values() == doubles{14, 32});
    y.backward({1, 2});
    CHECK(vector.grad().values() == doubles{9, 12, 15});
    CHECK(matrix.grad() == tensor<double>{{1, 2, 3}, {2, 4, 6}});
}

TEST_CASE("the logistic function on a batch has the derivative 0.14914645 at 1.5", "[tensor]") {
    tensor<double> z{1.5, 1.5};
    z.requires_grad(true);
    const tensor<double> written = 1 / (1 + exp(-z));
    CHECK(written(0) == Approx(0.81757448).margin(5e-9));
    written.backward(tensor<double>{1, 1});
    CHECK(z.grad()(0) == Approx(0.14914645).margin(5e-9));
    CHECK(z.grad()(1) == Approx(0.14914645).margin(5e-9));
    z.zero_grad();
    sigmoid(z).backward(tensor<double>{1, 1});
    CHECK(z.grad()(1) == Approx(0.14914645).margin(5e-9));
    tensor<double> b{2, 3};
    b.requires_grad(true);
    exp(b).backward({1, 1});
    CHECK(b.grad().values() == doubles{std::exp(2.0), std::exp(3.0)});
}

TEST_CASE("log(x) + x y - sin(y) at (2, 5), with numbers and with whole batches", "[tensor]") {
    for (const extents& shape : {extents{}, extents{1}, extents{3, 2}}) {
        tensor<double> x = ct::full<double>(shape, 2), y = ct::full<double>(shape, 5);
        x.requires_grad(true);
        y.requires_grad(true);
        const tensor<double> f = log(x) + x * y - sin(y);
        sum(f).backward();
        for (const double v : f.values()) CHECK(v == Approx(11.652071455223084).epsilon(1e-15));
        for (const double v : x.grad().values()) CHECK(v == 5.5);
        for (const double v : y.grad().values()) CHECK(v == Approx(1.7163378145367738).epsilon(1e-15));
    }
}

TEST_CASE("relu's mask, and a sum of two numbers", "[tensor]") {
    tensor<double> x{-1, 0, 2};
    x.requires_grad(true);
    relu(x).backward({10, 20, 30});
    CHECK(x.grad().values() == doubles{0, 0, 30});
    tensor<double> w1(10.0), w2(10.0);
    w1.requires_grad(true);
    w2.requires_grad(true);
    (w2 + w1).backward();
    CHECK(w1.grad().item() == 1);
}

TEST_CASE("gradients are compressed to the shape before broadcasting", "[tensor]") {
    tensor<double> x{{1, 2, 3}, {4, 5, 6}}, row{1, 1, 1}, column{{1}, {1}};
    for (tensor<double>* t : {&x, &row, &column}) t->requires_grad(true);
    (x * row + column).backward({{1, 10, 100}, {1000, 10000, 100000}});
    CHECK(row.grad().values() == doubles{4001, 50020, 600300});
    CHECK(column.grad() == tensor<double>{{111}, {111000}});
    CHECK(x.grad() == tensor<double>{{1, 10, 100}, {1000, 10000, 100000}});
}

TEST_CASE("a product of stacks of matrices passes products with transposes back", "[tensor]") {
    const tensor<double> a = drawn({4, 2, 3}, 1), b = drawn({4, 3, 5}, 2), seed = drawn({4, 2, 5}, 3);
    tensor<double> x = a.clone(), y = b.clone();
    x.requires_grad(true);
    y.requires_grad(true);
    matmul(x, y).backward(seed);
    compare(x.grad(), matmul(seed, transpose(b, -1, -2)).values(), 1e-14);
    compare(y.grad(), matmul(transpose(a, -1, -2), seed).values(), 1e-14);
}

TEST_CASE("gradients of several passes add up until they are forgotten", "[tensor]") {
    tensor<double> x{1};
    x.requires_grad(true);
    (x * 2).backward();
    (x * 3).backward();
    CHECK(x.grad().item() == 5);
    x.zero_grad();
    CHECK_FALSE(x.has_grad());
    (x * 3).backward();
    CHECK(x.grad().item() == 3);
}

TEST_CASE("a graph is drawn as boxes with shapes and ellipses with operations", "[tensor]") {
    tensor<double> x{8}, y{5};
    x.requires_grad(true);
    const std::string picture = to_graphviz(x + y * y);
    CHECK(picture == "digraph tensors {\n"
                     "    rankdir=LR;\n"
                     "    node [fontname=\"Helvetica\"];\n"
                     "    t0 [shape=box, label=\"(1,)\\n33\"];\n"
                     "    o0 [label=\"operator+\"];\n"
                     "    o0 -> t0;\n"
                     "    t1 -> o0;\n"
                     "    t2 -> o0;\n"
                     "    t1 [shape=box, label=\"(1,)\\n8\", style=bold];\n"
                     "    t2 [shape=box, label=\"(1,)\\n25\"];\n"
                     "}\n");
    const std::string shared = to_graphviz(exp(x) * x);
    CHECK(contains(shared, "t2 -> o0"));
    CHECK(contains(shared, "t2 -> o1"));
    CHECK_FALSE(contains(shared, "t3"));
    CHECK(contains(to_graphviz(x * ct::zeros<double>({3, 4})), "label=\"(3, 4)\""));
}

TEST_CASE("tensors print as NumPy prints them", "[tensor]") {
    const auto text = [](const auto& x) { return ct::storage::sentence(x); };
    CHECK(text(tensor<double>(1.5)) == "1.5");
    CHECK(text(tensor<double>{1, -2}) == "[1 -2]");
    CHECK(text(tensor<int>{{1, 2}, {3, 4}}) == "[[1 2]\n [3 4]]");
    CHECK(text(tensor<int>{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}) == "[[[1 2]\n  [3 4]]\n\n [[5 6]\n  [7 8]]]");
    CHECK(text(transpose(tensor<int>{{1, 2}, {3, 4}})) == "[[1 3]\n [2 4]]");
    CHECK(text(ct::zeros<float>({0})) == "[]");
    CHECK(text(tensor<bool>{true, false}) == "[1 0]");
}
