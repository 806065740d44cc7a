// SPDX-License-Identifier: BSL-1.0
//
// Shapes whose elements cannot be counted and positions outside the index type are rejected; integer arithmetic is
// defined everywhere.
#include "sentence.hpp"
#include "../gradients.hpp"

#include <chainrule/tensor/training/batches.hpp>

#include <limits>

namespace {

using namespace gradients;

constexpr ct::index large = ct::index{1} << 32; // twice as an extent, it is 0 where the product wraps round
constexpr std::size_t beyond = std::numeric_limits<std::size_t>::max();

template <class F>
void check_refused(const std::string& expected, F f) {
    CHECK(sentence_of(f) == expected);
    CHECK_THROWS_AS(f(), ct::shape_error);
}

/// Of any shape without numbers of its own.
tensor<float> repeated(const extents& shape) { return broadcast_to(tensor<float>(1), shape); }

} // namespace

TEST_CASE("shapes with more elements than can be counted are refused", "[tensor]") {
    const std::string many = ": shape (4294967296, 4294967296) has more elements than there can be; give smaller sizes";
    check_refused("zeros" + many, [] { return ct::zeros<float>({large, large}); });
    check_refused("ones" + many, [] { return ct::ones<bool>({large, large}); });
    check_refused("identity" + many, [] { return ct::identity<float>(large); });
    check_refused("empty" + many, [] { return ct::empty<double>({large, large}); });
    check_refused("tensor" + many, [] { return tensor<float>({large, large}, std::vector<float>()); });
    check_refused("broadcast_to" + many, [] { return repeated({large, large}); });
    check_refused("matmul" + many, [] { return matmul(ct::zeros<float>({large, 0}), ct::zeros<float>({0, large})); });
    check_refused("operator+" + many, [] { return repeated({large, 1}) + repeated({large}); });
    check_refused("where" + many, [] { return where(ct::ones<bool>({1}), repeated({large, 1}), repeated({large})); });
    check_refused("empty" + many, [] { return repeated({large, 1}) < repeated({large}); });
    check_refused("count" + many, [] { return extents{large, large}.count(); });
    // Elements can be counted, bytes can not; no elements, and strides can not.
    constexpr ct::index most = extents::most_elements(sizeof(double));
    CHECK(broadcast_to(tensor<double>(1), {most}).count() == most);
    CHECK_THROWS_AS(broadcast_to(tensor<double>(1), {most + 1}), ct::shape_error);
    CHECK_THROWS_AS(ct::zeros<double>({most + 1}), ct::shape_error);
    check_refused("zeros: shape (4294967296, 4294967296, 0) has more elements than there can be; give smaller sizes",
                  [] { return ct::zeros<float>({large, large, 0}); });
    CHECK(ct::zeros<float>({large, 0}).count() == 0);

    const tensor<float> none = ct::zeros<float>({0});
    const std::string unfilled = "; the product of the sizes must stay, and one size may be -1";
    check_refused("reshape: 0 elements of shape (0,) do not fill shape (4294967296, 4294967296)" + unfilled,
                  [&] { return reshape(none, {large, large}); });
    check_refused("reshape: 0 elements of shape (0,) do not fill shape (4294967296, -1, 4294967296)" + unfilled,
                  [&] { return reshape(none, {large, -1, large}); });
    const tensor<float> half = repeated({extents::most_elements(sizeof(float))});
    check_refused("concatenate: shape (4611686018427387896,) has more elements than there can be; give smaller sizes",
                  [&] { return ct::concatenate({half, half, half, half, half, half, half, half}); });
    CHECK_THROWS_AS(ct::concatenate({half, half, half, half, half, half, half, half, half, half, half, half, half, half,
                                     half, half, half}),
                    ct::shape_error);
    check_refused("concatenate: shape (2, 576460752303423487) has more elements than there can be; give smaller sizes",
                  [&] { return ct::stack({half, half}); });
    CHECK_THROWS_AS(
        ct::concatenate({repeated({large, large / 8}), repeated({large, large / 8}), repeated({large, large / 8})}, 1),
        ct::shape_error);

    ct::generator random(1);
    CHECK_THROWS_AS(ct::layers::linear<float>(large, large, random), ct::shape_error);
    CHECK_THROWS_AS(ct::layers::convolution<float>(1, 1, large, random), ct::shape_error);
    CHECK_THROWS_AS(ct::layers::convolution<float>(large, 1, large, random), ct::shape_error);
}

TEST_CASE("negative sizes are refused", "[tensor]") {
    const std::string negative = ": shape (-1,) has a negative size; give sizes from 0";
    check_refused("empty" + negative, [] { return ct::empty<float>({-1}); });
    check_refused("zeros" + negative, [] { return ct::zeros<float>({-1}); });
    check_refused("full" + negative, [] { return ct::full<float>({-1}, 2); });
    check_refused("ones" + negative, [] { return ct::ones<float>({-1}); });
    check_refused("arange" + negative, [] { return ct::arange<float>(-1); });
    check_refused("tensor" + negative, [] { return tensor<float>({-1}, {}); });
    check_refused("broadcast_to" + negative, [] { return broadcast_to(tensor<float>{1}, {-1}); });
    check_refused("identity: shape (-1, -1) has a negative size; give sizes from 0",
                  [] { return ct::identity<float>(-1); });
    check_refused("reshape: 1 elements of shape () do not fill shape (-1, -2); the product of the sizes must stay, and "
                  "one size may be -1",
                  [] { return reshape(tensor<float>(1), {-1, -2}); });
    ct::generator random(1);
    check_refused("layers::linear: shape (-2, -3) has a negative size; give sizes from 0",
                  [&] { ct::layers::linear<float>(-2, -3, random); });
    check_refused("layers::convolution: shape (1, -1, -1, -1) has a negative size; give sizes from 0",
                  [&] { ct::layers::convolution<float>(-1, 1, -1, random); });
}

TEST_CASE("a shape that was moved from can be used", "[tensor]") {
    for (const extents& shape : {extents{2, 3}, extents{1, 2, 3, 4, 5, 6}}) {
        extents from = shape;
        const extents to = std::move(from);
        CHECK(to == shape);
        CHECK(from.count() == (from.rank() == 0 ? 1 : 6));
        from = to;
        CHECK(from == shape);
        extents& same = from;
        from = std::move(same);
        CHECK(from == shape);
    }
}

TEST_CASE("windows of any size on pictures of any size", "[tensor]") {
    const tensor<float> images = ct::ones<float>({1, 1, 2, 2}), kernel = ct::ones<float>({1, 1, 2, 2}),
                        nothing = ct::zeros<float>({1, 1, 0, 0});
    constexpr ct::index half = ct::index{1} << 62;
    check_refused("conv2d: images of shape (1, 1, 2, 2) with padding 4611686018427387904 have more elements than there "
                  "can be; give a smaller "
                  "padding",
                  [&] { return conv2d(images, kernel, {.padding = half}); });
    CHECK_THROWS_AS(conv2d(images, kernel, {.padding = large}), ct::shape_error);
    CHECK_THROWS_AS(max_pool2d(images, 2, {.stride = 1, .padding = half}), ct::shape_error);
    CHECK(conv2d(images, kernel, {.stride = std::numeric_limits<ct::index>::max(), .padding = 1}) ==
          tensor<float>{{{{1}}}});
    check_refused("max_pool2d: images of shape (1, 1, 0, 0) have no elements; give a height and a width from 1",
                  [&] { return max_pool2d(nothing, 2, {.padding = 1}); });
    CHECK_THROWS_AS(max_pool2d(ct::zeros<float>({1, 1, 3, 0}), 2, {.padding = 1}), ct::shape_error);
    CHECK(conv2d(nothing, kernel, {.padding = 1}) == tensor<float>{{{{0}}}});
}

TEST_CASE("positions and labels that no index can say lie outside", "[tensor]") {
    const tensor<float> x{1, 2};
    check_refused("take: position 18446744073709551615 is out of range; there are 2, numbered from 0",
                  [&] { return take(x, std::span<const std::size_t>(&beyond, 1)); });
    check_refused("take: position 18446744073709551615 is out of range; there are 2, numbered from 0",
                  [&] { return take(x, tensor<std::size_t>({1}, {beyond})); });
    check_refused(
        "cross_entropy: label 18446744073709551615 of row 0 is out of range; there are 2 classes, numbered from 0",
        [] { return cross_entropy(ct::zeros<float>({1, 2}), std::vector<std::size_t>{beyond}); });
    CHECK_THROWS_AS(x(beyond), ct::shape_error);
    CHECK_THROWS_AS(x(std::numeric_limits<ct::index>::min()), ct::shape_error);
    CHECK(x(std::size_t{1}) == 2);
    CHECK(x(-1) == 2);
    CHECK(take(x, tensor<unsigned char>{1, 0}) == tensor<float>{2, 1});
}

TEST_CASE("batches are counted for every size", "[tensor]") {
    ct::batches all(3, beyond, 1);
    CHECK(all.count() == 1);
    CHECK(all.in_order()[0].size() == 3);
    const ct::batches moved = std::move(all);
    CHECK(moved.count() == 1);
    CHECK(all.count() == 0);
    CHECK(all.shuffled(0).empty());
}

TEST_CASE("quotients of integers that there are not are refused, before anything is changed", "[tensor]") {
    constexpr int least = std::numeric_limits<int>::min();
    tensor<int> x{6, least};
    const std::string by_zero = "operator/: an integer is divided by 0, which has no result; divide by where(equal(b, "
                                "0), 1, b), or floating-point "
                                "numbers";
    const std::string too_large =
        "operator/: the quotient of -2147483648 and -1 is larger than every integer of its type; take a larger type";
    CHECK(sentence_of([&] { return x / tensor<int>{1, 0}; }) == by_zero);
    CHECK(sentence_of([&] { return x / 0; }) == by_zero);
    CHECK(sentence_of([&] { return 1 / tensor<int>{1, 0}; }) == by_zero);
    CHECK(sentence_of([&] { return x / tensor<int>{0u}; }) == by_zero);
    CHECK(sentence_of([&] { x /= tensor<int>{2, 0}; }) == by_zero);
    CHECK(sentence_of([&] { return x / -1; }) == too_large);
    CHECK(sentence_of([&] { x /= tensor<int>{2, -1}; }) == too_large);
    CHECK_THROWS_AS(x / 0, std::domain_error);
    CHECK(x == tensor<int>{6, least});
    CHECK(x / tensor<int>{-4, 2} == tensor<int>{-1, least / 2});
    CHECK(tensor<unsigned>{7} / 2 == tensor<unsigned>{3});
    CHECK((tensor<double>{1, -1} / 0).values() == std::vector<double>{INFINITY, -INFINITY});
}

TEST_CASE("sums, differences and products of integers wrap round", "[tensor]") {
    constexpr int least = std::numeric_limits<int>::min(), largest = std::numeric_limits<int>::max();
    const tensor<int> x{least, largest};
    CHECK(x + tensor<int>{-1, 1} == tensor<int>{largest, least});
    CHECK(x - tensor<int>{1, -1} == tensor<int>{largest, least});
    CHECK(x * 2 == tensor<int>{0, -2});
    CHECK(-x == tensor<int>{least, -largest});
    tensor<ct::index> y{std::numeric_limits<ct::index>::max()};
    y += 1;
    CHECK(y.item() == std::numeric_limits<ct::index>::min());
    // And so do those over axes: the inner one, the outer one, one that repeats; few and many.
    CHECK(sum(tensor<int>{largest, 1}).item() == least);
    CHECK(sum(tensor<int>{{largest, least}, {1, -1}}, 0) == tensor<int>{least, largest});
    CHECK(sum(tensor<int>{{largest, 1}, {least, -1}}, 1) == tensor<int>{least, largest});
    CHECK(sum(transpose(tensor<int>{{largest, least}, {1, -1}}), 1) == tensor<int>{least, largest});
    CHECK(sum(broadcast_to(tensor<int>(largest), {1000})).item() == -1000);
    CHECK(sum(ct::full<int>({1000}, largest)).item() == -1000);
    CHECK(sum(ct::full<int>({3, 1000}, least), 1) == tensor<int>{0, 0, 0});
    CHECK(sum(ct::full<ct::index>({3}, std::numeric_limits<ct::index>::max())).item() ==
          std::numeric_limits<ct::index>::max() - 2);
    // Of types that are smaller than int as well.
    CHECK(sum(tensor<short>{32767, 1}).item() == -32768);
    CHECK(sum(tensor<unsigned char>{{255, 1}, {1, 1}}, 0) == tensor<unsigned char>{0, 2});
    CHECK(tensor<short>{32767} + short(1) == tensor<short>{-32768});
    CHECK(tensor<unsigned short>{65535} * tensor<unsigned short>{65535} == tensor<unsigned short>{1});
}
