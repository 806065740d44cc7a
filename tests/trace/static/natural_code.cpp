// SPDX-License-Identifier: BSL-1.0
//
// Code as it is written elsewhere, in statistics, robotics, finance and physics, is traced as it stands.
#include <chainrule/chainrule.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numeric>
#include <tuple>

namespace {

namespace cr = chainrule;

namespace robot_arm {
constexpr auto F = cr::function([](auto q1, auto q2) {
    auto x = 1.0 * cos(q1) + 0.8 * cos(q1 + q2);
    auto y = 1.0 * sin(q1) + 0.8 * sin(q1 + q2);
    return std::array{x, y, q1 + q2};
});
static_assert(F(0.0, 0.0)[0] == 1.8);
} // namespace robot_arm

namespace logistic_regression {
constexpr double data[4][3] = {{1, 2, 0}, {2, 1, 1}, {0, 1, 0}, {3, 3, 1}};
constexpr auto F = cr::function<3>([](const auto& w) {
    auto l = 0.0 * w[0];
    for (const auto& r : data) {
        auto z = w[0] + w[1] * r[0] + w[2] * r[1];
        l += r[2] * z - log1p(exp(z));
    }
    return l;
});
static_assert(F(0.0, 0.0, 0.0) < 0);
} // namespace logistic_regression

namespace mixture_of_normals {
template <class T, class U, class V>
constexpr auto normal_lpdf(const T& y, const U& mu, const V& sigma) {
    using std::log;
    const auto z = (y - mu) / sigma;
    return -0.5 * z * z - log(sigma) - 0.91893853320467274178;
}
constexpr auto F = cr::function([](auto mu1, auto mu2, auto ls, auto w) {
    using std::exp;
    auto s = exp(ls);
    decltype(mu1) t = 0;
    for (double y : {0.1, 0.5, 2.0})
        t += log_sum_exp(log(w) + normal_lpdf(y, mu1, s), log1p(-w) + normal_lpdf(y, mu2, s));
    return t;
});
static_assert(F(0.0, 1.0, 0.0, 0.5) < 0);
} // namespace mixture_of_normals

namespace black_scholes {
template <class T>
constexpr T cdf(T x) {
    using std::erfc;
    using std::sqrt;
    return T(0.5) * erfc(-x / sqrt(T(2)));
}
template <class T>
constexpr T call(T s, T k, T r, T v, T t) {
    using std::log, std::sqrt, std::exp;
    T d1 = (log(s / k) + (r + v * v / 2) * t) / (v * sqrt(t));
    T d2 = d1 - v * sqrt(t);
    return s * cdf(d1) - k * exp(-r * t) * cdf(d2);
}
constexpr auto F =
    cr::function([](auto... x) { return call(x...); }, cr::wrt(cr::variable<"s">, cr::variable<"k">, cr::variable<"r">,
                                                               cr::variable<"v">, cr::variable<"t">));
[[maybe_unused]] double slope(double s) { return F.gradient(s, 100.0, 0.05, 0.2, 1.0)[0]; }
} // namespace black_scholes

namespace standard_algorithms {
constexpr auto F = cr::function<4>([](const auto& q) {
    using T = std::remove_cvref_t<decltype(q[0])>;
    return std::inner_product(q.begin(), q.end(), q.begin(), T(0)) + std::accumulate(q.begin(), q.end(), T(0));
});
static_assert(F(1.0, 2.0, 3.0, 4.0) == 40);
} // namespace standard_algorithms

namespace matrix_template {
template <class T, int N>
struct mat {
    T a[N][N];
    constexpr T& operator()(int i, int j) { return a[i][j]; }
    constexpr const T& operator()(int i, int j) const { return a[i][j]; }
};
template <class T, int N>
constexpr mat<T, N> operator*(const mat<T, N>& x, const mat<T, N>& y) {
    mat<T, N> r{};
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            T s = T(0);
            for (int k = 0; k < N; ++k) s += x(i, k) * y(k, j);
            r(i, j) = s;
        }
    return r;
}
constexpr auto F = cr::function<4>([](const auto& q) {
    using T = std::remove_cvref_t<decltype(q[0])>;
    mat<T, 2> m{{{q[0], q[1]}, {q[2], q[3]}}};
    auto p = m * m;
    return p(0, 0) + p(1, 1);
});
static_assert(F(1.0, 2.0, 3.0, 4.0) == 29);
} // namespace matrix_template

namespace runge_kutta {
template <class T>
struct state {
    T x, v;
    friend constexpr state operator+(const state& a, const state& b) { return {a.x + b.x, a.v + b.v}; }
    friend constexpr state operator*(double h, const state& a) { return {h * a.x, h * a.v}; }
};
template <class T>
constexpr state<T> rhs(const state<T>& s, T mu) {
    return {s.v, mu * (1 - s.x * s.x) * s.v - s.x};
}
constexpr auto F = cr::function([](auto x, auto v, auto mu) {
    state<decltype(x)> s{x, v};
    const double h = 0.1;
    for (int i = 0; i < 5; ++i) {
        auto k1 = rhs(s, mu), k2 = rhs(s + 0.5 * h * k1, mu), k3 = rhs(s + 0.5 * h * k2, mu), k4 = rhs(s + h * k3, mu);
        s = s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return std::array{s.x, s.v};
});
[[maybe_unused]] double slope() { return F.jacobian(1.0, 0.0, 1.0)[0][2]; }
} // namespace runge_kutta

namespace cholesky {
constexpr auto F = cr::function<6>([](const auto& q) {
    using T = std::remove_cvref_t<decltype(q[0])>;
    using std::sqrt, std::log;
    T A[3][3] = {{q[0], q[1], q[2]}, {q[1], q[3], q[4]}, {q[2], q[4], q[5]}};
    T L[3][3] = {};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            T s = A[i][j];
            for (int k = 0; k < j; k++) s -= L[i][k] * L[j][k];
            if (i == j)
                L[i][j] = sqrt(s);
            else
                L[i][j] = s / L[j][j];
        }
    T d = 0;
    for (int i = 0; i < 3; ++i) d += 2 * log(L[i][i]);
    return d;
});
[[maybe_unused]] double slope() { return F.gradient(4.0, 1.0, 0.5, 3.0, 0.2, 2.0)[0]; }
} // namespace cholesky

namespace quaternion {
template <typename T>
constexpr void QuaternionRotatePoint(const T q[4], const T pt[3], T result[3]) {
    const T scale = T(1) / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const T unit[4] = {scale * q[0], scale * q[1], scale * q[2], scale * q[3]};
    T uv0 = unit[2] * pt[2] - unit[3] * pt[1];
    T uv1 = unit[3] * pt[0] - unit[1] * pt[2];
    T uv2 = unit[1] * pt[1] - unit[2] * pt[0];
    uv0 += uv0;
    uv1 += uv1;
    uv2 += uv2;
    result[0] = pt[0] + unit[0] * uv0;
    result[1] = pt[1] + unit[0] * uv1;
    result[2] = pt[2] + unit[0] * uv2;
}
struct residual {
    template <typename T>
    constexpr bool operator()(const T* const q, const T* const p, T* r) const {
        QuaternionRotatePoint(q, p, r);
        for (int i = 0; i < 3; ++i) r[i] -= T(0.5) * p[i];
        return true;
    }
};
constexpr auto F = cr::function<cr::inputs<4, 3>, cr::outputs<3>>(residual{});
[[maybe_unused]] double slope(const std::array<double, 7>& a) { return F.jacobian(a)[0][0]; }
} // namespace quaternion

namespace horner {
constexpr auto F = cr::function([](auto x) {
    constexpr double c[] = {1, -0.5, 0.25, 2};
    auto r = decltype(x){};
    for (double k : c) r = r * x + k;
    return r;
});
static_assert(F(1.0) == 2.75);
} // namespace horner

namespace powell {
constexpr auto F = cr::function<4>([](auto&& x) {
    return pow(x[0] + 10 * x[1], 2) + 5 * pow(x[2] - x[3], 2) + pow(x[1] - 2 * x[2], 4) + 10 * pow(x[0] - x[3], 4);
});
static_assert(F(1.0, 0.0, 0.0, 0.0) == 11);
} // namespace powell

namespace argument_by_value {
constexpr auto F = cr::function<3>([](auto q) {
    q[0] *= 2;
    std::swap(q[0], q[1]);
    return q[0] - q[1] / 3;
});
static_assert(F(1.0, 2.0, 0.0) == 2.0 - 2.0 / 3);
} // namespace argument_by_value

namespace functions_after_using {
constexpr auto F = cr::function([](auto x, auto y) {
    using std::hypot, std::atan2, std::clamp, std::abs, std::fmax, std::floor;
    return hypot(x, y) + atan2(y, x) + abs(x) + fmax(x, y);
});
[[maybe_unused]] double slope() { return F.gradient(1.0, 2.0)[0]; }
} // namespace functions_after_using

namespace complex_numbers {
constexpr auto F = cr::function([](auto x, auto y) {
    using T = decltype(x);
    std::complex<T> z{x, y};
    z = z * z;
    return z.real();
});
[[maybe_unused]] double slope() { return F.gradient(1.0, 2.0)[0]; }
} // namespace complex_numbers

namespace struct_result {
template <class T>
struct res {
    T a, b;
};
constexpr auto F = cr::function([](auto x) { return res<decltype(x)>{x, 2 * x}; });
static_assert(F(1.0)[1] == 2);
} // namespace struct_result

namespace nested_arrays {
constexpr auto F = cr::function([](auto x) { return std::array{std::array{x, 2 * x}, std::array{x * x, x}}; });
static_assert(F(1.0)[1] == 2);
} // namespace nested_arrays

namespace pointer_function {
template <class T>
constexpr T energy(const T* x, int n) {
    T e = 0;
    for (int i = 0; i < n; ++i) e += x[i] * x[i];
    return e;
}
constexpr auto F = cr::function<3>([](const auto& q) { return energy(q.data(), 3); });
static_assert(F(1.0, 2.0, 3.0) == 14);
} // namespace pointer_function

namespace predicate {
constexpr auto F = cr::function([](auto x) {
    using std::isfinite;
    return select(isfinite(x), x, decltype(x)(0));
});
static_assert(F(2.0) == 2);
} // namespace predicate

namespace mixed_literals {
constexpr auto F = cr::function([](auto x) { return 0.1f * x + 1u * x + 2l * x + 'a' * x + true * x; });
[[maybe_unused]] double slope() { return F(1.0); }
} // namespace mixed_literals

namespace legendre {
template <int N, class T>
constexpr T legendre(const T& x) {
    if constexpr (N == 0)
        return 1;
    else if constexpr (N == 1)
        return x;
    else
        return ((2 * N - 1) * x * legendre<N - 1>(x) - (N - 1) * legendre<N - 2>(x)) / N;
}
constexpr auto F = cr::function([](auto x) { return legendre<6>(x); });
static_assert(F(1.0) == 1);
} // namespace legendre

namespace log_sum_of_array {
template <class T, std::size_t N>
constexpr T logsumexp(const std::array<T, N>& a) {
    using std::max, std::exp, std::log;
    T m = a[0];
    for (auto& x : a) m = max(m, x);
    T s = 0;
    for (auto& x : a) s += exp(x - m);
    return log(s) + m;
}
constexpr auto F = cr::function<3>([](const auto& a) { return logsumexp(a); });
[[maybe_unused]] double slope() { return F.gradient(1.0, 2.0, 3.0)[0]; }
} // namespace log_sum_of_array

namespace recurrent_cell {
template <class T>
constexpr T sigm(T x) {
    return 1 / (1 + exp(-x));
}
constexpr auto F = cr::function([](auto x, auto h, auto c) {
    auto f = sigm(x + h), i = sigm(2 * x - h);
    auto cn = f * c + i * tanh(x);
    return std::tuple{cn, tanh(cn) * f};
});
[[maybe_unused]] double slope() { return F.jacobian(1.0, 2.0, 3.0)[0][0]; }
} // namespace recurrent_cell

// Operators of a class are better matches than the error for an object that has none.
namespace operators_of_classes {
struct base {
    double k;
};
struct derived : base {};
template <class T>
constexpr T operator+(const T& a, const base& b) {
    return a + b.k;
}
struct scale {
    double k;
    template <class T>
    friend constexpr T operator*(const T& a, const scale& s) {
        return a * s.k;
    }
    template <class T>
    friend constexpr T operator*(const scale& s, const T& a) {
        return a * s.k;
    }
};
struct unit { // becomes a number
    template <class T>
    constexpr operator cr::tracing::number<T>() const {
        return 4.0;
    }
};
constexpr auto F =
    cr::function([](auto x, auto y) { return (x + derived{{2.0}}) + x * scale{3.0} + scale{3.0} * y + unit{} * x; });
static_assert(F(1.0, 2.0) == 16.0);
} // namespace operators_of_classes

// Code may change its arguments: they are copies.
namespace changed_arguments {
constexpr auto F = cr::function([](auto& x, auto& y) {
    x += 1;
    y *= x;
    return x * y;
});
static_assert(F(1.0, 2.0) == 8.0 && F.gradient(1.0, 2.0)[0] == 8.0 && F.gradient(1.0, 2.0)[1] == 4.0);
constexpr auto G = cr::function<3>([](auto& q) {
    for (auto& e : q) e *= 2;
    return q[0] * q[1] + q[2];
});
static_assert(G(std::array{1.0, 2.0, 3.0}) == 14.0 && G.gradient(std::array{1.0, 2.0, 3.0})[0] == 8.0);

template <class T>
struct state {
    T angle, speed;
};
struct step {
    template <class T>
    constexpr T operator()(state<T>& s, T& mass) const {
        s.angle += s.speed;
        mass *= 2;
        return mass * s.angle;
    }
};
constexpr auto S = cr::function<state<double>, double>(step{});
static_assert(S(state<double>{1.0, 2.0}, 3.0) == 18.0);

constexpr auto v = cr::variables<"v", 2>;
constexpr auto t = cr::variable<"t">;
constexpr auto N = cr::function(
    [](auto& a, auto& time) {
        a[0] += time;
        time *= 2;
        return a[0] * a[1] * time;
    },
    cr::wrt(v, t));
static_assert(N(v = std::array{1.0, 2.0}, t = 3.0) == 48.0);
} // namespace changed_arguments

namespace enumerators {
enum side { call = 1, put = -1 };
constexpr auto F = cr::function([](auto x, auto y) { return cr::select(x > call, put * x * y - call, x / put + y); });
static_assert(F(3.0, 2.0) == -7.0 && F(1.0, 2.0) == 1.0 && F.gradient(3.0, 2.0)[0] == -2.0);
} // namespace enumerators

} // namespace
