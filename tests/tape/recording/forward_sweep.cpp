// SPDX-License-Identifier: BSL-1.0
//
// Jacobians by the forward sweep against the gradients of their outputs, for numbers of inputs that make parts of every
// width, and for outputs and inputs of every kind and order.
#include "catch.hpp"

#include <chainrule/tape.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace {

namespace tape = chainrule::tape;

/// The Jacobian of the forward sweep, without the choice of a direction.
template <class T>
std::vector<T> forwards(const tape::basic_tape<T>& t, const std::vector<tape::active<T>>& outputs,
                        const std::vector<tape::active<T>>& inputs, bool finite = true) {
    std::vector<T> to(outputs.size() * inputs.size(), T(-77));
    CHECK(tape::sweeping::write_forwards<T>(to.data(), t, outputs, inputs) == finite);
    return to;
}
/// Compares it with a gradient of each output.
template <class T>
void check(tape::basic_tape<T>& t, const std::vector<tape::active<T>>& outputs,
           const std::vector<tape::active<T>>& inputs, double tolerance = 1e-14) {
    const std::vector<T> found = forwards(t, outputs, inputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (outputs[i].is_recorded()) t.backward(outputs[i]);
        for (std::size_t k = 0; k < inputs.size(); ++k) {
            const T expected = outputs[i].is_recorded() ? inputs[k].gradient() : T(0);
            CHECK(found[i * inputs.size() + k] == Approx(expected).epsilon(tolerance).margin(tolerance));
        }
    }
}

template <class T>
void check_of_size(std::size_t n, double tolerance) {
    using number = tape::active<T>;
    tape::basic_tape<T> t;
    std::vector<T> at(n);
    for (std::size_t i = 0; i < n; ++i) at[i] = T(0.3) + T(0.07) * static_cast<T>(i);
    const std::vector<number> x = t.variables(at);
    std::vector<number> y;
    number sum = T(0);
    for (std::size_t i = 0; i < n; ++i) {
        sum += x[i] * x[(i + 1) % n];
        y.push_back(sin(x[i]) * sum);
        y.push_back(x[i] - sum);
    }
    check<T>(t, y, x, tolerance);
}

} // namespace

TEST_CASE("a forward sweep takes any number of inputs", "[tape]") {
    for (const std::size_t n : {1U, 2U, 3U, 5U, 8U, 9U, 15U, 16U, 17U, 24U, 25U, 26U, 31U, 32U, 33U, 45U, 67U}) {
        check_of_size<double>(n, 1e-13);
        check_of_size<float>(n, 2e-5);
        check_of_size<long double>(n, 1e-13);
    }
}

TEST_CASE("a forward sweep gives outputs in any order, also variables, repeated ones and plain numbers", "[tape]") {
    tape::tape t;
    const auto x = t.variables({0.5, 1.5, 2.5});
    const tape::active<double> a = x[0] * x[1], unused = x[2] * 3.0, b = exp(a), c = a - b;
    check<double>(t, {c, a, x[1], b, 4.0, a, c, x[1], unused}, x);
    // Results of statements and repeated numbers as inputs; an input that nothing uses.
    const auto last = t.variable(1.0);
    check<double>(t, {c, a, b, unused, x[0]}, {x[0], a, last, a, unused, b, x[0]});
    check<double>(t, {}, x);
    check<double>(t, {a, c}, {});
}

TEST_CASE("a forward sweep follows statements from block to block", "[tape]") {
    tape::tape t;
    const auto x = t.variables({0.5, 1.5});
    std::vector<tape::active<double>> y;
    for (std::size_t length : {5U, 100U, 40'000U, 3U}) { // blocks have 64 to 16,384 entries
        std::vector<tape::active<double>> operands;
        std::vector<double> partials;
        for (std::size_t i = 0; i < length; ++i) {
            operands.push_back(i % 3 == 0 || y.empty() ? x[i % 2] : y.back());
            partials.push_back(std::cos(static_cast<double>(i)));
        }
        y.push_back(t.statement(1.0, operands, partials));
    }
    check<double>(t, y, x, 1e-11);
}

TEST_CASE("a forward sweep says that an element may not be finite", "[tape]") {
    tape::tape t;
    const auto x = t.variables({0.0, 1.0});
    const tape::active<double> root = sqrt(x[0]), y = root * 0.5;
    (void)forwards<double>(t, {y, x[1]}, x, false);
    CHECK(forwards<double>(t, {x[1]}, x) == std::vector<double>{0.0, 1.0}); // the root is not an output
    // The Jacobian then comes from reverse sweeps, in which x1 has the derivative 0.
    std::vector<tape::active<double>> outputs(40, y);
    CHECK(tape::jacobian(t, outputs, x)(39, 1) == 0.0);
    CHECK(tape::jacobian(t, outputs, x)(39, 0) == std::numeric_limits<double>::infinity());
}
