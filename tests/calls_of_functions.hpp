// SPDX-License-Identifier: BSL-1.0
//
// Calls of every function of the table by argument-dependent lookup and with the namespace, of numbers that carry
// derivatives and of plain numbers: tests/dual/static/calls.cpp and tests/tape/static/calls.cpp include one mode alone.
#pragma once

#include <chainrule/special_functions.hpp>

#include <concepts>
#include <type_traits>

namespace {

namespace cr = chainrule;

// The call as users write it, and the same with the namespace.
#define BOTH(NAME, ...)                                                                                                \
    static_assert(std::convertible_to<decltype(NAME(__VA_ARGS__)), T>);                                                \
    static_assert(std::convertible_to<decltype(cr::NAME(__VA_ARGS__)), T>);
#define CHAINRULE_UNARY(NAME, ...) BOTH(NAME, x) BOTH(NAME, x + y)
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    BOTH(NAME, x, y)                                                                                                   \
    BOTH(NAME, x, 2.0)                                                                                                 \
    BOTH(NAME, 2.0, x)                                                                                                 \
    BOTH(NAME, x, 2) BOTH(NAME, 2, x) BOTH(NAME, x, 2.0f) BOTH(NAME, x + y, x) BOTH(NAME, x, -y) BOTH(NAME, x* y, 2)
#define CHAINRULE_TERNARY(NAME, ...)                                                                                   \
    BOTH(NAME, x, y, z)                                                                                                \
    BOTH(NAME, x, y, 1.0)                                                                                              \
    BOTH(NAME, x, 1.0, z)                                                                                              \
    BOTH(NAME, 1.0, y, z)                                                                                              \
    BOTH(NAME, x, 2.0, 3.0) BOTH(NAME, 2.0, y, 3) BOTH(NAME, 2, 3.0, z) BOTH(NAME, x, 2, 3) BOTH(NAME, x* y, 2, z)
template <class T>
void calls_of_functions([[maybe_unused]] const T& x, [[maybe_unused]] const T& y, [[maybe_unused]] const T& z) {
    CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
    CHAINRULE_TERNARY(hypot)
}
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY
#undef BOTH

// With both namespaces open, numbers of a class have one meaning of each call, and so have plain ones.
template <class N>
N calls_in_both_namespaces(const N& a, const N& b) {
    using namespace std;
    using namespace chainrule;
    return sin(a) + pow(a, 2) + pow(a, b) + hypot(a, b) + fma(a, b, 2.0) + clamp(a, 0.0, 1.0) + exp(2.0) + pow(2.0, 3) +
           abs(-2) + hypot(1.0, 2.0, 3.0);
}

// One template serves plain numbers too.
#define PLAIN(NAME, ...) static_assert(std::is_floating_point_v<decltype(cr::NAME(__VA_ARGS__))>);
#define CHAINRULE_UNARY(NAME, ...) PLAIN(NAME, x) PLAIN(NAME, 2)
#define CHAINRULE_BINARY(NAME, ...) PLAIN(NAME, x, x) PLAIN(NAME, x, 2) PLAIN(NAME, 2, x) PLAIN(NAME, 2, 3)
#define CHAINRULE_TERNARY(NAME, ...)                                                                                   \
    PLAIN(NAME, x, x, x) PLAIN(NAME, x, 2, 3) PLAIN(NAME, 2, x, 3.0f) PLAIN(NAME, 2, 3, 4)
template <class T>
void calls_of_plain_numbers([[maybe_unused]] const T& x) {
    CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
    CHAINRULE_TERNARY(hypot)
}
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY
#undef PLAIN

[[maybe_unused]] constexpr auto instantiate_plain_calls = &calls_of_plain_numbers<double>;
[[maybe_unused]] constexpr auto instantiate_float_calls = &calls_of_plain_numbers<float>;

} // namespace
