#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Reference answers far out, near singular points and at edges: values and derivatives of the functions of the table from mpmath,
by differences with as many digits as the sizes of the arguments require.

    python3 extremes.py > extremes.txt

A line: the name, the arguments, the value, the derivatives by each argument, the upper triangle of the second derivatives row by
row; "none" for a number that a double cannot hold. `inside` leaves out what docs/how-it-works.md#limits-of-accuracy states.
"""
import itertools
import math
import sys

from mpmath import mp, mpf
import mpmath as m

from generate import ORDERS, VALUES, rows

VALUES = VALUES | {
    "log_sum_exp": lambda x, y: max(x, y) + m.log1p(m.exp(-abs(x - y))),
    "softplus": lambda x: max(x, mpf(0)) + m.log1p(m.exp(-abs(x))),
    "log1p_exp": lambda x: max(x, mpf(0)) + m.log1p(m.exp(-abs(x))),
}
# Steps, and derivatives of other rows.
LEFT_OUT = {"pow_by_order", "share", "taken", "exceeds", "weighted", "relaxed", "sign", "floor", "ceil", "round", "trunc", "rint",
            "nearbyint", "logb", "gamma_p_by_order", "gamma_density_by_order", "scalbn"}

SIZES = [1e-300, 1e-160, 1e-100, 1e-20, 1e-8, 0.5, 1 - 1e-12, 1.0, 2.5, 40.0, 800.0, 1e8, 1e20, 1e100, 1e160, 1e300]
FEWER = [1e-300, 1e-160, 1e-60, 1e-8, 0.5, 1 - 1e-12, 2.5, 40.0, 800.0, 1e8, 1e60, 1e160, 1e300]
FEWEST = [1e-160, 1e-60, 0.5, 2.5, 1e60, 1e160]
ORDINARY = [1e-8, 0.3, 1 - 1e-12, 2.5, 12.3, 40.0, 300.0]
# Functions that Boost.Math computes, at ordinary arguments: their values are not ours.
BY_BOOST = {"normal_quantile", "tgamma", "lgamma", "digamma", "trigamma", "expint", "lambert_w0", "j0", "j1", "y0", "y1"}


def signed(sizes):
    return [0.0, *sizes, *(-s for s in sizes)]


def size(at):
    return max(abs(a) for a in at)


def points(name, count):
    if name in ("beta", "gamma_p", "gamma_q"):
        return itertools.product(ORDINARY[1:6], ORDINARY[1:6])
    if name == "gamma_density":
        return itertools.product(ORDINARY[1:6], ORDINARY[:6])
    if name in ("jn", "yn", "spherical_jn", "polygamma"):
        return itertools.product((1.5, 2.0, 3.5, 7.0), ORDINARY[1:])
    if name in ("integer_power", "ldexp"):
        return itertools.product(signed(FEWER), (0.5, 1.0, 2.0, 3.5, 70.0))
    if name in BY_BOOST:
        return ((x,) for x in ORDINARY)
    if name in ("lerp", "fma"):
        return itertools.product((0.0, 1e-160, -2.5, 1e60), repeat=3)
    if count == 3:
        return itertools.product((0.0, 1e-100, -2.5, 2.5, 1e60, -1e100), repeat=3)
    if name in ("max", "min", "fmax", "fmin", "fdim", "copysign", "log_sum_exp"):
        return itertools.product((0.0, 1e-160, -0.5, 2.5, 800.0, 1e160), repeat=2)
    if count == 2:
        return itertools.product(signed(FEWER), signed(FEWEST))
    return ((x,) for x in signed(SIZES))


def inside(name, at):
    """Whether the function is smooth there, and within the limits that the documentation states."""
    x = at[0]
    y = at[1] if len(at) > 1 else None
    if name in ("log", "log2", "log10", "sqrt"):
        return x > 0
    if name == "log1p":
        return x > -1
    if name in ("cbrt", "inverse", "csc", "cot", "abs", "fabs", "relu"):
        return x != 0
    if name in ("asin", "acos", "atanh"):
        return abs(x) < 1
    if name == "acosh":
        return 1 < x < 1e154
    if name == "asinh":
        return abs(x) < 1e154
    if name in ("logit", "normal_quantile"):
        return 0 < x < 1
    if name == "tanh":
        return abs(x) < 5
    if name == "erfcx":
        return x < 10
    if name in ("j0", "j1", "y0", "y1") and name[0] == "y":
        return x > 0
    if name == "pow":
        return 1e-150 < x and abs(y) < 1e150
    if name in ("hypot", "hypot3"):
        return 1e-150 < size(at) < 1e150
    if name == "atan2":
        return 1e-70 < size(at) < 1e70 and (x != 0 or y > 0)
    if name == "xlogy":
        return y > 0
    if name == "log_diff_exp":
        return x > y
    if name in ("max", "min", "fmax", "fmin", "fdim"):
        return x != y
    if name == "clamp":
        return y < at[2] and x not in (y, at[2])
    if name == "copysign":
        return x != 0 and y != 0
    if name in ("fmod", "remainder"):
        return x > 0 and y > 0 and x / y < 1e6 and x / y % 0.5 != 0
    return True


def derivative(name, at, orders):
    if any(orders[k] > 0 for k in ORDERS.get(name, ())):
        return mpf(0)
    smallest = min([abs(a) for a in at if a] + [1.0])
    exponents = [math.floor(math.log10(min(abs(a), 1.0))) - 40 if a else math.floor(math.log10(smallest)) - 170 for a in at]
    digits = 80 - sum(o * e for o, e in zip(orders, exponents)) + int(math.log10(max(size(at), 1.0)))
    digits -= 2 * min(exponents) # what a value such as that of sin(x) / x - cos(x) loses by cancellation
    steps = {0: [(0, 1)], 1: [(1, mpf(0.5)), (-1, -mpf(0.5))], 2: [(1, 1), (0, -2), (-1, 1)]}
    for _ in range(3):
        mp.dps = digits
        h = [mpf(10) ** e for e in exponents]
        total, largest = mpf(0), mpf(0)
        for choice in itertools.product(*(steps[o] for o in orders)):
            value = VALUES[name](*(mpf(a) + k * s for (k, _), a, s in zip(choice, at, h)))
            if isinstance(value, m.mpc):
                raise ValueError(name)
            largest = max(largest, abs(value))
            total += math.prod(w for _, w in choice) * value
        divisor = math.prod(s**o for s, o in zip(h, orders))
        result, noise = total / divisor, largest * mpf(10) ** (6 - digits) / divisor
        if noise <= abs(result) * mpf(10) ** -25 or noise < mpf(10) ** -330:
            return result
        digits *= 2
    return result if noise <= abs(result) * mpf(10) ** -25 else mpf(0)


def text(number):
    if abs(number) > sys.float_info.max:
        return "none"
    return "0.0" if abs(number) < 1e-325 else m.nstr(number, 20, strip_zeros=True)


def main():
    for name, domain in rows().items():
        n = len(domain)
        one = [tuple(int(i == k) for k in range(n)) for i in range(n)]
        for at in points(name, n) if name not in LEFT_OUT else ():
            if not inside(name, at):
                continue
            try:
                value = derivative(name, at, (0,) * n)
                if abs(value) > sys.float_info.max:
                    continue
                numbers = [value, *(derivative(name, at, o) for o in one)]
                numbers += [derivative(name, at, tuple(a + b for a, b in zip(one[i], one[j]))) for i in range(n) for j in range(i, n)]
            except (ValueError, OverflowError, ZeroDivisionError, m.libmp.NoConvergence) as fault:
                print(name, at, repr(fault), file=sys.stderr)
                continue
            print(name, *map(repr, at), *map(text, numbers))


if __name__ == "__main__":
    main()
