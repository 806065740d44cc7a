// SPDX-License-Identifier: BSL-1.0
//
// The comparison of contestants. Each row of a table is a set of Google benchmarks named ROW/CONTESTANT. A contestant
// is timed only if its answer equals that of the row's first contestant, before and after. report/measure.py runs the
// rows one by one, the contestants of each taking turns in random order.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// Numbers to be compared: `apart` that stand for themselves, then rows of equal length, such as values and a Jacobian.
struct answer {
    std::vector<double> numbers;
    std::size_t apart = 0;
    std::size_t rows = 0;
};

/// The largest difference, each number by itself: relative to it, or, where it is what cancellation left, to a
/// hundredth of the largest in its row. Infinite where a number is missing or not one. An answer without rows, of
/// values only, is compared in these.
inline double largest_difference(const answer& theirs, const answer& expected) {
    const std::size_t size = theirs.rows == 0 ? expected.apart : expected.numbers.size();
    double largest = theirs.numbers.size() == size ? 0.0 : std::numeric_limits<double>::infinity();
    const auto compare = [&](std::size_t begin, std::size_t end) {
        double scale = 0.0;
        for (std::size_t i = begin; i < end; ++i) scale = std::max(scale, std::abs(expected.numbers[i]));
        for (std::size_t i = begin; i < std::min(end, theirs.numbers.size()); ++i) {
            const double a = theirs.numbers[i], b = expected.numbers[i];
            if (a == b) continue;
            const double difference = std::abs(a - b) / std::max(std::abs(b), 0.01 * scale);
            largest =
                std::isfinite(difference) ? std::max(largest, difference) : std::numeric_limits<double>::infinity();
        }
    };
    for (std::size_t i = 0; i < expected.apart; ++i) compare(i, i + 1);
    for (std::size_t r = 0; r < expected.rows; ++r) {
        const std::size_t width = (expected.numbers.size() - expected.apart) / expected.rows;
        compare(expected.apart + r * width, expected.apart + (r + 1) * width);
    }
    return largest;
}

/// By how much values and derivatives of a workload may differ: rounding, of operations in another order.
inline constexpr double rounding_tolerance = 5e-13;

/// Whether some contestant's answer was wrong: main() fails then.
inline bool some_answer_was_wrong = false;

/// A row of a table. The first contestant added is the one whose answers are expected of the others.
class row {
public:
    /// Answers may differ by `tolerance`, as largest_difference() has it.
    row(std::string name, double tolerance) : name_(std::move(name)), tolerance_(tolerance) {}

    /// Registers a contestant: `ask` computes its answer once, `loop` is the body of a Google benchmark.
    void add(const std::string& contestant, std::function<answer()> ask, std::function<void(benchmark::State&)> loop) {
        if (expected_ == nullptr) expected_ = std::make_shared<std::function<answer()>>(ask);
        const auto timed = [expected = expected_, tolerance = tolerance_, ask = std::move(ask),
                            loop = std::move(loop)](benchmark::State& state) {
            if (!agrees(state, ask(), (*expected)(), tolerance)) return;
            loop(state);
            // No answer may depend on what was computed before.
            agrees(state, ask(), (*expected)(), tolerance);
        };
        benchmark::RegisterBenchmark((name_ + '/' + contestant).c_str(), timed);
    }

private:
    static bool agrees(benchmark::State& state, const answer& theirs, const answer& expected, double tolerance) {
        const double difference = largest_difference(theirs, expected);
        if (difference <= tolerance) return true;
        some_answer_was_wrong = true;
        state.SkipWithError(("differs from the expected answer by " + std::to_string(difference)).c_str());
        return false;
    }

    std::string name_;
    double tolerance_;
    std::shared_ptr<std::function<answer()>> expected_;
};

/// Runs what was registered, as the command line says.
inline int run(int count, char** arguments) {
    benchmark::Initialize(&count, arguments);
    if (benchmark::ReportUnrecognizedArguments(count, arguments)) return EXIT_FAILURE;
    benchmark::RunSpecifiedBenchmarks();
    return some_answer_was_wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}

} // namespace bench
