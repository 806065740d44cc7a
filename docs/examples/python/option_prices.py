# SPDX-License-Identifier: BSL-1.0
"""Uses the module of options.cpp: derivatives in Python from kernels compiled in C++."""

import numpy

import options

price, greeks = options.price_and_greeks(100.0, 95.0, 0.5, 0.2, 0.03)
print("price %.6f, delta %.6f, vega %.6f" % (price, greeks[0], greeks[3]))

n = 100000
random = numpy.random.default_rng(1)
s = numpy.full(n, 100.0)
k = random.uniform(80.0, 120.0, n)
t = random.uniform(0.1, 2.0, n)
v = random.uniform(0.1, 0.5, n)
prices, deltas, vegas = options.prices(s, k, t, v, 0.03)

# A difference quotient shows that the vegas are the derivatives of the prices.
step = 1e-5
upper, _, _ = options.prices(s, k, t, v + step, 0.03)
lower, _, _ = options.prices(s, k, t, v - step, 0.03)
print("vegas are right:", bool(numpy.max(numpy.abs((upper - lower) / (2 * step) - vegas)) < 1e-6))

quoted, _, _ = options.prices(s, k, t, numpy.full(n, 0.25), 0.04)
volatility, rate = options.fit(k, t, quoted, 100.0)
print("fit: volatility %.6f, rate %.6f" % (volatility, rate))

try:
    options.prices(s, k[:-1], t, v, 0.03)
except Exception as error:
    print("refused:", error)
try:
    options.prices(s.astype("float32"), k, t, v, 0.03)
except TypeError:
    print("refused: arrays of float, which would be copied")
