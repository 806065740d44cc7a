// SPDX-License-Identifier: BSL-1.0
//
// A workload's value and derivatives in three ways: by hand, by a compile-time kernel, by the tape.
#pragma once

#include <chainrule/tape.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "../comparison.hpp"
#include "../workloads/answers.hpp"

namespace modes {

void add_rosenbrock();
void add_helmholtz();
void add_variants();

template <class Workload>
[[gnu::noinline]] auto by_tape(const typename Workload::data& data, const workloads::point_of<Workload>& at) {
    using active = chainrule::tape::active<double>;
    static chainrule::tape::tape tape;
    tape.clear();
    std::array<active, Workload::at.size()> x;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = tape.variable(at[i]);
    const active result = Workload::template ordinary<active>(data, x.data());
    tape.backward(result);
    workloads::answer_by_hand<Workload> answer;
    answer.value = result.value();
    for (std::size_t i = 0; i < x.size(); ++i) answer.gradient[i] = x[i].gradient();
    return answer;
}

/// The ways of one workload, as benchmarks of a row.
template <class Workload>
class ways {
public:
    explicit ways(const std::string& name) : row_(name, bench::rounding_tolerance) {}

    /// compute(data, point) gives the value and the gradient.
    template <class Compute>
    void add(const char* name, Compute compute) {
        const auto ask = [compute] {
            const auto [value, gradient] = compute(data(), Workload::at);
            bench::answer all{{value}, 1, 1};
            all.numbers.insert(all.numbers.end(), gradient.begin(), gradient.end());
            return all;
        };
        row_.add(name, ask, [compute](benchmark::State& state) {
            auto point = Workload::at;
            for (auto step : state) {
                static_cast<void>(step);
                workloads::forget(point);
                auto answer = compute(data(), point);
                workloads::forget(answer);
            }
        });
    }

    void add_by_hand() { add("by hand", workloads::hand_written<Workload>); }
    void add_kernel() {
        static auto function = Workload::function(data());
        workloads::forget(function);
        add("chainrule compile-time",
            [](const auto&, const auto& point) { return workloads::derived<Workload>(function, point); });
    }
    void add_tape() { add("chainrule tape", by_tape<Workload>); }

private:
    // Not constant, so that no compiler computes with it.
    static const typename Workload::data& data() {
        static typename Workload::data given{};
        workloads::forget(given);
        return given;
    }

    bench::row row_;
};

} // namespace modes
