// SPDX-License-Identifier: BSL-1.0
//
// Traces: the lines of a computation and of its reverse sweep, what they are called, and their values. The first test
// is the example by which reverse mode is usually explained, with the lines and numbers known from there.
#include "catch.hpp"
#include "sentence.hpp"

#include <chainrule/dual.hpp>
#include <chainrule/tape/trace.hpp>

#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>

namespace {

namespace cr = chainrule;
namespace tape = chainrule::tape;
using namespace chainrule::literals;
using traced = tape::traced<double>;

double derivative_by(const tape::adjoint_sweep_lines<double>& sweep, const std::string& name) {
    for (const auto& derivative : sweep.derivatives)
        if (derivative.by == name) return derivative.value;
    return std::numeric_limits<double>::quiet_NaN();
}

constexpr auto primal_of_log_product_sine = R"(v-1 = 2.0
v0 = 5.0
v1 = log(v-1)
v2 = v-1 * v0
v3 = v1 + v2
v4 = sin(v0)
v5 = v3 - v4
11.652071455223084
)";
constexpr auto adjoint_of_log_product_sine = R"(v9 = v6 * v7
v10 = v6 * v8
v12 = v10 * v11
v15 = v9 * v13
v16 = v9 * v14
v17 = v16 * v0
v18 = v16 * v-1
v19 = v12 + v18
v21 = v15 * v20
v22 = v17 + v21
dv5_dv5 = v6
dv5_dv3 = v9
dv5_dv4 = v10
dv5_dv0 = v19
dv5_dv1 = v15
dv5_dv2 = v16
dv5_dv-1 = v22
dx 5.5
dy 1.7163378145367738
)";

} // namespace

TEST_CASE("log(x) + x * y - sin(y), line by line", "[tape][trace]") {
    tape::trace t;
    traced x = t.variable(2.0), y = t.variable(5.0);
    traced f = log(x) + x * y - sin(y);
    CHECK(t.primal(f) == primal_of_log_product_sine);
    CHECK(t.primal() + "11.652071455223084\n" == primal_of_log_product_sine);
    CHECK(t.adjoint(f, {{"x", x}, {"y", y}}) == adjoint_of_log_product_sine);

    // Asking changes nothing, and written in three statements it is the same computation.
    CHECK(t.adjoint(f, {{"x", x}, {"y", y}}) == adjoint_of_log_product_sine);
    tape::trace u;
    traced a = u.variable(2.0), b = u.variable(5.0);
    traced g = log(a);
    g += a * b;
    g -= sin(b);
    CHECK(u.primal(g) == primal_of_log_product_sine);
    CHECK(u.adjoint(g, {{"x", a}, {"y", b}}) == adjoint_of_log_product_sine);
}

TEST_CASE("the lines of partial derivatives can be shown", "[tape][trace]") {
    tape::trace t;
    traced x = t.variable(2.0), y = t.variable(5.0);
    traced f = log(x) + x * y - sin(y);
    const std::string text = t.adjoint(f, {}, tape::partial_lines::shown);
    CHECK(text.substr(0, text.find("dv5_dv5")) == R"(v6 = 1
v7 = 1
v8 = -1
v9 = v6 * v7
v10 = v6 * v8
v11 = cos(v0)
v12 = v10 * v11
v13 = 1
v14 = 1
v15 = v9 * v13
v16 = v9 * v14
v17 = v16 * v0
v18 = v16 * v-1
v19 = v12 + v18
v20 = 1 / v-1
v21 = v15 * v20
v22 = v17 + v21
)");
    CHECK(text.substr(text.find("\ndv-1 ")) == "\ndv-1 5.5\ndv0 1.7163378145367738\n");
}

TEST_CASE("the value of every line is known", "[tape][trace]") {
    tape::trace t;
    traced x = t.variable(2.0), y = t.variable(5.0);
    traced f = log(x) + x * y - sin(y);

    const auto primal = t.primal_lines();
    const double values[] = {
        2, 5, std::log(2.0), 10, std::log(2.0) + 10, std::sin(5.0), std::log(2.0) + 10 - std::sin(5.0)};
    REQUIRE(primal.size() == 7);
    for (std::size_t i = 0; i < 7; ++i) {
        CHECK(primal[i].value == values[i]);
        CHECK((primal[i].kind == (i < 2 ? tape::line_kind::input : tape::line_kind::operation)));
    }

    const auto sweep = t.adjoint_lines(f);
    const double adjoints[] = {1,   1,   -1, 1, -1, std::cos(5.0), -std::cos(5.0), 1, 1, 1, 1, 5, 2, -std::cos(5.0) + 2,
                               0.5, 0.5, 5.5}; // v6 to v22
    REQUIRE(sweep.lines.size() == 17);
    for (std::size_t i = 0; i < 17; ++i) {
        CHECK(sweep.lines[i].name == "v" + std::to_string(i + 6));
        CHECK(sweep.lines[i].value == adjoints[i]);
    }
    CHECK((sweep.lines[5].kind == tape::line_kind::partial));
    CHECK((sweep.lines[6].kind == tape::line_kind::adjoint));

    REQUIRE(sweep.derivatives.size() == 7);
    CHECK(sweep.derivatives.front().by == "v5");
    CHECK(sweep.derivatives.front().value == 1);
    CHECK(sweep.derivatives.back().by == "v-1");
    CHECK(sweep.derivatives.back().name == "v22");
    CHECK(sweep.derivatives.back().value == 5.5);

    t.backward(f);
    CHECK(x.gradient() == derivative_by(sweep, "v-1"));
    CHECK(y.gradient() == derivative_by(sweep, "v0"));
    CHECK(f.gradient() == derivative_by(sweep, "v5"));
}

TEST_CASE("inputs are counted up to v0, or have names", "[tape][trace]") {
    tape::trace t;
    traced a = t.variable(1);
    CHECK(t.primal(a) == "v0 = 1.0\n1.0\n");
    traced b = a + a;
    traced c = t.variable(-0.5);
    traced d = t.variable(1e-7, "rate");
    traced e = c * d - b;
    CHECK(t.primal(e) ==
          "v-1 = 1.0\nv1 = v-1 + v-1\nv0 = -0.5\nrate = 1e-7\nv2 = v0 * rate\nv3 = v2 - v1\n-2.00000005\n");
    // Only what comes before a number is its trace.
    CHECK(t.primal(b) == "v-1 = 1.0\nv1 = v-1 + v-1\n2.0\n");
    const std::string text = t.adjoint(e);
    CHECK(text.substr(text.find("\ndv-1 ")) == "\ndv-1 -2.0\ndv0 1e-7\ndrate -0.5\n");
    CHECK(t.adjoint(b, {{"a", a}, {"rate", d}}) ==
          "v7 = v4 * v5\nv8 = v4 * v6\nv9 = v7 + v8\ndv1_dv1 = v4\ndv1_dv-1 = v9\nda 2.0\n"
          "drate 0.0\n");
}

TEST_CASE("an operand that is used twice gets two contributions", "[tape][trace]") {
    tape::trace t;
    traced x = t.variable(3);
    traced y = x * x;
    CHECK(t.adjoint(y) == "v3 = v2 * v0\nv4 = v2 * v0\nv5 = v3 + v4\ndv1_dv1 = v2\ndv1_dv0 = v5\ndv0 6.0\n");
}

TEST_CASE("plain numbers are written where they stand", "[tape][trace]") {
    tape::trace t;
    traced x = t.variable(4, "x");
    traced constant = -3.0;
    CHECK_FALSE(constant.is_traced());
    traced y = 2.5 * x + pow(x, 2_c) / 3 - constant * x + (1_c / 3_c) * x - 0.1_c + (constant + 1) * x;
    CHECK(t.primal() == R"(x = 4.0
v1 = 2.5 * x
v2 = pow(x, 2)
v3 = v2 / 3
v4 = v1 + v3
v5 = -3 * x
v6 = v4 - v5
v7 = 1 / 3 * x
v8 = v6 + v7
v9 = v8 - 0.1
v10 = -2 * x
v11 = v9 + v10
)");
    CHECK(y.value() == 2.5 * 4 + 16.0 / 3 - -3.0 * 4 + (1.0 / 3) * 4 - 0.1 + -2.0 * 4);
    const std::string text = t.adjoint(y, {}, tape::partial_lines::shown);
    const auto has = [&](const std::string& part) { return text.find(part) != std::string::npos; };
    CHECK(has(" * (-2)\n"));
    CHECK(has(" * (-3)\n"));
    CHECK(has(" * (1 / 3)\n"));
    CHECK(has(" * 2.5\n"));
    CHECK(has(" = 2 * x\n"));
    CHECK(has(" = 1 / 3\n"));
    t.backward(y);
    CHECK(x.gradient() == Approx(2.5 + 8.0 / 3 + 3 + 1.0 / 3 - 2).epsilon(1e-15));
    CHECK(derivative_by(t.adjoint_lines(y), "x") == x.gradient());

    // A result of plain numbers only is a plain number.
    traced z = constant * 2.0;
    CHECK(z.value() == -6);
    CHECK_FALSE(z.is_traced());
    CHECK(t.primal_lines().size() == 12);
    CHECK(t.primal_lines().back().text() == "v11 = v9 + v10");
}

TEST_CASE("a partial derivative that is the result goes by the result's name", "[tape][trace]") {
    tape::trace t;
    traced x = t.variable(1.5);
    traced y = exp(-x);
    CHECK(t.primal() == "v0 = 1.5\nv1 = -v0\nv2 = exp(v1)\n");
    CHECK(t.adjoint(y) ==
          "v4 = v3 * v2\nv6 = v4 * v5\ndv2_dv2 = v3\ndv2_dv1 = v4\ndv2_dv0 = v6\ndv0 -0.22313016014842982\n");
}

TEST_CASE("loops and branches leave the operations that were executed", "[tape][trace]") {
    tape::trace t;
    traced x = t.variable(10);
    int steps = 0;
    while (x > 2) {
        if (x * 0.5 > 3) // a comparison is not an operation of the trace
            x /= 2;
        else
            x -= 1;
        ++steps;
    }
    CHECK(steps == 4);
    CHECK(t.primal() == "v0 = 10.0\nv1 = v0 / 2\nv2 = v1 - 1\nv3 = v2 - 1\nv4 = v3 - 1\n");
    CHECK(x.value() == 2);
    CHECK(isfinite(x));
    traced y = x++;
    CHECK((y == 2 && x == 3 && --x == 2));
}

TEST_CASE("an adjoint of zero stays zero", "[tape][trace]") {
    tape::trace t;
    traced x = t.variable(0);
    traced y = sqrt(x) * 0.0;
    t.backward(y);
    CHECK(x.gradient() == 0);
    CHECK(derivative_by(t.adjoint_lines(y), "v0") == 0);
    traced z = sqrt(x);
    CHECK(t.adjoint(z).find("dv0 inf\n") != std::string::npos);
}

TEST_CASE("a product with a number that is not traced and is zero has a line, and can be used", "[tape][trace]") {
    tape::trace t;
    const auto x = t.variable(3.0), y = t.variable(4.0);
    const tape::traced<double> zero = 0.0;
    const tape::traced<double> product = zero * x, f = product * y - y;
    CHECK(t.primal(f) == "v-1 = 3.0\nv0 = 4.0\nv1 = 0 * v-1\nv2 = v1 * v0\nv3 = v2 - v0\n-4.0\n");
    t.backward(f);
    CHECK(x.gradient() == 0.0);
    CHECK(y.gradient() == -1.0);
    CHECK(t.adjoint(f, {{"x", x}, {"y", y}}).ends_with("dx 0.0\ndy -1.0\n"));
    t.backward(product);
    CHECK(x.gradient() == 0.0);
}

TEST_CASE("traces of float", "[tape][trace]") {
    tape::basic_trace<float> t;
    auto x = t.variable(0.1F);
    tape::traced<float> y = x * 3.0F;
    CHECK(t.primal(y) == "v0 = 0.1\nv1 = v0 * 3\n0.3\n");
    CHECK(t.adjoint(y) == "v3 = v2 * 3\ndv1_dv1 = v2\ndv1_dv0 = v3\ndv0 3.0\n");
}

TEST_CASE("traces of dual numbers show values, and know second derivatives", "[tape][trace]") {
    using number = cr::dual<double>;
    tape::basic_trace<number> t;
    auto x = t.variable(number::variable(2.0)), y = t.variable(5.0);
    tape::traced<number> f = log(x) + x * y - sin(y);
    CHECK(t.primal(f) == primal_of_log_product_sine);
    CHECK(t.adjoint(f, {{"x", x}, {"y", y}}) == adjoint_of_log_product_sine);
    t.backward(f);
    CHECK(x.gradient().tangents[0] == -0.25);
    CHECK(y.gradient().tangents[0] == 1);
}

TEST_CASE("a traced number goes to a stream as its value", "[tape][trace]") {
    tape::trace t;
    std::ostringstream out;
    out << t.variable(0.5);
    CHECK(out.str() == "0.5");
}

TEST_CASE("what a trace cannot do it says in a sentence", "[tape][trace]") {
    tape::trace t, other;
    traced x = t.variable(1, "x"), y = other.variable(2);
    const traced constant = 3;
    const auto gradient_of = [](const traced& z) { return [&] { (void)z.gradient(); }; };
    CHECK(sentence_of([&] { (void)t.variable(1, ""); }) == "variable: the name is empty; pass a name, or omit the "
                                                           "argument");
    CHECK(sentence_of([&] { (void)t.variable(1, "x"); }) == "variable: the name 'x' is taken; choose another");
    for (const std::string name : {"v1", "v-12", "v0"})
        CHECK(sentence_of([&] { (void)t.variable(1, name); }) ==
              "variable: '" + name + "' is reserved for the trace; choose another name, or none");
    CHECK(sentence_of([&] { (void)t.variable(1, "a\nb"); }) ==
          "variable: the name contains a line break or another control character; choose a name without them");
    CHECK(sentence_of(gradient_of(constant)) ==
          "gradient: the number is not traced; make variables with trace.variable(...)");
    CHECK(sentence_of(gradient_of(x)) ==
          "gradient: backward() was not called since the number was recorded; call it first");
    CHECK(sentence_of([&] { (void)t.primal(constant); }) ==
          "primal: the number is not traced; compute it from variables of this trace");
    CHECK(sentence_of([&] { (void)t.adjoint(y); }) == "adjoint: the number belongs to another trace; use that one");
    CHECK(sentence_of([&] { (void)t.adjoint(x, {{"y", y}}); }) ==
          "adjoint: the number belongs to another trace; use that one");
    CHECK(sentence_of([&] { t.backward(y); }) == "backward: the number belongs to another trace; use that one");

    // Numbers of two traces: the trace is as before.
    CHECK(sentence_of([&] { (void)traced(x * y); }) ==
          "active: an expression has numbers of two tapes; record all of them on one tape");
    CHECK(t.primal() == "x = 1.0\n");
    CHECK(other.primal() == "v0 = 2.0\n");
    for (const char* name : {"v", "v-", "v1a", "velocity"}) CHECK_NOTHROW(t.variable(1, name));
}
