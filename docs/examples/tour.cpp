// SPDX-License-Identifier: BSL-1.0
//
// A tour of chainrule in one program: it differentiates an expression and shows the code of the derivatives; it fits a
// model to measured data by Newton's method with exact gradients and Hessians; and it times the derived gradient
// against a hand-written one.
#include <chainrule/chainrule.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cr = chainrule;
using namespace cr::literals;

namespace {

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto f = log(x) + x * y - sin(y); // an empty type: it is all known to the compiler
constexpr auto F = cr::function(f, cr::wrt(x, y));

void print(const char* label, std::string_view text) {
    std::printf("%-8s%.*s\n", label, static_cast<int>(text.size()), text.data());
}

// ---------------------------------------------------------------------------------------------- 1. an expression

void take_apart() {
    std::puts("1. An expression and its derivatives\n");
    print("f", cr::to_string(f));
    print("df/dx", cr::to_string(cr::derivative(f, x)));
    print("df/dy", cr::to_string(cr::derivative(f, y)));

    // The program that the compiler derived, before it is turned into machine code.
    std::puts("\nValue and gradient together are one straight-line program:\n");
    const std::string_view program = cr::program_text(F);
    constexpr auto count = cr::operation_count(F);
    std::printf("%.*s\n\n", static_cast<int>(program.size()), program.data());
    std::printf("%d operations: %d additions, %d multiplications, %d multiply-adds, %d divisions, %d calls\n\n",
                count.total, count.additions, count.multiplications, count.fused, count.divisions, count.calls);

    const auto [value, gradient] = F.value_and_gradient(2.0, 5.0);
    std::printf("at x = 2, y = 5:  f = %.17g, df/dx = %.17g, df/dy = %.17g\n", value, gradient[0], gradient[1]);
}

// ---------------------------------------------------------------------------------------------- 2. a fit to data

struct observation {
    double pressure, volume;
};

/// The rows "pressure,volume" of a file; lines that do not begin with a number are skipped.
std::vector<observation> read(const std::filesystem::path& path) {
    std::vector<observation> rows;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
        if (observation row; std::sscanf(line.c_str(), "%lf,%lf", &row.pressure, &row.volume) == 2) rows.push_back(row);
    return rows;
}

constexpr auto b1 = cr::variable<"b1">;
constexpr auto b2 = cr::variable<"b2">;
constexpr auto t = cr::variable<"t">;
constexpr auto residual = y - b1 * (1_c - exp(-b2 * t)); // of one observation: t and y are measured, b1 and b2 sought

using point = std::array<double, 2>;

struct quadratic_model {
    double value = 0.0;
    point gradient{};
    std::array<point, 2> hessian{};
};

/// The sum of squared residuals over all observations, with its derivatives with respect to b1 and b2.
quadratic_model sum_of_squares(const std::vector<observation>& data, const point& b) {
    static constexpr auto square = cr::function(residual * residual, cr::wrt(b1, b2), cr::given(t = 0.0, y = 0.0));
    auto one = square;
    quadratic_model sum;
    for (const auto& [pressure, volume] : data) {
        one.set(t = pressure, y = volume);
        const auto [value, gradient, hessian] = one.value_gradient_and_hessian(b); // one program
        sum.value += value;
        for (std::size_t i = 0; i < 2; ++i) {
            sum.gradient[i] += gradient[i];
            for (std::size_t j = 0; j < 2; ++j) sum.hessian[i][j] += hessian[i][j];
        }
    }
    return sum;
}

struct newton_step {
    point move;
    double promised; // the decrease of the sum that the quadratic model predicts
    bool convex;     // otherwise the move does not lead to a minimum
};

/// The move to the minimum of the quadratic model, after enlarging its diagonal by `damping`.
newton_step step_from(const quadratic_model& model, double damping) {
    const auto& [value, g, h] = model;
    const double h00 = h[0][0] * (1.0 + damping), h11 = h[1][1] * (1.0 + damping);
    const double determinant = h00 * h11 - h[0][1] * h[1][0];
    const point move = {(h[0][1] * g[1] - h11 * g[0]) / determinant, (h[1][0] * g[0] - h00 * g[1]) / determinant};
    return {move, -0.5 * (move[0] * g[0] + move[1] * g[1]), h00 > 0.0 && determinant > 0.0};
}

bool fit(const std::filesystem::path& path) {
    std::puts("\n2. A fit to data: NIST's reference data set Misra1a, y = b1 (1 - exp(-b2 t))\n");
    const auto data = read(path);
    if (data.empty()) {
        std::fprintf(stderr, "tour: no data in '%s'; give the path of misra1a.csv as argument\n",
                     path.string().c_str());
        return false;
    }
    std::puts("step               b1                b2   sum of squares");
    const auto print_row = [](const char* step, const point& b, double sum) {
        std::printf("%-4s %16.11g  %16.11g %16.11g\n", step, b[0], b[1], sum);
    };
    point b = {250.0, 0.0005};
    auto here = sum_of_squares(data, b);
    print_row("0", b, here.value);

    bool converged = false;
    double damping = 0.0;
    for (int step = 1, tries = 0; !converged && tries < 100; ++tries) {
        const auto [move, promised, convex] = step_from(here, damping);
        const point next = {b[0] + move[0], b[1] + move[1]};
        const auto there = sum_of_squares(data, next);
        converged = convex && promised < 1e-15 * here.value;
        if (converged || (convex && there.value < here.value)) {
            b = next;
            here = there;
            damping = damping > 1e-6 ? 0.1 * damping : 0.0;
            print_row(std::to_string(step++).c_str(), b, here.value);
        } else {
            damping = std::max(10.0 * damping, 1e-3);
        }
    }
    const point certified = {2.3894212918e+02, 5.5015643181e-04};
    print_row("NIST", certified, 1.2455138894e-01);
    return converged && std::abs(b[0] / certified[0] - 1.0) < 1e-9 && std::abs(b[1] / certified[1] - 1.0) < 1e-9;
}

// ---------------------------------------------------------------------------------------------- 3. a race

struct by_hand {
    struct result {
        double value;
        point gradient;
    };
    result operator()(const point& p) const {
        double sine, cosine;
#ifdef __GLIBC__
        ::sincos(p[1], &sine, &cosine);
#else
        sine = std::sin(p[1]), cosine = std::cos(p[1]);
#endif
        return {std::log(p[0]) + p[0] * p[1] - sine, {1.0 / p[0] + p[1], p[0] - cosine}};
    }
};

struct derived {
    auto operator()(const point& p) const { return F.value_and_gradient(p); }
};

/// Nanoseconds for each value and gradient, and the sum of all numbers, so that the compiler cannot skip any.
template <class Function>
std::pair<double, double> timed(Function function, const std::vector<point>& points) {
    double sum = 0.0;
    const auto begin = std::chrono::steady_clock::now();
    for (const auto& p : points) {
        const auto [value, gradient] = function(p);
        sum += value + gradient[0] + gradient[1];
    }
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
    return {time.count() / static_cast<double>(points.size()), sum};
}

bool race() {
    std::puts("\n3. The derived gradient against one written by hand: f and both derivatives\n");
    std::vector<point> points;
    for (int i = 0; i < 1000; ++i) points.push_back({1.0 + i * 1e-3, 5.0 - i * 2e-3});

    // Many short runs in turn, so that other load on the machine affects both equally.
    std::vector<double> ours, theirs;
    bool equal = true;
    for (int run = 0; run < 1001; ++run) {
        const auto [our_time, our_sum] = timed(derived{}, points);
        const auto [their_time, their_sum] = timed(by_hand{}, points);
        ours.push_back(our_time);
        theirs.push_back(their_time);
        equal = equal && std::abs(our_sum / their_sum - 1.0) < 1e-12;
    }
    const auto median = [](std::vector<double> times) {
        std::ranges::sort(times);
        return times[times.size() / 2];
    };
    std::printf("derived %.2f ns, by hand %.2f ns, ratio %.2f (medians of 1001 alternating runs)\n", median(ours),
                median(theirs), median(ours) / median(theirs));
    return equal;
}

} // namespace

int main(int count, char** arguments) {
    const auto beside_this_file = std::filesystem::path(__FILE__).parent_path() / "data" / "misra1a.csv";
    take_apart();
    const bool fitted = fit(count > 1 ? std::filesystem::path(arguments[1]) : beside_this_file);
    const bool equal = race();
    return fitted && equal ? EXIT_SUCCESS : EXIT_FAILURE;
}
