// SPDX-License-Identifier: BSL-1.0
//
// How long does a gradient take with other libraries, how long one written by hand? Every library records the computation
// anew at each evaluation, as a program has to whose branches depend on the numbers. A workload is measured once all its
// answers agree; the contestants take turns, slice by slice in one process, and ratios are within a round.
//
//   peers                 everything
//   peers --quick         a few short slices: does it run, do all agree?
//   peers --only NAME     workloads, or else contestants, with NAME in their name
#include "../alternation.hpp"
#include "contestant.hpp"

#include <limits>

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

int compare(const bench::request& comparison) {
    std::vector<contestant> all = {
#define CONTESTANT(name) name(),
#include "contestants.inc"
#undef CONTESTANT
    };
    const auto asked = workloads_in_order();
    std::vector<std::size_t> which;
    for (std::size_t w = 0; w < asked.size(); ++w)
        if (comparison.names(asked[w].name)) which.push_back(w);
    if (which.empty()) {
        const auto is_not_asked = [&](const contestant& each) { return !comparison.names(each.name); };
        all.erase(std::remove_if(all.begin() + 1, all.end(), is_not_asked), all.end());
        if (all.size() == 1) {
            std::fprintf(stderr, "peers --only: neither a workload nor a contestant has '%s' in its name\n",
                         comparison.only->c_str());
            return EXIT_FAILURE;
        }
        which.resize(asked.size());
        std::iota(which.begin(), which.end(), std::size_t{0});
    }

    bench::print_head("ns");
    for (const std::size_t w : which) {
        // Not all workloads first: what ADOL-C recorded in the largest would slow it down in the smallest. And once more
        // afterwards: no answer may depend on what was recorded before.
        std::vector<contestant> taking_part;
        for (const contestant& each : all)
            if (each.answers[w] != nullptr) taking_part.push_back(each);
        if (!all_agree(asked[w], w, taking_part)) return EXIT_FAILURE;
        std::vector<double> numbers(asked[w].outputs * (asked[w].inputs + 1));
        const auto call = [&](std::size_t c, long calls) {
            const function called = taking_part[c].answers[w];
            const double* point = asked[w].point.data();
            return bench::seconds_of([&] {
                for (long i = 0; i < calls; ++i) {
                    asm volatile("" : "+r"(point) : : "memory");
                    called(point, numbers.data());
                    asm volatile("" : : "r"(numbers.data()) : "memory");
                }
            });
        };
        const auto times = bench::take_turns(taking_part.size(), comparison.spent, call);
        std::printf("\n%s\n", asked[w].name.data());
        bench::print_times(taking_part, times, 1e-9);
        if (!all_agree(asked[w], w, taking_part)) return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

}  // namespace
}  // namespace peers

int main(int count, char** arguments) {
    const auto comparison = bench::read_request("peers", count, arguments);
    return comparison ? peers::compare(*comparison) : EXIT_FAILURE;
}
