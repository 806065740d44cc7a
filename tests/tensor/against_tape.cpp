// SPDX-License-Identifier: BSL-1.0
//
// Tensors against the tape: products, reductions, losses, a convolution and a network. against_tape.hpp compares them.
#include "against_tape.hpp"

namespace {

number total(const numbers& all) {
    number s = 0;
    for (const number& x : all) s += x;
    return s;
}
/// rows x inner times inner x columns.
numbers product(const numbers& a, const numbers& b, std::size_t rows, std::size_t inner, std::size_t columns) {
    numbers c(rows * columns);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) {
            number s = 0;
            for (std::size_t k = 0; k < inner; ++k) s += a[i * inner + k] * b[k * columns + j];
            c[i * columns + j] = s;
        }
    return c;
}
number largest(const numbers& all) {
    number best = all.front();
    for (const number& x : all)
        if (x > best) best = x;
    return best;
}

} // namespace

TEST_CASE("operators and broadcasting have the tape's gradients", "[tensor]") {
    check_same([](const auto& a) { return sum((a[0] + 1) * a[1] / a[2] - a[1] * 2 + 3 / a[2]); },
               [](const auto& a) {
                   number s = 0;
                   for (std::size_t i = 0; i < 2; ++i)
                       for (std::size_t j = 0; j < 3; ++j)
                           s += (a[0][3 * i + j] + 1) * a[1][j] / a[2][i] - a[1][j] * 2 + 3 / a[2][i];
                   return s;
               },
               {drawn({2, 3}, 1), drawn({3}, 2), drawn({2, 1}, 3, 1, 2)});
}

TEST_CASE("products have the tape's gradients", "[tensor]") {
    check_same([](const auto& a) { return sum(sin(matmul(a[0], a[1]))); },
               [](const auto& a) {
                   number s = 0;
                   for (const number& x : product(a[0], a[1], 3, 4, 2)) s += sin(x);
                   return s;
               },
               {drawn({3, 4}, 1), drawn({4, 2}, 2)});
}

TEST_CASE("reductions have the tape's gradients", "[tensor]") {
    check_same([](const auto& a) { return variance(a[0]) * max(a[0]) + mean(a[0] * a[0]) * min(a[0]); },
               [](const auto& a) {
                   const numbers& x = a[0];
                   const auto n = static_cast<double>(x.size());
                   const number middle = total(x) / n;
                   number squares = 0, distances = 0, smallest = x.front();
                   for (const number& v : x) {
                       squares += v * v;
                       distances += (v - middle) * (v - middle);
                       if (v < smallest) smallest = v;
                   }
                   return number(distances / n * largest(x) + squares / n * smallest);
               },
               {distinct({2, 5}, 1)});
}

TEST_CASE("losses have the tape's gradients", "[tensor]") {
    const auto row_loss = [](const numbers& row, std::size_t label) {
        number s = 0;
        for (const number& x : row) s += exp(x);
        return number(log(s) - row[label]);
    };
    check_same([](const auto& a) { return cross_entropy(a[0], tensor<int>{2, 0}) * 2 + mse(softmax(a[0]), a[0]); },
               [&](const auto& a) {
                   const numbers first(a[0].begin(), a[0].begin() + 3), second(a[0].begin() + 3, a[0].end());
                   number squares = 0;
                   for (const numbers& row : {first, second}) {
                       number s = 0;
                       for (const number& x : row) s += exp(x);
                       for (const number& x : row) squares += (exp(x) / s - x) * (exp(x) / s - x);
                   }
                   return number((row_loss(first, 2) + row_loss(second, 0)) / 2 * 2 + squares / 6);
               },
               {drawn({2, 3}, 1)});
}

TEST_CASE("a convolution with pooling has the tape's gradients", "[tensor]") {
    check_same([](const auto& a) { return sum(tanh(max_pool2d(conv2d(a[0], a[1]), 2))); },
               [](const auto& a) {
                   // 5 x 5 under 2 x 2 gives 4 x 4, which pools to 2 x 2.
                   const auto at = [&](std::size_t y, std::size_t x) {
                       number s = 0;
                       for (std::size_t i = 0; i < 2; ++i)
                           for (std::size_t j = 0; j < 2; ++j) s += a[0][(y + i) * 5 + x + j] * a[1][2 * i + j];
                       return s;
                   };
                   number s = 0;
                   for (std::size_t p = 0; p < 4; p += 2)
                       for (std::size_t q = 0; q < 4; q += 2)
                           s += tanh(largest({at(p, q), at(p, q + 1), at(p + 1, q), at(p + 1, q + 1)}));
                   return s;
               },
               {drawn({1, 1, 5, 5}, 1), drawn({1, 1, 2, 2}, 2)});
}

TEST_CASE("a network has the tape's gradients", "[tensor]") {
    const tensor<double> x = drawn({4, 3}, 9);
    check_same([&](const auto& a) { return mean(square(matmul(relu(linear(x, a[0], a[1])), a[2]) - 1)); },
               [&](const auto& a) {
                   numbers inputs;
                   for (const double v : x.values()) inputs.emplace_back(v);
                   numbers hidden = product(inputs, a[0], 4, 3, 5);
                   for (std::size_t i = 0; i < hidden.size(); ++i) {
                       hidden[i] += a[1][i % 5];
                       if (hidden[i] < 0) hidden[i] = 0;
                   }
                   number s = 0;
                   for (const number& y : product(hidden, a[2], 4, 5, 2)) s += (y - 1) * (y - 1);
                   return number(s / 8);
               },
               {drawn({3, 5}, 1), drawn({5}, 2), drawn({5, 2}, 3)});
}
