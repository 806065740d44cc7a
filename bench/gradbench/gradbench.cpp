// SPDX-License-Identifier: BSL-1.0
//
// GradBench's evals: times of derivatives by the tape, by a replayed recording, by kernels, by the other libraries in
// peers/ and by hand-written code. Contestants alternate, and answers are compared before and after.
//
//   gradbench [--quick]                 prints of each row the hand-written code's time and the others' ratios to it
//   gradbench [--quick] --list          prints the names of the rows
//   gradbench [--quick] --times ROW     prints all times of a row in seconds as JSON, for report/measure.py
//
// --quick: small sizes, one round.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "contestants.hpp"
#include "peers/peer.hpp"

namespace gradbench {

#define PEER(name) peer name();
#include "gradbench_peers.inc" // written by CMakeLists.txt: those found
#undef PEER

namespace {

const std::vector<peer> peers{
#define PEER(name) name(),
#include "gradbench_peers.inc"
#undef PEER
};

/// A round of a contestant takes this long or one call. There are so many rounds that those of the slowest take about a
/// second, but at least five; a contestant that would need twenty seconds for these takes no part.
constexpr double round_seconds = 3e-3, row_seconds = 1.0, most_seconds = 20.0;
constexpr int fewest_rounds = 5, most_rounds = 41;

struct contestant {
    std::string name;
    answering answer;
    double one_call = 0.0;     // seconds
    std::vector<double> times; // of a call, in each round
};

/// Seconds of the processor, which other programs disturb less than those of a clock.
double once(const contestant& its, numbers& to, int times) {
    const std::clock_t begin = std::clock();
    for (int i = 0; i < times; ++i) its.answer(to);
    const auto ticks = static_cast<double>(std::max<std::clock_t>(1, std::clock() - begin));
    return ticks / CLOCKS_PER_SEC / times;
}

/// Relative to each number, or to a thousandth of the greatest, or of what cancels.
bool differ(const numbers& a, const numbers& b, double greatest) {
    for (const double x : a) greatest = std::max(greatest, std::abs(x));
    bool wrong = a.size() != b.size();
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        wrong = wrong || !(std::abs(a[i] - b[i]) <= 1e-9 * (1e-3 * greatest + std::abs(a[i])));
    return wrong;
}

double median(std::vector<double> times) {
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

/// The contestants in an eval, the hand-written code first.
template <class Eval>
std::vector<contestant> entered(const Eval& eval) {
    std::vector<contestant> all;
    const auto add = [&](const char* name, std::optional<answering> answer) {
        if (answer) all.push_back({name, *std::move(answer), 0.0, {}});
    };
    add("by hand", by_hand(eval));
    add("chainrule tape", by_tape(eval));
    add("chainrule tape, recorded once", by_replay(eval));
    add("chainrule compile-time", by_kernel(eval));
    if constexpr (!is_descent<Eval>)
        for (const peer& each : peers) add(each.name, std::get<entry_to<Eval>>(each.entries)(eval));
    return all;
}

/// Compares the answers of contestants, and times them in turns; leaves out those that are too slow.
void measure(const std::string& row, std::vector<contestant>& all, double cancels, bool quick) {
    numbers expected, found;
    all[0].answer(expected);
    // What another has left is no answer.
    const auto forget = [&found] { std::fill(found.begin(), found.end(), std::numeric_limits<double>::quiet_NaN()); };
    const auto check = [&](const contestant& its) {
        if (!differ(expected, found, cancels)) return;
        std::fprintf(stderr, "%s: the answer of %s differs\n", row.c_str(), its.name.c_str());
        std::exit(EXIT_FAILURE);
    };
    double longest = 0.0;
    for (contestant& its : all) {
        forget();
        its.answer(found);
        check(its);
        its.one_call = once(its, found, 1);
        if (its.one_call * fewest_rounds <= most_seconds) longest = std::max(longest, its.one_call);
    }
    std::erase_if(all, [](const contestant& its) { return its.one_call * fewest_rounds > most_seconds; });
    const int rounds = quick ? 1 : std::clamp(static_cast<int>(row_seconds / longest), fewest_rounds, most_rounds);
    std::mt19937 random(31337);
    std::vector<contestant*> turns;
    for (contestant& its : all) turns.push_back(&its);
    for (int round = 0; round < rounds; ++round) {
        std::shuffle(turns.begin(), turns.end(), random);
        for (contestant* its : turns) {
            // The clock ticks in microseconds: short calls are estimated by ever more of them.
            for (int some = 4; round == 0 && !quick && its->one_call * some < round_seconds; some *= 4)
                its->one_call = once(*its, found, some);
            const int calls = quick ? 1 : std::max(1, static_cast<int>(round_seconds / its->one_call));
            forget();
            its->times.push_back(once(*its, found, calls));
            check(*its);
        }
    }
}

/// A row: its contestants with their times.
struct row {
    std::string name;
    std::function<std::vector<contestant>(bool quick)> measured;
};

/// All rows. The eval of each is made when it is measured.
std::vector<row> all_rows(bool quick) {
    std::vector<row> rows;
    const auto add = [&rows](std::string size, auto make) {
        using eval_of_row = decltype(make());
        const std::string name = std::string(eval_of_row::name) + (size.empty() ? "" : ", " + size);
        rows.push_back({name, [name, make](bool is_quick) {
                            const auto eval = make();
                            std::vector<contestant> all = entered(eval);
                            double cancels = 0.0;
                            if constexpr (requires { eval.cancels; }) cancels = eval.cancels;
                            measure(name, all, cancels, is_quick);
                            for (contestant& its : all) its.answer = nullptr; // they refer to the eval
                            return all;
                        }});
    };
    const auto text = [](std::size_t number) { return std::to_string(number); };
    using sizes = std::vector<std::size_t>;
    using pairs = std::vector<std::pair<std::size_t, std::size_t>>;
    add("", [] { return hello::at(3.0); });
    for (const std::size_t n : quick ? sizes{16} : sizes{16, 256, 4096})
        add("n = " + text(n), [n] { return llsq::of_size(n); });
    for (const std::size_t n : quick ? sizes{100} : sizes{2'500, 40'000, 1'280'000})
        add("n = " + text(n), [n] { return lse::of_size(n); });
    for (const std::size_t n : quick ? sizes{4} : sizes{5, 6, 7, 8, 9})
        add("order " + text(n), [n] { return det::of_size(n); });
    for (const std::size_t k : quick ? sizes{3} : sizes{10, 100}) {
        const std::size_t n = quick ? 30 : 1000;
        add("k = " + text(k) + ", n = " + text(n) + ", d = 8", [n, k] { return kmeans::of_size(n, k, 8); });
    }
    for (const auto& [n, steps] : quick ? pairs{{8, 10}, {20, 10}} : pairs{{8, 1000}, {1000, 10}, {10'000, 10}})
        add("n = " + text(n) + ", " + text(steps) + " steps", [n, steps] { return ode::of_size(n, steps); });
    for (const auto& [l, c] : quick ? pairs{{2, 8}} : pairs{{2, 1024}, {4, 1024}, {6, 1024}, {2, 4096}})
        add("l = " + text(l) + ", c = " + text(c), [l, c] { return lstm::of_size(l, c); });
    for (const auto& [d, k] : quick ? pairs{{2, 3}} : pairs{{2, 5}, {10, 5}, {64, 5}, {10, 25}})
        add("d = " + text(d) + ", k = " + text(k), [d, k] { return gmm::of_size(d, k); });
    for (const std::size_t n : quick ? sizes{20} : sizes{100, 1600, 25'600})
        for (const bool is_complicated : {false, true})
            add(text(n) + " points" + (is_complicated ? " in triangles" : ""),
                [=] { return ht::of_size(quick ? 50 : 544, n, is_complicated); });
    add("", [] { return particle::of_start(0.0); });
    add("", [] { return saddle::of_start(1.0, 1.0); });
    const std::size_t cameras = quick ? 2 : 49, points = quick ? 3 : 7776, observations = quick ? 20 : 31'843;
    add(text(cameras) + " cameras, " + text(observations) + " observations",
        [=] { return ba::of_size(cameras, points, observations); });
    return rows;
}

void print_ratios(const std::string& name, const std::vector<contestant>& all) {
    const double by_hand = median(all[0].times);
    std::printf("%s: %.0f ns\n", name.c_str(), 1e9 * by_hand);
    for (std::size_t i = 1; i < all.size(); ++i)
        std::printf("%12.3f  %s\n", median(all[i].times) / by_hand, all[i].name.c_str());
    std::fflush(stdout);
}

/// In a process for each row: libraries keep memory, and ADOL-C takes longer if a recording before was large.
bool print_apart(const row& its, bool quick) {
    const pid_t child = fork();
    if (child == 0) {
        print_ratios(its.name, its.measured(quick));
        std::exit(EXIT_SUCCESS);
    }
    int status = EXIT_FAILURE;
    return waitpid(child, &status, 0) == child && status == EXIT_SUCCESS;
}

void print_times(const std::vector<contestant>& all) {
    for (const contestant& its : all) {
        std::printf("%s\"%s\": [", &its == &all[0] ? "{" : ",\n ", its.name.c_str());
        for (const double& time : its.times) std::printf("%s%.6g", &time == &its.times[0] ? "" : ", ", time);
        std::printf("]");
    }
    std::printf("}\n");
}

} // namespace
} // namespace gradbench

int main(int count, char** arguments) {
    std::vector<std::string> words(arguments + 1, arguments + count);
    const bool quick = std::erase(words, "--quick") > 0;
    const std::string asked = words.empty() ? "" : words[0];
    const auto rows = gradbench::all_rows(quick);
    if (words.empty()) {
        bool all_are_right = true;
        for (const auto& row : rows) all_are_right = gradbench::print_apart(row, quick) && all_are_right;
        return all_are_right ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    if (asked == "--list" && words.size() == 1)
        for (const auto& row : rows) std::printf("%s\n", row.name.c_str());
    else if (const auto row = std::ranges::find(rows, words.back(), &gradbench::row::name);
             asked == "--times" && words.size() == 2 && row != rows.end())
        print_times(row->measured(quick));
    else {
        std::fprintf(stderr, "gradbench: give nothing, --list, or --times and a row that --list names\n");
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
