// SPDX-License-Identifier: BSL-1.0
//
// A function of as many operations as a test needs: a system of three numbers after a number of steps of seven.
#pragma once

#include <chainrule/chainrule.hpp>

#include <array>

/// The first two numbers of the system.
template <int Steps>
constexpr auto after_steps = chainrule::function<3>([](const auto& q) {
    auto a = q[0], b = q[1], c = q[2];
    for (int i = 0; i < Steps; ++i) {
        const auto t = sin(a) * b;
        b = b + 0.01 * c;
        c = c * 0.99 + t;
        a = t - c;
    }
    return std::array{a, b};
});
