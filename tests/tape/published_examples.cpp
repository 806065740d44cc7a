// SPDX-License-Identifier: BSL-1.0
//
// The examples by which tapes are explained elsewhere, with the numbers that are known from there: products, sums, the
// logistic function, a matrix times a vector, numbers that are used twice, diamonds; and what tapes are said to make
// hard, second derivatives and the language's own branches, loops and recursion.
#include "catch.hpp"

#include <chainrule/tape.hpp>

#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

namespace {

namespace tape = chainrule::tape;
using active = tape::active<double>;

Approx near(double v, double epsilon = 1e-15) { return Approx(v).epsilon(epsilon); }

} // namespace

TEST_CASE("log(x) + x * y - sin(y) at (2, 5)", "[tape][documents]") {
    tape::tape t;
    auto x = t.variable(2.0), y = t.variable(5.0);
    active f = log(x) + x * y - sin(y);
    CHECK(f.value() == near(11.652071455223084));
    t.backward(f);
    CHECK(x.gradient() == 5.5);
    CHECK(y.gradient() == near(1.7163378145367738));
    CHECK(f.gradient() == 1);
}

TEST_CASE("multiplication", "[tape][documents]") {
    const auto gradients = [](double a, double b) {
        tape::tape t;
        auto x = t.variable(a), y = t.variable(b);
        active z = x * y;
        CHECK(z.value() == a * b);
        t.backward(z);
        return std::array{x.gradient(), y.gradient()};
    };
    CHECK(gradients(1, 3) == std::array{3.0, 1.0});
    CHECK(gradients(10, 20) == std::array{20.0, 10.0});
}

TEST_CASE("addition", "[tape][documents]") {
    const auto gradients = [](double a, double b) {
        tape::tape t;
        auto x = t.variable(a), y = t.variable(b);
        active z = x + y;
        CHECK(z.value() == a + b);
        t.backward(z);
        return std::array{x.gradient(), y.gradient()};
    };
    CHECK(gradients(10, 10) == std::array{1.0, 1.0});
    CHECK(gradients(10, 20) == std::array{1.0, 1.0});
    CHECK(gradients(8, 5) == std::array{1.0, 1.0});
}

namespace {

active add(const active& a, const active& b) { return a + b; }
active negative(const active& a) { return -a; }
active exponential(const active& a) { return exp(a); }
active reciprocal(const active& a) { return 1 / a; }
active logistic(const active& a) { return reciprocal(add(1, exponential(negative(a)))); }

// Value and derivative at a point.
std::array<double, 2> at(active (*f)(const active&), double point) {
    tape::tape t;
    auto x = t.variable(point);
    active y = f(x);
    t.backward(y);
    return {y.value(), x.gradient()};
}

} // namespace

TEST_CASE("negation, exponential, reciprocal, logistic", "[tape][documents]") {
    CHECK(at(negative, 1.5) == std::array{-1.5, -1.0});
    CHECK(at(exponential, 1.5)[0] == std::exp(1.5));
    CHECK(at(exponential, 1.5)[1] == at(exponential, 1.5)[0]);
    CHECK(at(reciprocal, 4) == std::array{0.25, -1.0 / 16});
    CHECK(at(logistic, 1.5)[0] == 1 / (1 + std::exp(-1.5)));
    CHECK(at(logistic, 1.5)[1] == near(0.14914645, 1e-7));
    const double s = 1 / (1 + std::exp(-1.5));
    CHECK(at(logistic, 1.5)[1] == near(s * (1 - s)));

    // As one statement.
    CHECK(at([](const active& z) -> active { return 1 / (1 + exp(-z)); }, 1.5)[1] == near(0.14914645, 1e-7));

    // As a vector of two, with a seed of ones.
    tape::tape t;
    auto z = t.variables(std::vector{1.5, 1.5});
    std::vector<active> y{logistic(z[0]), logistic(z[1])};
    t.backward({{y[0]}, {y[1]}});
    CHECK(z[0].gradient() == near(0.14914645, 1e-7));
    CHECK(z[1].gradient() == z[0].gradient());
}

TEST_CASE("exponential with a seed", "[tape][documents]") {
    tape::tape t;
    auto b = t.variables(std::vector{2.0, 3.0});
    active d0 = exp(b[0]), d1 = exp(b[1]);
    t.backward({{d0}, {d1}});
    CHECK(b[0].gradient() == std::exp(2.0));
    CHECK(b[1].gradient() == std::exp(3.0));
}

TEST_CASE("what is used several times adds up", "[tape][documents]") {
    tape::tape t;
    auto x = t.variable(3.0), unused = t.variable(1.0);
    active twice = x + x, square = x * x;
    t.backward(twice);
    CHECK(x.gradient() == 2);
    t.backward(square); // and not 2 + 6
    CHECK(x.gradient() == 6);
    CHECK(unused.gradient() == 0);

    // Within a statement, over statements, and through copies.
    const active copy = x;
    active a = x * copy + copy;
    active b = a + square + x;
    t.backward(b);
    CHECK(x.gradient() == 2 * 3 + 1 + 2 * 3 + 1);
}

TEST_CASE("a diamond is swept in topological order", "[tape][documents]") {
    // c reaches the output over two ways of different length: what goes back from d before all of c's users have added
    // to c would be lost, or go back twice.
    tape::tape t;
    auto a = t.variable(2.0);
    active b = a * 3.0;
    active c = b * b;
    active d = sin(c);
    active e = d * b;
    active f = e + c;
    t.backward(f);
    const double cc = 36;
    const double dc = std::cos(cc) * 6 + 1, db = std::sin(cc) + dc * 2 * 6;
    CHECK(e.gradient() == 1);
    CHECK(d.gradient() == 6);
    CHECK(c.gradient() == near(dc));
    CHECK(b.gradient() == near(db, 1e-14));
    CHECK(a.gradient() == near(3 * db, 1e-14));

    // Diamonds on diamonds: 2^60 paths, one visit each.
    auto x = t.variable(1.0);
    active y = x;
    for (int i = 0; i < 60; ++i) {
        active left = 1.0 * y, right = 1.0 * y;
        y = left + right;
    }
    t.backward(y);
    CHECK(x.gradient() == std::ldexp(1.0, 60));
}

TEST_CASE("a matrix times a vector", "[tape][documents]") {
    tape::tape t;
    std::vector<std::vector<active>> matrix{t.variables(std::vector{1, 2, 3}), t.variables(std::vector{4, 5, 6})};
    std::vector<active> vector = t.variables(std::vector{1, 2, 3});
    std::vector<active> product(2, 0.0);
    for (std::size_t r = 0; r < 2; ++r)
        for (std::size_t c = 0; c < 3; ++c) product[r] += matrix[r][c] * vector[c];
    CHECK(product[0].value() == 14);
    CHECK(product[1].value() == 32);

    t.backward({{product[0], 1.0}, {product[1], 2.0}});
    const double by_matrix[2][3] = {{1, 2, 3}, {2, 4, 6}};
    const double by_vector[3] = {9, 12, 15};
    for (std::size_t c = 0; c < 3; ++c) {
        CHECK(matrix[0][c].gradient() == by_matrix[0][c]);
        CHECK(matrix[1][c].gradient() == by_matrix[1][c]);
        CHECK(vector[c].gradient() == by_vector[c]);
    }

    // The rows of the Jacobian with respect to the vector, in one sweep: the matrix itself.
    const auto rows = t.backward<2>(product);
    for (std::size_t c = 0; c < 3; ++c)
        CHECK(rows[vector[c]] == std::array{matrix[0][c].value(), matrix[1][c].value()});
}

namespace {

// Written for any number, with the language's own loop and branches.
template <class T>
T distance(const T& a, const T& b) {
    if (a < b) return b - a;
    return a - b;
}
template <class T>
T square_root(const T& a) {
    T x = a > 1 ? T(a) : T(1.0);
    for (;;) {
        T next = 0.5 * (x + a / x);
        if (distance(next, x) <= 1e-15 * x) return next;
        x = next;
    }
}

} // namespace

TEST_CASE("second derivatives", "[tape][documents]") {
    const auto f = [](const auto& x) { return std::decay_t<decltype(x[0])>(log(x[0]) + x[0] * x[1] - sin(x[1])); };
    const auto second = tape::hessian(f, std::vector{2.0, 5.0});
    CHECK(second.value == near(11.652071455223084));
    CHECK(second.gradient[0] == 5.5);
    CHECK(second.gradient[1] == near(1.7163378145367738));
    CHECK(second.hessian(0, 0) == -0.25);
    CHECK(second.hessian(0, 1) == 1);
    CHECK(second.hessian(1, 0) == 1);
    CHECK(second.hessian(1, 1) == near(std::sin(5.0)));

    // Through a loop: the second derivative of Newton's square root.
    const auto root = tape::hessian([](const auto& x) { return square_root(x[0]); }, std::vector{9.0});
    CHECK(root.value == 3);
    CHECK(root.gradient[0] == near(1.0 / 6));
    CHECK(root.hessian(0, 0) == near(-1.0 / 108, 1e-12));
}

TEST_CASE("second derivatives by differences of gradients", "[tape][documents]") {
    const auto gradient = [](double px, double py) {
        tape::tape t;
        auto x = t.variable(px), y = t.variable(py);
        active f = log(x) + x * y - sin(y);
        t.backward(f);
        return std::array{x.gradient(), y.gradient()};
    };
    const double h = 1e-5;
    const auto right = gradient(2 + h, 5), left = gradient(2 - h, 5), up = gradient(2, 5 + h),
               down = gradient(2, 5 - h);
    CHECK((right[0] - left[0]) / (2 * h) == near(-0.25, 1e-8));
    CHECK((right[1] - left[1]) / (2 * h) == near(1, 1e-8));
    CHECK((up[0] - down[0]) / (2 * h) == near(1, 1e-8));
    CHECK((up[1] - down[1]) / (2 * h) == near(std::sin(5.0), 1e-8));
}

namespace {

template <class T>
T power(const T& x, unsigned n) {
    if (n == 0) return 1.0;
    if (n % 2 == 1) return x * power(x, n - 1);
    const T root = power(x, n / 2);
    return root * root;
}

// The number of steps that Collatz's rule takes to one decides how often x is multiplied.
template <class T>
T collatz(const T& x, int n) {
    T result = x;
    while (n != 1) {
        if (n % 2 == 0) {
            n /= 2;
            result = result * x;
        } else {
            n = 3 * n + 1;
            result += 1.0;
        }
    }
    return result;
}

} // namespace

TEST_CASE("a loop whose length depends on the numbers", "[tape][documents]") {
    for (const double a : {0.01, 0.5, 2.0, 9.0, 12345.0}) {
        INFO(a);
        tape::tape t;
        active x = t.variable(a);
        active root = square_root(x);
        CHECK(root.value() == square_root(a));
        CHECK(root.value() == near(std::sqrt(a)));
        t.backward(root);
        CHECK(x.gradient() == near(1 / (2 * std::sqrt(a)), 1e-14));
    }
}

TEST_CASE("branches take the derivative of the side that was executed", "[tape][documents]") {
    const auto derivative = [](double point) {
        tape::tape t;
        active x = t.variable(point), y;
        if (x < 0)
            y = -x;
        else if (x < 1)
            y = x * x;
        else
            y = 2 * x - 1;
        t.backward(y);
        return x.gradient();
    };
    CHECK(derivative(-3) == -1);
    CHECK(derivative(0.25) == 0.5);
    CHECK(derivative(7) == 2);

    // The side that is not executed leaves nothing: log of a negative number is not even computed.
    tape::tape t;
    active x = t.variable(-1.0);
    active y = x > 0 ? active(log(x)) : active(x * x);
    t.backward(y);
    CHECK(x.gradient() == -2);
    CHECK(t.memory().statements == 2);
}

TEST_CASE("recursion", "[tape][documents]") {
    tape::tape t;
    active x = t.variable(1.5);
    active y = power(x, 13);
    CHECK(y.value() == power(1.5, 13));
    t.backward(y);
    CHECK(x.gradient() == near(13 * std::pow(1.5, 12)));

    // Through a function object that calls itself.
    std::function<active(active, int)> horner = [&](active sum, int k) {
        return k < 0 ? sum : horner(sum * x + k, k - 1);
    };
    active p = horner(0.0, 3); // 3 x^3 + 2 x^2 + x
    CHECK(p.value() == 3 * 1.5 * 1.5 * 1.5 + 2 * 1.5 * 1.5 + 1.5);
    t.backward(p);
    CHECK(x.gradient() == 9 * 1.5 * 1.5 + 4 * 1.5 + 1);
}

TEST_CASE("control flow by other data", "[tape][documents]") {
    tape::tape t;
    active x = t.variable(1.1);
    active y = collatz(x, 6); // 6 3 10 5 16 8 4 2 1: 6 halvings, 2 others
    const double h = 1e-6;
    t.backward(y);
    CHECK(y.value() == collatz(1.1, 6));
    CHECK(x.gradient() == near((collatz(1.1 + h, 6) - collatz(1.1 - h, 6)) / (2 * h), 1e-8));
}

namespace {

// A tree that is built at run time.
struct tree {
    char operation; // + or *, or x for the variable
    std::unique_ptr<tree> left, right;

    [[nodiscard]] active evaluate(const active& x) const {
        if (operation == 'x') return x;
        const active a = left->evaluate(x), b = right->evaluate(x);
        return operation == '+' ? active(a + b) : active(a * b);
    }
};

std::unique_ptr<tree> built(unsigned seed, int depth) {
    if (depth == 0) return std::make_unique<tree>(tree{'x', nullptr, nullptr});
    return std::make_unique<tree>(tree{seed % 3 == 0 ? '*' : '+', built(seed * 5 + 1, depth - 1),
                                       built(seed * 7 + 3, depth - 1 - (depth > 1 && seed % 2 == 0))});
}

} // namespace

TEST_CASE("a computation whose shape is data", "[tape][documents]") {
    for (unsigned seed = 1; seed <= 8; ++seed) {
        const auto shape = built(seed, 4);
        const auto value = [&](double p) { return shape->evaluate(active(p)).value(); };
        tape::tape t;
        active x = t.variable(1.25);
        active y = shape->evaluate(x);
        t.backward(y);
        const double h = 1e-5;
        CHECK(x.gradient() == near((value(1.25 + h) - value(1.25 - h)) / (2 * h), 1e-7));
    }
}
