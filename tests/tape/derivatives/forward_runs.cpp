// SPDX-License-Identifier: BSL-1.0
//
// Derivatives in forward mode within functions that forward mode differentiates.
#include "catch.hpp"
#include "sentence.hpp"

#include <chainrule/tape.hpp>
#include <chainrule/tape/parallel.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace {

namespace tape = chainrule::tape;

const std::vector at{3.0}, along{1.0};
const std::string sentence =
    ": the function uses numbers of a derivative around this call, whose tangents would mix with "
    "its own; start at numbers of their type T, as at std::vector{T(2.0)}";

// Each calls a derivative of g(y) = x y^2 at y = 2, which is plain, for an outer number x.
constexpr auto inner_jvp = [](const auto& x) {
    return x[0] * tape::jvp([&](const auto& y) { return x[0] * y[0] * y[0]; }, std::array{2.0}, std::array{1.0});
};
constexpr auto inner_hvp = [](const auto& x) {
    return x[0] * tape::hvp([&](const auto& y) { return x[0] * y[0] * y[0]; }, std::array{2.0}, std::array{1.0})[0];
};
constexpr auto inner_hessian = [](const auto& x) {
    return x[0] * tape::hessian([&](const auto& y) { return x[0] * y[0] * y[0]; }, std::array{2.0}).hessian[0][0];
};
// Where neither the value nor the gradient of g depends on x, but further derivatives do.
constexpr auto hidden = [](const auto& x) {
    return x[0] * tape::hvp([&](const auto& y) { return x[0] * y[0] * y[0]; }, std::array{0.0}, std::array{1.0})[0];
};
// Beside a kink only one side shows that g depends on x, or g is not defined there.
constexpr auto beside_a_kink = [](const auto& x) {
    return x[0] * tape::jvp([&](const auto& y) { return min(y[0], 0.0) * x[0]; }, std::array{0.0}, std::array{1.0});
};
constexpr auto beside_a_negative_kink = [](const auto& x) {
    return x[0] *
           tape::jvp([&](const auto& y) { return max(y[0] + 1.0, 0.0) * x[0]; }, std::array{-1.0}, std::array{1.0});
};
constexpr auto beside_an_edge = [](const auto& x) {
    return x[0] * tape::jvp(
                      [&](const auto& y) {
                          if (y[0] > 1) throw std::domain_error("not defined");
                          return (1.0 - y[0]) * x[0];
                      },
                      std::array{1.0}, std::array{1.0});
};
// Where g is not a number, neither are the tangents that x would mix in.
constexpr auto not_a_number = [](const auto& x) {
    return x[0] * tape::jvp([&](const auto& y) { return log(y[0]) * x[0]; }, std::array{-2.0}, std::array{1.0});
};
constexpr auto in_parts = [](const auto& x) {
    using T = std::remove_cvref_t<decltype(x[0])>;
    return tape::parallel(
        chainrule::threads(2), 2,
        [](std::size_t, const T& a) {
            return T(a * tape::jvp([&](const auto& y) { return a * y[0] * y[0]; }, std::array{2.0}, std::array{1.0}));
        },
        x[0])[1];
};
// The inner function throws where it is not defined, as beside the point.
constexpr auto at_an_edge = [](const auto& x) {
    return x[0] * tape::jvp(
                      [](const auto& y) {
                          if (y[0] > 1) throw std::domain_error("not defined");
                          return 2.0 * y[0];
                      },
                      std::array{1.0}, std::array{1.0});
};

} // namespace

TEST_CASE("numbers of an outer run in forward mode are detected in an inner one", "[tape]") {
    CHECK(sentence_of([] { (void)tape::jvp(inner_jvp, at, along); }) == "jvp" + sentence);
    CHECK(sentence_of([] { (void)tape::jvp(inner_hvp, at, along); }) == "hvp" + sentence);
    CHECK(sentence_of([] { (void)tape::jvp(inner_hessian, at, along); }) == "hessian" + sentence);
    CHECK(sentence_of([] { (void)tape::jvp(hidden, at, along); }) == "hvp" + sentence);
    CHECK(sentence_of([] { (void)tape::jvp(beside_a_kink, at, along); }) == "jvp" + sentence);
    CHECK(sentence_of([] { (void)tape::jvp(beside_a_negative_kink, at, along); }) == "jvp" + sentence);
    CHECK(sentence_of([] { (void)tape::jvp(beside_an_edge, at, along); }) == "jvp" + sentence);
    CHECK(sentence_of([] { (void)tape::jvp(not_a_number, at, along); }) == "jvp" + sentence);
    CHECK(sentence_of([] { (void)tape::jvp(in_parts, at, along); }) == "jvp" + sentence);
    // Afterwards all is as before.
    CHECK(tape::jvp([](const auto& x) { return x[0] * x[0]; }, at, along) == 6.0);
}

TEST_CASE("forward mode within forward mode, with numbers of the outer run's type", "[tape]") {
    // f(x) = x d/dy (x y^2) at y = 2, which is 4 x^2.
    const auto f = [](const auto& x) {
        using T = std::remove_cvref_t<decltype(x[0])>;
        return T(x[0] *
                 tape::jvp([&](const auto& y) { return x[0] * y[0] * y[0]; }, std::array{T(2.0)}, std::array{T(1.0)}));
    };
    CHECK(tape::jvp(f, at, along) == 24.0);
    CHECK(tape::value_and_jvp(f, at, along).value == 36.0);
}

TEST_CASE("an inner run in forward mode that uses plain numbers alone", "[tape]") {
    // Newton's method on plain numbers, by functions with infinite slopes and values that are no numbers at the start.
    int calls = 0;
    const auto root_of = [&](double square) {
        double y = 1.0;
        for (int step = 0; step < 30; ++step) {
            const auto f = [&](const auto& v) { return ++calls, v[0] * v[0] - square; };
            const auto there = tape::value_and_jvp(f, std::array{y}, std::array{1.0});
            y -= there.value / there.product;
        }
        return y;
    };
    CHECK(tape::jvp([&](const auto& x) { return x[0] * root_of(2.0); }, at, along) == root_of(2.0));
    CHECK(calls == 150); // 30, and within the outer run three times more each, to detect its numbers
    const auto infinite = [](const auto& x) {
        return x[0] * tape::jvp([](const auto& y) { return sqrt(y[0]); }, std::array{0.0}, std::array{1.0});
    };
    CHECK(tape::jvp(infinite, at, along) == std::numeric_limits<double>::infinity());
    const auto none = [](const auto& x) {
        return x[0] *
               tape::value_and_jvp([](const auto& y) { return log(y[0]); }, std::array{-1.0}, std::array{1.0}).value;
    };
    CHECK(std::isnan(tape::value_and_jvp(none, at, along).value));
    CHECK(tape::jvp(at_an_edge, at, along) == 2.0);
    const auto second = [](const auto& x) {
        return x[0] * tape::hessian([](const auto& y) { return y * y * y; }, 2.0).hessian[0][0];
    };
    CHECK(tape::jvp(second, at, along) == 12.0);
}
