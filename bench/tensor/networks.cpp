// SPDX-License-Identifier: BSL-1.0
//
// How long does a training step of a small network take, by hand around OpenBLAS and with libraries? One thread. A
// network is measured once all contestants have the same loss at steps 1 and 21; they take turns, slice by slice in one
// process, each slice from the same weights, and ratios are within a round.
//
//   networks                 everything
//   networks --quick         a few short slices: does it run, do all agree?
//   networks --only NAME     networks, or else contestants, with NAME in their name
#include "../alternation.hpp"
#include "contestant.hpp"

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

int compare(const request& comparison) {
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
    const auto is_not_meant = [&](const auto& each) { return !comparison.names(each.name); };
    if (!std::all_of(asked.begin(), asked.end(), is_not_meant))
        asked.erase(std::remove_if(asked.begin(), asked.end(), is_not_meant), asked.end());
    else
        all.erase(std::remove_if(all.begin() + 1, all.end(), is_not_meant), all.end());
    if (all.size() == 1) {
        std::fprintf(stderr, "networks --only: neither a network nor a contestant has '%s' in its name\n",
                     comparison.only->c_str());
        return EXIT_FAILURE;
    }
    print_head("us");
    for (const network& each : asked) {
        std::vector<contestant> taking_part;
        std::vector<std::unique_ptr<training>> ready;
        for (const contestant& c : all)
            if (auto t = c.train(each)) {
                taking_part.push_back(c);
                ready.push_back(std::move(t));
            }
        if (!all_agree(each, taking_part, ready)) return EXIT_FAILURE;
        const auto train = [&](std::size_t c, long steps) {
            ready[c]->begin();
            return seconds_of([&] {
                for (long step = 0; step < steps; ++step) (void)ready[c]->step();
            });
        };
        print_times(taking_part, take_turns(taking_part.size(), comparison.spent, train), 1e-6);
    }
    return EXIT_SUCCESS;
}

} // namespace
} // namespace bench

int main(int count, char** arguments) {
    const auto comparison = bench::read_request("networks", count, arguments);
    return comparison ? bench::compare(*comparison) : EXIT_FAILURE;
}
