// SPDX-License-Identifier: BSL-1.0
//
// Times of value and gradient at many points: by hand, by hand as g++ vectorises it, and with batch().
#include "../comparison.hpp"
#include "columns_by_hand.hpp"

#include <chainrule/batch.hpp>

#include <array>
#include <memory>
#include <string>

namespace {

/// Points around that of the workload, and memory for results.
template <class Workload>
struct data {
    static constexpr std::size_t inputs = columns::inputs<Workload>;
    std::vector<double> in[inputs], value, gradient[inputs];

    data(std::size_t points, double spread) : value(points) {
        workloads::seeded random(1);
        for (std::size_t j = 0; j < inputs; ++j) {
            gradient[j].resize(points);
            in[j].resize(points);
            for (double& x : in[j]) x = Workload::at[j] * random.between(1.0, 1.0 + spread);
        }
    }
    [[nodiscard]] columns::memory<inputs> memory() {
        columns::memory<inputs> m{};
        m.value = value.data();
        for (std::size_t j = 0; j < inputs; ++j) {
            m.in[j] = in[j].data();
            m.gradient[j] = gradient[j].data();
        }
        return m;
    }
    /// Rows of the value and each derivative, at all points.
    [[nodiscard]] bench::answer answer() const {
        bench::answer all{value, 0, inputs + 1};
        for (const auto& column : gradient) all.numbers.insert(all.numbers.end(), column.begin(), column.end());
        return all;
    }
};

/// A row of the table: one workload at so many points, drawn from that of the workload to 1 + spread times it.
template <class Workload>
void add(std::size_t points, double spread) {
    // Vector functions may be wrong by 4 units in the last place, which subtractions magnify.
    bench::row row(std::string(Workload::name) + ", " + std::to_string(points) + " points", 1e-10);
    const auto contestant = [&](const char* name, auto compute) {
        auto own = std::make_shared<data<Workload>>(points, spread);
        const auto once = [own, compute] {
            compute(*own);
            benchmark::ClobberMemory();
        };
        row.add(
            name,
            [own, once] {
                once();
                return own->answer();
            },
            [once](benchmark::State& state) {
                for (auto each : state) once();
            });
    };
    contestant("by hand", [points](auto& d) { columns::by_hand<Workload>(d.memory(), points); });
#if defined(BENCH_VECTORISED)
    contestant("by hand, vectorised", [points](auto& d) { columns::vectorised<Workload>(d.memory(), points); });
#endif
    contestant("batch", [b = chainrule::batch(Workload::function())](auto& d) {
        [&]<std::size_t... J>(std::index_sequence<J...>) {
            b.value_and_gradient(chainrule::columns(d.in[J]...), d.value, chainrule::columns(d.gradient[J]...));
        }(std::make_index_sequence<columns::inputs<Workload>>{});
    });
}

} // namespace

int main(int count, char** arguments) {
    add<workloads::log_product_sine>(4096, 1.0);
    add<workloads::mixed_operations>(4096, 0.3);
    add<workloads::black_scholes>(100000, 0.2);
    return bench::run(count, arguments);
}
