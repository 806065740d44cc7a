// SPDX-License-Identifier: BSL-1.0
//
// How long does a derived gradient take, how long the hand-written one? Google Benchmark runs both in random alternation, and
// the table at the end gives medians and ratios. Nothing is timed before derived and hand-written answers are equal.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "workloads/answers.hpp"
#include "workloads/black_scholes.hpp"
#include "workloads/helmholtz.hpp"
#include "workloads/log_product_sine.hpp"
#include "workloads/mixed_operations.hpp"
#include "workloads/reprojection.hpp"
#include "workloads/rosenbrock.hpp"

namespace {

std::vector<std::string> names;

template <class Workload>
void add() {
    const double difference = workloads::largest_difference<Workload>();
    if (!(difference < workloads::tolerance)) {
        std::fprintf(stderr, "%s: derived and hand-written answers differ by %.1e\n", Workload::name, difference);
        std::exit(EXIT_FAILURE);
    }
    const std::string name = Workload::name;
    names.push_back(name);
    const auto time = [](auto answer) {
        return [answer](benchmark::State& state) {
            auto point = Workload::at;
            for (auto step : state) {
                static_cast<void>(step);
                workloads::forget(point);
                auto result = answer(point);
                workloads::forget(result);
            }
        };
    };
    typename Workload::data data{};
    workloads::forget(data);
    auto function = Workload::function(data);
    workloads::forget(function);
    benchmark::RegisterBenchmark((name + "/derived").c_str(), time([function](const auto& point) {
                                     return workloads::derived<Workload>(function, point);
                                 }));
    benchmark::RegisterBenchmark((name + "/by hand").c_str(), time([data](const auto& point) {
                                     return workloads::hand_written<Workload>(data, point);
                                 }));
}

/// Keeps the medians and prints one line for each workload.
class ratios : public benchmark::BenchmarkReporter {
public:
    bool ReportContext(const Context&) override { return true; }

    void ReportRuns(const std::vector<Run>& runs) override {
        for (const auto& run : runs)
            if (run.aggregate_name == "median") medians_[run.run_name.function_name] = run.GetAdjustedCPUTime();
    }

    void Finalize() override {
        std::printf("%-44s%13s%13s%8s\n", "", "derived, ns", "by hand, ns", "ratio");
        for (const auto& name : names) {
            const auto derived = medians_.find(name + "/derived"), by_hand = medians_.find(name + "/by hand");
            if (derived != medians_.end() && by_hand != medians_.end())
                std::printf("%-44s%13.1f%13.1f%8.2f\n", name.c_str(), derived->second, by_hand->second,
                            derived->second / by_hand->second);
        }
    }

private:
    std::map<std::string, double> medians_;
};

}  // namespace

int main(int count, char** arguments) {
    add<workloads::log_product_sine>();
    add<workloads::mixed_operations>();
    add<workloads::black_scholes>();
    add<workloads::reprojection>();
    add<workloads::rosenbrock>();
    add<workloads::rosenbrock_reordered>();
    add<workloads::helmholtz_stored>();
    add<workloads::helmholtz_stored_symmetric>();
    add<workloads::helmholtz_exact>();
    add<workloads::helmholtz_exact_simd>();

    // What is given on the command line comes later and wins.
    std::vector<std::string> given = {arguments[0], "--benchmark_repetitions=9", "--benchmark_min_time=0.05",
                                      "--benchmark_enable_random_interleaving=true"};
    given.insert(given.end(), arguments + 1, arguments + count);
    std::vector<char*> pointers;
    for (auto& argument : given) pointers.push_back(argument.data());
    int number = static_cast<int>(pointers.size());
    benchmark::Initialize(&number, pointers.data());
    if (benchmark::ReportUnrecognizedArguments(number, pointers.data())) return EXIT_FAILURE;

    ratios table;
    benchmark::RunSpecifiedBenchmarks(&table);
    return EXIT_SUCCESS;
}
