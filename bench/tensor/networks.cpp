// SPDX-License-Identifier: BSL-1.0
//
// Times of training steps of small networks, by hand around OpenBLAS and with libraries, on one thread. One row for
// each network, one benchmark for each contestant, whose answer is its losses at steps 1 and 21. Each is timed from the
// same weights.
#include "contestant.hpp"

#include "../comparison.hpp"

#include <random>

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

constexpr double tolerance_of_losses = 1e-6; // computed in float

void compare() {
    const std::vector<contestant> all = {
#define CONTESTANT(name) name(),
#include "contestants.inc"
#undef CONTESTANT
    };
    static const network networks[] = {
        network_of("784-512-256-10, batch 128", {784, 512, 256, 10}, 128, loss::cross_entropy, 0.01f),
        network_of("784-128-10, batch 32", {784, 128, 10}, 32, loss::cross_entropy, 0.01f),
        network_of("2-16-16-1, batch 100", {2, 16, 16, 1}, 100, loss::hinge, 0.01f),
        network_of("4-8-2, batch 1", {4, 8, 2}, 1, loss::cross_entropy, 0.01f),
    };
    for (const network& each : networks) {
        row losses(each.name, tolerance_of_losses);
        for (const contestant& c : all) {
            const std::shared_ptr<training> ready = c.train(each);
            if (ready == nullptr) continue;
            const auto ask = [ready] {
                ready->begin();
                answer found{{ready->step(), 0.0}, 2, 0};
                for (int step = 2; step <= 21; ++step) found.numbers[1] = ready->step();
                return found;
            };
            losses.add(c.name, ask, [ready](benchmark::State& state) {
                ready->begin();
                for (auto step : state) {
                    static_cast<void>(step);
                    benchmark::DoNotOptimize(ready->step());
                }
            });
        }
    }
}

} // namespace
} // namespace bench

int main(int count, char** arguments) {
    bench::compare();
    return bench::run(count, arguments);
}
