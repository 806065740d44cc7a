// SPDX-License-Identifier: BSL-1.0
//
// A surface of implied volatilities: 10^5 quotes of European options, from 40 expiries and strikes between 4 standard
// deviations below and above the forward, are turned into volatilities by Newton's method in SIMD lanes. The quotes are
// made from a known surface, and some of them are wrong: these get their status and disturb no other.
#include <chainrule/batch.hpp>
#include <chainrule/tensor/training/progress.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace cr = chainrule;
using namespace cr::literals;

namespace {

constexpr auto s = cr::variable<"s">; // the total volatility: sigma sqrt(T)
constexpr auto k = cr::variable<"k">; // log(strike / forward)
constexpr auto c = cr::variable<"c">; // the price, over sqrt(forward strike) and discounting

// Black's formula for the option that is out of the money: a call where k > 0, else a put.
constexpr auto d = abs(k);
constexpr auto price = exp(-d / 2_c) * normal_cdf(-d / s + s / 2_c) - exp(d / 2_c) * normal_cdf(-d / s - s / 2_c);

// 1 / log(price) is close to a parabola in s, from far out of the money to the forward, so Newton's method takes few
// steps (P. Jaeckel, "Let's be rational", 2015). The start adds the formula of Brenner and Subrahmanyam (1988), which
// is right at the forward, and one and a half of the limit far away from it.
constexpr auto equation = cr::function(1_c / log(price) - 1_c / log(c), cr::wrt(s), cr::given(k = 0.0, c = 0.5));
double start(double log_moneyness, double quote) {
    return 2.5066282746310002 * quote + 1.5 * std::abs(log_moneyness) / std::sqrt(-2 * std::log(quote));
}

/// The surface that the quotes come from: a smile for each expiry, in the form of Gatheral's SVI.
double total_volatility(double years, double log_moneyness) {
    const double level = 0.035 * years, x = log_moneyness + 0.05 * years, width = 0.15 * std::sqrt(years);
    return std::sqrt(level + 0.08 * std::sqrt(years) * (-0.4 * x + std::sqrt(x * x + width * width)));
}

const char* text_of(cr::root_status status) {
    switch (status) {
    case cr::root_status::converged: return "converged";
    case cr::root_status::not_finite: return "not finite";
    case cr::root_status::no_slope: return "no slope";
    case cr::root_status::no_convergence: return "no convergence";
    }
    return "";
}

} // namespace

int main() {
    constexpr std::size_t expiries = 40, strikes = 2500, quotes = expiries * strikes;
    std::vector<double> truth(quotes), ks(quotes), cs(quotes), starts(quotes), years(quotes);
    for (std::size_t i = 0; i < quotes; ++i) {
        const double deviations = -4 + 8 * static_cast<double>(i % strikes) / (strikes - 1);
        years[i] = 0.02 + 0.075 * static_cast<double>(i / strikes);
        ks[i] = deviations * 0.25 * std::sqrt(years[i]);
        truth[i] = total_volatility(years[i], ks[i]);
    }
    cr::batch(cr::function(price, cr::wrt(s, k))).values(cr::columns(truth, ks), cs);
    // A price below 0, one above any that Black's formula has, and a missing one.
    cs[777] = -0.01;
    cs[7777] = 2.0;
    cs[77777] = std::nan("");
    for (std::size_t i = 0; i < quotes; ++i) starts[i] = start(ks[i], cs[i]);

    cr::tensor::progress bar("volatilities", quotes);
    std::size_t shown = 0;
    std::vector<double> found(quotes);
    const auto ends =
        cr::batch(equation).newton(cr::columns(s = starts, k = ks, c = cs), found,
                                   cr::newton_options{.tolerance = 1e-13}, cr::report([&](std::size_t done) {
                                       for (; shown < done; ++shown) bar.advance();
                                   }));
    bar.finish();

    double worst = 0.0;
    int most = 0;
    for (std::size_t i = 0; i < quotes; ++i) {
        if (!ends.converged(i)) continue;
        worst = std::max(worst, std::abs(found[i] / truth[i] - 1));
        most = std::max(most, ends.iterations(i));
    }
    std::printf("%zu of %zu volatilities found, in at most %d evaluations each\n",
                ends.count(cr::root_status::converged), quotes, most);
    std::printf("largest relative error %s\n", worst < 1e-12 ? "below 1e-12" : "above 1e-12");
    for (const std::size_t i : {777u, 7777u, 77777u}) std::printf("quote %zu: %s\n", i, text_of(ends.status(i)));
    std::printf("\n years   ");
    for (int column = -4; column <= 4; ++column) std::printf("%7.1f sd", static_cast<double>(column));
    std::printf("\n");
    for (std::size_t row = 0; row < expiries; row += 8) {
        std::printf("%6.2f   ", years[row * strikes]);
        for (std::size_t column = 0; column <= 8; ++column) {
            const std::size_t i = row * strikes + column * (strikes - 1) / 8;
            std::printf("%9.3f%%", 100 * found[i] / std::sqrt(years[i]));
        }
        std::printf("\n");
    }
}
