// SPDX-License-Identifier: BSL-1.0
//
// Templates as other libraries have them, which take no formulas.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

// Each fails to compile with active numbers where a formula meets it.
namespace foreign {

template <class T>
T larger_product(const T& a, const T& b) {
    return a * b > b ? a * b : b;
}
template <class T>
T power(const T& x, int n) {
    if (n == 0) return T(1);
    return n % 2 == 0 ? power(x * x, n / 2) : x * power(x, n - 1);
}
template <class T>
auto kept_with_auto(const T& x) {
    const auto inner = [&] {
        const T local = x + 1.0;
        return local * local; // a formula would own copies of its operands
    }();
    auto sum = inner * x;
    sum += x;
    return sum;
}
template <class T>
T of_lists(const std::vector<T>& x) {
    const T sum = std::accumulate(x.begin(), x.end(), T(0));
    const T squares = std::inner_product(x.begin(), x.end(), x.begin(), T(0));
    const T product = std::accumulate(x.begin(), x.end(), T(1), std::multiplies<>());
    return std::max(sum * product, squares) + std::min(product - sum, sum) + *std::max_element(x.begin(), x.end());
}
template <class T>
T all_of_it(const std::vector<T>& x) {
    using std::exp, std::sqrt, std::pow, std::fma;
    T y = larger_product(x[0] * x[1], x[1]) + power(x[0] - 0.5, 5) + kept_with_auto(x[1]) + of_lists(x);
    y = x[0] > 1 ? y * x[0] : y;
    y += exp(-x[0]) * sqrt(x[1]) + pow(x[0], 2) + pow(2, x[0]) + pow(x[0], x[1]) + fma(x[0], 2.0, x[1]);
    y -= 2 * x[0] - x[1] / 3;
    y *= 0.5f;
    y /= x[2];
    return y;
}
constexpr auto all = [](const auto& x) { return all_of_it(x); };
// Few operations, for many number types.
template <class T>
T few_of_it(const std::vector<T>& x) {
    T y = larger_product(x[0] * x[1], x[2]) * kept_with_auto(x[1]);
    y = x[0] > 1 ? y * x[0] : y;
    return std::accumulate(x.begin(), x.end(), T(0)) * std::max(y * x[2], x[0]);
}
constexpr auto few = [](const auto& x) { return few_of_it(x); };

} // namespace foreign
