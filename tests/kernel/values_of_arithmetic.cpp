// SPDX-License-Identifier: BSL-1.0
//
// Values equal those of the same plain C++ expression bit for bit: arithmetic, in all orders and combinations that the
// optimiser would rewrite in a derivative. as_written.hpp compares them.
#include "as_written.hpp"

TEMPLATE_TEST_CASE("values are computed as written: arithmetic", "[values]", float, double, long double) {
    AS_WRITTEN(x + y - x)
    AS_WRITTEN((x + y) + (y + x) - y)
    AS_WRITTEN(x * y + y)
    AS_WRITTEN(y + x * y)
    AS_WRITTEN(x * y - y)
    AS_WRITTEN(y - x * y)
    AS_WRITTEN(x * y + y * y)
    AS_WRITTEN(x * y - x * x)
    AS_WRITTEN(-(x * y) - y)
    AS_WRITTEN(-x - (-y))
    AS_WRITTEN(x / y / y)
    AS_WRITTEN(x / (y * y) + y / x)
    AS_WRITTEN(x * (y * x) * y * (x * y))
    AS_WRITTEN((x - y) * (x - y) / (x + y))
    AS_WRITTEN(x - x + y / y)
    AS_WRITTEN((x + n(0.1)) * (y - n(0.1)) + n(0.1))
    AS_WRITTEN(n(3) * x + n(3) * y)
    AS_WRITTEN(x / n(3) + n(1) / (x + n(2)) * (y + n(3)))
    AS_WRITTEN(n(0) * x + n(1) * y - n(0))
    AS_WRITTEN(x * n(1) + y / n(1) - n(-1) * x)
}
