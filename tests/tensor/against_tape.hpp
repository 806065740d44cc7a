// SPDX-License-Identifier: BSL-1.0
//
// Tensors against the tape: the same computations, written for tensors and, by their definitions, for single active
// numbers. against_tape.cpp has operations of tensors, against_tape_*.cpp share the functions of the table among them.
#pragma once

#include "gradients.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/functions/domains.hpp>
#include <chainrule/special_functions.hpp>
#include <chainrule/tape.hpp>

#include <functional>

namespace {

using namespace gradients;
namespace functions = chainrule::functions;
namespace tape = chainrule::tape;
using number = tape::active<double>;
using numbers = std::vector<number>;
using doubles = std::vector<double>;

/// Compares f(tensors), of one element, with by_number(the numbers of each): its value and all its gradients.
void check_same(const std::function<tensor<double>(const tensors<double>&)>& f,
                const std::function<number(const std::vector<numbers>&)>& by_number, const tensors<double>& arguments) {
    tensors<double> leaves;
    for (const tensor<double>& x : arguments) leaves.push_back(x.clone().requires_grad(true));
    const tensor<double> value = f(leaves);
    value.backward();

    tape::tape recording;
    std::vector<numbers> active;
    for (const tensor<double>& x : arguments) {
        active.emplace_back();
        for (const double v : x.values()) active.back().push_back(recording.variable(v));
    }
    const number expected = by_number(active);
    recording.backward(expected);
    CHECK(value.item() == Approx(expected.value()).epsilon(1e-13));
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        CAPTURE(k);
        doubles gradient;
        for (const number& v : active[k]) gradient.push_back(v.gradient());
        compare(leaves[k].grad(), gradient, 1e-13);
    }
}

template <class Row>
tensor<double> points(std::size_t argument, std::uint64_t seed) {
    const functions::interval domain = chainrule::functions::domain_of<Row>[argument];
    const double margin = 0.02 * (domain.high - domain.low);
    return drawn({5}, seed, domain.low + margin, domain.high - margin);
}

#define CHAINRULE_UNARY(NAME, ...)                                                                                     \
    if constexpr (functions::NAME::position % Parts == Part) {                                                         \
        CAPTURE(std::string(#NAME));                                                                                   \
        check_same([](const auto& a) { return sum(NAME(a[0]) * a[0]); },                                               \
                   [](const auto& a) {                                                                                 \
                       number s = 0;                                                                                   \
                       for (const number& x : a[0]) s += NAME(x) * x;                                                  \
                       return s;                                                                                       \
                   },                                                                                                  \
                   {points<functions::NAME>(0, 1)});                                                                   \
    }
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    if constexpr (functions::NAME::position % Parts == Part) {                                                         \
        CAPTURE(std::string(#NAME));                                                                                   \
        check_same([](const auto& a) { return sum(NAME(a[0], a[1]) * a[0]); },                                         \
                   [](const auto& a) {                                                                                 \
                       number s = 0;                                                                                   \
                       for (std::size_t i = 0; i < 5; ++i) s += NAME(a[0][i], a[1][i]) * a[0][i];                      \
                       return s;                                                                                       \
                   },                                                                                                  \
                   {points<functions::NAME>(0, 1), points<functions::NAME>(1, 2)});                                    \
    }
#define CHAINRULE_TERNARY(NAME, ...) // no tensor function
/// Checks of every `Parts` rows one.
template <unsigned Part, unsigned Parts>
void check_functions() {
    CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
}
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY

} // namespace
