// SPDX-License-Identifier: BSL-1.0
#include "curve.hpp"

double slope(double a, double b) { return chainrule::gradient(curve)(x = a, y = b)[x]; }
