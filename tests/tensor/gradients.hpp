// SPDX-License-Identifier: BSL-1.0
//
// Gradients of operations, requested in every way. check_gradients() compares a gradient with differences of values and
// then with itself: in single precision, through views of the arguments, used twice, passed back twice.
#pragma once

#include "catch.hpp"

#include <chainrule/tensor.hpp>

#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

namespace gradients {

namespace ct = chainrule::tensor;
using ct::extents;
using ct::tensor;

template <class T>
using tensors = std::vector<tensor<T>>;
template <class T>
using function = std::function<tensor<T>(const tensors<T>&)>;

/// Numbers from an interval, the same ones for a seed on every machine.
inline tensor<double> drawn(const extents& shape, std::uint64_t seed, double low = -2, double high = 2) {
    std::mt19937_64 random(seed);
    tensor<double> x = ct::zeros<double>(shape);
    for (double& number : x.mutable_span())
        number = low + (high - low) * (static_cast<double>(random() >> 11) * 0x1p-53);
    return x;
}
/// Numbers at least 1 / count apart, so that no difference quotient steps over a tie.
inline tensor<double> distinct(const extents& shape, std::uint64_t seed) {
    tensor<double> x = ct::zeros<double>(shape);
    const auto numbers = x.mutable_span();
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = (static_cast<double>(i) + 0.5) * 2 / static_cast<double>(numbers.size()) - 1;
    std::shuffle(numbers.begin(), numbers.end(), std::mt19937_64(seed));
    return x;
}

template <class T>
tensor<T> as(const tensor<double>& x) {
    const std::vector<double> numbers = x.values();
    std::vector<T> converted(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) converted[i] = static_cast<T>(numbers[i]);
    return tensor<T>(x.shape(), converted);
}

/// Compares numbers, whose errors may be `tolerance` of the largest expected one, or of 1.
template <class T>
void compare(const tensor<T>& found, const std::vector<double>& expected, double tolerance) {
    const std::vector<T> numbers = found.values();
    REQUIRE(numbers.size() == expected.size());
    double scale = 1;
    for (const double e : expected) scale = std::max(scale, std::abs(e));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const double error = std::abs(static_cast<double>(numbers[i]) - expected[i]);
        if (!(error <= tolerance * scale)) { // a CHECK per number would take longer than all else
            CAPTURE(i, numbers[i], expected[i], tolerance * scale);
            FAIL_CHECK("a number differs");
        }
    }
}

/// How an argument is made from a leaf that collects its gradient.
template <class T>
struct leaf_and_view {
    tensor<T> leaf;
    tensor<T> (*look)(const tensor<T>&);
};
template <class T>
using making = leaf_and_view<T> (*)(const tensor<T>&);

/// The argument itself; the transpose of its transpose; every other element, backwards, of what holds it.
template <class T>
leaf_and_view<T> plainly(const tensor<T>& x) {
    return {x, [](const tensor<T>& leaf) { return leaf; }};
}
inline leaf_and_view<double> transposed(const tensor<double>& x) {
    return {transpose(x).clone(), [](const tensor<double>& leaf) { return transpose(leaf); }};
}
inline tensor<double> every_other_backwards(const tensor<double>& x) {
    return x.rank() == 0 ? x : slice(x, -1, -1, ct::to_the_end, -2);
}
inline leaf_and_view<double> backwards(const tensor<double>& x) {
    extents longer = x.shape();
    if (x.rank() != 0) longer[x.rank() - 1] *= 2;
    tensor<double> leaf = ct::full<double>(longer, 77);
    every_other_backwards(leaf).assign(x);
    return {leaf, every_other_backwards};
}

/// The gradients by the arguments of the sum of f(arguments) times the seed; argument `chosen` is made in a way of its
/// own.
template <class T>
tensors<T> gradients_of(const function<T>& f, const tensors<double>& arguments, const tensor<double>& seed,
                        std::size_t chosen = 0, making<T> make = plainly<T>) {
    tensors<T> leaves, seen;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        auto [leaf, look] = k == chosen ? make(as<T>(arguments[k])) : plainly(as<T>(arguments[k]));
        leaf.requires_grad(true);
        leaves.push_back(leaf);
        seen.push_back(look(leaf));
    }
    f(seen).backward(as<T>(seed));
    tensors<T> found;
    for (const tensor<T>& leaf : leaves) {
        REQUIRE(leaf.grad().shape() == leaf.shape());
        found.push_back(leaf.grad());
    }
    return found;
}

inline void check_in_both_precisions(const function<double>& f, const function<float>& in_float,
                                     const tensors<double>& arguments, double step) {
    const tensor<double> value = f(arguments);
    const tensor<double> seed = drawn(value.shape(), 99, 0.5, 1.5);
    const tensors<double> found = gradients_of(f, arguments, seed);

    // Differences of fourth order: their error is about step^4, and the rounding of a value over step.
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        tensors<double> moved = arguments;
        std::vector<double> numbers = arguments[k].values(), expected;
        const auto at = [&](std::size_t i, double x) {
            const double before = std::exchange(numbers[i], x);
            moved[k] = tensor<double>(arguments[k].shape(), numbers);
            numbers[i] = before;
            return sum(f(moved) * seed).item();
        };
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const double x = numbers[i];
            expected.push_back((8 * (at(i, x + step) - at(i, x - step)) - (at(i, x + 2 * step) - at(i, x - 2 * step))) /
                               (12 * step));
        }
        INFO("argument " << k << " of shape " << arguments[k].shape() << ", differences");
        compare(found[k], expected, 1e-8);
    }

    const tensors<float> single = gradients_of(in_float, arguments, seed);
    const function<double> twice = [&f](const tensors<double>& x) { return f(x) + f(x) * 2; };
    const tensors<double> thrice = gradients_of(twice, arguments, seed);
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const std::vector<double> expected = found[k].values();
        INFO("argument " << k << " of shape " << arguments[k].shape());
        {
            INFO("in single precision");
            compare(single[k], expected, 1e-4);
        }
        {
            INFO("as a transposed view");
            compare(transpose(gradients_of<double>(f, arguments, seed, k, transposed)[k]), expected, 1e-13);
        }
        {
            INFO("as every other element, backwards");
            const tensor<double> whole = gradients_of<double>(f, arguments, seed, k, backwards)[k];
            compare(every_other_backwards(whole), expected, 1e-13);
            if (whole.rank() != 0)
                CHECK(slice(whole, -1, 0, ct::to_the_end, 2) == ct::zeros<double>(arguments[k].shape()));
        }
        {
            INFO("alone, while the others want no gradient");
            tensors<double> leaves;
            for (std::size_t j = 0; j < arguments.size(); ++j)
                leaves.push_back(arguments[j].clone().requires_grad(j == k));
            const tensor<double> result = f(leaves);
            result.backward(seed);
            compare(leaves[k].grad(), expected, 1e-13);
            INFO("a second pass adds the same once more");
            result.backward(seed);
            compare(leaves[k].grad(), (found[k] * 2).values(), 1e-13);
        }
        {
            INFO("used twice");
            compare(thrice[k], (found[k] * 3).values(), 1e-12);
        }
    }
}

/// f(tensors) is an operation on all arguments, for numbers of any type; its differences are taken over `step`.
template <class F>
void check_gradients(F f, const tensors<double>& arguments, double step = 1e-3) {
    check_in_both_precisions(f, f, arguments, step);
}

} // namespace gradients
