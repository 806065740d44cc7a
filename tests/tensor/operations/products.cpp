// SPDX-License-Identifier: BSL-1.0
//
// Products of matrices: values against three plain loops, over shapes, strides and transposes; gradients against
// differences; a bias and a relu that became part of a product against the same as operations of their own; products of
// integers, which wrap around, against sums of 64 bits.
#include "../gradients.hpp"

#include <array>
#include <cstdint>

namespace {

using namespace gradients;

/// matmul by its definition, for matrices.
template <class T>
std::vector<double> by_loops(const tensor<T>& a, const tensor<T>& b) {
    const auto rows = static_cast<std::size_t>(a.size(0)), inner = static_cast<std::size_t>(a.size(1)),
               columns = static_cast<std::size_t>(b.size(1));
    const std::vector<T> x = a.values(), y = b.values();
    std::vector<double> c(rows * columns);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j)
            for (std::size_t k = 0; k < inner; ++k)
                c[i * columns + j] += static_cast<double>(x[i * inner + k]) * static_cast<double>(y[k * columns + j]);
    return c;
}

/// A matrix that lies in memory in one of many ways: as rows, as columns, with gaps, backwards, repeated.
template <class T>
tensor<T> laid_out(ct::index rows, ct::index columns, unsigned way, std::uint64_t seed) {
    const auto numbers = [seed](const extents& shape) { return as<T>(drawn(shape, seed)); };
    switch (way) {
    case 0: return numbers({rows, columns});
    case 1: return transpose(numbers({columns, rows}));
    case 2: return slice(numbers({rows, columns + 3}), 1, 2, columns + 2);
    case 3: return transpose(slice(numbers({columns, rows + 1}), 1, 1));
    case 4: return slice(numbers({rows, 2 * columns}), 1, 0, ct::to_the_end, 2);
    case 5: return slice(numbers({3 * rows, columns}), 0, -1, ct::to_the_end, -3);
    case 6: return slice(numbers({rows, columns}), 1, -1, ct::to_the_end, -1);
    case 7: return broadcast_to(numbers({1, columns}), {rows, columns});
    case 8: return broadcast_to(numbers({rows, 1}), {rows, columns});
    default: return select(transpose(numbers({columns, 2, rows})), 1, 1);
    }
}
constexpr unsigned ways = 10;

template <class T>
void check_product(const tensor<T>& a, const tensor<T>& b, double tolerance) {
    CAPTURE(to_string(a.shape()), to_string(a.strides()), to_string(b.shape()), to_string(b.strides()));
    const tensor<T> x = a.clone().requires_grad(true), y = b.clone().requires_grad(true);
    compare(matmul(a, b), by_loops(a, b), tolerance);
    // The gradients are products with the transposes.
    const tensor<T> seed = as<T>(drawn({a.size(0), b.size(1)}, 7));
    const auto look = [](const tensor<T>& leaf, const tensor<T>& like) { // the leaf, laid out as the operand was
        return like.strides() == ct::storage::dense_strides(like.shape()) ? leaf
                                                                          : transpose(contiguous(transpose(leaf)));
    };
    matmul(look(x, a), look(y, b)).backward(seed);
    compare(x.grad(), by_loops(seed, tensor<T>(transpose(b))), tolerance);
    compare(y.grad(), by_loops(tensor<T>(transpose(a)), seed), tolerance);
}

} // namespace

TEST_CASE("products of matrices agree with three loops, however the operands lie", "[tensor]") {
    std::mt19937_64 random(4);
    const auto size = [&random](ct::index most) {
        return static_cast<ct::index>(random() % static_cast<std::uint64_t>(most + 1));
    };
    for (int trial = 0; trial < 150; ++trial) {
        // Small sizes, where edges of tiles are, and some beyond the bounds at which another way to multiply is taken.
        const ct::index most = trial % 5 == 0 ? 70 : trial % 5 == 1 ? 20 : 5;
        const ct::index rows = size(most), inner = size(most), columns = size(most);
        const auto way_a = static_cast<unsigned>(random() % ways), way_b = static_cast<unsigned>(random() % ways);
        const std::uint64_t seed = random();
        CAPTURE(trial, way_a, way_b);
        check_product(laid_out<double>(rows, inner, way_a, seed), laid_out<double>(inner, columns, way_b, seed + 1),
                      1e-13);
        check_product(laid_out<float>(rows, inner, way_a, seed), laid_out<float>(inner, columns, way_b, seed + 1),
                      1e-5);
    }
    for (unsigned way_a = 0; way_a < ways; ++way_a)
        for (unsigned way_b = 0; way_b < ways; ++way_b) {
            CAPTURE(way_a, way_b);
            check_product(laid_out<double>(7, 1, way_a, 1), laid_out<double>(1, 6, way_b, 2), 1e-13);
            check_product(laid_out<double>(1, 5, way_a, 1), laid_out<double>(5, 1, way_b, 2), 1e-13);
            check_product(laid_out<float>(37, 41, way_a, 1), laid_out<float>(41, 43, way_b, 2), 1e-5);
        }
}

TEST_CASE("matmul has NumPy's shapes and gradients of the arguments' shapes", "[tensor]") {
    const auto product = [](const auto& a) { return matmul(a[0], a[1]); };
    const auto check = [&](const extents& a, const extents& b, const extents& expected) {
        CAPTURE(to_string(a), to_string(b));
        const tensor<double> x = drawn(a, 1), y = drawn(b, 2);
        CHECK(matmul(x, y).shape() == expected);
        check_gradients(product, {x, y});
    };
    check({3}, {3}, {});
    check({2, 3}, {3}, {2});
    check({3}, {3, 2}, {2});
    check({2, 3}, {3, 4}, {2, 4});
    check({1, 1}, {1, 1}, {1, 1});
    check({5, 2, 3}, {3, 4}, {5, 2, 4});
    check({2, 3}, {5, 3, 4}, {5, 2, 4});
    check({5, 2, 3}, {5, 3, 4}, {5, 2, 4});
    check({1, 2, 3}, {5, 3, 4}, {5, 2, 4});
    check({5, 2, 3}, {1, 3, 4}, {5, 2, 4});
    check({5, 1, 2, 3}, {4, 3, 2}, {5, 4, 2, 2});
    check({4, 2, 3}, {5, 1, 3, 1}, {5, 4, 2, 1});
    check({5, 2, 3}, {3}, {5, 2});
    check({3}, {5, 3, 2}, {5, 2});
    check({3}, {2, 2, 3, 2}, {2, 2, 2});
    check({2, 3, 1}, {2, 1, 2}, {2, 3, 2});
    // Nothing to multiply, and nothing to sum.
    check({2, 0}, {0, 3}, {2, 3});
    check({0, 2}, {2, 3}, {0, 3});
    check({0}, {0}, {});
    check({0, 2, 3}, {3, 4}, {0, 2, 4});
    check({0, 2, 3}, {1, 3, 4}, {0, 2, 4});
    check({2, 3}, {0, 3, 4}, {0, 2, 4});
    check({4, 0, 3}, {3, 2}, {4, 0, 2});
    check({4, 2, 0}, {0, 2}, {4, 2, 2});
    CHECK(matmul(drawn({2, 0}, 1), drawn({0, 3}, 1)) == ct::zeros<double>({2, 3}));
}

TEST_CASE("products of larger matrices pass the right gradients through each way to multiply", "[tensor]") {
    for (const auto& [m, k, n] :
         std::vector<std::array<ct::index, 3>>{{40, 33, 35}, {64, 3, 64}, {3, 64, 64}, {64, 64, 3}, {1, 200, 1}})
        check_product(drawn({m, k}, 1), drawn({k, n}, 2), 1e-13);
    check_gradients([](const auto& a) { return tanh(matmul(a[0], a[1])); },
                    {drawn({33, 3}, 1, -1, 1), drawn({3, 34}, 2, -1, 1)});
}

TEMPLATE_TEST_CASE("products of integers wrap around, with a bias too", "[tensor]", std::int16_t, ct::index) {
    // Tiny ones, rows times columns, and tiles with a rest; as they are and transposed.
    for (const auto& [m, k, n] : std::vector<std::array<ct::index, 3>>{
             {3, 5, 4}, {2, 2, 1}, {3, 150, 3}, {9, 40, 1}, {13, 33, 21}, {40, 300, 35}})
        for (const bool turned : {false, true}) {
            CAPTURE(m, k, n, turned);
            std::mt19937_64 random(5);
            const auto drawn_bits = [&random](const extents& shape) {
                std::vector<TestType> numbers(static_cast<std::size_t>(shape.count()));
                for (TestType& x : numbers) x = static_cast<TestType>(random());
                return tensor<TestType>(shape, numbers);
            };
            const tensor<TestType> a = turned ? transpose(drawn_bits({k, m})) : drawn_bits({m, k}),
                                   b = turned ? transpose(drawn_bits({n, k})) : drawn_bits({k, n}),
                                   bias = drawn_bits({n});
            const std::vector<TestType> x = a.values(), y = b.values(), z = bias.values();
            std::vector<TestType> product, sum;
            const auto at = [](ct::index place) { return static_cast<std::size_t>(place); };
            for (ct::index i = 0; i < m; ++i)
                for (ct::index j = 0; j < n; ++j) {
                    std::uint64_t bits = 0;
                    for (ct::index p = 0; p < k; ++p)
                        bits +=
                            static_cast<std::uint64_t>(x[at(i * k + p)]) * static_cast<std::uint64_t>(y[at(p * n + j)]);
                    product.push_back(static_cast<TestType>(bits));
                    sum.push_back(static_cast<TestType>(bits + static_cast<std::uint64_t>(z[at(j)])));
                }
            CHECK(matmul(a, b).values() == product);
            CHECK((matmul(a, b) + bias).values() == sum);
            CHECK(linear(a, b, bias).values() == sum);
        }
}

TEST_CASE("a bias and a relu become part of a product and change nothing else", "[tensor]") {
    const tensor<double> x = drawn({5, 3}, 1), w = drawn({3, 4}, 2), b = drawn({4}, 3);
    const auto apart = [](const auto& a) {
        const auto product = matmul(a[0], a[1]); // a second handle keeps it from being changed
        const auto sum = product + a[2];
        return relu(sum);
    };
    const auto fused = [](const auto& a) { return relu(matmul(a[0], a[1]) + a[2]); };
    const auto layer = [](const auto& a) { return relu(linear(a[0], a[1], a[2])); };
    const tensor<double> seed = drawn({5, 4}, 4);
    const tensors<double> expected = gradients_of<double>(apart, {x, w, b}, seed);
    for (const function<double>& f : {function<double>(fused), function<double>(layer)}) {
        compare(f({x, w, b}), apart(tensors<double>{x, w, b}).values(), 1e-15);
        for (std::size_t k = 0; k < 3; ++k) compare(gradients_of(f, {x, w, b}, seed)[k], expected[k].values(), 1e-14);
    }
    check_gradients(fused, {x, w, b});
    check_gradients(layer, {x, w, b});
    check_gradients([](const auto& a) { return linear(a[0], a[1], a[2]); }, {drawn({2, 5, 3}, 1), w, b});
    check_gradients([](const auto& a) { return linear(a[0], a[1], a[2]); }, {drawn({3}, 1), w, b});
    check_gradients([](const auto& a) { return linear(a[0], a[1], a[2]); }, {drawn({2, 0}, 1), drawn({0, 4}, 1), b});
    check_gradients([](const auto& a) { return relu(matmul(a[0], a[1])) + a[2]; }, {x, w, b});
    check_gradients([](const auto& a) { return relu(relu(matmul(a[0], a[1]) + a[2]) + a[2]); }, {x, w, b});
    check_gradients([](const auto& a) { return (matmul(a[0], a[1]) + a[2]) + a[2]; }, {x, w, b});
    check_gradients([](const auto& a) { return matmul(a[0], a[1]) + a[2]; }, {x, w, drawn({5, 4}, 3)});
    check_gradients([](const auto& a) { return matmul(a[0], a[1]) + a[2]; }, {x, w, drawn({1}, 3)});
    check_gradients([](const auto& a) { return matmul(a[0], a[1]) + a[2]; }, {drawn({3}, 5), w, b});
    check_gradients([](const auto& a) { return matmul(a[0], a[1]) + a[2]; },
                    {drawn({2, 2, 3}, 5), drawn({2, 3, 4}, 5), b});
}

TEST_CASE("a product that somebody else holds stays as it is", "[tensor]") {
    const tensor<double> x{{1, -2}}, w{{1, 0}, {0, 1}}, b{10, 20};
    tensor<double> product = matmul(x, w);
    const tensor<double> other = product, row = select(product, 0, 0);
    CHECK((std::move(product) + b).values() == std::vector<double>{11, 18});
    product = other;
    CHECK(relu(std::move(product)).values() == std::vector<double>{1, 0});
    CHECK(other.values() == std::vector<double>{1, -2});
    CHECK(row.values() == std::vector<double>{1, -2});
}

TEST_CASE("a product that collects a gradient itself takes no bias in", "[tensor]") {
    const tensor<double> x{{1, 2}}, w{{1}, {1}};
    tensor<double> b{1}, product = matmul(x, w);
    b.requires_grad(true);
    product.requires_grad(true);
    const tensor<double> y = std::move(product) + b;
    sum(y).backward();
    CHECK(y.item() == 4);
    CHECK(b.grad().item() == 1);
}

TEST_CASE("nothing is recorded of a bias that is added while a no_grad lives", "[tensor]") {
    tensor<double> w{{1}, {1}};
    w.requires_grad(true);
    tensor<double> product = matmul(tensor<double>{{1, 2}}, w);
    const ct::no_grad unrecorded;
    CHECK_FALSE((std::move(product) + tensor<double>{1}).requires_grad());
}

TEST_CASE("a product that is added to itself is not its own bias", "[tensor]") {
    tensor<double> a{{1, 2}, {3, 4}};
    a.requires_grad(true);
    tensor<double> product = matmul(a, tensor<double>{1, 1});
    const tensor<double> twice = std::move(product) + product; // NOLINT(bugprone-use-after-move): moved by no one
    CHECK(twice.values() == std::vector<double>{6, 14});
    sum(twice).backward();
    CHECK(a.grad().values() == std::vector<double>{2, 2, 2, 2});
}
