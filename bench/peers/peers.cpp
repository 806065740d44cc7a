// SPDX-License-Identifier: BSL-1.0
//
// How long does a gradient take with other libraries, how long one written by hand? Every library records the computation
// anew at each evaluation, as a program has to whose branches depend on the numbers. A workload is measured once all its
// answers agree; the contestants take turns, slice by slice in one process, and ratios are within a round.
//
//   peers                 everything
//   peers --quick         a few short slices: does it run, do all agree?
//   peers --only NAME     workloads, or else contestants, with NAME in their name
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "contestant.hpp"

namespace peers {

#define CONTESTANT(name) contestant name();
#include "contestants.inc"  // written by CMakeLists.txt: those found, by_hand first
#undef CONTESTANT

namespace {

struct workload {
    std::string_view name;
    std::vector<double> point;
    std::size_t outputs, inputs;
};

std::vector<workload> workloads_in_order() {
    return []<class... Workload>(std::type_identity<std::tuple<Workload...>>) {
        return std::vector<workload>{
            {Workload::name, {Workload::at.begin(), Workload::at.end()}, outputs<Workload>, inputs<Workload>}...};
    }(std::type_identity<all_workloads>{});
}

std::vector<double> answer(const workload& asked, function by) {
    std::vector<double> numbers(asked.outputs * (asked.inputs + 1), std::numeric_limits<double>::quiet_NaN());
    by(asked.point.data(), numbers.data());
    return numbers;
}

/// The largest difference, each number by itself: relative to it, or, where it is what cancellation left, to a hundredth of
/// the largest in its row.
double largest_difference(const workload& asked, const std::vector<double>& theirs, const std::vector<double>& by_hand) {
    double largest = 0.0;
    const auto compare = [&](std::size_t begin, std::size_t end) {
        double scale = 0.0;
        for (std::size_t i = begin; i < end; ++i) scale = std::max(scale, std::abs(by_hand[i]));
        for (std::size_t i = begin; i < end; ++i) {
            if (theirs[i] == by_hand[i]) continue;
            const double difference = std::abs(theirs[i] - by_hand[i]) / std::max(std::abs(by_hand[i]), 0.01 * scale);
            largest = std::isfinite(difference) ? std::max(largest, difference) : std::numeric_limits<double>::infinity();
        }
    };
    for (std::size_t j = 0; j < asked.outputs; ++j) {
        compare(j, j + 1);
        compare(asked.outputs + j * asked.inputs, asked.outputs + (j + 1) * asked.inputs);
    }
    return largest;
}

constexpr double tolerance = 5e-13;

bool all_agree(const workload& asked, std::size_t w, const std::vector<contestant>& all) {
    bool agree = true;
    const auto by_hand = answer(asked, all.front().answers[w]);
    for (const auto& each : all) {
        const double difference = largest_difference(asked, answer(asked, each.answers[w]), by_hand);
        if (difference <= tolerance) continue;
        std::fprintf(stderr, "%s, %s: differs from the hand-written answer by %.1e\n", asked.name.data(), each.name,
                     difference);
        agree = false;
    }
    return agree;
}

/// Nanoseconds of processor time for one call, over this many calls.
double nanoseconds(function called, const workload& asked, std::vector<double>& numbers, long calls) {
    const double* point = asked.point.data();
    const std::clock_t start = std::clock();
    for (long call = 0; call < calls; ++call) {
        asm volatile("" : "+r"(point) : : "memory");
        called(point, numbers.data());
        asm volatile("" : : "r"(numbers.data()) : "memory");
    }
    return static_cast<double>(std::clock() - start) * (1e9 / CLOCKS_PER_SEC) / static_cast<double>(calls);
}

/// The number below which this part of all lies.
double quantile(std::vector<double> numbers, double part) {
    std::sort(numbers.begin(), numbers.end());
    const double position = part * static_cast<double>(numbers.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, numbers.size() - 1);
    return std::lerp(numbers[below], numbers[above], position - static_cast<double>(below));
}

struct effort {
    int rounds = 51;
    double slice = 20e6;  // nanoseconds
};

void measure(const workload& asked, std::size_t w, const std::vector<contestant>& all, const effort& spent) {
    std::vector<double> numbers(asked.outputs * (asked.inputs + 1));
    std::vector<long> calls;
    for (const auto& each : all) {
        long count = 1;
        double taken = 0.0;
        for (; taken < 0.2 * spent.slice; count *= 2)
            taken = nanoseconds(each.answers[w], asked, numbers, count) * static_cast<double>(count);
        calls.push_back(std::max(1L, std::lround(static_cast<double>(count) / 2.0 * spent.slice / taken)));
    }

    std::vector<std::vector<double>> times(all.size());
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::minstd_rand dice;
    for (int round = 0; round < spent.rounds; ++round) {
        std::shuffle(order.begin(), order.end(), dice);
        for (const std::size_t c : order) times[c].push_back(nanoseconds(all[c].answers[w], asked, numbers, calls[c]));
    }

    std::printf("\n%s\n", asked.name.data());
    for (std::size_t c = 0; c < all.size(); ++c) {
        std::vector<double> ratios;
        for (std::size_t round = 0; round < times[c].size(); ++round) ratios.push_back(times[c][round] / times[0][round]);
        std::printf("    %-20s%15.1f%10.2f%10.2f%10.2f\n", all[c].name, quantile(times[c], 0.5), quantile(ratios, 0.5),
                    quantile(ratios, 0.25), quantile(ratios, 0.75));
    }
    std::fflush(stdout);
}

int compare(const effort& spent, const std::optional<std::string>& only) {
    const auto has_the_name = [&](std::string_view name) { return name.find(*only) != name.npos; };
    std::vector<contestant> all = {
#define CONTESTANT(name) name(),
#include "contestants.inc"
#undef CONTESTANT
    };
    const auto asked = workloads_in_order();
    std::vector<std::size_t> which;
    for (std::size_t w = 0; w < asked.size(); ++w)
        if (!only || has_the_name(asked[w].name)) which.push_back(w);
    if (which.empty()) {
        const auto is_not_asked = [&](const contestant& each) { return !has_the_name(each.name); };
        all.erase(std::remove_if(all.begin() + 1, all.end(), is_not_asked), all.end());
        if (all.size() == 1) {
            std::fprintf(stderr, "peers --only: neither a workload nor a contestant has '%s' in its name\n", only->c_str());
            return EXIT_FAILURE;
        }
        which.resize(asked.size());
        std::iota(which.begin(), which.end(), std::size_t{0});
    }

    std::printf("%-24s%15s%10s%20s\n", "", "median, ns", "ratio", "its quartiles");
    for (const std::size_t w : which) {
        // Not all workloads first: what ADOL-C recorded in the largest would slow it down in the smallest. And once more
        // afterwards: no answer may depend on what was recorded before.
        if (!all_agree(asked[w], w, all)) return EXIT_FAILURE;
        measure(asked[w], w, all, spent);
        if (!all_agree(asked[w], w, all)) return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

}  // namespace
}  // namespace peers

int main(int count, char** arguments) {
    peers::effort spent;
    std::optional<std::string> only;
    for (int i = 1; i < count; ++i) {
        const std::string_view argument = arguments[i];
        if (argument == "--quick") {
            spent = {3, 1e6};
        } else if (argument == "--only" && i + 1 < count) {
            only = arguments[++i];
        } else {
            std::fprintf(stderr, "peers: '%s' is not understood; usage: peers [--quick] [--only NAME]\n", arguments[i]);
            return EXIT_FAILURE;
        }
    }
    return peers::compare(spent, only);
}
