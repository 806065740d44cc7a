// SPDX-License-Identifier: BSL-1.0
//
// Relaxed functions of many operations compile: the costs of the three forms are evaluations of their own, and beyond a
// size the values stay as written.
#include <chainrule/chainrule.hpp>

#include <cstddef>

namespace {

template <int Rounds>
constexpr auto terms = chainrule::function<40>(
    [](const auto& q) {
        auto sum = 0.0 * q[0];
        for (std::size_t k = 0; k < Rounds; ++k)
            for (std::size_t i = 0; i < 40; ++i)
                sum += sin(q[i] * (1.0 + 0.01 * static_cast<double>(k))) * exp(-q[(i + k) % 40]);
        return sum;
    },
    chainrule::relaxed());

static_assert(chainrule::operation_count<chainrule::request::values>(terms<14>).calls == 14 * 40 + 40);
static_assert(chainrule::operation_count<chainrule::request::values>(terms<31>).calls == 31 * 40 + 40);

} // namespace
