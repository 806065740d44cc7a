// SPDX-License-Identifier: BSL-1.0
//
// Code as it is written for dual numbers or a tape, unchanged: values are those of plain double, derivatives those of
// dual numbers.
#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>

#include "catch.hpp"

#include <array>
#include <cmath>

namespace {

namespace cr = chainrule;

// An edge of a pose graph in the plane, with an angle in [-pi, pi).
template <typename T>
constexpr T wrapped(const T& a) {
    using std::floor;
    const T two_pi(2.0 * 3.14159265358979323846);
    return a - two_pi * floor((a + T(3.14159265358979323846)) / two_pi);
}
struct pose_edge {
    template <typename T>
    constexpr bool operator()(const T* const a, const T* const b, T* residuals) const {
        using std::cos, std::sin;
        const T c = cos(a[2]), s = sin(a[2]), dx = b[0] - a[0], dy = b[1] - a[1];
        residuals[0] = c * dx + s * dy - 0.25;
        residuals[1] = -s * dx + c * dy - T(0.125);
        residuals[2] = wrapped(T(b[2] - a[2] - static_cast<T>(0.25)));
        return true;
    }
};

// A cubic B-spline: a parameter and four control points.
template <typename T>
constexpr T spline(const std::array<T, 5>& q) {
    const T &u = q[0], u2 = u * u, u3 = u2 * u;
    const T b[4] = {(1.0 - 3.0 * u + 3.0 * u2 - u3) / 6.0, (4.0 - 6.0 * u2 + 3.0 * u3) / 6.0,
                    (1.0 + 3.0 * u + 3.0 * u2 - 3.0 * u3) / 6.0, u3 / 6.0};
    T sum{};
    for (std::size_t i = 0; i < 4; ++i) sum += b[i] * q[i + 1];
    return sum;
}

// Steps of Runge and Kutta's method, with operators of a struct.
template <class T>
struct state {
    T x, v;
    constexpr state& operator+=(const state& o) {
        x += o.x;
        v += o.v;
        return *this;
    }
    friend constexpr state operator*(const T& a, const state& s) { return {a * s.x, a * s.v}; }
    friend constexpr state operator+(state a, const state& b) { return a += b; }
};
template <class T>
constexpr state<T> slope(const state<T>& s, const T& mu) {
    return {s.v, mu * (1.0 - s.x * s.x) * s.v - s.x};
}
template <class T>
constexpr std::array<T, 2> integrated(const std::array<T, 3>& q) {
    state<T> s{q[0], q[1]};
    const T h = 0.125;
    for (int i = 0; i < 3; ++i) {
        const auto k1 = slope(s, q[2]), k2 = slope(s + (h / T(2)) * k1, q[2]), k3 = slope(s + h * T(0.5) * k2, q[2]),
                   k4 = slope(s + h * k3, q[2]);
        s += (h / T(6)) * (k1 + T(2) * k2 + T(2) * k3 + k4);
    }
    return {s.x, s.v};
}

// The update of a Kalman filter: a state, its covariance and an observation.
template <class T>
constexpr std::array<T, 2> updated(const std::array<T, 6>& z) {
    const T covariance[2][2] = {{z[2], z[3]}, {z[3], z[4]}}, observed[2] = {T(1), T(0)};
    T variance = 0.125;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) variance += observed[i] * covariance[i][j] * observed[j];
    std::array<T, 2> x{z[0], z[1]};
    const T innovation = z[5] - x[0];
    for (std::size_t i = 0; i < 2; i++) {
        T gain = T();
        for (int j = 0; j < 2; j++) gain += covariance[i][j] * observed[j];
        x[i] += gain / variance * innovation;
    }
    return x;
}

// A vector turned by a quaternion of any length.
template <class T>
constexpr std::array<T, 3> turned(const std::array<T, 7>& a) {
    using std::sqrt;
    const T n = T(1) / sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]);
    const T q[4] = {n * a[0], n * a[1], n * a[2], n * a[3]}, *v = &a[4];
    const T c[3] = {2.0 * (q[2] * v[2] - q[3] * v[1]), T(2) * (q[3] * v[0] - q[1] * v[2]),
                    2.0 * (q[1] * v[1] - q[2] * v[0])};
    return {v[0] + q[0] * c[0] + q[2] * c[2] - q[3] * c[1], v[1] + q[0] * c[1] + q[3] * c[0] - q[1] * c[2],
            v[2] + q[0] * c[2] + q[1] * c[1] - q[2] * c[0]};
}

// Associated Legendre functions by their recurrence.
template <class T>
constexpr T legendre(int l, int m, const T& x) {
    using std::sqrt;
    T last = 1.0;
    const T root = sqrt((1.0 - x) * (1.0 + x));
    for (int i = 1; i <= m; i++) last *= -(2.0 * i - 1.0) * root;
    if (l == m) return last;
    T next = x * (2.0 * m + 1.0) * last;
    for (int k = m + 2; k <= l; ++k) {
        const T after = ((2.0 * k - 1.0) * x * next - (k + m - 1.0) * last) / T(k - m);
        last = next;
        next = after;
    }
    return next;
}
template <class T>
constexpr T harmonic(const std::array<T, 2>& q) {
    using std::cos;
    return cos(T(2) * q[1]) * legendre(4, 2, T(cos(q[0])));
}

// One hidden layer.
template <class T>
constexpr T network(const std::array<T, 9>& w) {
    using std::exp, std::max, std::tanh;
    const double in[2] = {0.3, -0.7};
    T out = w[8];
    for (std::size_t h = 0; h < 2; ++h) {
        T a = w[3 * h + 2];
        for (std::size_t i = 0; i < 2; ++i) a += w[3 * h + i] * in[i];
        out += w[6 + h] * max(T(tanh(a)), T(T(0.125) * a));
    }
    return 1.0 / (1.0 + exp(-out));
}

// F has the values of the code, and the derivatives of it with dual numbers. The code takes and returns arrays.
template <std::size_t Inputs>
void check(const auto& F, const auto& code, const std::array<double, Inputs>& at) {
    using dual = cr::dual<double>;
    const auto values = code(at);
    for (std::size_t i = 0; i < values.size(); ++i) CHECK(F.values(at)[i] == values[i]);
    const auto jacobian = F.jacobian(at);
    for (std::size_t j = 0; j < Inputs; ++j) {
        std::array<dual, Inputs> point;
        for (std::size_t k = 0; k < Inputs; ++k) point[k] = k == j ? dual::variable(at[k]) : dual(at[k]);
        const auto expected = code(point);
        for (std::size_t i = 0; i < values.size(); ++i) {
            CAPTURE(i, j);
            CHECK(std::abs(jacobian[i][j] - expected[i].tangents[0]) <= 1e-14 * (1 + std::abs(jacobian[i][j])));
        }
    }
}
template <std::size_t Inputs>
void check(const auto& code, const std::array<double, Inputs>& at) {
    check(cr::function<Inputs>(code), code, at);
}

TEST_CASE("code for dual numbers or a tape is traced unchanged") {
    constexpr auto edge = cr::function<cr::inputs<3, 3>>(pose_edge{});
    const auto plain = [](const auto& q) {
        std::array<std::remove_cvref_t<decltype(q[0])>, 3> r{};
        pose_edge{}(q.data(), q.data() + 3, r.data());
        return r;
    };
    check(edge, plain, std::array{0.5, -0.25, 0.375, 0.75, 0.5, 4.0});
    check([](const auto& q) { return std::array{spline(q)}; }, std::array{0.3, -0.2, 0.3, 0.5, 0.25});
    check([](const auto& q) { return integrated(q); }, std::array{0.5, 2.0, 1.5});
    check([](const auto& q) { return updated(q); }, std::array{0.3, -0.2, 0.3, 0.1, 0.2, -0.3});
    check([](const auto& q) { return turned(q); }, std::array{0.3, -0.2, 0.3, 0.1, 0.2, -0.3, 0.7});
    check([](const auto& q) { return std::array{harmonic(q)}; }, std::array{0.3, -0.2});
    check([](const auto& q) { return std::array{network(q)}; },
          std::array{0.3, -0.2, 0.3, 0.1, 0.2, -0.3, 0.7, -0.5, 0.25});
}

// Constants alone, such as T(2) * T(pi): values are bit for bit those of the same code with doubles.
struct of_constants {
    template <typename T>
    constexpr T operator()(const T& x) const {
        using cr::exp, cr::log, cr::sqrt;
        const double pi = 3.14159265358979323846;
        return T(1) / sqrt(T(2) * T(pi)) * exp(-x * x / T(2)) + log(T(2) * T(pi)) / T(2) + T(1) / T(3) * x +
               T(0.1) * T(3) * x + exp(T(1));
    }
};
TEST_CASE("expressions of constants alone are computed as they are written") {
    constexpr auto F = cr::function(of_constants{});
    for (const double at : {0.0, 0.3, 1.7, -2.2}) {
        CAPTURE(at);
        volatile double x = at; // not a constant expression
        const double number = x;
        CHECK(F(number) == of_constants{}(number));
        const auto narrow = static_cast<float>(number);
        CHECK(F(narrow) == Approx(of_constants{}(narrow)).epsilon(4e-7));
    }
    // Rational factors of derivatives are exact: 1/3 + 3/10, rounded once.
    CHECK(F.gradient(0.0)[0] == 19.0 / 30);
}

} // namespace
