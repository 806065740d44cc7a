// SPDX-License-Identifier: BSL-1.0
//
// Nonlinear least squares: five data sets of the NIST Statistical Reference Datasets, fitted in SIMD lanes from both
// starts that NIST suggests and from 1000 others around the certified parameters. Data and certified values are from
// https://www.itl.nist.gov/div898/strd/nls/nls_main.shtml (works of the US government, in the public domain).
#include <chainrule/batch.hpp>
#include <chainrule/tensor/training/progress.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

namespace cr = chainrule;
using namespace cr::literals;

namespace {

constexpr auto t = cr::variable<"t">;
constexpr auto y = cr::variable<"y">;
constexpr auto b1 = cr::variable<"b1">;
constexpr auto b2 = cr::variable<"b2">;
constexpr auto b3 = cr::variable<"b3">;
constexpr auto b4 = cr::variable<"b4">;
constexpr auto b5 = cr::variable<"b5">;
constexpr auto b6 = cr::variable<"b6">;
constexpr auto b7 = cr::variable<"b7">;

template <std::size_t Size>
struct problem {
    const char* name;
    std::vector<double> t, y;
    std::array<std::array<double, Size>, 2> starts;
    std::array<double, Size> certified;
    double squares; // the certified sum
};

/// Decimal digits that agree.
double digits(double found, double certified) {
    return found == certified ? 11.0 : std::clamp(-std::log10(std::abs(found / certified - 1)), 0.0, 11.0);
}

template <std::size_t Size, class Model, class... V>
void fit(const problem<Size>& p, const Model& model, V... parameters) {
    // All fits share the data: there are as many as starts, one start per row.
    std::vector<std::array<double, Size>> starts(p.starts.begin(), p.starts.end());
    for (std::size_t i = 0; i < 1000; ++i) {
        auto start = p.certified;
        for (std::size_t j = 0; j < Size; ++j)
            start[j] *= 0.8 + 0.4 * std::fmod(0.618034 * static_cast<double>((i + 1) * (j + 1)), 1.0);
        starts.push_back(start);
    }
    cr::tensor::progress bar(p.name, starts.size());
    std::size_t shown = 0;
    const auto fits = cr::fits(y - model, cr::over_fits(t = p.t, y = p.y), cr::wrt(parameters...))
                          .levenberg_marquardt(cr::rows(starts), cr::with_covariance, cr::report([&](std::size_t done) {
                                                   for (; shown < done; ++shown) bar.advance();
                                               }));
    bar.finish();

    for (std::size_t i = 0; i < 2; ++i) {
        double least = digits(2 * fits.half_squares(i), p.squares);
        for (std::size_t j = 0; j < Size; ++j) least = std::min(least, digits(fits(i, j), p.certified[j]));
        std::printf("%-8s start %zu: %s, %s\n", p.name, i + 1, fits.converged(i) ? "converged" : "failed",
                    least >= 8 ? "at least 8 digits of NIST's" : "fewer than 8 digits of NIST's");
    }
    std::size_t good = 0;
    for (std::size_t i = 2; i < fits.size(); ++i)
        good += fits.converged(i) && digits(2 * fits.half_squares(i), p.squares) >= 8 ? 1u : 0u;
    std::printf("%-8s %zu of 1000 other starts; b1 = %.7g with a standard deviation of %.7g\n", p.name, good,
                fits(1, 0), std::sqrt(fits.covariance(1, 0, 0)));
}

} // namespace

int main() {
    fit<2>({"Misra1a",
            {77.6, 114.9, 141.1, 190.8, 239.9, 289.0, 332.8, 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0},
            {10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78},
            {{{500, 1e-4}, {250, 5e-4}}},
            {2.3894212918e+02, 5.5015643181e-04},
            1.2455138894e-01},
           b1 * (1_c - exp(-b2 * t)), b1, b2);
    fit<2>({"BoxBOD",
            {1, 2, 3, 5, 7, 10},
            {109, 149, 149, 191, 213, 224},
            {{{1, 1}, {100, 0.75}}},
            {2.1380940889e+02, 5.4723748542e-01},
            1.1680088766e+03},
           b1 * (1_c - exp(-b2 * t)), b1, b2);
    fit<3>({"Rat42",
            {9, 14, 21, 28, 42, 57, 63, 70, 79},
            {8.93, 10.80, 18.59, 22.33, 39.35, 56.11, 61.73, 64.62, 67.08},
            {{{100, 1, 0.1}, {75, 2.5, 0.07}}},
            {7.2462237576e+01, 2.6180768402e+00, 6.7359200066e-02},
            8.0565229338e+00},
           b1 / (1_c + exp(b2 - b3 * t)), b1, b2, b3);
    fit<4>({"MGH09",
            {4, 2, 1, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625},
            {0.1957, 0.1947, 0.1735, 0.16, 0.0844, 0.0627, 0.0456, 0.0342, 0.0323, 0.0235, 0.0246},
            {{{25, 39, 41.5, 39}, {0.25, 0.39, 0.415, 0.39}}},
            {1.9280693458e-01, 1.9128232873e-01, 1.2305650693e-01, 1.3606233068e-01},
            3.0750560385e-04},
           b1 * (t * t + t * b2) / (t * t + t * b3 + b4), b1, b2, b3, b4);
    fit<7>({"Thurber",
            {-3.067, -2.981, -2.921, -2.912, -2.840, -2.797, -2.702, -2.699, -2.633, -2.481, -2.363, -2.322, -1.501,
             -1.460, -1.274, -1.212, -1.100, -1.046, -0.915, -0.714, -0.566, -0.545, -0.400, -0.309, -0.109, -0.103,
             0.010,  0.119,  0.377,  0.790,  0.963,  1.006,  1.115,  1.572,  1.841,  2.047,  2.200},
            {80.574,   84.248,   87.264,   87.195,   89.076,   89.608,   89.868,   90.101,   92.405,   95.854,
             100.696,  101.060,  401.672,  390.724,  567.534,  635.316,  733.054,  759.087,  894.206,  990.785,
             1090.109, 1080.914, 1122.643, 1178.351, 1260.531, 1273.514, 1288.339, 1327.543, 1353.863, 1414.509,
             1425.208, 1421.384, 1442.962, 1464.350, 1468.705, 1447.894, 1457.628},
            {{{1000, 1000, 400, 40, 0.7, 0.3, 0.03}, {1300, 1500, 500, 75, 1, 0.4, 0.05}}},
            {1.2881396800e+03, 1.4910792535e+03, 5.8323836877e+02, 7.5416644291e+01, 9.6629502864e-01, 3.9797285797e-01,
             4.9727297349e-02},
            5.6427082397e+03},
           (b1 + b2 * t + b3 * t * t + b4 * t * t * t) / (1_c + b5 * t + b6 * t * t + b7 * t * t * t), b1, b2, b3, b4,
           b5, b6, b7);
}
