// SPDX-License-Identifier: BSL-1.0
//
// How long does a training step of a small network take, by hand around OpenBLAS and with libraries? One thread. A
// network is measured once all contestants have the same loss at steps 1 and 21; they take turns, slice by slice in one
// process, each slice from the same weights, and ratios are within a round.
//
//   networks                 everything
//   networks --quick         a few short slices: does it run, do all agree?
//   networks --only NAME     networks, or else contestants, with NAME in their name
#include "contestant.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <optional>
#include <random>
#include <string_view>

namespace bench {

#define CONTESTANT(name) contestant name();
#include "contestants.inc" // written by CMakeLists.txt: those found, OpenBLAS by hand first
#undef CONTESTANT

namespace {

network network_of(const char* name, std::vector<std::size_t> widths, std::size_t batch, loss minimised, float rate) {
    network n{name, std::move(widths), batch, minimised, rate, {}, {}, {}, {}};
    std::mt19937 dice(7);
    std::uniform_real_distribution<float> any(0.0f, 1.0f);
    std::normal_distribution<float> normal;
    n.inputs.resize(batch * n.widths.front());
    for (float& x : n.inputs) x = any(dice);
    for (std::size_t b = 0; b < batch; ++b)
        n.labels.push_back(minimised == loss::hinge ? (dice() % 2 == 0 ? -1 : 1)
                                                    : static_cast<int>(dice() % n.widths.back()));
    for (std::size_t k = 0; k + 1 < n.widths.size(); ++k) {
        const float deviation = std::sqrt(2.0f / static_cast<float>(n.widths[k]));
        n.weights.emplace_back(n.widths[k] * n.widths[k + 1]);
        for (float& w : n.weights.back()) w = deviation * normal(dice);
        n.biases.emplace_back(n.widths[k + 1]);
        for (float& b : n.biases.back()) b = 0.1f * normal(dice);
    }
    return n;
}

constexpr float tolerance = 1e-6f;

/// Whether the losses at steps 1 and 21 are those of the first contestant.
bool all_agree(const network& asked, const std::vector<contestant>& all,
               const std::vector<std::unique_ptr<training>>& ready) {
    bool agree = true;
    float expected[2] = {};
    for (std::size_t c = 0; c < all.size(); ++c) {
        ready[c]->begin();
        float found[2] = {ready[c]->step(), 0.0f};
        for (int step = 2; step <= 21; ++step) found[1] = ready[c]->step();
        if (c == 0) std::copy_n(found, 2, expected);
        for (int i = 0; i < 2; ++i) {
            const float difference = std::abs(found[i] - expected[i]);
            if (difference <= tolerance * std::max(1.0f, expected[i])) continue;
            std::fprintf(stderr, "%s, %s: the loss at step %d is %.8g, by hand %.8g\n", asked.name.c_str(), all[c].name,
                         i == 0 ? 1 : 21, static_cast<double>(found[i]), static_cast<double>(expected[i]));
            agree = false;
        }
    }
    if (agree)
        std::printf("\n%s: loss %.7g at step 1, %.7g at step 21\n", asked.name.c_str(),
                    static_cast<double>(expected[0]), static_cast<double>(expected[1]));
    return agree;
}

double microseconds(training& trained, long steps) {
    trained.begin();
    timespec start, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    for (long step = 0; step < steps; ++step) (void)trained.step();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    const double seconds =
        static_cast<double>(end.tv_sec - start.tv_sec) + 1e-9 * static_cast<double>(end.tv_nsec - start.tv_nsec);
    return 1e6 * seconds / static_cast<double>(steps);
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
    double slice = 20e3; // microseconds
};

void measure(const std::vector<contestant>& all, const std::vector<std::unique_ptr<training>>& ready,
             const effort& spent) {
    std::vector<long> steps;
    for (const auto& each : ready) {
        (void)microseconds(*each, 1);
        long count = 1;
        while (microseconds(*each, count) * static_cast<double>(count) < 0.2 * spent.slice) count *= 2;
        steps.push_back(std::max(1L, std::lround(spent.slice / microseconds(*each, count))));
    }
    std::vector<std::vector<double>> times(all.size());
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::minstd_rand dice;
    for (int round = 0; round < spent.rounds; ++round) {
        std::shuffle(order.begin(), order.end(), dice);
        for (const std::size_t c : order) times[c].push_back(microseconds(*ready[c], steps[c]));
    }
    for (std::size_t c = 0; c < all.size(); ++c) {
        std::vector<double> ratios;
        for (std::size_t round = 0; round < times[c].size(); ++round)
            ratios.push_back(times[c][round] / times[0][round]);
        std::printf("    %-24s%15.3f%10.3f%10.3f%10.3f\n", all[c].name, quantile(times[c], 0.5), quantile(ratios, 0.5),
                    quantile(ratios, 0.25), quantile(ratios, 0.75));
    }
    std::fflush(stdout);
}

int compare(const effort& spent, const std::optional<std::string>& only) {
    std::vector<contestant> all = {
#define CONTESTANT(name) name(),
#include "contestants.inc"
#undef CONTESTANT
    };
    std::vector<network> asked;
    asked.push_back(network_of("784-512-256-10, batch 128", {784, 512, 256, 10}, 128, loss::cross_entropy, 0.01f));
    asked.push_back(network_of("784-128-10, batch 32", {784, 128, 10}, 32, loss::cross_entropy, 0.01f));
    asked.push_back(network_of("2-16-16-1, batch 100", {2, 16, 16, 1}, 100, loss::hinge, 0.01f));
    asked.push_back(network_of("4-8-2, batch 1", {4, 8, 2}, 1, loss::cross_entropy, 0.01f));
    if (only) {
        const auto is_not_meant = [&](const auto& each) {
            return std::string_view(each.name).find(*only) == std::string_view::npos;
        };
        if (!std::all_of(asked.begin(), asked.end(), is_not_meant))
            asked.erase(std::remove_if(asked.begin(), asked.end(), is_not_meant), asked.end());
        else
            all.erase(std::remove_if(all.begin() + 1, all.end(), is_not_meant), all.end());
        if (all.size() == 1) {
            std::fprintf(stderr, "networks --only: neither a network nor a contestant has '%s' in its name\n",
                         only->c_str());
            return EXIT_FAILURE;
        }
    }
    std::printf("%-28s%15s%10s%20s\n", "", "median, us", "ratio", "its quartiles");
    for (const network& each : asked) {
        std::vector<contestant> taking_part;
        std::vector<std::unique_ptr<training>> ready;
        for (const contestant& c : all)
            if (auto t = c.train(each)) {
                taking_part.push_back(c);
                ready.push_back(std::move(t));
            }
        if (!all_agree(each, taking_part, ready)) return EXIT_FAILURE;
        measure(taking_part, ready, spent);
    }
    return EXIT_SUCCESS;
}

} // namespace
} // namespace bench

int main(int count, char** arguments) {
    bench::effort spent;
    std::optional<std::string> only;
    for (int i = 1; i < count; ++i) {
        const std::string_view argument = arguments[i];
        if (argument == "--quick") {
            spent = {3, 1e3};
        } else if (argument == "--only" && i + 1 < count) {
            only = arguments[++i];
        } else {
            std::fprintf(stderr, "networks: '%s' is not understood; usage: networks [--quick] [--only NAME]\n",
                         arguments[i]);
            return EXIT_FAILURE;
        }
    }
    return bench::compare(spent, only);
}
