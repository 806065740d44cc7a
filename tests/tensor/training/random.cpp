// SPDX-License-Identifier: BSL-1.0
//
// Seeded random numbers: known values, which must be the same with every compiler and option, the distributions, and
// the initial weights. Seeds are fixed, so a bound holds always or never.
#include "catch.hpp"
#include "sentence.hpp"

#include <chainrule/tensor/training/random.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <vector>

namespace {

using chainrule::tensor::generator;
namespace tensor = chainrule::tensor;

struct moments {
    double mean = 0, variance = 0, skewness = 0, kurtosis = 0;
};

template <class Numbers>
moments moments_of(const Numbers& numbers) {
    moments result;
    const auto n = static_cast<double>(numbers.size());
    for (const double x : numbers) result.mean += x / n;
    for (const double x : numbers) {
        const double d = x - result.mean;
        result.variance += d * d / n;
        result.skewness += d * d * d / n;
        result.kurtosis += d * d * d * d / n;
    }
    result.skewness /= std::pow(result.variance, 1.5);
    result.kurtosis /= result.variance * result.variance;
    return result;
}

} // namespace

TEST_CASE("Bounds may be integers or of two types: the numbers are those of double, or of float where one bound is") {
    generator given(3), meant(3);
    CHECK(given.uniform(0, 1) == meant.uniform(0.0, 1.0));
    CHECK(given.uniform(-2, 0.5) == meant.uniform(-2.0, 0.5));
    CHECK(given.uniform(0.0f, 1.0) == meant.uniform(0.0, 1.0));
    const auto single = given.uniform(0, 2.0f);
    static_assert(std::is_same_v<decltype(single), const float>);
    CHECK(single == meant.uniform(0.0f, 2.0f));
    CHECK(given.normal(0, 1) == meant.normal(0.0, 1.0));
    CHECK(given.uniform<float>(0, 1) == meant.uniform(0.0f, 1.0f));
}

TEST_CASE("a seed gives the same numbers everywhere", "[tensor][random]") {
    generator standard(5489);
    for (int i = 1; i < 10000; ++i) standard();
    CHECK(standard() == 9981545732273789042u); // what the C++ standard says of std::mt19937_64

    generator random(2024);
    CHECK(random.uniform() == 0x1.39b1c9e957cb2p-1);
    CHECK(random.uniform(-3.0, 0.1) == -0x1.12a06cc239358p-1);
    CHECK(random.uniform<float>(-3.0f, 0.1f) == -0x1.169656p+1f);
    CHECK(random.normal() == 0x1.81526569218dfp-2);
    CHECK(random.normal(0.3, 1.7) == -0x1.20360b19fa53cp+1);
    CHECK(random.normal<float>(0.3f, 1.7f) == 0x1.3680dep+1f);
    CHECK(random.below(1000) == 866);
    CHECK(random.permutation(8) == std::vector<std::size_t>{2, 4, 6, 5, 3, 0, 7, 1});

    // All digits of many numbers: a sum would lose them, exclusive or of the bits does not.
    std::uint64_t bits = 0;
    for (int i = 0; i < 100000; ++i) {
        const double x = random.normal(0.3, 1.7) * random.uniform(0.5, 0.9);
        bits = (bits << 1 | bits >> 63) ^ std::bit_cast<std::uint64_t>(x);
    }
    CHECK(bits == 0x1712af8e03558653u);
}

TEST_CASE("streams of a seed differ, and copies go on alike", "[tensor][random]") {
    std::set<std::uint64_t> firsts;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        firsts.insert(generator(seed)());
        for (std::uint64_t stream = 0; stream < 30; ++stream) firsts.insert(generator(seed, stream)());
    }
    CHECK(firsts.size() == 30 * 31);

    generator random(1);
    (void)random.normal();
    generator copy = random;
    CHECK(copy.normal() == random.normal());
    CHECK(copy() == random());
}

TEST_CASE("uniform numbers fill their interval and stay within", "[tensor][random]") {
    generator random(3);
    std::vector<double> numbers(200000);
    random.fill_uniform(numbers, -2.0, 4.0);
    CHECK(std::ranges::min(numbers) >= -2.0);
    CHECK(std::ranges::min(numbers) < -1.9999);
    CHECK(std::ranges::max(numbers) < 4.0);
    CHECK(std::ranges::max(numbers) > 3.9999);
    const moments m = moments_of(numbers);
    CHECK(m.mean == Approx(1.0).margin(0.015));
    CHECK(m.variance == Approx(3.0).epsilon(0.01));
    CHECK(m.kurtosis == Approx(1.8).epsilon(0.01));

    generator again(3);
    CHECK(again.uniform(-2.0, 4.0) == numbers[0]);
    CHECK(again.uniform(-2.0, 4.0) == numbers[1]);

    // Two numbers in the interval, and rounding would reach the excluded end every other time.
    const float low = 1.0f, middle = std::nextafter(low, 2.0f), high = std::nextafter(middle, 2.0f);
    std::set<float> seen;
    for (int i = 0; i < 1000; ++i) seen.insert(random.uniform(low, high));
    CHECK(seen == std::set<float>{low, middle});
}

TEST_CASE("normal numbers have the moments and tails of the normal distribution", "[tensor][random]") {
    generator random(4);
    std::vector<double> numbers(400000);
    random.fill_normal(numbers, 1.0, 2.0);
    const moments m = moments_of(numbers);
    double product = 0; // of neighbours, which come from one pair
    for (std::size_t i = 0; i < numbers.size(); i += 2) product += (numbers[i] - 1) * (numbers[i + 1] - 1);
    CHECK(product / 200000 == Approx(0).margin(0.03));
    CHECK(m.mean == Approx(1.0).margin(0.01));
    CHECK(m.variance == Approx(4.0).epsilon(0.01));
    CHECK(m.skewness == Approx(0.0).margin(0.02));
    CHECK(m.kurtosis == Approx(3.0).epsilon(0.02));
    for (const double deviations : {0.5, 1.0, 2.0, 3.0, 4.0}) {
        CAPTURE(deviations);
        const auto beyond = std::ranges::count_if(numbers, [&](double x) { return std::fabs(x - 1) > 2 * deviations; });
        const double expected = std::erfc(deviations / std::sqrt(2.0)) * static_cast<double>(numbers.size());
        CHECK(std::fabs(static_cast<double>(beyond) - expected) < 4 * std::sqrt(expected) + 1);
    }
    generator again(4);
    CHECK(again.normal(1.0, 2.0) == numbers[0]);
    CHECK(random.normal(5.0, 0.0) == 5.0);
}

TEST_CASE("normal numbers are those of the polar method to the last digits", "[tensor][random]") {
    generator random(5), bits(5);
    for (int i = 0; i < 10000; ++i) {
        double x = 0, y = 0, square = 1;
        while (square >= 1 || square == 0) {
            x = 2 * bits.uniform() - 1;
            y = 2 * bits.uniform() - 1;
            square = std::fma(x, x, y * y); // the logarithm near 1 magnifies its last digit
        }
        const double scale = std::sqrt(-2 * std::log(square) / square);
        REQUIRE(random.normal() == Approx(x * scale).epsilon(1e-14));
        REQUIRE(random.normal() == Approx(y * scale).epsilon(1e-14));
    }
}

TEST_CASE("integers below a bound are equally likely", "[tensor][random]") {
    generator random(6);
    // The remainder of 64 bits alone would be below 2^62 in half of all cases.
    const std::uint64_t n = 3 * (std::uint64_t{1} << 62);
    std::array<int, 3> thirds{};
    for (int i = 0; i < 30000; ++i) {
        const std::uint64_t x = random.below(n);
        REQUIRE(x < n);
        ++thirds[static_cast<std::size_t>(x >> 62)];
    }
    for (const int count : thirds) CHECK(std::abs(count - 10000) < 350);

    std::array<int, 7> counts{};
    for (int i = 0; i < 70000; ++i) ++counts[static_cast<std::size_t>(random.below(7))];
    for (const int count : counts) CHECK(std::abs(count - 10000) < 400);
    CHECK(random.below(1) == 0);
}

TEST_CASE("every order is equally likely", "[tensor][random]") {
    generator random(7);
    CHECK(random.permutation(0).empty());
    CHECK(random.permutation(1) == std::vector<std::size_t>{0});
    std::vector<std::size_t> order = random.permutation(1000);
    CHECK(!std::ranges::is_sorted(order));
    std::ranges::sort(order);
    for (std::size_t i = 0; i < order.size(); ++i) REQUIRE(order[i] == i);

    std::array<int, 256> counts{};
    for (int i = 0; i < 24000; ++i) {
        const auto p = random.permutation(4);
        ++counts[p[0] * 64 + p[1] * 16 + p[2] * 4 + p[3]];
    }
    CHECK(std::ranges::count_if(counts, [](int count) { return count > 0; }) == 24);
    for (const int count : counts) CHECK((count == 0 || std::abs(count - 1000) < 130));
}

TEST_CASE("initial weights have the variance of their source", "[tensor][random]") {
    generator random(8);
    std::vector<float> weights(300000);
    tensor::he_normal(weights, 50, random);
    CHECK(moments_of(weights).mean == Approx(0).margin(0.002));
    CHECK(moments_of(weights).variance == Approx(2.0 / 50).epsilon(0.01));
    CHECK(moments_of(weights).kurtosis == Approx(3).epsilon(0.03));
    tensor::he_uniform(weights, 50, random);
    CHECK(moments_of(weights).variance == Approx(2.0 / 50).epsilon(0.01));
    CHECK(std::ranges::max(weights) <= std::sqrt(6.0f / 50));
    CHECK(std::ranges::max(weights) > 0.999f * std::sqrt(6.0f / 50));
    tensor::xavier_normal(weights, 50, 30, random);
    CHECK(moments_of(weights).variance == Approx(2.0 / 80).epsilon(0.01));
    CHECK(moments_of(weights).kurtosis == Approx(3).epsilon(0.03));
    tensor::xavier_uniform(std::span(weights).first(200000), 50, 30, random);
    CHECK(moments_of(std::span(weights).first(200000)).variance == Approx(2.0 / 80).epsilon(0.01));
    CHECK(std::ranges::min(std::span(weights).first(200000)) < -0.999f * std::sqrt(6.0f / 80));
}

TEST_CASE("an interval may be wider than the largest number", "[tensor][random]") {
    generator random(11);
    constexpr double most = std::numeric_limits<double>::max();
    double least = 0, largest = 0, sum = 0; // of parts of the largest number
    for (int i = 0; i < 10000; ++i) {
        const double x = random.uniform(-most, most);
        least = std::min(least, x);
        largest = std::max(largest, x);
        sum += x / most;
    }
    CHECK(least < -0.99 * most);
    CHECK(least >= -most);
    CHECK(largest > 0.99 * most);
    CHECK(largest < most);
    CHECK(std::abs(sum) < 300);
}

TEST_CASE("what cannot be drawn is an error with a reason", "[tensor][random]") {
    generator random(9);
    CHECK(sentence_of([&] { (void)random.uniform(1.0, 1.0); }) ==
          "uniform: there are no numbers from 1.000000 to below 1.000000; give finite low < high");
    CHECK_THROWS_AS(random.uniform(0.0, std::numeric_limits<double>::quiet_NaN()), std::invalid_argument);
    CHECK_THROWS_AS(random.uniform(0.0, std::numeric_limits<double>::infinity()), std::invalid_argument);
    CHECK(sentence_of([&] { (void)random.normal(0.0, -1.0); }) ==
          "normal: the standard deviation -1.000000 is not 0 or more; give its absolute value");
    CHECK(sentence_of([&] { (void)random.below(0); }) == "below: no integer is below 0; ask for one below 1 or more");
    std::vector<float> weights(3, 1.0f);
    CHECK(sentence_of([&] { tensor::he_normal(weights, 0, random); }) ==
          "he_normal: a layer without inputs has no weights; give its number of inputs");
    CHECK_THROWS_AS(tensor::xavier_uniform(weights, 0, 0, random), std::invalid_argument);
    CHECK(weights == std::vector<float>(3, 1.0f));
}
