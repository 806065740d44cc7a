// SPDX-License-Identifier: BSL-1.0
//
// Kernels in device code beside the same written by hand: NAME_by_library and NAME_by_hand. check.cmake compares their
// registers, compare.cu their answers and times.
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;

namespace {

__device__ int index_of_thread() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

constexpr double inverse_root_of_two_pi = 0.39894228040143267794, inverse_root_of_two = 0.70710678118654752440;

} // namespace

// Value and gradient of an expression at many points.
__global__ void gradient_by_library(const double* x, const double* y, double* value, double* dx, double* dy, int n) {
    constexpr auto a = cr::variable<"a">;
    constexpr auto b = cr::variable<"b">;
    constexpr auto F = cr::function(log(a) + a * b - sin(b), cr::wrt(a, b));
    const int i = index_of_thread();
    if (i >= n) return;
    const auto [v, g] = F.value_and_gradient(x[i], y[i]);
    value[i] = v;
    dx[i] = g[0];
    dy[i] = g[1];
}
__global__ void gradient_by_hand(const double* x, const double* y, double* value, double* dx, double* dy, int n) {
    const int i = index_of_thread();
    if (i >= n) return;
    const double a = x[i], b = y[i];
    double sine, cosine;
    sincos(b, &sine, &cosine);
    value[i] = log(a) + a * b - sine;
    dx[i] = 1 / a + b;
    dy[i] = a - cosine;
}

// The price of a call option and its five greeks, traced code.
__global__ void greeks_by_library(const double* spot, const double* strike, const double* time, const double* vola,
                                  double rate, double* out, int n) {
    constexpr auto F = cr::function([](auto s, auto k, auto t, auto v, auto r) {
        const auto spread = v * sqrt(t);
        const auto d1 = (log(s / k) + (r + 0.5 * v * v) * t) / spread;
        return s * normal_cdf(d1) - k * exp(-r * t) * normal_cdf(d1 - spread);
    });
    const int i = index_of_thread();
    if (i >= n) return;
    const auto [value, g] = F.value_and_gradient(spot[i], strike[i], time[i], vola[i], rate);
    out[i] = value;
    for (int k = 0; k < 5; ++k) out[(k + 1) * n + i] = g[static_cast<std::size_t>(k)];
}
__global__ void greeks_by_hand(const double* spot, const double* strike, const double* time, const double* vola,
                               double rate, double* out, int n) {
    const int i = index_of_thread();
    if (i >= n) return;
    const double s = spot[i], k = strike[i], t = time[i], v = vola[i];
    const double root = sqrt(t), spread = v * root;
    const double d1 = (log(s / k) + (rate + 0.5 * v * v) * t) / spread, d2 = d1 - spread;
    const double discounted = k * exp(-rate * t);
    const double n1 = 0.5 * erfc(-d1 * inverse_root_of_two), n2 = 0.5 * erfc(-d2 * inverse_root_of_two);
    const double density = inverse_root_of_two_pi * exp(-0.5 * d1 * d1);
    out[i] = s * n1 - discounted * n2;
    out[n + i] = n1;
    out[2 * n + i] = -discounted * n2 / k;
    out[3 * n + i] = s * density * v / (2 * root) + rate * discounted * n2;
    out[4 * n + i] = s * density * root;
    out[5 * n + i] = t * discounted * n2;
}

// Kepler's equation by Newton's method, each thread with its own number of iterations.
__global__ void newton_by_library(const double* eccentricity, const double* anomaly, double* root, int n) {
    constexpr auto F = cr::function([](auto e, auto eccentric, auto mean) { return e - eccentric * sin(e) - mean; });
    const int i = index_of_thread();
    if (i >= n) return;
    double e = anomaly[i];
    for (int step = 0; step < 50; ++step) {
        const auto [value, g] = F.value_and_gradient(e, eccentricity[i], anomaly[i]);
        const double change = value / g[0];
        e -= change;
        if (fabs(change) < 1e-14) break;
    }
    root[i] = e;
}
__global__ void newton_by_hand(const double* eccentricity, const double* anomaly, double* root, int n) {
    const int i = index_of_thread();
    if (i >= n) return;
    double e = anomaly[i];
    for (int step = 0; step < 50; ++step) {
        double sine, cosine;
        sincos(e, &sine, &cosine);
        const double change = (e - eccentricity[i] * sine - anomaly[i]) / (1 - eccentricity[i] * cosine);
        e -= change;
        if (fabs(change) < 1e-14) break;
    }
    root[i] = e;
}

// The gradient of a function of many variables, in float.
__global__ void chain_by_library(const float* q, float* out, int n) {
    constexpr auto F = cr::function<8>([](const auto& x) {
        auto sum = square(1.0 - x[0]);
        for (std::size_t k = 0; k + 1 < 8; ++k) sum += 100.0 * square(x[k + 1] - x[k] * x[k]) + square(1.0 - x[k]);
        return sum;
    });
    const int i = index_of_thread();
    if (i >= n) return;
    std::array<float, 8> at;
    for (int k = 0; k < 8; ++k) at[static_cast<std::size_t>(k)] = q[k * n + i];
    const auto g = F.gradient(at);
    for (int k = 0; k < 8; ++k) out[k * n + i] = g[static_cast<std::size_t>(k)];
}
__global__ void chain_by_hand(const float* q, float* out, int n) {
    const int i = index_of_thread();
    if (i >= n) return;
    float x[8], g[8];
    for (int k = 0; k < 8; ++k) x[k] = q[k * n + i];
    g[0] = 2 * (x[0] - 1);
    for (int k = 0; k < 7; ++k) {
        const float d = x[k + 1] - x[k] * x[k];
        g[k] += 2 * (x[k] - 1) - 400 * d * x[k];
        g[k + 1] = 200 * d;
    }
    for (int k = 0; k < 8; ++k) out[k * n + i] = g[k];
}

// The energy of two atoms by Lennard and Jones, its gradient and the six different entries of its Hessian.
__global__ void pairs_by_library(const double* apart, double* out, int n) {
    constexpr auto F = cr::function([](auto x, auto y, auto z) {
        const auto sixth = pow(1 / (x * x + y * y + z * z), 3);
        return 4 * (sixth * sixth - sixth);
    });
    const int i = index_of_thread();
    if (i >= n) return;
    const auto [energy, g, h] = F.value_gradient_and_hessian(apart[i], apart[n + i], apart[2 * n + i]);
    out[i] = energy;
    for (int k = 0; k < 3; ++k) out[(1 + k) * n + i] = g[static_cast<std::size_t>(k)];
    out[4 * n + i] = h[0][0];
    out[5 * n + i] = h[1][1];
    out[6 * n + i] = h[2][2];
    out[7 * n + i] = h[0][1];
    out[8 * n + i] = h[0][2];
    out[9 * n + i] = h[1][2];
}
__global__ void pairs_by_hand(const double* apart, double* out, int n) {
    const int i = index_of_thread();
    if (i >= n) return;
    const double x = apart[i], y = apart[n + i], z = apart[2 * n + i];
    const double inverse = 1 / (x * x + y * y + z * z), sixth = inverse * inverse * inverse;
    // u(s) of the squared distance s: gradient 2 u' x_i, Hessian 4 u'' x_i x_j + 2 u' delta_ij
    const double twice_first = 24 * (sixth - 2 * sixth * sixth) * inverse;
    const double four_second = (672 * sixth - 192) * sixth * inverse * inverse;
    out[i] = 4 * (sixth * sixth - sixth);
    out[n + i] = twice_first * x;
    out[2 * n + i] = twice_first * y;
    out[3 * n + i] = twice_first * z;
    const double sx = four_second * x, sy = four_second * y;
    out[4 * n + i] = sx * x + twice_first;
    out[5 * n + i] = sy * y + twice_first;
    out[6 * n + i] = four_second * z * z + twice_first;
    out[7 * n + i] = sx * y;
    out[8 * n + i] = sx * z;
    out[9 * n + i] = sy * z;
}

// The mean of a payoff over paths of a geometric Brownian motion, and its derivatives by start and volatility.
__global__ void paths_by_library(const float* normals, float* out, int steps, float start, float volatility, float root) {
    constexpr auto step = cr::function([](auto s, auto v, auto z, auto h) { return s * exp(v * h * z - 0.5 * v * v * h * h); });
    const int i = index_of_thread();
    float s = start, by_start = 1, by_volatility = 0;
    for (int k = 0; k < steps; ++k) {
        const auto [value, g] = step.value_and_gradient(s, volatility, normals[i * steps + k], root);
        by_start *= g[0];
        by_volatility = g[0] * by_volatility + g[1];
        s = value;
    }
    const float alive = s > start ? 1.0f : 0.0f;
    out[3 * i] = alive * (s - start);
    out[3 * i + 1] = alive * by_start;
    out[3 * i + 2] = alive * by_volatility;
}
__global__ void paths_by_hand(const float* normals, float* out, int steps, float start, float volatility, float root) {
    const int i = index_of_thread();
    float s = start, by_start = 1, by_volatility = 0;
    for (int k = 0; k < steps; ++k) {
        const float z = normals[i * steps + k];
        const float growth = expf(volatility * root * z - 0.5f * volatility * volatility * root * root);
        const float next = s * growth;
        by_start *= growth;
        by_volatility = growth * by_volatility + next * (root * z - volatility * root * root);
        s = next;
    }
    const float alive = s > start ? 1.0f : 0.0f;
    out[3 * i] = alive * (s - start);
    out[3 * i + 1] = alive * by_start;
    out[3 * i + 2] = alive * by_volatility;
}
