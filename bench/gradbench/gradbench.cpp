// SPDX-License-Identifier: BSL-1.0
//
// GradBench's evals: times of derivatives by the tape, by a replayed recording, by kernels and by hand-written code.
// Contestants alternate, and answers are compared first. Prints the time of the hand-written code and the others' times
// as ratios to it; --quick: small sizes, one round.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "contestants.hpp"

namespace {

using namespace gradbench;

bool quick = false;

/// Nanoseconds of the processor, which other programs disturb less than those of a clock.
double once(const answering& contestant, numbers& to, int times) {
    const std::clock_t begin = std::clock();
    for (int i = 0; i < times; ++i) contestant(to);
    const auto ticks = static_cast<double>(std::max<std::clock_t>(1, std::clock() - begin));
    return ticks * (1e9 / CLOCKS_PER_SEC) / times;
}

/// Relative to each number, or to a thousandth of the greatest.
bool differ(const numbers& a, const numbers& b) {
    double greatest = 0.0;
    for (const double x : a) greatest = std::max(greatest, std::abs(x));
    bool wrong = a.size() != b.size();
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        wrong = wrong || !(std::abs(a[i] - b[i]) <= 1e-9 * (1e-3 * greatest + std::abs(a[i])));
    return wrong;
}

/// The median times of contestants that take turns.
std::vector<double> medians(const std::vector<answering>& contestants, numbers& to) {
    double longest = 0.0;
    for (const answering& contestant : contestants) longest = std::max(longest, once(contestant, to, 1));
    const int rounds = quick ? 1 : std::clamp(static_cast<int>(1e9 / longest), 5, 41);
    std::vector<std::vector<double>> times(contestants.size());
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < contestants.size(); ++i) {
            const double one = round == 0 ? once(contestants[i], to, quick ? 1 : 3) : times[i].front();
            times[i].push_back(once(contestants[i], to, quick ? 1 : std::max(1, static_cast<int>(3e6 / one))));
        }
    std::vector<double> result;
    for (auto& all : times) {
        std::nth_element(all.begin(), all.begin() + rounds / 2, all.end());
        result.push_back(all[static_cast<std::size_t>(rounds / 2)]);
    }
    return result;
}

template <class Eval>
void measure(const std::string& size, const Eval& eval) {
    const std::optional<answering> entered[]{by_hand(eval), by_tape(eval), by_replay(eval), by_kernel(eval)};
    std::vector<answering> contestants;
    numbers expected, found;
    (*entered[0])(expected);
    for (const auto& contestant : entered) {
        if (!contestant) continue;
        contestants.push_back(*contestant);
        contestants.back()(found);
        if (!differ(expected, found)) continue;
        std::fprintf(stderr, "%s %s: the answers of contestant %zu differ\n", Eval::name, size.c_str(),
                     contestants.size());
        std::exit(1);
    }
    const std::vector<double> times = medians(contestants, found);
    std::printf("%-24s%14.0f ns", (std::string(Eval::name) + ' ' + size).c_str(), times[0]);
    std::size_t place = 1;
    for (std::size_t i = 1; i < std::size(entered); ++i)
        if (entered[i])
            std::printf("%10.3f", times[place++] / times[0]);
        else
            std::printf("%10s", "-");
    std::printf("\n");
    std::fflush(stdout);
}

} // namespace

int main(int count, char** arguments) {
    quick = count > 1 && std::string(arguments[1]) == "--quick";
    std::printf("Columns: by hand; in units of that the tape, replay, a kernel or a sum\n");
    using sizes = std::vector<std::size_t>;
    for (const std::size_t n : quick ? sizes{16} : sizes{16, 256, 4096}) measure(std::to_string(n), llsq::of_size(n));
    for (const std::size_t n : quick ? sizes{100} : sizes{2500, 40000}) measure(std::to_string(n), lse::of_size(n));
    for (const std::size_t n : quick ? sizes{4} : sizes{5, 6, 7, 8, 9}) measure(std::to_string(n), det::of_size(n));
    for (const std::size_t k : quick ? sizes{3} : sizes{10, 100})
        measure(std::to_string(k) + " of 1000 x 8", kmeans::of_size(quick ? 30 : 1000, k, 8));
    measure("8 x 1000 steps", ode::of_size(8, quick ? 10 : 1000));
    measure("1000 x 10 steps", ode::of_size(quick ? 20 : 1000, 10));
    for (const std::size_t l : quick ? sizes{2} : sizes{2, 4})
        measure(std::to_string(l) + " layers", lstm::of_size(l, quick ? 8 : 1024));
    measure("d 2, k 5", gmm::of_size(2, quick ? 3 : 5));
    if (!quick) measure("d 10, k 25", gmm::of_size(10, 25));
    for (const std::size_t n : quick ? sizes{20} : sizes{100, 1600, 25600}) {
        measure(std::to_string(n) + " simple", ht::of_size(quick ? 50 : 544, n, false));
        measure(std::to_string(n) + " complicated", ht::of_size(quick ? 50 : 544, n, true));
    }
    measure("", hello::at(3.0));
    measure("", particle::of_start(0.0));
    measure("", saddle::of_start(1.0, 1.0));
    measure("49 cameras", ba::of_size(quick ? 2 : 49, quick ? 3 : 7776, quick ? 20 : 31843));
}
