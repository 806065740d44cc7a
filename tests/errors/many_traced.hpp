// SPDX-License-Identifier: BSL-1.0
//
// Traced code with 40 inputs and 60 outputs: messages about it must stay short.
#pragma once

#include <chainrule/batch.hpp>
#include <chainrule/chainrule.hpp>

#include <array>

namespace cr = chainrule;
constexpr auto F = cr::function<40>([](const auto& x) {
    std::array<std::remove_cvref_t<decltype(x[0])>, 60> all{};
    for (std::size_t i = 0; i < 60; ++i) all[i] = sin(x[i % 40]) * x[(i + 1) % 40] + x[(7 * i) % 40];
    return all;
});
