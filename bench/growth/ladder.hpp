// SPDX-License-Identifier: BSL-1.0
//
// A function of a given number of operations on a given number of variables: blocks of ten operations, one of them a
// sine and one a division. Block i continues from block i / 2, so results are shared and the depth grows slowly. The
// value is the sum of all blocks.
#pragma once

#include <chainrule/chainrule.hpp>
#include <chainrule/tape.hpp>

#include <string>

#include "../workloads/results.hpp"
#include "growth.hpp"

namespace growth {

template <int Operations, int Variables>
struct ladder {
    static_assert(Operations % 10 == 0);
    static constexpr int blocks = Operations / 10;
    using point = std::array<double, std::size_t{Variables}>;

    static constexpr point at = [] {
        workloads::seeded random(3);
        point p{};
        for (double& x : p) x = random.between(0.5, 1.5);
        return p;
    }();

    template <class T>
    [[gnu::always_inline]] static constexpr auto block(const auto& half, const auto& before, const auto& a,
                                                       const auto& b) {
        using std::sin;
        const auto p = workloads::kept<T>(a * b + before);
        const auto q = workloads::kept<T>(p / (p * p + b));
        return workloads::kept<T>((sin(q) * a - q) * half);
    }

    template <int K>
    static constexpr auto block_of() {
        using namespace chainrule::literals;
        constexpr auto x = chainrule::variables<"x", Variables>;
        constexpr auto a = x.template get<2 * K % Variables>(), b = x.template get<(2 * K + 1) % Variables>();
        if constexpr (K == 0)
            return block<workloads::expressions>(0.5_c, b, a, b);
        else
            return block<workloads::expressions>(0.5_c, block_of<K / 2>(), a, b);
    }

    static constexpr auto function() {
        return []<int... K>(std::integer_sequence<int, K...>) {
            return chainrule::function((... + block_of<K>()), chainrule::wrt(chainrule::variables<"x", Variables>));
        }(std::make_integer_sequence<int, blocks>{});
    }

    /// The same in a loop.
    template <class T>
    [[gnu::noinline]] static T ordinary(const T* x) {
        std::array<T, std::size_t{blocks}> y;
        y[0] = block<T>(0.5, x[1 % Variables], x[0], x[1 % Variables]);
        T sum = y[0];
        for (int k = 1; k < blocks; ++k) {
            const auto i = static_cast<std::size_t>(k);
            y[i] = block<T>(0.5, y[i / 2], x[2 * k % Variables], x[(2 * k + 1) % Variables]);
            sum += y[i];
        }
        return sum;
    }

    [[gnu::noinline]] static double value(const point& p) { return function()(p); }
    [[gnu::noinline]] static auto value_and_gradient(const point& p) { return function().value_and_gradient(p); }

    static workloads::value_and_gradient<Variables> by_tape(const point& p) {
        static chainrule::tape::tape tape;
        tape.clear();
        std::array<chainrule::tape::active<double>, std::size_t{Variables}> x;
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = tape.variable(p[i]);
        const auto result = ordinary(x.data());
        tape.backward(result);
        workloads::value_and_gradient<Variables> all{result.value(), {}};
        for (std::size_t i = 0; i < x.size(); ++i) all.gradient[i] = x[i].gradient();
        return all;
    }

    static void add(const std::string& what, int size) {
        bench::row row(what + ":" + std::to_string(size), tolerance);
        const auto add = [&](const char* name, auto compute) {
            row.add(
                name,
                [compute] {
                    const auto [value, gradient] = compute(at);
                    return answer_of(value, gradient);
                },
                repeated(at, compute));
        };
        add("value and gradient", value_and_gradient);
        row.add("value", [] { return bench::answer{{value(at)}, 1, 0}; }, repeated(at, value));
        row.add(
            "value in a loop", [] { return bench::answer{{ordinary(at.data())}, 1, 0}; },
            repeated(at, [](const point& p) { return ordinary(p.data()); }));
        add("tape", by_tape);
    }
};

} // namespace growth
