// SPDX-License-Identifier: BSL-1.0
//
// Memory of recordings: bytes per operation of the tape, for each workload that runs on it, and of the tensors, for
// scalars in a chain and for networks. Sizes, not times: each is computed once and reported as a counter.
#include <chainrule/tape.hpp>
#include <chainrule/tensor.hpp>

#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "workloads/determinant.hpp"
#include "workloads/gaussian_mixture.hpp"
#include "workloads/log_product_sine.hpp"
#include "workloads/lorenz_96.hpp"
#include "workloads/mixed_operations.hpp"
#include "workloads/reprojection.hpp"

namespace {

/// A number that counts the operations done with it.
class counted {
public:
    static inline std::size_t operations = 0;

    counted(double value = 0.0) : value_(value) {}

    counted& operator+=(counted b) { return *this = *this + b; }
    counted& operator-=(counted b) { return *this = *this - b; }
    counted& operator*=(counted b) { return *this = *this * b; }
    friend counted operator-(counted a) { return done(-a.value_); }
    friend counted operator+(counted a, counted b) { return done(a.value_ + b.value_); }
    friend counted operator-(counted a, counted b) { return done(a.value_ - b.value_); }
    friend counted operator*(counted a, counted b) { return done(a.value_ * b.value_); }
    friend counted operator/(counted a, counted b) { return done(a.value_ / b.value_); }
    friend bool operator>(counted a, counted b) { return a.value_ > b.value_; }
    friend counted sin(counted a) { return done(std::sin(a.value_)); }
    friend counted cos(counted a) { return done(std::cos(a.value_)); }
    friend counted exp(counted a) { return done(std::exp(a.value_)); }
    friend counted log(counted a) { return done(std::log(a.value_)); }
    friend counted sqrt(counted a) { return done(std::sqrt(a.value_)); }
    friend counted tanh(counted a) { return done(std::tanh(a.value_)); }

private:
    static counted done(double value) {
        ++operations;
        return value;
    }

    double value_;
};

/// What is reported of a recording.
struct use {
    double operations, bytes;
};

void report(const std::string& name, use (*record)()) {
    benchmark::RegisterBenchmark(name.c_str(), [record](benchmark::State& state) {
        use found{};
        for (auto step : state) {
            static_cast<void>(step);
            found = record();
        }
        state.counters["operations"] = found.operations;
        state.counters["bytes"] = found.bytes;
        state.counters["bytes per operation"] = found.bytes / found.operations;
    })->Iterations(1);
}

template <class Workload>
use on_tape() {
    namespace ct = chainrule::tape;
    static const typename Workload::data data{};
    std::array<counted, Workload::at.size()> plain;
    std::copy(Workload::at.begin(), Workload::at.end(), plain.begin());
    counted::operations = 0;
    (void)Workload::template ordinary<counted>(data, plain.data());

    ct::tape tape;
    std::array<ct::active<double>, Workload::at.size()> x;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = tape.variable(Workload::at[i]);
    const std::size_t before = tape.memory().bytes_recorded;
    [[maybe_unused]] const auto results = Workload::template ordinary<ct::active<double>>(data, x.data());
    return {static_cast<double>(counted::operations), static_cast<double>(tape.memory().bytes_recorded - before)};
}

/// A chain of operations on tensors of one number each.
use chain_of_tensors() {
    namespace ct = chainrule::tensor;
    constexpr int steps = 1000;
    const auto a = ct::tensor<double>(1.1).requires_grad(true);
    ct::tensor<double> x = a;
    const std::size_t before = ct::memory_used().bytes_in_use;
    for (int i = 0; i < steps; ++i) x = sin(x) * a;
    return {2.0 * steps, static_cast<double>(ct::memory_used().bytes_in_use - before)};
}

/// A network's forward pass, recorded: what it holds beyond its weights and the batch, per number computed by a layer.
template <int Batch, int Inputs, int Hidden, int Outputs>
use network() {
    namespace ct = chainrule::tensor;
    const auto w1 = ct::tensor<float>({Inputs, Hidden}, std::vector<float>(std::size_t{Inputs} * Hidden, 0.01f))
                        .requires_grad(true);
    const auto w2 = ct::tensor<float>({Hidden, Outputs}, std::vector<float>(std::size_t{Hidden} * Outputs, 0.02f))
                        .requires_grad(true);
    const auto b1 = ct::tensor<float>({Hidden}, std::vector<float>(Hidden, 0.1f)).requires_grad(true);
    const auto b2 = ct::tensor<float>({Outputs}, std::vector<float>(Outputs, 0.1f)).requires_grad(true);
    const ct::tensor<float> x({Batch, Inputs}, std::vector<float>(std::size_t{Batch} * Inputs, 0.5f));
    const std::vector<int> labels(Batch, 1);
    const std::size_t before = ct::memory_used().bytes_in_use;
    const auto loss = ct::cross_entropy(ct::linear(ct::relu(ct::linear(x, w1, b1)), w2, b2), labels);
    const double computed = double{Batch} * (2 * Hidden + Outputs) + 1.0;
    return {computed, static_cast<double>(ct::memory_used().bytes_in_use - before)};
}

} // namespace

int main(int count, char** arguments) {
    report("tape/log(x) + x*y - sin(y)", on_tape<workloads::log_product_sine>);
    report("tape/100 mixed operations", on_tape<workloads::mixed_operations>);
    report("tape/reprojection residual", on_tape<workloads::reprojection>);
    report("tape/Lorenz 96", on_tape<workloads::lorenz_96>);
    report("tape/Gaussian mixture", on_tape<workloads::gaussian_mixture>);
    report("tape/determinant 8 x 8", on_tape<workloads::determinant>);
    report("tensors/chain of scalars", chain_of_tensors);
    report("tensors/784-128-10, batch 32, per number", network<32, 784, 128, 10>);
    report("tensors/784-512-10, batch 128, per number", network<128, 784, 512, 10>);
    benchmark::Initialize(&count, arguments);
    if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 1;
    benchmark::RunSpecifiedBenchmarks();
}
