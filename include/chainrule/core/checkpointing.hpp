// SPDX-License-Identifier: BSL-1.0
//
// The binomial schedule of snapshots for loops that are reversed in little memory, in numbers of steps: A. Griewank and
// A. Walther, "Algorithm 799: revolve", ACM Transactions on Mathematical Software 26 (2000), 19-45. A loop is reversed
// from a snapshot of its initial state by advancing, storing another snapshot, and recursively reversing first the part
// after it and then the part before it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <numeric>

namespace chainrule::core::checkpointing {

/// The maximal number of steps that can be reversed with that many snapshots if each step is repeated at most
/// `repetitions` times: the binomial coefficient of snapshots + repetitions over snapshots, or the largest std::size_t.
[[nodiscard]] constexpr std::size_t longest_loop(std::size_t snapshots, std::size_t repetitions) {
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
    const auto [smaller, larger] = std::minmax(snapshots, repetitions);
    std::size_t result = 1; // the coefficient of larger + k over k
    for (std::size_t k = 1; k <= smaller; ++k) {
        if (larger > most - k) return most;
        const std::size_t common = std::gcd(result, k);
        const std::size_t factor = (larger + k) / (k / common);
        if (result / common > most / factor) return most;
        result = result / common * factor;
    }
    return result;
}

/// The smallest sufficient number of repetitions of each step.
[[nodiscard]] constexpr std::size_t fewest_repetitions(std::size_t steps, std::size_t snapshots) {
    std::size_t repetitions = 0, longest = 1;
    while (longest < steps) longest = longest_loop(snapshots, ++repetitions);
    return repetitions;
}

/// The minimal number of steps to advance while a loop is reversed, not counting the reversed steps themselves:
/// repetitions * steps - longest_loop(snapshots + 1, repetitions - 1), Griewank and Walther's equation for t(l, c).
[[nodiscard]] constexpr std::size_t fewest_advances(std::size_t steps, std::size_t snapshots) {
    const std::size_t repetitions = fewest_repetitions(steps, snapshots);
    return repetitions == 0 ? 0 : repetitions * steps - longest_loop(snapshots + 1, repetitions - 1);
}

/// The position of the next snapshot: how many of `steps` steps to advance from a snapshot, which counts towards
/// `snapshots`. If a single step remains, it is reversed without a snapshot. Requires at least two steps and one
/// snapshot.
[[nodiscard]] constexpr std::size_t next_snapshot(std::size_t steps, std::size_t snapshots) {
    // The part before may use one repetition less, the part after one snapshot less. The last of all such positions.
    const std::size_t repetitions = fewest_repetitions(steps, snapshots);
    return std::min(longest_loop(snapshots, repetitions - 1), steps - longest_loop(snapshots - 1, repetitions - 1));
}

/// The number of binary digits of the step count: memory grows logarithmically, and there are fewer repetitions than
/// snapshots.
[[nodiscard]] constexpr std::size_t usual_snapshots(std::size_t steps) {
    return static_cast<std::size_t>(std::bit_width(steps));
}

} // namespace chainrule::core::checkpointing
