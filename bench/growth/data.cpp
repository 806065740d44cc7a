// SPDX-License-Identifier: BSL-1.0
//
// Growth of the time with the data: the sum of squares of an exponential decay's residuals,
//   sum_i (a exp(-b t_i) + c - y_i)^2
// with its derivatives with respect to a, b and c. A kernel for one measurement stands in a loop; the tape records one
// measurement, adds its derivatives up and forgets it, or records all.
#include <chainrule/chainrule.hpp>
#include <chainrule/tape.hpp>

#include <cmath>
#include <memory>
#include <string>

#include "../workloads/results.hpp"
#include "growth.hpp"

namespace growth {
namespace {

using parameters = std::array<double, 3>;
using active = chainrule::tape::active<double>;

constexpr parameters at = {1.3, 0.7, 0.2};

struct measurements {
    std::vector<double> times, seen;

    explicit measurements(std::size_t count) : times(count), seen(count) {
        workloads::seeded random(4);
        for (std::size_t i = 0; i < count; ++i) {
            times[i] = random.between(0.0, 5.0);
            seen[i] = 1.5 * std::exp(-0.6 * times[i]) + 0.1 + random.between(-0.1, 0.1);
        }
    }
};

template <class T>
auto square_of_residual(const auto& a, const auto& b, const auto& c, const auto& t, const auto& y) {
    using std::exp;
    const auto residual = workloads::kept<T>(a * exp(-b * t) + c - y);
    return workloads::kept<T>(residual * residual);
}

[[gnu::noinline]] double value(const measurements& data, const parameters& p) {
    double sum = 0.0;
    for (std::size_t i = 0; i < data.times.size(); ++i)
        sum += square_of_residual<double>(p[0], p[1], p[2], data.times[i], data.seen[i]);
    return sum;
}

[[gnu::noinline]] workloads::value_and_gradient<3> by_hand(const measurements& data, const parameters& p) {
    double value = 0.0, by_a = 0.0, by_b = 0.0, by_c = 0.0;
    for (std::size_t i = 0; i < data.times.size(); ++i) {
        const double decay = std::exp(-p[1] * data.times[i]);
        const double residual = p[0] * decay + p[2] - data.seen[i];
        const double change = residual * decay;
        value += residual * residual;
        by_a += change;
        by_b += change * data.times[i];
        by_c += residual;
    }
    return {value, {2.0 * by_a, -2.0 * p[0] * by_b, 2.0 * by_c}};
}

[[gnu::noinline]] workloads::value_and_gradient<3> by_kernel(const measurements& data, const parameters& p) {
    namespace cr = chainrule;
    constexpr auto a = cr::variable<"a">;
    constexpr auto b = cr::variable<"b">;
    constexpr auto c = cr::variable<"c">;
    constexpr auto t = cr::variable<"t">;
    constexpr auto y = cr::variable<"y">;
    auto square = cr::function(square_of_residual<workloads::expressions>(a, b, c, t, y), cr::wrt(a, b, c),
                               cr::given(t = 0.0, y = 0.0));
    workloads::value_and_gradient<3> sum{};
    for (std::size_t i = 0; i < data.times.size(); ++i) {
        square.set(t = data.times[i], y = data.seen[i]);
        const auto [value, gradient] = square.value_and_gradient(p);
        sum.value += value;
        for (std::size_t k = 0; k < 3; ++k) sum.gradient[k] += gradient[k];
    }
    return sum;
}

chainrule::tape::tape& tape_of_this_thread() {
    static chainrule::tape::tape tape;
    tape.clear();
    return tape;
}

[[gnu::noinline]] workloads::value_and_gradient<3> by_tape_of_one(const measurements& data, const parameters& p) {
    auto& tape = tape_of_this_thread();
    const active a = tape.variable(p[0]), b = tape.variable(p[1]), c = tape.variable(p[2]);
    const auto start = tape.mark();
    workloads::value_and_gradient<3> sum{};
    for (std::size_t i = 0; i < data.times.size(); ++i) {
        const active square = square_of_residual<active>(a, b, c, data.times[i], data.seen[i]);
        tape.backward(square);
        sum.value += square.value();
        sum.gradient[0] += a.gradient();
        sum.gradient[1] += b.gradient();
        sum.gradient[2] += c.gradient();
        tape.rewind(start);
    }
    return sum;
}

[[gnu::noinline]] workloads::value_and_gradient<3> by_tape_of_all(const measurements& data, const parameters& p) {
    auto& tape = tape_of_this_thread();
    const active a = tape.variable(p[0]), b = tape.variable(p[1]), c = tape.variable(p[2]);
    active sum = 0.0;
    for (std::size_t i = 0; i < data.times.size(); ++i)
        sum += square_of_residual<active>(a, b, c, data.times[i], data.seen[i]);
    tape.backward(sum);
    return {sum.value(), {a.gradient(), b.gradient(), c.gradient()}};
}

void add(std::size_t count) {
    const auto data = std::make_shared<measurements>(count);
    bench::row row("data:" + std::to_string(count), tolerance);
    const auto add = [&](const char* name, auto compute) {
        row.add(
            name,
            [=] {
                const auto [value, gradient] = compute(*data, at);
                return answer_of(value, gradient);
            },
            repeated(at, [=](const parameters& p) { return compute(*data, p); }));
    };
    add("by hand", by_hand);
    add("value and gradient", by_kernel);
    row.add(
        "value", [=] { return bench::answer{{value(*data, at)}, 1, 0}; },
        repeated(at, [=](const parameters& p) { return value(*data, p); }));
    add("tape, one measurement", by_tape_of_one);
    if (count <= 1'000'000) add("tape, all measurements", by_tape_of_all);
}

} // namespace

void add_data() {
    for (std::size_t count = 100; count <= 10'000'000; count *= 10) add(count);
}

} // namespace growth
