// SPDX-License-Identifier: BSL-1.0
//
// Reproducible random numbers: for a seed the same with every compiler and standard library. The bits are those of
// std::mt19937_64, which the C++ standard defines; the distributions, which it does not, are computed here with
// correctly rounded operations.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/core/raise.hpp>

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace chainrule::tensor {

namespace training {

/// The types of random numbers.
template <class T>
concept random_number = std::same_as<T, float> || std::same_as<T, double>;

/// Two numbers of different types, or integers, and the result type: float if one is a float and none a double.
template <class A, class B>
concept mixed_random_numbers = (random_number<A> || std::integral<A>) && (random_number<B> || std::integral<B>) &&
                               !(random_number<A> && std::same_as<A, B>);
template <class A, class B>
using drawn_type = std::conditional_t<(std::same_as<A, float> || std::same_as<B, float>) && !std::same_as<A, double> &&
                                          !std::same_as<B, double>,
                                      float, double>;

/// A std::vector, std::array or std::span of float or double.
template <class Range>
concept fillable = std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
                   random_number<std::remove_reference_t<std::ranges::range_reference_t<Range>>>;

} // namespace training

/// A generator of random numbers. Its numbers depend only on the seed, on every machine with IEEE 754 numbers. Copies
/// continue with the same numbers. Satisfies std::uniform_random_bit_generator. Example: `generator random(7); double x
/// = random.normal();`
class generator {
public:
    using result_type = std::uint64_t;

    explicit generator(std::uint64_t seed) : engine_(seed) {}
    /// One of many independent streams of a seed, for example one per epoch.
    generator(std::uint64_t seed, std::uint64_t stream) : engine_(mixed(mixed(seed) + stream)) {}

    [[nodiscard]] static constexpr result_type min() { return 0; }
    [[nodiscard]] static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
    /// The next 64 bits, those of std::mt19937_64.
    result_type operator()() { return engine_(); }

    /// Equally likely in low <= x < high. Throws std::invalid_argument unless low < high and both are finite.
    template <training::random_number T = double>
    [[nodiscard]] T uniform(T low = 0, T high = 1) {
        check_interval(low, high);
        return in_interval(low, high);
    }

    /// With numbers of two types, or integers: uniform(0, 1) is a double, uniform(0, 1.0f) a float.
    template <std::nullptr_t = nullptr, class A, class B>
    requires training::mixed_random_numbers<A, B>
    [[nodiscard]] auto uniform(A low, B high) {
        using T = training::drawn_type<A, B>;
        return uniform<T>(static_cast<T>(low), static_cast<T>(high));
    }

    /// From the normal distribution with this mean and standard deviation, by the polar method of G. Marsaglia and T.
    /// A. Bray, "A convenient method for generating normal variables", SIAM Review 6 (1964), 260-264. It gives two
    /// numbers at a time; the second is kept for the next call. Throws std::invalid_argument where the deviation is
    /// negative or NaN.
    template <training::random_number T = double>
    [[nodiscard]] T normal(T mean = 0, T deviation = 1) {
        check_deviation(deviation);
        return around(mean, deviation);
    }

    template <std::nullptr_t = nullptr, class A, class B>
    requires training::mixed_random_numbers<A, B>
    [[nodiscard]] auto normal(A mean, B deviation) {
        using T = training::drawn_type<A, B>;
        return normal<T>(static_cast<T>(mean), static_cast<T>(deviation));
    }

    /// An integer below n, each exactly equally likely. Throws std::invalid_argument where n is 0.
    [[nodiscard]] std::uint64_t below(std::uint64_t n) {
        if (n == 0) core::raise(std::invalid_argument("below: no integer is below 0; ask for one below 1 or more"));
        // 2^64 is not a multiple of n: the first 2^64 mod n of all bit patterns are left out, so that the others are.
        const std::uint64_t left_out = (0 - n) % n;
        std::uint64_t bits = engine_();
        while (bits < left_out) bits = engine_();
        return bits % n;
    }

    /// Puts the numbers into an order drawn from all orders alike (R. Durstenfeld, "Algorithm 235", CACM 7 (1964),
    /// 420).
    template <class T>
    void shuffle(std::span<T> numbers) {
        for (std::size_t i = numbers.size(); i > 1; --i)
            std::swap(numbers[i - 1], numbers[static_cast<std::size_t>(below(i))]);
    }
    /// The integers 0 to n - 1 in random order.
    [[nodiscard]] std::vector<std::size_t> permutation(std::size_t n) {
        std::vector<std::size_t> order(n);
        std::iota(order.begin(), order.end(), std::size_t{0});
        shuffle(std::span(order));
        return order;
    }

    /// Fills numbers with what uniform(low, high) gives, one after the other.
    template <training::fillable Range>
    void fill_uniform(Range&& numbers, std::ranges::range_value_t<Range> low, std::ranges::range_value_t<Range> high) {
        check_interval(low, high);
        for (auto& x : numbers) x = in_interval(low, high);
    }
    /// Fills numbers with what normal(mean, deviation) gives, one after the other.
    template <training::fillable Range>
    void fill_normal(Range&& numbers, std::ranges::range_value_t<Range> mean,
                     std::ranges::range_value_t<Range> deviation) {
        check_deviation(deviation);
        for (auto& x : numbers) x = around(mean, deviation);
    }

private:
    std::mt19937_64 engine_;
    double spare_ = 0; // a normal number, where there is one
    bool has_spare_ = false;

    // The output function of G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number generators",
    // OOPSLA 2014: seeds that differ in one bit become unrelated.
    static constexpr std::uint64_t mixed(std::uint64_t x) {
        x += 0x9e3779b97f4a7c15u;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        return x ^ (x >> 31);
    }

    template <class T>
    static void check_interval(T low, T high) {
        if (!(low < high) || !std::isfinite(low) || !std::isfinite(high))
            core::raise(std::invalid_argument("uniform: there are no numbers from " + std::to_string(low) +
                                              " to below " + std::to_string(high) + "; give finite low < high"));
    }
    template <class T>
    static void check_deviation(T deviation) {
        if (!(deviation >= 0))
            core::raise(std::invalid_argument("normal: the standard deviation " + std::to_string(deviation) +
                                              " is not 0 or more; give its absolute value"));
    }

    // Where a compiler is free to contract a product and a sum into one operation, std::fma is spelled out, or the
    // product is exact: otherwise the last digit would depend on the compiler's flags.
    template <class T>
    T fraction() {
        constexpr int digits = std::numeric_limits<T>::digits;
        constexpr T unit = T(1) / static_cast<T>(std::uint64_t{1} << digits);
        return static_cast<T>(engine_() >> (64 - digits)) * unit;
    }
    template <class T>
    T in_interval(T low, T high) {
        // Halves are exact where the width is beyond the numbers.
        if (!std::isfinite(high - low)) return 2 * in_interval(low / 2, high / 2);
        while (true) {
            const T x = std::fma(high - low, fraction<T>(), low);
            if (x < high) return x; // rounding reaches high where the interval has few numbers
        }
    }
    template <class T>
    T around(T mean, T deviation) {
        return static_cast<T>(std::fma(static_cast<double>(deviation), standard_normal(), static_cast<double>(mean)));
    }
    double standard_normal() {
        if (std::exchange(has_spare_, false)) return spare_;
        while (true) {
            const double x = 2 * fraction<double>() - 1, y = 2 * fraction<double>() - 1;
            const double square = std::fma(x, x, y * y);
            if (square >= 1 || square == 0) continue;
            const double scale = std::sqrt(-2 * natural_logarithm(square) / square);
            spare_ = y * scale;
            has_spare_ = true;
            return x * scale;
        }
    }
    // std::log rounds differently from library to library. This is 2 artanh((m - 1) / (m + 1)) + exponent * log(2) with
    // m within a factor sqrt(2) of 1, and the power series up to terms of 1e-17.
    static double natural_logarithm(double x) {
        int exponent = 0;
        double m = std::frexp(x, &exponent);
        if (m < std::numbers::sqrt2 / 2) {
            m *= 2;
            --exponent;
        }
        const double s = (m - 1) / (m + 1), square = s * s;
        double sum = 2.0 / 21;
        for (const double coefficient :
             {2.0 / 19, 2.0 / 17, 2.0 / 15, 2.0 / 13, 2.0 / 11, 2.0 / 9, 2.0 / 7, 2.0 / 5, 2.0 / 3})
            sum = std::fma(sum, square, coefficient);
        return std::fma(exponent, std::numbers::ln2, std::fma(s * square, sum, 2 * s));
    }
};

namespace training {

/// sqrt(numerator / fans), the scale of initial weights; `call` is named in errors.
[[nodiscard]] inline double initial_scale(const char* call, double numerator, std::size_t fan_in,
                                          std::size_t fan_out = 0) {
    const double fans = static_cast<double>(fan_in) + static_cast<double>(fan_out);
    if (fans == 0)
        core::raise(std::invalid_argument(std::string(call) +
                                          ": a layer without inputs has no weights; give its number of inputs"));
    return std::sqrt(numerator / fans);
}

} // namespace training

/// Fills initial weights of a layer that is followed by a ReLU: normal with variance 2 / fan_in, which preserves the
/// variance of signals from layer to layer. K. He, X. Zhang, S. Ren, J. Sun, "Delving deep into rectifiers", ICCV 2015.
/// Throws std::invalid_argument if fan_in is 0.
template <training::fillable Range>
void he_normal(Range&& weights, std::size_t fan_in, generator& random) {
    using T = std::ranges::range_value_t<Range>;
    random.fill_normal(weights, T(0), static_cast<T>(training::initial_scale("he_normal", 2, fan_in)));
}
/// The same variance with the uniform distribution between -sqrt(6 / fan_in) and sqrt(6 / fan_in).
template <training::fillable Range>
void he_uniform(Range&& weights, std::size_t fan_in, generator& random) {
    const auto bound = static_cast<std::ranges::range_value_t<Range>>(training::initial_scale("he_uniform", 6, fan_in));
    random.fill_uniform(weights, -bound, bound);
}

/// Fills initial weights of a layer that is followed by tanh, a sigmoid or nothing: normal with variance 2 / (fan_in +
/// fan_out). X. Glorot, Y. Bengio, "Understanding the difficulty of training deep feedforward neural networks", AISTATS
/// 2010. Throws std::invalid_argument if both are 0.
template <training::fillable Range>
void xavier_normal(Range&& weights, std::size_t fan_in, std::size_t fan_out, generator& random) {
    using T = std::ranges::range_value_t<Range>;
    random.fill_normal(weights, T(0), static_cast<T>(training::initial_scale("xavier_normal", 2, fan_in, fan_out)));
}
/// The same variance with the uniform distribution between -sqrt(6 / (fan_in + fan_out)) and sqrt(6 / (fan_in +
/// fan_out)).
template <training::fillable Range>
void xavier_uniform(Range&& weights, std::size_t fan_in, std::size_t fan_out, generator& random) {
    const auto bound =
        static_cast<std::ranges::range_value_t<Range>>(training::initial_scale("xavier_uniform", 6, fan_in, fan_out));
    random.fill_uniform(weights, -bound, bound);
}

} // namespace chainrule::tensor

#include <chainrule/core/names_end.inc>
