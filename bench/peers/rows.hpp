// SPDX-License-Identifier: BSL-1.0
//
// One row of benchmarks for each workload, one benchmark for each contestant that takes part in it: in peers.cpp
// all, in ../modes/modes.cpp those of this library and the hand-written code.
#pragma once

#include <limits>
#include <string_view>

#include "../comparison.hpp"
#include "contestant.hpp"

namespace peers {

struct workload {
    std::string_view name;
    std::vector<double> point;
    std::size_t outputs, inputs;
};

inline std::vector<workload> workloads_in_order() {
    return []<class... Workload>(std::type_identity<std::tuple<Workload...>>) {
        return std::vector<workload>{
            {Workload::name, {Workload::at.begin(), Workload::at.end()}, outputs<Workload>, inputs<Workload>}...};
    }(std::type_identity<all_workloads>{});
}

/// The rows of all workloads, with those contestants that take part in them; the first is expected to be right.
inline void add_rows(const std::vector<contestant>& all) {
    const auto asked = workloads_in_order();
    for (std::size_t w = 0; w < asked.size(); ++w) {
        bench::row row(std::string(asked[w].name), bench::rounding_tolerance);
        for (const contestant& each : all) {
            const function answer = each.answers[w];
            if (answer == nullptr) continue;
            const std::size_t size = asked[w].outputs * (asked[w].inputs + 1);
            const auto ask = [answer, size, on = asked[w]] {
                std::vector<double> numbers(size, std::numeric_limits<double>::quiet_NaN());
                answer(on.point.data(), numbers.data());
                return bench::answer{std::move(numbers), on.outputs, on.outputs};
            };
            row.add(each.name, ask, [answer, size, on = asked[w]](benchmark::State& state) {
                std::vector<double> numbers(size);
                const double* point = on.point.data();
                for (auto step : state) {
                    static_cast<void>(step);
                    benchmark::DoNotOptimize(point);
                    answer(point, numbers.data());
                    benchmark::ClobberMemory();
                }
            });
        }
    }
}

} // namespace peers
