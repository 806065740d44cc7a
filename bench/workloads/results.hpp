// SPDX-License-Identifier: BSL-1.0
//
// The form of a workload. Each of the headers beside this one has a struct with
//   at                     the point at which everything is measured
//   data                   what is known only at run time and is not an input (empty for most)
//   function(data)         the workload in chainrule's public names; a few have only the next, or both
//   ordinary(data, x)      the workload as C++ that users write anyway, a template of the number type T: const T* to T
//                          or to an array of them
//   by_hand(data, point)   value and derivatives as an expert writes them who wants to win: subexpressions and
//                          reciprocals shared, constants folded, adjoints accumulated in reverse, results in locals
// answers.hpp compares the results of function and by_hand; bench/peers runs ordinary on the numbers of other
// libraries.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace workloads {

template <std::size_t Inputs>
using point = std::array<double, Inputs>;

template <std::size_t Inputs, class T = double>
struct value_and_gradient {
    T value;
    std::array<T, Inputs> gradient;
};

template <std::size_t Outputs, std::size_t Inputs, class T = double>
struct values_and_jacobian {
    std::array<T, Outputs> values;
    std::array<std::array<T, Inputs>, Outputs> jacobian;
};

struct no_data {};

/// Where function and ordinary have one formula, this is its T for function: an intermediate result has whatever type
/// its expression has.
struct expressions {};

/// An intermediate result: of the number type T, which the temporary that an operation gives need not be. As if T stood
/// before its name: inlined.
template <class T, class Result>
[[gnu::always_inline]] constexpr auto kept(Result&& result) {
    if constexpr (std::is_same_v<T, expressions>)
        return result;
    else
        return T(std::forward<Result>(result));
}

/// Numbers between two bounds, the same in each run and on each machine.
class seeded {
public:
    constexpr explicit seeded(std::uint64_t seed) : state_(seed) {}

    constexpr double between(double low, double high) {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return low + (high - low) * static_cast<double>(state_ >> 33) / 2147483648.0;
    }

private:
    std::uint64_t state_;
};

#if defined(WORKLOADS_VECTORISED)
// Names that g++ does not merge to one call of sincos, which has no vector form for results in variables.
extern "C" {
[[gnu::simd("notinbranch"), gnu::const]] double sine_alone(double) noexcept __asm__("sin");
[[gnu::simd("notinbranch"), gnu::const]] double cosine_alone(double) noexcept __asm__("cos");
}
#endif

/// Both from one call: g++ fuses sin and cos of one argument by itself, clang does not.
inline void sine_and_cosine(double angle, double& sine, double& cosine) {
#if defined(WORKLOADS_VECTORISED)
    sine = sine_alone(angle);
    cosine = cosine_alone(angle);
#elif defined(__GLIBC__)
    ::sincos(angle, &sine, &cosine);
#else
    sine = std::sin(angle);
    cosine = std::cos(angle);
#endif
}

} // namespace workloads
