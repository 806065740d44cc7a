// SPDX-License-Identifier: BSL-1.0
//
// Traced code with hundreds of outputs, whose types clang instantiated from one another until its depth was exceeded;
// and a layer whose 900 weights have 17 values, where the search for vectors exceeded clang's steps.
#include <chainrule/chainrule.hpp>

#include <array>
#include <type_traits>

namespace {

namespace cr = chainrule;

constexpr std::size_t many = 350, inputs = 100;
constexpr auto F = cr::function<inputs>([](const auto& q) {
    std::array<std::remove_cvref_t<decltype(q[0])>, many> r{};
    for (std::size_t i = 0; i < many; ++i)
        r[i] = q[i % inputs] * q[(i + 1) % inputs] + (0.5 + static_cast<double>(i)) * q[(i + 7) % inputs];
    return r;
});

constexpr std::size_t wide = 30;
constexpr auto layer = cr::function<wide>([](const auto& q) {
    using number = std::remove_cvref_t<decltype(q[0])>;
    std::array<number, wide> r{};
    for (std::size_t i = 0; i < wide; ++i) {
        number s = 0.1 * static_cast<double>(i);
        for (std::size_t j = 0; j < wide; ++j) s += (static_cast<double>((i * 7 + j * 13) % 17) - 8) * 0.03 * q[j];
        r[i] = tanh(s);
    }
    return r;
});

} // namespace

std::array<double, many> values(const std::array<double, inputs>& x) { return F(x); }
std::array<double, wide> along(const std::array<double, wide>& x) { return layer.jvp(x, x); }
