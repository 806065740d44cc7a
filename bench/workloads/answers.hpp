// SPDX-License-Identifier: BSL-1.0
//
// The answers of a workload, derived and hand-written, through two functions with the same signature, neither of them
// inlined into the loop that measures it; and the comparison that must succeed before any measurement.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "results.hpp"

namespace workloads {

template <class Workload>
using point_of = std::remove_cvref_t<decltype(Workload::at)>;

template <class Workload>
using function_of = decltype(Workload::function(typename Workload::data{}));

template <class Workload>
using answer_by_hand = decltype(Workload::by_hand(typename Workload::data{}, Workload::at));

template <class Workload>
[[gnu::noinline]] auto derived(const function_of<Workload>& function, const point_of<Workload>& point) {
    if constexpr (requires(answer_by_hand<Workload> answer) { answer.jacobian; })
        return function.value_and_jacobian(point);
    else
        return function.value_and_gradient(point);
}

template <class Workload>
[[gnu::noinline, gnu::flatten]] answer_by_hand<Workload> hand_written(const typename Workload::data& data,
                                                                      const point_of<Workload>& point) {
    return Workload::by_hand(data, point);
}

/// Makes the compiler forget what it knows of an object, and believe that it is used.
template <class T>
void forget(T& object) {
    asm volatile("" : : "r"(&object) : "memory");
}

inline void append(std::vector<double>& all, double number) { all.push_back(number); }
void append(std::vector<double>& all, const auto& numbers) {
    for (const auto& each : numbers) append(all, each);
}

/// Value and derivatives in one row: all numbers of an answer, whatever its type.
std::vector<double> all_numbers(const auto& answer) {
    const auto& [value, derivatives] = answer;
    std::vector<double> all;
    append(all, value);
    append(all, derivatives);
    return all;
}

/// The largest relative difference between derived and hand-written, each number by itself; infinite if one is not
/// finite.
template <class Workload>
double largest_difference() {
    const typename Workload::data data{};
    const auto ours = all_numbers(derived<Workload>(Workload::function(data), Workload::at));
    const auto theirs = all_numbers(hand_written<Workload>(data, Workload::at));
    double largest = ours.size() == theirs.size() ? 0.0 : std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
        if (ours[i] == theirs[i]) continue;
        const double difference = std::abs(ours[i] - theirs[i]) / std::max(std::abs(ours[i]), std::abs(theirs[i]));
        largest = std::isfinite(difference) ? std::max(largest, difference) : std::numeric_limits<double>::infinity();
    }
    return largest;
}

inline constexpr double tolerance = 1e-12;

} // namespace workloads
