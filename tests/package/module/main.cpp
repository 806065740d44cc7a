// SPDX-License-Identifier: BSL-1.0
//
// A program that imports the module and includes nothing of the library: expressions, functions of ordinary code, every
// way of differentiating at run time.
#include <array>
#include <cstdio>
#include <vector>

import chainrule;

namespace cr = chainrule;
using namespace cr::literals;

namespace {

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto k = cr::variable<"k">;
constexpr auto f = log(x) + x * y - sin(y);

static_assert(cr::to_string(cr::derivative(f, x)) == "1 / x + y");
static_assert(cr::same(cr::derivative(3_c * (2_c * x), x), 6_c));
static_assert(cr::hessian(f)(x = 2.0, y = 5.0)(x, y) == 1.0);
static_assert(select(x > 0_c && !(y < x), sqrt(x), y)(x = 4.0, y = 5.0) == 2.0);
static_assert(cr::operation_count(cr::function(x * y + x, cr::wrt(x, y))).fused == 1);

constexpr auto traced = cr::function<2>([](const auto& q) { return q[0] * q[0] * q[1] + 0.5 * q[1]; });
static_assert(traced.gradient(2.0, 5.0) == std::array{20.0, 4.5});
static_assert(cr::fixed_matrix<double, 2, 2>{{2.0, 1.0}, {1.0, 3.0}}(1, 1) == 3.0);

struct gelu_function : cr::custom_function<gelu_function, 1> {
    static constexpr char name[] = "gelu";
    template <class Number>
    static constexpr Number value(const Number& at) {
        return at * cr::evaluation::normal_cdf(at);
    }
    template <class Number>
    static constexpr auto derivative(const Number& at, const Number&) {
        return normal_cdf(at) + at * exp(-at * at / 2) / cr::irrational::sqrt_two_pi.as<double>();
    }
};
constexpr gelu_function gelu;

bool near(double is, double expected, const char* what) {
    const double error = is < expected ? expected - is : is - expected;
    if (error <= 1e-12) return true;
    std::printf("%s is %.15g instead of %.15g\n", what, is, expected);
    return false;
}

bool expressions() {
    auto decay = cr::function(exp(-k * x) * (k + y), cr::wrt(x, y), cr::given(k = 0.5));
    decay.set(k = 0.0);
    const double slope_of_lgamma = cr::derivative(lgamma(x), x)(x = 1.0) + 0.57721566490153286; // Euler's constant
    return near(decay(1.0, 2.0), 2.0, "decay") && near(slope_of_lgamma, 0.0, "the slope of lgamma") &&
           near(cr::derivative(gelu(x), x)(x = 0.0), 0.5, "the slope of gelu") &&
           near(cr::newton(x * x - 2_c, x, 1.0), 1.4142135623730951, "the root") &&
           cr::to_latex(x / y) == "\\frac{x}{y}";
}

bool tapes() {
    cr::tape::tape tape;
    const auto a = tape.variable(2.0), b = tape.variable(5.0);
    cr::tape::active<double> c = a * b + sqrt(a * 2.0);
    if (a < b) c += a;
    tape.backward(c);
    const auto cubic = [](const auto& q) { return q[0] * q[0] * q[1]; };
    const std::vector at{2.0, 5.0};
    auto replayed = cr::tape::record(cubic, at);
    const cr::dual<double, 1> seed = cr::dual<double, 1>::variable(3.0, 0);
    return near(a.gradient(), 6.5, "the adjoint") && near(cr::tape::gradient(cubic, at)[0], 20.0, "a gradient") &&
           near(cr::tape::hessian(cubic, at).hessian(0, 1), 4.0, "a Hessian") &&
           near(cr::tape::sparse_hessian(cubic, at)(1, 0), 4.0, "a sparse Hessian") &&
           near(replayed.gradient(std::vector{3.0, 4.0})[0], 24.0, "a replay") &&
           near((seed * seed).tangents[0], 6.0, "a dual number");
}

bool batches() {
    const std::vector<double> xs(1001, 1.5), ys(1001, 0.25);
    std::vector<double> values(1001), by_x(1001), by_y(1001);
    cr::batch(cr::function(x * x * y, cr::wrt(x, y)))
        .value_and_gradient(cr::columns(xs, ys), values, cr::columns(by_x, by_y));
    const auto loss = cr::sum(square(y - k * x), cr::over(x = xs, y = ys), cr::wrt(k));
    const auto logistic = cr::repeat(k * x * (1_c - x), cr::state(x), cr::wrt(k), cr::steps(100));
    return near(by_x[1000], 0.75, "a gradient of a batch") && near(by_y[1000], 2.25, "a gradient of a batch") &&
           near(loss.gradient(0.5)[0], 1501.5, "the slope of a sum") &&
           near(logistic(0.3, 2.5)[0], 0.6, "a step repeated");
}

} // namespace

int main() { return expressions() && tapes() && batches() ? 0 : 1; }
