// SPDX-License-Identifier: BSL-1.0
//
// How are contestants timed fairly on a busy machine? They take turns, slice by slice in one process and in random
// order, and a ratio is that of two slices of one round. peers/peers.cpp and tensor/networks.cpp measure like this.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// How much is measured: rounds of one slice per contestant, in seconds of processor time.
struct effort {
    int rounds = 51;
    double slice = 20e-3;
};

/// What a comparison was asked to do: everything, or with --quick a few short slices, or with --only NAME what has NAME
/// in its name.
struct request {
    effort spent;
    std::optional<std::string> only;

    [[nodiscard]] bool names(std::string_view name) const { return !only || name.find(*only) != name.npos; }
};

/// Reads a command line; says what it does not understand and gives nothing then.
inline std::optional<request> read_request(const char* program, int count, char** arguments) {
    request asked;
    for (int i = 1; i < count; ++i) {
        const std::string_view argument = arguments[i];
        if (argument == "--quick") {
            asked.spent = {3, 1e-3};
        } else if (argument == "--only" && i + 1 < count) {
            asked.only = arguments[++i];
        } else {
            std::fprintf(stderr, "%s: '%s' is not understood; usage: %s [--quick] [--only NAME]\n", program,
                         arguments[i], program);
            return std::nullopt;
        }
    }
    return asked;
}

/// The seconds of processor time that `work` takes.
template <class Work>
double seconds_of(Work work) {
    timespec start, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    work();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    return static_cast<double>(end.tv_sec - start.tv_sec) + 1e-9 * static_cast<double>(end.tv_nsec - start.tv_nsec);
}

/// The number below which this part of all lies.
inline double quantile(std::vector<double> numbers, double part) {
    std::sort(numbers.begin(), numbers.end());
    const double position = part * static_cast<double>(numbers.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, numbers.size() - 1);
    return std::lerp(numbers[below], numbers[above], position - static_cast<double>(below));
}

/// The seconds per call of each contestant in each round. run(c, n) makes contestant c do n calls and returns the
/// seconds that all of them took.
template <class Run>
std::vector<std::vector<double>> take_turns(std::size_t contestants, const effort& spent, Run run) {
    std::vector<long> calls;
    for (std::size_t c = 0; c < contestants; ++c) {
        (void)run(c, 1L);
        long count = 1;
        double taken = run(c, count);
        while (taken < 0.2 * spent.slice) taken = run(c, count *= 2);
        calls.push_back(std::max(1L, std::lround(static_cast<double>(count) * spent.slice / taken)));
    }
    std::vector<std::vector<double>> times(contestants);
    std::vector<std::size_t> order(contestants);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::minstd_rand dice;
    for (int round = 0; round < spent.rounds; ++round) {
        std::shuffle(order.begin(), order.end(), dice);
        for (const std::size_t c : order) times[c].push_back(run(c, calls[c]) / static_cast<double>(calls[c]));
    }
    return times;
}

/// The head of the table that print_times() writes; the unit is "ns" or "us".
inline void print_head(const char* unit) {
    std::printf("%-28s%12s, %s%10s%20s\n", "", "median", unit, "ratio", "its quartiles");
}

/// One line per contestant: the median in units of `unit` seconds, and the ratios to the first contestant.
template <class Contestants>
void print_times(const Contestants& all, const std::vector<std::vector<double>>& times, double unit) {
    for (std::size_t c = 0; c < all.size(); ++c) {
        std::vector<double> ratios;
        for (std::size_t round = 0; round < times[c].size(); ++round)
            ratios.push_back(times[c][round] / times[0][round]);
        std::printf("    %-24s%15.3f%10.3f%10.3f%10.3f\n", all[c].name, quantile(times[c], 0.5) / unit,
                    quantile(ratios, 0.5), quantile(ratios, 0.25), quantile(ratios, 0.75));
    }
    std::fflush(stdout);
}

} // namespace bench
