// SPDX-License-Identifier: BSL-1.0
//
// A Python module by pybind11: a kernel, a batch and a sum over data for NumPy arrays, without copies. option_prices.py
// beside it uses the module.
#include <chainrule/chainrule.hpp>
#include <chainrule/batch.hpp>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>

namespace cr = chainrule;
namespace py = pybind11;

namespace {

constexpr auto spot = cr::variable<"spot">;
constexpr auto strike = cr::variable<"strike">;
constexpr auto maturity = cr::variable<"maturity">; // in years
constexpr auto volatility = cr::variable<"volatility">;
constexpr auto rate = cr::variable<"rate">;
constexpr auto quote = cr::variable<"quote">;

// Price of a European call.
constexpr auto call = cr::function(
    [](auto s, auto k, auto t, auto v, auto r) {
        const auto spread = v * sqrt(t);
        const auto d1 = (log(s / k) + (r + 0.5 * v * v) * t) / spread;
        return s * normal_cdf(d1) - k * exp(-r * t) * normal_cdf(d1 - spread);
    },
    cr::wrt(spot, strike, maturity, volatility, rate));

using column = py::array_t<double, py::array::c_style>; // other arrays are refused, not copied: see noconvert()

std::span<const double> numbers(const column& a) {
    if (a.ndim() != 1)
        throw std::invalid_argument("options: an array has " + std::to_string(a.ndim()) +
                                    " dimensions; pass arrays of one dimension");
    return {a.data(), static_cast<std::size_t>(a.size())};
}
std::span<double> room(column& a) { return {a.mutable_data(), static_cast<std::size_t>(a.size())}; }

std::pair<double, std::array<double, 5>> price_and_greeks(double s, double k, double t, double v, double r) {
    const auto [value, gradient] = call.value_and_gradient(s, k, t, v, r);
    return {value, gradient};
}

/// Prices, deltas and vegas of many options with one rate, written to new arrays.
py::tuple prices(const column& s, const column& k, const column& t, const column& v, double r) {
    const auto n = s.size();
    column price(n), by_s(n), by_k(n), by_t(n), by_v(n), by_r(n);
    cr::batch(call).value_and_gradient(cr::columns(numbers(s), numbers(k), numbers(t), numbers(v), r), room(price),
                                       cr::columns(room(by_s), room(by_k), room(by_t), room(by_v), room(by_r)));
    return py::make_tuple(price, by_s, by_v);
}

/// The volatility and the rate that fit quoted prices best: Gauss and Newton's method.
std::array<double, 2> fit(const column& k, const column& t, const column& quoted, double s) {
    constexpr auto residual = call(spot, strike, maturity, volatility, rate) - quote;
    const auto all =
        cr::residuals(residual, cr::over(strike = numbers(k), maturity = numbers(t), quote = numbers(quoted)),
                      cr::wrt(volatility, rate), cr::given(spot = s));
    std::array<double, 2> at{0.3, 0.0};
    for (int step = 0; step < 50; ++step) {
        const auto [value, g, m] = all.gauss_newton(at);
        const double determinant = m[0][0] * m[1][1] - m[0][1] * m[1][0];
        const double by_volatility = (m[1][1] * g[0] - m[0][1] * g[1]) / determinant;
        const double by_rate = (m[0][0] * g[1] - m[1][0] * g[0]) / determinant;
        at[0] -= by_volatility;
        at[1] -= by_rate;
        if (std::abs(by_volatility) + std::abs(by_rate) < 1e-13) return at;
    }
    throw std::runtime_error("fit: Gauss and Newton's method does not converge; pass other quotes");
}

} // namespace

PYBIND11_MODULE(options, module) {
    module.def("price_and_greeks", price_and_greeks, "Price, and derivatives by spot, strike, time, volatility, rate.");
    module.def("prices", prices, py::arg("s").noconvert(), py::arg("k").noconvert(), py::arg("t").noconvert(),
               py::arg("v").noconvert(), py::arg("rate"), "Prices, deltas and vegas of arrays of options.");
    module.def("fit", fit, py::arg("k").noconvert(), py::arg("t").noconvert(), py::arg("quoted").noconvert(),
               py::arg("s"), "Volatility and rate that fit quotes best.");
}
