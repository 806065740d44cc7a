// SPDX-License-Identifier: BSL-1.0
//
// Recordings as programs of the compiler, the same as those of functions traced at compile time.
// compiled_function.cpp has those in machine code.
#include "catch.hpp"
#include "sentence.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/print/c.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/compile.hpp>

#include <array>
#include <string>

namespace {

namespace cr = chainrule;
namespace tape = chainrule::tape;
constexpr unsigned first = cr::request::values | cr::request::jacobians;
constexpr unsigned second = first | cr::request::hessians;

/// Whether a recording has the program of the same code traced at compile time, instruction for instruction.
template <unsigned Request, std::size_t Inputs, class F>
void same_program(F f) {
    const std::array<double, Inputs> at = [] {
        std::array<double, Inputs> x{};
        for (std::size_t i = 0; i < Inputs; ++i) x[i] = 0.4 + 0.13 * static_cast<double>(i);
        return x;
    }();
    const auto r = tape::record(f, at);
    const std::string expected(cr::to_c<"f", Request>(cr::function<int{Inputs}>(f)));
    CHECK(tape::to_c(r, "f", Request) == expected);
}

constexpr auto product = [](const auto& x) { return log(x[0]) + x[0] * x[1] - sin(x[1]); };
constexpr auto shared = [](const auto& x) {
    const auto b = exp(-0.5 * x[0]);
    const auto c = b * (1.0 + b) / (x[1] * x[1] + 0.1);
    return c * sin(x[1]) * cos(x[1]) + sqrt(c) * tanh(x[2] / 3.0);
};
constexpr auto loop = [](const auto& x) {
    auto sum = 0.25 * x[0];
    for (std::size_t i = 1; i < x.size(); ++i) sum = sum * x[i - 1] + x[i] / (1.0 + sum * sum);
    return sum;
};
constexpr auto kinks = [](const auto& x) {
    return select(x[0] < x[1] && x[1] <= 2.0, max(x[0], 0.5) * x[1], abs(x[0] - 2.0 * x[1])) + relu(x[0] - 0.1) +
           select(!(x[0] == x[1] || x[0] > 3.0), 7.0, x[0]);
};
constexpr auto powers = [](const auto& x) {
    return pow(x[0], 2) + pow(x[1], 4) * pow(x[0], 5) + pow(x[0], x[1]) + pow(x[1], 0.5) + square(x[0] + x[1]) +
           cube(x[0]) + inverse(x[1]);
};
constexpr auto curves = [](const auto& x) {
    return sigmoid(x[0] * x[1]) * log1p(x[1]) + atan2(x[0], x[1]) + expm1(x[0]) / 1.7;
};
constexpr auto several = [](const auto& x) {
    using T = std::remove_cvref_t<decltype(x[0])>;
    return std::array<T, 3>{x[0] * cos(x[1]), x[0] * sin(x[1]) + x[2], T(7.0) * x[2]};
};
constexpr auto marked = [](const auto& x) { return relaxed((x[0] / x[2] + x[1] / x[2]) * x[0]) + x[1]; };

} // namespace

TEST_CASE("a recording has the program of the function traced at compile time", "[tape]") {
    same_program<first, 2>(product);
    same_program<second, 2>(product);
    same_program<first, 3>(shared);
    same_program<second, 3>(shared);
    same_program<first, 6>(loop);
    same_program<first, 2>(kinks);
    same_program<second, 2>(kinks);
    same_program<first, 2>(powers);
    same_program<first, 2>(curves);
    same_program<first, 3>(several);
    same_program<second, 3>(several);
    same_program<first, 3>(marked);
    same_program<cr::request::values, 3>(shared);
}

TEST_CASE("roots of plain numbers are roots again", "[tape]") {
    // So the square of the root is 2, and the exponentials of derivatives become one (docs/how-it-works.md).
    const auto scaled = [](const auto& x) {
        using T = std::remove_cvref_t<decltype(x[0])>;
        return erfc(x[0] / sqrt(T(2.0))) + x[0] / sqrt(T(2.5));
    };
    const std::string text = tape::to_c(tape::record(scaled, std::array{0.5}));
    CHECK(text.find("sqrt(2.0)") != std::string::npos);
    CHECK(text.find("sqrt(2.5)") == std::string::npos); // of whole numbers only
    const auto undefined = [](const auto& x) {
        using T = std::remove_cvref_t<decltype(x[0])>;
        return cr::select(x[0] > 0.0, log(x[0]), T(std::nan("")));
    };
    CHECK(!tape::to_c(tape::record(undefined, std::array{0.5})).empty());
}

TEST_CASE("text in C checks its name and its request", "[tape]") {
    const auto r = tape::record(product, std::array{2.0, 5.0});
    CHECK(tape::to_c(r, "energy").find("void energy(const double *in,") != std::string::npos);
    CHECK(sentence_of([&] { (void)tape::to_c(r, "2nd"); }) ==
          "to_c: the name '2nd' is not a C identifier; use letters, digits and _");
    CHECK(
        sentence_of([&] { (void)tape::to_c(r, "sin"); }) ==
        "to_c: the name 'sin' is a keyword of C, a name of <math.h>, or one that the code uses itself; use another, as "
        "in 'gradient_of_f'");
    CHECK(sentence_of([&] { (void)tape::to_c(r, "f", 8); }) ==
          "to_c: the request is not request::values, jacobians, hessians or a sum of them; write one");
}
