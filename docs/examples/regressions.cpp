// SPDX-License-Identifier: BSL-1.0
//
// A logistic and a Poisson regression by Newton's method: the likelihood is a sum over the rows of a table, whose
// value, gradient and Hessian come from one pass over the data. The answers of scikit-learn stand beside.
#include <chainrule/batch/sum.hpp>
#include <chainrule/chainrule.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace cr = chainrule;
using namespace cr::literals;

namespace {

/// The columns of a table in a file; lines with # are comments, and the first other line has the names.
std::vector<std::vector<double>> read_columns(const std::string& name, std::size_t count) {
    std::ifstream file("data/" + name);
    if (!file) {
        std::fprintf(stderr, "regressions: data/%s is missing; run the program in docs/examples\n", name.c_str());
        std::exit(1);
    }
    std::vector<std::vector<double>> columns(count);
    bool names = true;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        if (names) {
            names = false;
            continue;
        }
        std::istringstream fields(line);
        for (auto& column : columns) {
            double number = 0.0;
            if (!(fields >> number)) {
                std::fprintf(stderr, "regressions: a row of data/%s has not %zu numbers: %s\n", name.c_str(), count,
                             line.c_str());
                std::exit(1);
            }
            fields.ignore(); // the comma
            column.push_back(number);
        }
    }
    return columns;
}

/// Solves A x = b for a positive definite A by Cholesky's method.
template <std::size_t Size>
std::array<double, Size> solved(std::array<std::array<double, Size>, Size> a, std::array<double, Size> b) {
    for (std::size_t j = 0; j < Size; ++j)
        for (std::size_t i = j; i < Size; ++i) {
            for (std::size_t k = 0; k < j; ++k) a[i][j] -= a[i][k] * a[j][k];
            a[i][j] = i == j ? std::sqrt(a[i][j]) : a[i][j] / a[j][j];
        }
    for (std::size_t i = 0; i < Size; ++i) {
        for (std::size_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
    for (std::size_t i = Size; i-- > 0;) {
        for (std::size_t k = i + 1; k < Size; ++k) b[i] -= a[k][i] * b[k];
        b[i] /= a[i][i];
    }
    return b;
}

/// The minimum of a convex loss, from 0 on; the program ends if Newton's method does not find it.
template <std::size_t Size>
std::array<double, Size> minimum(const auto& loss) {
    std::array<double, Size> w{};
    for (int step = 0; step < 20; ++step) {
        const auto [value, gradient, hessian] = loss.value_gradient_and_hessian(w);
        const auto change = solved(hessian, gradient);
        double largest = 0.0;
        bool finite = true;
        for (std::size_t i = 0; i < Size; ++i) {
            w[i] -= change[i];
            largest = std::fmax(largest, std::fabs(change[i]));
            finite = finite && std::isfinite(change[i]);
        }
        std::printf("  step %d: loss %.6f, change %.1e\n", step, value, largest);
        if (!finite) break;
        if (largest < 1e-6) return w;
    }
    std::fprintf(stderr, "regressions: Newton's method does not converge\n");
    std::exit(1);
}

void o_rings() {
    constexpr auto temperature = cr::variable<"temperature">;
    constexpr auto damaged = cr::variable<"damaged">;
    constexpr auto intercept = cr::variable<"intercept">;
    constexpr auto slope = cr::variable<"slope">;
    const auto table = read_columns("o_rings.csv", 2);

    std::printf("Damaged O-rings of the Space Shuttle: a logistic regression\n");
    constexpr auto eta = intercept + slope * temperature;
    const auto loss = cr::sum(softplus(eta) - damaged * eta, cr::over(temperature = table[0], damaged = table[1]),
                              cr::wrt(intercept, slope));
    const auto [found_intercept, found_slope] = minimum<2>(loss);
    std::printf("  intercept %9.6f, scikit-learn 15.042902\n", found_intercept);
    std::printf("  slope     %9.6f, scikit-learn -0.232163\n", found_slope);
    std::printf("  At 31 degrees, the temperature on the day of Challenger: %.4f\n\n",
                1 / (1 + std::exp(-found_intercept - found_slope * 31)));
}

void incidents() {
    constexpr auto hours = cr::variable<"hours">;
    constexpr auto load = cr::variable<"load">;
    constexpr auto night = cr::variable<"night">;
    constexpr auto count = cr::variable<"count">;
    constexpr auto w = cr::variables<"w", 3>;
    const auto table = read_columns("incidents.csv", 4);

    std::printf("Generated numbers of incidents: a Poisson regression\n");
    // The logarithm of count! does not depend on w.
    const auto loss = cr::sum(
        [](auto duration, auto at_load, auto by_night, auto number, const auto& weights) {
            const auto eta = weights[0] + weights[1] * at_load + weights[2] * by_night;
            return duration * exp(eta) - number * eta;
        },
        cr::over(hours = table[0], load = table[1], night = table[2], count = table[3]), cr::wrt(w));
    const auto found = minimum<3>(loss);
    constexpr std::array names = {"intercept", "load     ", "night    "},
                         others = {"-0.779903", " 0.974560", "-0.565873"};
    for (std::size_t i = 0; i < 3; ++i) std::printf("  %s %9.6f, scikit-learn %s\n", names[i], found[i], others[i]);
}

} // namespace

int main() {
    o_rings();
    incidents();
}
