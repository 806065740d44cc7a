// SPDX-License-Identifier: BSL-1.0
//
// Values and gradients of elementwise operations: the operators, with broadcasting and with plain numbers, on views and
// on nothing.
#include "../gradients.hpp"

namespace {

using namespace gradients;

} // namespace

TEST_CASE("functions are called by their names, with plain numbers too", "[tensor]") {
    const tensor<double> x{0.5, 1.5};
    CHECK(exp(x)(1) == std::exp(1.5));
    CHECK(pow(x, 2)(1) == 2.25);
    CHECK(pow(2, x)(0) == std::sqrt(2.0));
    check_gradients([](const auto& a) { return pow(a[0], 3) + pow(2, a[0]) + log(a[0]) * tanh(a[0]); }, {x});
}

TEST_CASE("operators have NumPy's values and gradients under broadcasting", "[tensor]") {
    const auto all = [](const auto& a) { return (a[0] + a[1]) * (a[0] - a[1]) / a[1] - a[0] * a[0]; };
    const auto positive = [](const extents& shape, std::uint64_t seed) { return drawn(shape, seed, 0.5, 2); };
    const std::vector<std::pair<extents, extents>> shapes{{{}, {}},
                                                          {{3}, {}},
                                                          {{}, {3}},
                                                          {{3}, {1}},
                                                          {{4, 3}, {3}},
                                                          {{3}, {4, 3}},
                                                          {{4, 1}, {1, 3}},
                                                          {{4, 1}, {3}},
                                                          {{2, 1, 3}, {4, 1}},
                                                          {{1}, {1, 1, 1}},
                                                          {{2, 3}, {2, 3}},
                                                          {{2, 1, 2, 1, 2}, {3, 1, 2, 1}},
                                                          {{1, 2, 1, 1, 1, 1, 3}, {2, 1, 1, 2, 1, 1}}};
    for (const auto& [a, b] : shapes) {
        CAPTURE(to_string(a), to_string(b));
        check_gradients(all, {positive(a, 1), positive(b, 2)});
    }
}

TEST_CASE("each operator alone, and with a plain number on either side", "[tensor]") {
    const tensors<double> two{drawn({2, 3}, 3, 0.5, 2), drawn({3}, 4, 0.5, 2)};
    check_gradients([](const auto& a) { return a[0] + a[1]; }, two);
    check_gradients([](const auto& a) { return a[0] - a[1]; }, two);
    check_gradients([](const auto& a) { return a[0] * a[1]; }, two);
    check_gradients([](const auto& a) { return a[0] / a[1]; }, two);
    check_gradients([](const auto& a) { return -a[0]; }, {two[0]});
    check_gradients([](const auto& a) { return 3 - (2 * a[0] + 1) / 4 + 5 / a[0]; }, {two[0]});
    check_gradients([](const auto& a) { return (a[0] - 1) * 0.5f - a[0] / 3L; }, {two[0]});
    const tensor<double> x{1, 2};
    CHECK((7 / x - 1).values() == std::vector<double>{6, 2.5});
    CHECK((-x).values() == std::vector<double>{-1, -2});
    CHECK((+x) == x);
}

TEST_CASE("broadcast views pass gradients to the numbers they repeat", "[tensor]") {
    check_gradients([](const auto& a) { return exp(broadcast_to(a[0], {4, 2, 3})); }, {drawn({2, 1}, 5)});
    check_gradients([](const auto& a) { return broadcast_to(a[0], {4, 2}) * broadcast_to(a[1], {4, 2}); },
                    {drawn({}, 6), drawn({4, 1}, 7)});
}

TEST_CASE("empty tensors go through every operator and pass empty gradients", "[tensor]") {
    check_gradients([](const auto& a) { return exp(a[0] * a[1] + 2) / a[1]; },
                    {ct::zeros<double>({0, 3}), drawn({3}, 8, 1, 2)});
    check_gradients([](const auto& a) { return a[0] * a[1]; }, {ct::zeros<double>({0}), drawn({1}, 9)});
    const tensor<double> none = ct::zeros<double>({0, 3});
    CHECK((none + ct::ones<double>({2, 1, 3})).shape() == extents{2, 0, 3});
}

TEST_CASE("a tensor of integers refuses a fraction", "[tensor]") {
    const tensor<ct::index> x{1, 2};
    CHECK((x * 3).values() == std::vector<ct::index>{3, 6});
    CHECK(!ct::operations::number<double, ct::index>); // 0.5 would have been taken for 0
    CHECK(ct::operations::number<int, double>);
}

TEST_CASE("an integer exponent is an integer power of each element", "[tensor]") {
    tensor<double> x{0, -2, 3};
    x.requires_grad(true);
    const tensor<double> cubes = pow(x, 3);
    CHECK(cubes.values() == std::vector<double>{0, -8, 27});
    sum(cubes + pow(x, 0) + pow(x, 1)).backward();
    CHECK(x.grad().values() == std::vector<double>{1, 13, 28});
}

TEST_CASE("functions of the C library take tensors", "[tensor]") {
    tensor<double> x{-1.5, 2.5, std::numeric_limits<double>::quiet_NaN()};
    x.requires_grad(true);
    CHECK(fmax(x, 1.0).values() == std::vector<double>{1, 2.5, 1});
    CHECK(rint(fmin(fabs(x), 2.5)).values() == std::vector<double>{2, 2, 2});
    sum(fmax(x, 1.0) + ldexp(fmin(x, 7.0), 3)).backward();
    CHECK(x.grad().values() == std::vector<double>{8, 9, 0});
}
