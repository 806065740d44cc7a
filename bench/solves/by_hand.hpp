// SPDX-License-Identifier: BSL-1.0
//
// The loops that bench/solves measures against: the same methods in plain scalar code, one problem after the other.
#pragma once

#include <cstddef>

namespace by_hand {

/// Newton's method for E - e sin(E) = M, until a step changes at most the last digit.
void kepler(std::size_t n, const double* e, const double* mean, const double* start, double* root, int* iterations);

/// The price of the option out of the money with total volatility s and log(strike / forward) k, over sqrt(forward
/// strike); the start of the search; and Newton's method for 1 / log(price(s)) = 1 / log(c).
double price(double s, double k);
double start(double k, double c);
void volatilities(std::size_t n, const double* k, const double* c, const double* start, double* root, int* iterations);

/// Fits a exp(-b t) + c to m points each, from 2, 1, 0.5, by the method of Levenberg and Marquardt that fits() has.
void exponentials(std::size_t n, std::size_t m, const double* times, const double* counts, double* found);

} // namespace by_hand
