// SPDX-License-Identifier: BSL-1.0
//
// Calls on a tape: times of a function recorded as one statement, and of its operations as statements. Each
// contestant records and sweeps; they alternate, and answers are compared first. Prints nanoseconds per call of the
// operations as statements, and the others' times as ratios to it; --quick: one round, to see that answers are equal.
#include <chainrule/chainrule.hpp>
#include <chainrule/tape.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#include "../workloads/logistic_regression.hpp"
#include "../workloads/mixed_operations.hpp"

namespace {

namespace cr = chainrule;
using namespace cr::literals;
using number = cr::tape::active<double>;
using numbers = std::vector<number>;

bool quick = false;

/// Which way a sum over calls is recorded.
struct contestant {
    const char* name;
    std::function<number(const numbers&)> sum;
};

/// The least times of contestants that take turns: other programs only add to them.
template <std::size_t Size>
void measure(const char* name, std::size_t calls, const std::array<double, Size>& at,
             const std::vector<contestant>& contestants) {
    cr::tape::tape t;
    std::vector<double> least(contestants.size(), INFINITY), expected;
    const int rounds = quick ? 1 : 200;
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < contestants.size(); ++i) {
            t.clear();
            const numbers x = t.variables(at);
            const auto begin = std::chrono::steady_clock::now();
            const number sum = contestants[i].sum(x);
            t.backward(sum);
            const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
            least[i] = std::min(least[i], time.count() / static_cast<double>(calls));
            std::vector<double> found{sum.value()};
            for (const number& each : x) found.push_back(each.gradient());
            if (expected.empty()) expected = found;
            for (std::size_t k = 0; k < found.size(); ++k)
                if (!(std::abs(found[k] - expected[k]) <= 1e-9 * std::abs(expected[k]))) {
                    std::fprintf(stderr, "%s: the answers of %s differ\n", name, contestants[i].name);
                    std::exit(1);
                }
        }
    std::printf("%-36s%8.1f ns", name, least[0]);
    for (std::size_t i = 1; i < contestants.size(); ++i)
        std::printf("   %s %.2f", contestants[i].name, least[i] / least[0]);
    std::printf("\n");
}

constexpr auto w = cr::variables<"w", 8>;
constexpr auto x = cr::variables<"x", 8>;
constexpr auto label = cr::variable<"label">;
constexpr auto loss = log(1.0 + exp(-label * (w[0_c] * x[0_c] + w[1_c] * x[1_c] + w[2_c] * x[2_c] + w[3_c] * x[3_c] +
                                              w[4_c] * x[4_c] + w[5_c] * x[5_c] + w[6_c] * x[6_c] + w[7_c] * x[7_c])));

void logistic_regression() {
    using workload = workloads::logistic_regression;
    static const workload::data seen;
    const auto mean = [](const auto& loss_of) {
        number sum = 0.0;
        for (std::size_t i = 0; i < workload::points; ++i) sum += loss_of(seen.x[i], seen.label[i]);
        return number(sum / static_cast<double>(workload::points));
    };
    constexpr auto f = cr::function(loss, cr::wrt(w, x, label));
    auto with_data = cr::function(loss, cr::wrt(w), cr::given(x = std::array<double, 8>{}, label = 1.0));
    measure("logistic regression, 8 weights", workload::points, workload::at,
            {{"", [](const numbers& v) { return workload::ordinary<number>(seen, v.data()); }},
             {"call",
              [&](const numbers& v) {
                  return mean([&](const auto& a, double t) {
                      return f(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], a[0], a[1], a[2], a[3], a[4], a[5], a[6],
                               a[7], t);
                  });
              }},
             {"parameters",
              [&](const numbers& v) {
                  return mean([&](const auto& a, double t) {
                      with_data.set(x = a, label = t);
                      return with_data(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
                  });
              }},
             {"by name", [&](const numbers& v) {
                  return mean([&](const auto& a, double t) { return loss(w = v, x = a, label = t); });
              }}});
}

void mixed_operations() {
    using workload = workloads::mixed_operations;
    constexpr std::size_t calls = 1000;
    constexpr auto f = workload::function();
    const auto sum_of = [](const auto& one) {
        number sum = 0.0;
        for (std::size_t i = 0; i < calls; ++i) sum += one();
        return sum;
    };
    measure(workload::name, calls, workload::at,
            {{"", [&](const numbers& v) { return sum_of([&] { return workload::ordinary<number>({}, v.data()); }); }},
             {"call", [&](const numbers& v) {
                  return sum_of(
                      [&] { return f(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11]); });
              }}});
}

} // namespace

int main(int argc, char** argv) {
    quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
    logistic_regression();
    mixed_operations();
}
