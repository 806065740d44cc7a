// SPDX-License-Identifier: BSL-1.0
//
// Sums, means, variances and extrema over axes, and selection by positions and conditions, with ties, NaN and empty
// axes.
#include "../gradients.hpp"

#include <array>
#include <limits>

namespace {

using namespace gradients;
using doubles = std::vector<double>;
using positions = tensor<ct::index>;

const tensor<double> counted = reshape(ct::arange<double>(24), {2, 3, 4});
constexpr double infinity = std::numeric_limits<double>::infinity(),
                 not_a_number = std::numeric_limits<double>::quiet_NaN();

} // namespace

TEST_CASE("sum and mean reduce all axes, one or several", "[tensor]") {
    CHECK(sum(counted).item() == 276);
    CHECK(sum(counted).shape() == extents{});
    CHECK(sum(counted, 0).values() == doubles{12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34});
    CHECK(sum(counted, -1).values() == doubles{6, 22, 38, 54, 70, 86});
    CHECK(sum(counted, {0, 2}).values() == doubles{60, 92, 124});
    CHECK(sum(counted, {0, -1}, ct::keepdim).shape() == extents{1, 3, 1});
    CHECK(sum(transpose(counted), {0, 2}).values() == doubles{60, 92, 124});
    CHECK(mean(counted, 1, ct::keepdim).shape() == extents{2, 1, 4});
    CHECK(mean(counted, 1)(1, 0) == 16);
    CHECK(sum(positions{1, 2, 3}).item() == 6);
    CHECK(sum(counted > 20).item() == 3);
    CHECK(sum(counted > 20, {0, 1}).values() == std::vector<ct::index>{0, 1, 1, 1});
    const tensor<double> x = drawn({2, 3, 4}, 1);
    for (const ct::axes& over :
         {ct::axes(), ct::axes(0), ct::axes(1), ct::axes(-1), ct::axes({0, 2}), ct::axes({2, 1, 0})})
        for (const auto keeping : {ct::reduced_axes::removed, ct::keepdim}) {
            check_gradients([&](const auto& a) { return exp(sum(a[0], over, keeping) / 4); }, {x});
            check_gradients([&](const auto& a) { return exp(mean(a[0], over, keeping)); }, {x});
            check_gradients([&](const auto& a) { return variance(a[0], over, keeping, 1); }, {x});
        }
}

TEST_CASE("sums are taken in pairs, so that many small numbers are not lost", "[tensor]") {
    // One after the other, the sum of 2^25 ones would stop at 2^24.
    CHECK(sum(broadcast_to(tensor<float>(1.0F), {1 << 25})).item() == 33554432.0F);
    const tensor<float> x = ct::full<float>({1000001}, 0.1F);
    CHECK(std::abs(sum(x).item() - 100000.1F) < 0.1F);
}

TEST_CASE("sums over leading axes and gradients of what is repeated lose no digits to the count", "[tensor]") {
    constexpr ct::index n = 300001;
    constexpr double exact = 0.1F; // 300,001 of them, one after the other, lose a thousandth
    const auto near = [](const tensor<float>& found, double expected, double error = 1e-6) {
        for (const double number : found.values()) CHECK(std::abs(number - expected) <= error * expected + 1e-12);
    };
    const tensor<float> rows = ct::full<float>({n, 3}, 0.1F);
    near(sum(rows, 0), n * exact);
    near(mean(rows, 0), exact);
    near(variance(rows, 0), 0);
    near(sum(transpose(rows), {0, 1}), 3 * n * exact);
    near(sum(ct::full<float>({2, n, 5}, 0.1F), 1), n * exact);
    near(sum(broadcast_to(tensor<float>(0.1F), {n, 2, 200, 1}), {0, 2}), 200 * n * exact);

    // y = sum((x + b) c + where(x < 1, d, x)), and a bias that is part of a product
    const tensor<float> weights = ct::full<float>({3, 2}, 1.0F);
    tensor<float> b = ct::zeros<float>({3}), c = ct::full<float>({3}, 1.0F), d = ct::zeros<float>({1, 3}),
                  bias = ct::zeros<float>({2}), w = weights.clone();
    for (tensor<float>* each : {&b, &c, &d, &bias, &w}) each->requires_grad(true);
    sum((rows + b) * c).backward();
    near(b.grad(), n);
    near(c.grad(), n * exact);
    (sum(where(rows < 1.0F, d, rows)) * 0.1F).backward();
    near(d.grad(), n * exact);
    (sum(linear(rows, w, bias)) * 0.1F).backward();
    near(bias.grad(), n * exact);
    // A kernel adds 512 products in turn.
    near(w.grad(), n * exact * exact, 5e-6);
    near(matmul(reshape(rows, {3 * n}), reshape(rows, {3 * n})), 3 * n * exact * exact, 5e-6);
}

TEST_CASE("variance has NumPy's values, also far from zero", "[tensor]") {
    const tensor<double> x{1, 2, 4, 7};
    CHECK(variance(x).item() == 5.25);
    CHECK(variance(x, {}, ct::reduced_axes::removed, 1).item() == 7);
    CHECK(variance(x + 1e9).item() == 5.25);
    CHECK(std::isnan(variance(tensor<double>{3}, 0, ct::reduced_axes::removed, 1).item()));
    CHECK(variance(counted, {0, 2}, ct::keepdim).shape() == extents{1, 3, 1});
}

TEST_CASE("the sum of nothing is 0, the mean of nothing is NaN, there is no largest of nothing", "[tensor]") {
    const tensor<double> none = ct::zeros<double>({0, 3});
    CHECK(sum(none).item() == 0);
    CHECK(sum(none, 0).values() == doubles{0, 0, 0});
    CHECK(sum(none, 1).count() == 0);
    CHECK(std::isnan(mean(none).item()));
    CHECK(std::isnan(mean(none, 0)(2)));
    CHECK_THROWS_AS(max(none), ct::shape_error);
    CHECK_THROWS_AS(min(none, 0), ct::shape_error);
    CHECK_THROWS_AS(argmax(none, 0), ct::shape_error);
    CHECK(max(none, 1).shape() == extents{0});
    check_gradients([](const auto& a) { return sum(a[0], 0) * 2 + max(sum(a[0], 0)); }, {none});
}

TEST_CASE("max and min find the extremum over axes", "[tensor]") {
    const tensor<double> x = distinct({2, 3, 4}, 3);
    for (const ct::axes& over : {ct::axes(), ct::axes(0), ct::axes(-1), ct::axes({0, 2})}) {
        check_gradients([&](const auto& a) { return max(a[0], over) * 2; }, {x}, 1e-3);
        check_gradients([&](const auto& a) { return exp(min(a[0], over, ct::keepdim)); }, {x}, 1e-3);
    }
    CHECK(max(counted, {0, 1}).values() == doubles{20, 21, 22, 23});
    CHECK(min(counted).item() == 0);
    CHECK(max(-counted - 5).item() == -5);
    CHECK(max(positions{-7, -3, -9}).item() == -3);
    CHECK(max(tensor<double>{-infinity, -infinity}).item() == -infinity);
    CHECK(min(tensor<double>{infinity, 3}).item() == 3);
}

TEST_CASE("elements that tie for the maximum share its gradient, each tie in its own row (tinygrad #12296)",
          "[tensor]") {
    tensor<double> x{{1, 3, 3, 3}, {5, 2, 5, 0}};
    x.requires_grad(true);
    sum(max(x, 1) * tensor<double>{6, 8}).backward();
    CHECK(x.grad().values() == doubles{0, 2, 2, 2, 4, 0, 4, 0});
    x.zero_grad();
    max(x).backward();
    CHECK(x.grad().values() == doubles{0, 0, 0, 0, 0.5, 0, 0.5, 0});
    tensor<double> zeros{0.0, -0.0};
    zeros.requires_grad(true);
    max(zeros).backward();
    CHECK(zeros.grad().values() == doubles{0.5, 0.5});
}

TEST_CASE("more elements tie than a float can count", "[tensor]") {
    constexpr ct::index count = (1 << 24) + 2;
    tensor<float> one(1.0F);
    one.requires_grad(true);
    max(broadcast_to(one, {count})).backward(tensor<float>(static_cast<float>(count)));
    CHECK(one.grad().item() == static_cast<float>(count)); // the sum of as many ones
}

TEST_CASE("NaN goes into extrema and out of them, and into their gradients", "[tensor]") {
    tensor<double> x{{1, not_a_number, 3}, {4, 5, 6}};
    x.requires_grad(true);
    const tensor<double> largest = max(x, 1);
    CHECK(std::isnan(largest(0)));
    CHECK(largest(1) == 6);
    CHECK(std::isnan(min(x).item()));
    sum(largest).backward();
    CHECK(std::isnan(x.grad()(0, 1)));
    CHECK(x.grad()(1, 2) == 1);
    CHECK(x.grad()(1, 1) == 0);
}

TEST_CASE("argmax finds the first largest, along any axis of any view", "[tensor]") {
    const tensor<double> x{{1, 5, 5}, {7, 2, not_a_number}};
    CHECK(argmax(x, 1).values() == std::vector<ct::index>{1, 2});
    CHECK(argmax(x, 0).values() == std::vector<ct::index>{1, 0, 1});
    CHECK(argmax(transpose(x), 0).values() == std::vector<ct::index>{1, 2});
    CHECK(argmax(x, 1, ct::keepdim).shape() == extents{2, 1});
    CHECK(argmax(x) == 5);
    CHECK(argmax(counted) == 23);
    CHECK(argmax(slice(counted, 2, -1, ct::to_the_end, -1), 2)(1, 2) == 0);
    CHECK(argmax(broadcast_to(tensor<double>{1, 2}, {1, 2}), 0).values() == std::vector<ct::index>{0, 0});
    CHECK(argmax(broadcast_to(tensor<double>(1.0), {1}), 0).item() == 0);
    CHECK(argmax(broadcast_to(tensor<double>(1.0), {3}), 0).item() == 0);
    CHECK(argmax(ct::zeros<double>({0, 3}), 1).count() == 0);
    const tensor<double> y = distinct({3, 4, 5}, 4);
    for (const ct::index axis : {0, 1, 2}) {
        const positions best = argmax(y, axis, ct::keepdim);
        CHECK(gather(y, axis, best) == max(y, axis, ct::keepdim));
    }
}

TEST_CASE("take and gather read positions, from the end too, and add up gradients of what is read twice", "[tensor]") {
    const tensor<double> x{{1, 2}, {3, 4}, {5, 6}};
    CHECK(take(x, {2, 0, -1, 2}).values() == doubles{5, 6, 1, 2, 5, 6, 5, 6});
    CHECK(take(x, {1}, 1).values() == doubles{2, 4, 6});
    CHECK(take(transpose(x), positions{0, 0}, 1).shape() == extents{2, 2});
    CHECK(take(x, slice(tensor<int>{0, 9, 1}, 0, 0, ct::to_the_end, 2)).values() == doubles{1, 2, 3, 4});
    CHECK(take(x, ct::zeros<ct::index>({0})).shape() == extents{0, 2});
    CHECK(gather(x, 1, positions{{1}, {0}, {-1}}).values() == doubles{2, 3, 6});
    CHECK(gather(x, 0, positions{{2, 0}, {0, 0}}).values() == doubles{5, 2, 1, 2});
    check_gradients([](const auto& a) { return exp(take(a[0], {2, 0, -1, 2})); }, {drawn({3, 2}, 1)});
    check_gradients([](const auto& a) { return exp(take(a[0], {1, 1}, -1)); }, {drawn({2, 2, 3}, 1)});
    check_gradients([](const auto& a) { return exp(gather(a[0], 1, positions{{1, 1, 0}, {0, -1, 0}})); },
                    {drawn({2, 2}, 1)});
    check_gradients([](const auto& a) { return exp(gather(a[0], 0, positions{{1, 1, 0}})); }, {drawn({2, 3}, 1)});
}

TEST_CASE("concatenate and stack put parts together and take gradients apart", "[tensor]") {
    const tensor<double> x{{1, 2}}, y{{3, 4}, {5, 6}};
    CHECK(ct::concatenate({x, y}).values() == doubles{1, 2, 3, 4, 5, 6});
    CHECK(ct::concatenate({transpose(x), y}, -1).values() == doubles{1, 3, 4, 2, 5, 6});
    CHECK(ct::concatenate({x, ct::zeros<double>({0, 2}), x}).shape() == extents{2, 2});
    CHECK(ct::stack({y, y}, 1).shape() == extents{2, 2, 2});
    CHECK(ct::stack({y, -y}, -1).values() == doubles{3, -3, 4, -4, 5, -5, 6, -6});
    CHECK(ct::stack({tensor<double>(1.0), tensor<double>(2.0)}).values() == doubles{1, 2});
    const tensors<double> three{drawn({2, 2}, 1), drawn({2, 3}, 2), drawn({2, 1}, 3)};
    check_gradients([](const auto& a) { return exp(ct::concatenate({a[0], a[1], a[0], a[2]}, 1)); }, three);
    check_gradients([](const auto& a) { return exp(ct::stack({a[0], a[1], a[0]}, 1)); },
                    {drawn({2, 3}, 1), drawn({2, 3}, 2)});
    // More parts than a set of bits could name.
    tensors<double> many(70); // copies of one handle
    many[33] = tensor<double>(1.0);
    many[33].requires_grad(true);
    many[69] = many[33];
    sum(ct::stack(std::span<const tensor<double>>(many)) * ct::arange<double>(70)).backward();
    CHECK(many[33].grad().item() == 33 + 69);
    // Parts and positions in what holds them.
    const std::array pair{y, -y};
    const tensor<double> both[] = {y, -y};
    for (const ct::index axis : {0, 1, -1}) {
        CHECK(ct::concatenate(std::vector{y, -y}, axis) == ct::concatenate({y, -y}, axis));
        CHECK(ct::concatenate(pair, axis) == ct::concatenate({y, -y}, axis));
        CHECK(ct::stack(std::vector{y, -y}, axis) == ct::stack({y, -y}, axis));
        CHECK(ct::stack(both, axis) == ct::stack({y, -y}, axis));
    }
    CHECK(ct::stack(many) == ct::stack(std::span<const tensor<double>>(many)));
    CHECK(take(y, std::vector{1, 0, 1}) == take(y, {1, 0, 1}));
    CHECK(take(y, std::array<unsigned char, 2>{1, 0}, 1) == take(y, {1, 0}, 1));
    std::vector<ct::index> last{-1};
    CHECK(take(y, std::span(last)) == take(y, {-1}));
}

TEST_CASE("where and clamp choose, and what is not chosen reaches neither value nor gradient", "[tensor]") {
    const tensor<bool> condition{{true}, {false}};
    check_gradients([&](const auto& a) { return where(condition, exp(a[0]), a[1] * a[1]); },
                    {drawn({3}, 1), drawn({2, 3}, 2)});
    check_gradients([&](const auto& a) { return where(condition, a[0], 2) + where(condition, 1.5, a[0]); },
                    {drawn({2, 3}, 1)});
    check_gradients([](const auto& a) { return clamp(a[0], -1, 0.5f) * a[0]; }, {distinct({11}, 2) * 2});
    tensor<double> x{-1, 0, 4};
    x.requires_grad(true);
    sum(where(x > 0, sqrt(x), 0)).backward();
    CHECK(x.grad().values()[2] == 0.25);
    tensor<double> low{1, 2, 3};
    low.requires_grad(true);
    const tensor<double> held = clamp(low, 1, 2);
    CHECK(held.values() == doubles{1, 2, 2});
    sum(held).backward();
    CHECK(low.grad().values() == doubles{1, 1, 0});
    CHECK(std::isnan(clamp(tensor<double>{not_a_number}, 0, 1)(0)));
    tensor<double> infinite{infinity};
    infinite.requires_grad(true);
    tensor<double> other{1};
    other.requires_grad(true);
    where(tensor<bool>{true}, other, infinite).backward(tensor<double>{infinity});
    CHECK(infinite.grad()(0) == 0);
    CHECK(other.grad()(0) == infinity);
}

TEST_CASE("comparisons are by element and broadcast, and == is of whole tensors", "[tensor]") {
    const tensor<double> x{1, 2, 3};
    CHECK((x < 2).values() == std::vector<bool>{true, false, false});
    CHECK((x <= 2).values() == std::vector<bool>{true, true, false});
    CHECK((2 < x).values() == std::vector<bool>{false, false, true});
    CHECK((x >= tensor<double>{{2}, {3}}).shape() == extents{2, 3});
    CHECK(equal(x, 2).values() == std::vector<bool>{false, true, false});
    CHECK((!(x > 1)).values() == std::vector<bool>{true, false, false});
    CHECK(x == tensor<double>{1, 2, 3});
    CHECK(x != reshape(x, {1, 3}));
    CHECK(tensor<double>{not_a_number} != tensor<double>{not_a_number});
}
