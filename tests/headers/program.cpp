// SPDX-License-Identifier: BSL-1.0
//
// A program of a user whose compiler warns of much, whose other libraries define macros, and who has variables of short
// names: the headers are clean in it. tests/headers/CMakeLists.txt has the warnings.
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "surroundings.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/batch.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/custom_function.hpp>
#include <chainrule/fixed_matrix.hpp>
#include <chainrule/special_functions.hpp>
#include <chainrule/steps.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>
#include <chainrule/tape/sparse.hpp>
#include <chainrule/tape/trace.hpp>
#include <chainrule/tensor.hpp>
#include <chainrule/tensor/files/archive.hpp>
#include <chainrule/tensor/static_network.hpp>
#include <chainrule/text.hpp>

[[maybe_unused]] const double a = 1, b = 2, c = 3, d = 4, f = 5, g = 6, h = 7, i = 8, j = 9, k = 10, l = 11, m = 12,
                              n = 13, p = 14, q = 15, r = 16, s = 17, t = 18, u = 19, v = 20, w = 21, x = 22, y = 23,
                              z = 24;
[[maybe_unused]] const int size = 1, index_of = 2, values = 3, value = 4, point = 5, first = 6, result = 7, shape = 9,
                           numbers = 10;

static_assert(N == 8 && min(1, 2) == 1 && max(1, 2) == 2 && I == -1 && T && A == 1 && H == 5 &&
              Z == 16); // as before the headers

namespace {

namespace cr = chainrule;
using namespace cr::literals;

constexpr auto X = cr::variable<"X">;
constexpr auto Y = cr::variable<"Y">;
constexpr auto K = cr::variable<"K">;

constexpr auto everything() {
    return cr::vector(log(X) + X * Y - sin(Y), pow(X, 2_c) / 3_c + exp(-0.5_c * X), select(X > 0_c, sqrt(X), Y),
                      abs(X) * tanh(Y), hypot(X, Y) + atan2(Y, X), erf(X) + cbrt(Y) - relu(X),
                      clamp(X, 0_c, 1_c) + cr::piecewise(X < Y, X, Y), lgamma(X) + normal_cdf(Y));
}

struct gelu_function : cr::custom_function<gelu_function, 1> {
    static constexpr char name[] = "gelu";
    template <class Number>
    static constexpr Number value(const Number& at) {
        return at * cr::evaluation::normal_cdf(at);
    }
    template <class Number>
    static constexpr auto derivative(const Number& at, const Number&) {
        return normal_cdf(at) + at * exp(-at * at / 2) / 2;
    }
};
constexpr gelu_function gelu;

template <class Number>
Number kernels() {
    constexpr auto F = cr::function(log(X) + X * Y - sin(Y), cr::wrt(X, Y));
    auto P = cr::function(exp(-K * X) * Y, X, Y, cr::given(K = Number(0.5)));
    P.set(K = Number(0.25));
    const auto G = cr::function(everything(), X, Y);
    const std::vector<Number> at{Number(2), Number(5)};
    Number total = F(at) + F.gradient(at)[0] + F.hessian(at)[0][1] + P(at);
    total += P(Y = at[1], X = at[0]);
    total += G.jacobian(at)[0][0] + G.value_and_jacobian(at).values[1] + F.hvp(at, at)[0] + F.jvp(at, at);
    total += cr::hessian(sin(X * Y))(X = at[0], Y = at[1])(X, Y) + cr::gradient(X * Y)(X = at[0], Y = at[1])[X];
    total += gelu(at[0]) + cr::derivative(gelu(X), X)(X = at[0]);
    // Lanes are shuffled in a kernel of like parts, and in the inverse of a small matrix.
    const auto chain = cr::function<10>([](const auto& at_all) {
        auto sum = at_all[0] * at_all[0];
        for (std::size_t each = 0; each + 1 < at_all.size(); ++each) {
            const auto rest = at_all[each + 1] - at_all[each] * at_all[each];
            sum += 100.0 * rest * rest + (1.0 - at_all[each]) * (1.0 - at_all[each]);
        }
        return sum;
    });
    total += chain.value_and_gradient(std::vector<Number>(10, at[0])).gradient[1];
    cr::fixed_matrix<Number, 4, 4> identity;
    for (std::size_t each = 0; each < 4; ++each) identity(each, each) = Number(1);
    total += inverse(identity)(0, 0);
    const auto rotated = rotate(cr::vector(X, Y, X), cr::vector(0_c, Y, X));
    return total + rotated(X = at[0], Y = at[1])[2];
}

template <class Number>
double runs() {
    const cr::dual<Number, 2> dual_number(Number(2));
    double total = static_cast<double>((sin(dual_number) * dual_number + pow(dual_number, Number(2))).value);
    cr::tape::basic_tape<Number> tape;
    auto one = tape.variable(Number(2)), two = tape.variable(Number(3));
    cr::tape::active<Number> three = sin(one) * two + log(one) / two;
    three += one;
    const auto product = [](const auto& at) { return at[0] * at[1]; };
    const std::vector<Number> at{Number(2), Number(3)};
    total += static_cast<double>(cr::tape::hvp(product, at, at)[0] + cr::tape::jvp(product, at, at) +
                                 cr::tape::sparse_hessian(product, at)(0, 1));
    return total + static_cast<double>(three.value());
}

template <class Number>
double batches() {
    const std::vector<Number> one(9, Number(2)), two(9, Number(5));
    std::vector<Number> value(9), by_one(9), by_two(9);
    cr::batch(cr::function(log(X) + X * Y - sin(Y), cr::wrt(X, Y)))
        .value_and_gradient(cr::columns(one, two), value, cr::columns(by_one, by_two));
    const auto loss = cr::sum(square(Y - K * X), cr::over(X = one, Y = two), cr::wrt(K));
    const auto logistic = cr::repeat(K * X * (1_c - X), cr::state(X), cr::wrt(K), cr::steps(9));
    const cr::fixed_matrix<Number, 2, 2> matrix{{Number(2), Number(1)}, {Number(1), Number(3)}};
    return static_cast<double>(value[0] + by_two[8] + loss.gradient(Number(2))[0] + determinant(matrix)) +
           logistic(0.3, 2.5)[0];
}

template <class Number>
double tensors() {
    namespace ct = cr::tensor;
    ct::tensor<Number> left({2, 3}, {1, 2, 3, 4, 5, 6});
    left.requires_grad(true);
    const auto product = matmul(left, transpose(left));
    auto loss =
        sum(relu(product) + exp(-product)) / Number(2) + mean(where(product > Number(0), sqrt(product), product));
    loss.backward();
    return static_cast<double>(loss.item());
}

} // namespace

int main() {
    std::ostringstream text;
    text << cr::to_string(X * Y) << cr::to_latex(X / Y) << cr::program_text(cr::function(X * sin(Y))) << X * Y;
    text << cr::to_c(cr::function(X * sin(Y))) << cr::to_graphviz(X * Y);
    return kernels<double>() + static_cast<double>(kernels<float>()) + runs<double>() + runs<float>() +
               batches<double>() + batches<float>() + tensors<double>() + tensors<float>() >
           1e300;
}
