// SPDX-License-Identifier: BSL-1.0
//
// Ends of domains, powers at 0, and joined exponentials far out.
#include "edges_in_every_mode.hpp"

TEST_CASE("ends of domains are the same in every mode", "[edges][modes]") {
    constexpr double inf = infinity, nan = not_a_number;
    ROW(sqrt(a), {-1, nan, nan, nan}, {0, 0, inf, -inf}, {inf, inf, 0, 0});
    ROW(cbrt(a), {0, 0, inf, -inf}, {inf, inf, 0, 0});
    ROW(asin(a), {1, std::asin(1.0), inf, inf}, {-1, std::asin(-1.0), inf, -inf}, {2, nan, nan, nan});
    ROW(acosh(a), {1, 0, inf, -inf});
    ROW(sinc(a), {0, 1, 0, -1.0 / 3});
    ROW(log_diff_exp(a, 0.0), {800, 800, 1, 0}, {0, -inf, inf, -inf});
}

TEST_CASE("powers and joined exponentials are the same in every mode", "[edges][modes]") {
    constexpr double inf = infinity, nan = not_a_number;
    ROW(pow(a, 1), {0, 0, 1, 0});
    ROW(pow(a, 2.0), {0, 0, 0, 2}, {-2, 4, -4, 2});
    ROW(pow(a, 0.5), {0, 0, inf, -inf}, {-2, nan, nan, nan});
    ROW(exp(xlogy(a, 2.0)), {0, 1, std::log(2.0), std::log(2.0) * std::log(2.0)});
    ROW(xlogy(a, 0.0), {0, 0, -inf, 0}, {1, -inf, -inf, 0});
    ROW(sigmoid(a), {-800, 0, 0, 0}, {800, 1, 0, 0}, {-inf, 0, 0, 0}, {inf, 1, 0, 0});
    ROW(softplus(a), {-800, 0, 0, 0}, {800, 800, 1, 0}, {inf, inf, 1, 0});
    ROW(exp(log_sum_exp(a, 2 * a)), {0, 2, 3, 5}, {-800, 0, 0, 0});
    ROW(log_sum_exp(a, 0.0), {-800, 0, 0, 0}, {800, 800, 1, 0});
}

TEST_CASE("rests of divisions are linear in small divisors too", "[functions]") {
    for (const double at : {2.0, 1e-100, 1e-200, -1e-300}) {
        ROW(fmod(5.5, a), {at, std::fmod(5.5, at), -std::trunc(5.5 / at), 0});
        ROW(remainder(5.5, a), {at, std::remainder(5.5, at), -std::rint(5.5 / at), 0});
        ROW(fmod(a, 1e-200), {at, std::fmod(at, 1e-200), 1, 0});
    }
}
