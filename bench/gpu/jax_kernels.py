# SPDX-License-Identifier: BSL-1.0
"""The workloads of tests/gpu/kernels.cu in JAX, at the same number of points in the same ranges.

python3 jax_kernels.py, with JAX for the GPU: checks each result against the hand-written formula at 1000 points and
prints the time of one evaluation, the median of 15 rounds of 5. tests/gpu/compare.cu prints those of the kernels."""
import statistics
import time
from math import erfc

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.stats import norm

jax.config.update("jax_enable_x64", True)
POINTS = 10_000_000
seed = iter(range(100))


def uniform(low, high, shape=(POINTS,), kind=jnp.float64):
    key = jax.random.fold_in(jax.random.PRNGKey(0), next(seed))
    return jax.random.uniform(key, shape, kind, low, high)


def measure(name, run, inputs, by_hand, tolerance):
    results = jax.tree_util.tree_leaves(jax.block_until_ready(run(*inputs)))
    some = [np.asarray(x[..., :1000]) if np.ndim(x) else x for x in inputs]
    for result, expected in zip(results, by_hand(*some), strict=True):
        np.testing.assert_allclose(np.asarray(result[..., :1000]), expected, rtol=tolerance, atol=tolerance)
    times = []
    for _ in range(15):
        begin = time.perf_counter()
        for _ in range(5):
            last = run(*inputs)
        jax.block_until_ready(last)
        times.append((time.perf_counter() - begin) / 5)
    print(f"{name}: {1e3 * statistics.median(times):.3f} ms")


def gradient(a, b):
    return jnp.log(a) + a * b - jnp.sin(b)


def gradient_by_hand(a, b):
    return np.log(a) + a * b - np.sin(b), 1 / a + b, a - np.cos(b)


def call_option(s, k, t, v, r):
    spread = v * jnp.sqrt(t)
    d1 = (jnp.log(s / k) + (r + 0.5 * v * v) * t) / spread
    return s * norm.cdf(d1) - k * jnp.exp(-r * t) * norm.cdf(d1 - spread)


def call_option_by_hand(s, k, t, v, r):
    cdf = np.vectorize(lambda x: 0.5 * erfc(-x / np.sqrt(2)))
    d1 = (np.log(s / k) + (r + 0.5 * v * v) * t) / (v * np.sqrt(t))
    d2, discounted = d1 - v * np.sqrt(t), k * np.exp(-r * t)
    density = np.exp(-0.5 * d1 * d1) / np.sqrt(2 * np.pi)
    return (s * cdf(d1) - discounted * cdf(d2), cdf(d1), -discounted * cdf(d2) / k,
            s * density * v / (2 * np.sqrt(t)) + r * discounted * cdf(d2), s * density * np.sqrt(t),
            t * discounted * cdf(d2))


def root_of_kepler(eccentricity, mean):
    equation = lambda e: e - eccentricity * jnp.sin(e) - mean

    def step(state):
        e, _, count = state
        value, slope = jax.value_and_grad(equation)(e)
        return e - value / slope, jnp.abs(value / slope), count + 1

    more = lambda state: (state[1] >= 1e-14) & (state[2] < 50)
    return jax.lax.while_loop(more, step, (mean, jnp.inf, 0))[0]


def root_by_hand(eccentricity, mean):
    e = mean
    for _ in range(50):
        e = e - (e - eccentricity * np.sin(e) - mean) / (1 - eccentricity * np.cos(e))
    return (e,)


def chain(x):
    return jnp.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2) + (1 - x[0]) ** 2


def chain_by_hand(x):
    x = x.astype(np.float64)
    g = np.zeros_like(x)
    g[0] = 2 * (x[0] - 1)
    for k in range(7):
        d = x[k + 1] - x[k] ** 2
        g[k] += 2 * (x[k] - 1) - 400 * d * x[k]
        g[k + 1] += 200 * d
    return (g,)


def energy(x):
    sixth = (1 / (x @ x)) ** 3
    return 4 * (sixth * sixth - sixth)


def pairs(x):
    return energy(x), jax.grad(energy)(x), jax.hessian(energy)(x)


def pairs_by_hand(x):
    inverse = 1 / np.sum(x * x, axis=0)
    sixth = inverse**3
    first = 24 * (sixth - 2 * sixth * sixth) * inverse
    second = (672 * sixth - 192) * sixth * inverse * inverse
    unit = np.eye(3)[:, :, None]
    return 4 * (sixth * sixth - sixth), first * x, second * x[:, None] * x[None] + first * unit


def of_points(f, **axes):
    return jax.jit(jax.vmap(f, **axes))


print(f"JAX {jax.__version__} on {jax.devices()[0].device_kind}, {POINTS} points")
measure("gradient", of_points(lambda a, b: (gradient(a, b), jax.grad(gradient, (0, 1))(a, b))),
        (uniform(0.1, 50), uniform(-3, 3)), gradient_by_hand, 1e-13)
measure("greeks", of_points(jax.value_and_grad(call_option, (0, 1, 2, 3, 4)), in_axes=(0, 0, 0, 0, None)),
        (uniform(80, 120), uniform(80, 120), uniform(0.1, 2), uniform(0.1, 0.5), 0.02), call_option_by_hand, 1e-11)
measure("newton", of_points(root_of_kepler), (uniform(0, 0.9), uniform(0, 3)), root_by_hand, 1e-12)
measure("chain", of_points(jax.grad(chain), in_axes=1, out_axes=1), (uniform(-1, 1, (8, POINTS), jnp.float32),),
        chain_by_hand, 1e-2)
measure("pairs", of_points(pairs, in_axes=1, out_axes=-1), (uniform(0.6, 2, (3, POINTS)),), pairs_by_hand, 1e-10)
