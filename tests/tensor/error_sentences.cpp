// SPDX-License-Identifier: BSL-1.0
//
// Every error names the call, the fault with both full shapes, and a remedy, and has no other effect.
#include "../sentence.hpp"
#include "gradients.hpp"

namespace {

using namespace gradients;

const tensor<double> matrix{{1, 2, 3}, {4, 5, 6}}, vector{1, 2, 3, 4},
    scalar(1.0), images = ct::zeros<double>({1, 2, 4, 4});

template <class F>
void check_shape_error(const std::string& expected, F f) {
    CHECK(sentence_of(f) == expected);
    CHECK_THROWS_AS(f(), ct::shape_error);
}
template <class F>
void check_gradient_error(const std::string& expected, F f) {
    CHECK(sentence_of(f) == expected);
    CHECK_THROWS_AS(f(), ct::gradient_error);
}

} // namespace

TEST_CASE("shapes that do not broadcast are named whole, with the axis", "[tensor]") {
    check_shape_error("operator+: shapes (2, 3) and (4,) do not broadcast: axis -1 has sizes 3 and 4; aligned at the "
                      "last axis, sizes must be "
                      "equal or 1",
                      [] { return matrix + vector; });
    check_shape_error("operator+=: shape (2, 3) does not broadcast to (3,), which is changed in place; write a = a + b",
                      [] {
                          tensor<double> row{1, 2, 3};
                          row += matrix;
                      });
    check_shape_error("pow: shapes (4,) and (2, 3) do not broadcast: axis -1 has sizes 3 and 4; aligned at the last "
                      "axis, sizes must be equal "
                      "or 1",
                      [] { return pow(vector, matrix); });
    check_shape_error("operator<: shapes (2, 3) and (4,) do not broadcast: axis -1 has sizes 3 and 4; aligned at the "
                      "last axis, sizes must be "
                      "equal or 1",
                      [] { return matrix < vector; });
    check_shape_error("broadcast_to: shape (2, 3) does not broadcast to (3,); aligned at the last axis, sizes must be "
                      "equal, or 1 in the tensor",
                      [] { return broadcast_to(matrix, {3}); });
    check_shape_error("assign: shape (2, 4) does not broadcast to (4,); give a tensor of the shape to be written", [] {
        tensor<double> copy = vector.clone();
        copy.assign(ct::zeros<double>({2, 4}));
    });
}

TEST_CASE("products name both shapes and the sizes that differ", "[tensor]") {
    check_shape_error("matmul: shapes (2, 3) and (2, 3) do not fit: the inner sizes are 3 and 2; the last axis of the "
                      "first must be as long as "
                      "the last but one of the second",
                      [] { return matmul(matrix, matrix); });
    check_shape_error("matmul: shapes (2, 3) and (4,) do not fit: the inner sizes are 3 and 4; the last axis of the "
                      "first must be as long as the "
                      "only one of the second",
                      [] { return matmul(matrix, vector); });
    check_shape_error("matmul: shapes () and (2, 3); a scalar is not a matrix, use a * b",
                      [] { return matmul(scalar, matrix); });
    check_shape_error("matmul: shapes (2,) and (3,) do not broadcast: axis -1 has sizes 2 and 3; aligned at the last "
                      "axis, sizes must be equal or "
                      "1",
                      [] { return matmul(ct::zeros<double>({2, 1, 1}), ct::zeros<double>({3, 1, 1})); });
    check_shape_error("linear: weights of shape (2, 3) and a bias of shape (4,); give (in, out) and (out,)",
                      [] { return linear(matrix, matrix, vector); });
    check_shape_error("conv2d: images of shape (1, 2, 4, 4) and kernels of shape (1, 3, 2, 2); give (images, channels, "
                      "height, width) and "
                      "(kernels, channels, height, width)",
                      [] { return conv2d(images, ct::zeros<double>({1, 3, 2, 2})); });
    check_shape_error("conv2d: a window of 5 x 5 does not fit into images of shape (1, 2, 4, 4) with padding 0; give a "
                      "smaller window or more "
                      "padding",
                      [] { return conv2d(images, ct::zeros<double>({1, 2, 5, 5})); });
    check_shape_error("conv2d: stride 0 and padding 0; give a stride from 1 and a padding from 0",
                      [] { return conv2d(images, ct::zeros<double>({1, 2, 2, 2}), {.stride = 0}); });
    check_shape_error("conv2d: a bias of shape (4,) for kernels of shape (1, 2, 2, 2); give one number per kernel",
                      [] { return conv2d(images, ct::zeros<double>({1, 2, 2, 2}), vector); });
    check_shape_error("max_pool2d: images of shape (2, 3); give (images, channels, height, width)",
                      [] { return max_pool2d(matrix, 2); });
    check_shape_error("max_pool2d: padding 2 is more than half the window 3, so that some windows would see no "
                      "element; give a smaller padding",
                      [] { return max_pool2d(images, 3, {.stride = 1, .padding = 2}); });
}

TEST_CASE("views and axes that are not there", "[tensor]") {
    check_shape_error("reshape: 6 elements of shape (2, 3) do not fill shape (4, -1); the product of the sizes must "
                      "stay, and one size may be -1",
                      [] { return reshape(matrix, {4, -1}); });
    check_shape_error("reshape: 6 elements of shape (2, 3) do not fill shape (-1, -1); the product of the sizes must "
                      "stay, and one size may be -1",
                      [] { return reshape(matrix, {-1, -1}); });
    check_shape_error("reshape: 0 elements of shape (0,) do not fill shape (0, -1); the product of the sizes must "
                      "stay, and one size may be -1",
                      [] { return reshape(ct::zeros<double>({0}), {0, -1}); });
    check_shape_error("permute: (0, 0) is not a permutation of the axes of shape (2, 3); name each axis once",
                      [] { return permute(matrix, {0, 0}); });
    check_shape_error("transpose: axis 2 does not exist, the tensor has 2 axes; give a number from -2 to 1",
                      [] { return transpose(matrix, 0, 2); });
    check_shape_error("sum: axis 0 does not exist, a scalar has no axes; omit the axis, or reshape the scalar",
                      [] { return sum(scalar, 0); });
    check_shape_error("mean: axis -1 is named twice; name each axis once", [] { return mean(matrix, {1, -1}); });
    check_shape_error("slice: the step is 0; give a positive or a negative one",
                      [] { return slice(matrix, 0, 0, 1, 0); });
    check_shape_error("select: position -3 lies outside axis 0 of shape (2, 3); positions go from 0 to the size - 1, "
                      "or from -1 backwards",
                      [] { return select(matrix, 0, -3); });
    check_shape_error("squeeze: axis 1 of shape (2, 3) does not have size 1; use select() for one position",
                      [] { return squeeze(matrix, 1); });
    check_shape_error("max: shape (0, 3) has no elements along the axes; there is no max",
                      [] { return max(ct::zeros<double>({0, 3}), 0); });
    check_shape_error("argmax: shape (0, 3) has no elements along axis 0; there is no largest one",
                      [] { return argmax(ct::zeros<double>({0, 3}), 0); });
}

TEST_CASE("numbers that do not fit their shape, and elements that are not there", "[tensor]") {
    check_shape_error("tensor: shape (2, 2) holds 4 numbers and 3 were given; give one number for each place",
                      [] { return tensor<double>({2, 2}, {1, 2, 3}); });
    check_shape_error("tensor: shape (-1,) has a negative size; give sizes from 0",
                      [] { return tensor<double>({-1}, {1}); });
    check_shape_error("zeros: shape (-1, 2) has a negative size; give sizes from 0",
                      [] { return ct::zeros<float>({-1, 2}); });
    check_shape_error("tensor: braces hold rows of shapes (2,) and (3,); give every row the same shape",
                      [] { return tensor<double>{{1, 2}, {1, 2, 3}}; });
    check_shape_error("item: the tensor has shape (2, 3) and not one element; use (i, j, ...) or values()",
                      [] { return matrix.item(); });
    check_shape_error("operator(): position (2, 0) lies outside shape (2, 3); positions go from 0 to the size - 1, or "
                      "from -1 backwards",
                      [] { return matrix(2, 0); });
    check_shape_error("operator(): 1 numbers do not name an element of shape (2, 3); give one number per axis",
                      [] { return matrix(1); });
    check_shape_error("span: the tensor of shape (3, 2) is a view with gaps; use clone() or values()", [] {
        const tensor<double> turned = transpose(matrix);
        return turned.span();
    });
}

TEST_CASE("labels, positions and parts that do not fit", "[tensor]") {
    check_shape_error("cross_entropy: label 5 of row 1 is out of range; there are 3 classes, numbered from 0",
                      [] { return cross_entropy(matrix, tensor<int>{0, 5}); });
    check_shape_error("cross_entropy: label -1 of row 0 is out of range; there are 3 classes, numbered from 0",
                      [] { return cross_entropy(matrix, tensor<int>{-1, 0}); });
    check_shape_error("cross_entropy: 1 labels do not fit scores of shape (2, 3); give one label per row",
                      [] { return cross_entropy(matrix, std::vector<int>{0}); });
    check_shape_error("cross_entropy: scores have shape (4,); give (rows, classes)",
                      [] { return cross_entropy(vector, tensor<int>{0}); });
    check_shape_error("mse: predictions of shape (2, 3) and targets of shape (4,) do not fit; give both the same shape",
                      [] { return mse(matrix, vector); });
    check_shape_error("take: position 2 is out of range; there are 2, numbered from 0",
                      [] { return take(matrix, {0, 2}); });
    check_shape_error("take: positions have shape (1, 1); give a tensor of rank 1, or use gather()",
                      [] { return take(matrix, tensor<int>{{0}}); });
    check_shape_error(
        "gather: positions of shape (1, 1) do not fit shape (2, 3) along axis 1; all other sizes must be equal",
        [] { return gather(matrix, 1, tensor<ct::index>{{0}}); });
    check_shape_error(
        "concatenate: parts of shapes (2, 3) and (4,) do not fit along axis 0; all other sizes must be equal",
        [] { return ct::concatenate({matrix, vector}); });
    check_shape_error("stack: parts have shapes (2, 3) and (4,); give parts of one shape, or use concatenate()",
                      [] { return ct::stack({matrix, matrix, vector}); });
    check_shape_error("stack: axis 3 does not exist, the tensor has 3 axes; give a number from -3 to 2",
                      [] { return ct::stack({matrix, matrix}, 3); });
    check_shape_error("stack: there are no parts; give at least one tensor",
                      [] { return ct::stack(std::vector<tensor<double>>()); });
    check_shape_error("variance: axis 2 does not exist, the tensor has 2 axes; give a number from -2 to 1",
                      [] { return variance(matrix, 2); });
    check_shape_error("concatenate: there are no parts; give at least one tensor",
                      [] { return ct::concatenate(std::span<const tensor<double>>()); });
    check_shape_error("clamp: there is nothing between 1 and 0; give low <= high", [] { return clamp(matrix, 1, 0); });
    const ct::generator random(1);
    CHECK(contains(sentence_of([&] {
                       ct::generator own = random;
                       return ct::dropout(matrix, 1, own);
                   }),
                   "dropout: probability 1; give a number from 0 to below 1"));
    check_shape_error(
        "accuracy: 1 labels do not fit scores of shape (2, 3); give (rows, classes) and one label per row",
        [] { return ct::accuracy(matrix, std::vector<int>{0}); });
}

TEST_CASE("gradients that cannot be had", "[tensor]") {
    tensor<double> x{1, 2};
    check_gradient_error("backward: the tensor of shape () does not depend on a tensor that requires a gradient; call "
                         "requires_grad(true) on the leaves "
                         "before they are used",
                         [&] { sum(x).backward(); });
    check_gradient_error(
        "grad: the tensor of shape (2,) does not collect gradients; call requires_grad(true) before it is used",
        [&] { return x.grad(); });
    x.requires_grad(true);
    check_gradient_error("backward: the tensor has shape (2,) and not one element; give a seed of that shape, or take "
                         "backward() of a sum",
                         [&] { (x * 2).backward(); });
    check_shape_error("backward: the seed has shape (1,) and the tensor (2,); give a seed of the tensor's shape",
                      [&] { (x * 2).backward({1}); });
    tensor<double> y = x * 2;
    check_gradient_error(
        "grad: the gradient of a result of operator* is not kept; call retain_grad() before backward()",
        [&] { return y.grad(); });
    check_gradient_error(
        "requires_grad: a result of operator* requires a gradient because its arguments do; use detach()",
        [&] { y.requires_grad(false); });
    CHECK(contains(
        sentence_of([&] { ct::optimiser<double, ct::optimisers::sgd<double>>({y}, ct::optimisers::sgd<double>(0.1)); }),
        "of shape (2,) was computed from others; give leaves after requires_grad(true)"));
    using descent = ct::optimisers::sgd<double>;
    tensor<double> plain{1, 2, 3, 4}, one = x, front = slice(plain, 0, 0, 2), back = slice(plain, 0, 2),
                                      whole = plain.detach();
    for (tensor<double>* each : {&front, &back, &whole}) each->requires_grad(true);
    const auto check_twice = [](const std::string& expected, auto f) {
        CHECK(sentence_of(f) == expected);
        CHECK_THROWS_AS(f(), std::invalid_argument);
    };
    check_twice("optimiser: a tensor of shape (2,) shares numbers with tensor 0 of the list, counted from 0, so that "
                "each step would change them twice; give each tensor once",
                [&] { ct::optimiser<double, descent>({x, one}, descent(0.1)); });
    check_twice("optimiser: w of shape (4,) shares numbers with tensor 1 of the list, counted from 0, so that each "
                "step would change them twice; give each tensor once",
                [&] {
                    const std::vector<std::pair<std::string, tensor<double>>> named{
                        {"v", x}, {"b", back}, {"w", whole}};
                    ct::optimiser<double, descent>(named, descent(0.1));
                });
    CHECK(sentence_of([&] { ct::optimiser<double, descent>({x, front, back}, descent(0.1)); }).empty());
    CHECK(sentence_of([] {
              tensor<double> gaps = transpose(matrix);
              gaps.requires_grad(true);
              ct::optimiser<double, ct::optimisers::sgd<double>>({gaps}, ct::optimisers::sgd<double>(0.1));
          }) == "optimiser: a tensor of shape (3, 2) is a view with gaps; give detach().clone() after "
                "requires_grad(true)");
}
