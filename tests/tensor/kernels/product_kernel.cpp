// SPDX-License-Identifier: BSL-1.0
//
// Products of matrices: every form of the operands at many sizes against three plain loops; whole numbers, so that each
// order of summation gives the same.
#include "catch.hpp"

#include <chainrule/tensor/kernels/product_kernel.hpp>

#include <limits>
#include <random>
#include <vector>

namespace tensor = chainrule::tensor;
using tensor::operand;

namespace {

template <class T>
std::vector<T> whole_numbers(std::size_t count, unsigned seed) {
    std::minstd_rand dice(seed);
    std::vector<T> numbers(count);
    for (T& x : numbers) x = static_cast<T>(static_cast<int>(dice() % 17) - 8);
    return numbers;
}

/// The elements in which product() differs from plain loops, or which it writes beside C.
template <class T>
std::size_t wrong_elements(operand op_a, operand op_b, std::size_t m, std::size_t n, std::size_t k, T alpha, T beta,
                           std::size_t gap) {
    const bool ta = op_a == operand::transposed, tb = op_b == operand::transposed;
    const std::size_t a_row = (ta ? m : k) + gap, b_row = (tb ? k : n) + gap, c_row = n + gap;
    const auto a = whole_numbers<T>((ta ? k : m) * a_row, 1), b = whole_numbers<T>((tb ? n : k) * b_row, 2);
    auto c = whole_numbers<T>(m * c_row, 3);
    auto expected = c;
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            T sum = 0;
            for (std::size_t p = 0; p < k; ++p)
                sum += (ta ? a[p * a_row + i] : a[i * a_row + p]) * (tb ? b[j * b_row + p] : b[p * b_row + j]);
            expected[i * c_row + j] = alpha * sum + beta * expected[i * c_row + j];
            if (beta == 0) c[i * c_row + j] = std::numeric_limits<T>::quiet_NaN(); // not to be looked at
        }
    tensor::product(op_a, op_b, m, n, k, alpha, a.data(), a_row, b.data(), b_row, beta, c.data(), c_row);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < c.size(); ++i) wrong += !(c[i] == expected[i]);
    return wrong;
}

template <class T>
void check(std::size_t m, std::size_t n, std::size_t k) {
    for (const operand op_a : {operand::as_is, operand::transposed})
        for (const operand op_b : {operand::as_is, operand::transposed})
            for (const std::size_t gap : {0u, 3u}) {
                CAPTURE(m, n, k, op_a == operand::transposed, op_b == operand::transposed, gap);
                REQUIRE(wrong_elements<T>(op_a, op_b, m, n, k, 1, 0, gap) == 0);
                REQUIRE(wrong_elements<T>(op_a, op_b, m, n, k, -2, 1, gap) == 0);
                REQUIRE(wrong_elements<T>(op_a, op_b, m, n, k, 1, -3, gap) == 0);
            }
}

} // namespace

TEST_CASE("a product of matrices agrees with plain loops at every small size", "[tensor]") {
    for (const std::size_t m : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 13u, 33u})
        for (const std::size_t n : {1u, 2u, 3u, 5u, 7u, 8u, 10u, 15u, 16u, 17u, 31u, 40u})
            for (const std::size_t k : {1u, 2u, 7u, 8u, 9u, 20u}) {
                check<float>(m, n, k);
                check<double>(m, n, k);
            }
}

TEST_CASE("a product of matrices agrees with plain loops where a transposed operand is packed in pieces", "[tensor]") {
    check<float>(37, 50, 700);
    check<double>(9, 33, 256);
    check<double>(9, 33, 257);
    check<float>(29, 10, 700); // columns that fill no register
    check<double>(5, 3, 513);
}

TEST_CASE("a product without inner elements is zero, one without rows or columns writes nothing", "[tensor]") {
    check<float>(3, 5, 0);
    check<double>(7, 1, 0);
    check<double>(0, 5, 3);
    check<double>(5, 0, 3);
}

TEST_CASE("the elements of a product are summed upwards from 0 and then scaled", "[tensor]") {
    // 2^24 + 1 is not a float, so the small numbers are lost if, and only if, they come one by one after the large one.
    const float big = 16777216.0f;
    for (const std::size_t m : {1u, 5u, 16u})
        for (const std::size_t n : {2u, 3u, 8u, 10u, 16u, 19u})
            for (const std::size_t k : {5u, 400u}) {
                std::vector<float> rows(m * k, 0.0f), sums(m * n, 0.5f);
                for (std::size_t i = 0; i < m; ++i) {
                    rows[i * k] = big;
                    rows[i * k + 1] = rows[i * k + k / 2] = rows[i * k + k - 2] = 1.0f;
                    rows[i * k + k - 1] = -big;
                }
                const std::vector<float> ones(k * n, 1.0f);
                tensor::product(operand::as_is, operand::as_is, m, n, k, 2.0f, rows.data(), k, ones.data(), n, 1.0f,
                                sums.data(), n);
                CAPTURE(m, n, k);
                for (const float s : sums) REQUIRE(s == 0.5f);
            }
}
