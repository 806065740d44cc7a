// SPDX-License-Identifier: BSL-1.0
//
// Traced code with captures and members, which become parameters: residuals as they are written for Ceres, against the
// same functions with the observation as an input.
#include <chainrule/chainrule.hpp>
#include <chainrule/tape.hpp>

#include "catch.hpp"

#include <array>
#include <cmath>
#include <string>

namespace {

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto k = cr::variable<"k">;
constexpr auto u = cr::variable<"u">;
constexpr auto v = cr::variable<"v">;

// Snavely's camera: a rotation vector, a translation, a focal length and two coefficients of distortion. The rotation
// is Rodrigues' formula; where the vector is short, its linear part.
template <class T>
constexpr void project(const T* camera, const T* point, T* predicted) {
    using std::cos, std::sin, std::sqrt;
    const T square = camera[0] * camera[0] + camera[1] * camera[1] + camera[2] * camera[2];
    const T angle = sqrt(square);
    const T axis[3] = {camera[0] / angle, camera[1] / angle, camera[2] / angle};
    const T c = cos(angle), s = sin(angle);
    const T along = axis[0] * point[0] + axis[1] * point[1] + axis[2] * point[2];
    T p[3];
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        p[i] = c * point[i] + s * (axis[j] * point[l] - axis[l] * point[j]) + (T(1) - c) * along * axis[i];
        p[i] += camera[3 + i];
    }
    const T xp = -p[0] / p[2], yp = -p[1] / p[2];
    const T r2 = xp * xp + yp * yp;
    const T distortion = 1.0 + r2 * (camera[7] + camera[8] * r2);
    predicted[0] = camera[6] * distortion * xp;
    predicted[1] = camera[6] * distortion * yp;
}

struct reprojection {
    constexpr reprojection(double u_observed, double v_observed) : observed_x(u_observed), observed_y(v_observed) {}

    template <typename T>
    constexpr bool operator()(const T* const camera, const T* const point, T* residuals) const {
        T predicted[2];
        project(camera, point, predicted);
        residuals[0] = predicted[0] - T(observed_x);
        residuals[1] = predicted[1] - observed_y;
        return true;
    }

    double observed_x;
    double observed_y;
};
// The same with the observation as an input.
struct reprojection_of_three {
    template <typename T>
    constexpr bool operator()(const T* camera, const T* point, const T* observed, T* residuals) const {
        project(camera, point, residuals);
        residuals[0] -= observed[0];
        residuals[1] -= observed[1];
        return true;
    }
};

constexpr std::array<double, 12> at{0.1, -0.2, 0.3, 0.5, 0.25, -4.0, 500.0, -0.1, 0.02, 0.7, -0.3, 1.5};

TEST_CASE("a residual as written for Ceres has its observation as parameters") {
    auto F = cr::function<cr::inputs<9, 3>, cr::outputs<2>>(reprojection(12.5, -7.25), cr::members(u, v));
    constexpr auto G = cr::function<cr::inputs<9, 3, 2>, cr::outputs<2>>(reprojection_of_three{});
    const auto check = [&](double observed_x, double observed_y) {
        std::array<double, 14> all{};
        for (std::size_t i = 0; i < 12; ++i) all[i] = at[i];
        all[12] = observed_x;
        all[13] = observed_y;
        const auto [values, jacobian] = F.value_and_jacobian(at);
        const auto expected = G.value_and_jacobian(all);
        CHECK(values == expected.values);
        for (std::size_t i = 0; i < 2; ++i)
            for (std::size_t j = 0; j < 12; ++j) CHECK(std::abs(jacobian[i][j] - expected.jacobian[i][j]) < 1e-9);
        std::array<double, 2> plain{};
        reprojection(observed_x, observed_y)(at.data(), at.data() + 9, plain.data());
        CHECK(values == plain);
    };
    check(12.5, -7.25);
    F.set(reprojection(3.0, 4.0));
    check(3.0, 4.0);
    F.set(v = -1.0);
    check(3.0, -1.0);
    F.set(reprojection(0.0, -0.0));
    check(0.0, -0.0);
}

// Private constants, as in a curve fit.
class exponential_residual {
public:
    constexpr exponential_residual(double abscissa, double value) : x_(abscissa), y_(value) {}
    template <typename T>
    constexpr bool operator()(const T* const m, const T* const c, T* residual) const {
        residual[0] = y_ - exp(m[0] * x_ + c[0]);
        return true;
    }

private:
    const double x_;
    const double y_;
};

TEST_CASE("private constant members are parameters") {
    auto F = cr::function<cr::inputs<1, 1>>(exponential_residual(2.0, 5.0), cr::members(x, y));
    CHECK(F(0.25, 0.5)[0] == 5.0 - std::exp(0.25 * 2.0 + 0.5));
    CHECK(F.jacobian(0.0, 0.0)[0][0] == -2.0);
    F.set(exponential_residual(-3.0, 1.0));
    CHECK(F.jacobian(0.0, 0.0)[0][0] == 3.0);
    CHECK(F(0.0, 0.0)[0] == 0.0);
    CHECK(std::string(cr::to_string(F.expression()[boost::hana::int_c<0>]).c_str()).find("exp(") != std::string::npos);
}

// Members of the number type: any use of them is traced.
template <class N>
struct weighted {
    N sigma, weight;
    template <class T>
    constexpr T operator()(const T& a) const {
        const N factor = N(1) / (sigma * sigma);
        return select(weight > 0, T(weight * factor) * a * a, T(0));
    }
};

TEST_CASE("members of a template parameter's type may be computed with and compared") {
    auto F = cr::function(weighted<double>{2.0, 3.0}, cr::members(u, v));
    CHECK(F(4.0) == 3.0 * (1 / (2.0 * 2.0)) * 4.0 * 4.0);
    F.set(weighted<double>{2.0, -1.0});
    CHECK(F(4.0) == 0.0);
    F.set(u = 0.5, v = 1.0);
    CHECK(F.gradient(1.0)[0] == 8.0);
}

// Members in the number type of the code: operations on two of them, or on one and a literal.
struct scaled {
    double sigma, offset;
    template <class T>
    constexpr T operator()(const T& a) const {
        using std::sqrt;
        return a / sqrt(T(sigma)) + a * (T(sigma) * T(offset)) - a * (T(1) / T(offset)) + a * -T(offset);
    }
};

TEST_CASE("an operation on members in the number type of the code is traced") {
    auto F = cr::function(scaled{4.0, 0.5}, cr::members(u, v));
    for (const auto& of : {scaled{4.0, 0.5}, scaled{0.1, -3.0}, scaled{1.0, 1.0}}) {
        F.set(of);
        CHECK(F(3.0) == of(3.0));
    }
}

TEST_CASE("captures are parameters") {
    for (const double a : {0.5, -2.0}) {
        const double b = 3 * a;
        auto F = cr::function([a, b](auto t) { return a * t * t + b; }, cr::members(u, v));
        CHECK(F(3.0) == a * 3.0 * 3.0 + b);
        CHECK(F.gradient(3.0)[0] == 6 * a);
        constexpr auto x0 = cr::variable<"x0">;
        CHECK(F(x0 = 0.0, u = 1.0) == b);
    }
    const float c = 0.25f;
    auto G = cr::function([c](auto s, auto t, auto q) { return c * s * t + q; }, cr::wrt(x, y), cr::given(k = 2.0f),
                          cr::members(u));
    static_assert(std::is_same_v<decltype(G(1.0f, 2.0f)), float>);
    CHECK(G(2.0f, 3.0f) == 3.5f);
    G.set(k = 1.0f, u = 1.0f);
    CHECK(G(2.0f, 3.0f) == 7.0f);
    const auto scaled = [](float factor) { return [factor](auto t) { return factor * t; }; };
    auto of_floats = cr::function(scaled(2.0f), cr::wrt(x), cr::members(u));
    of_floats.set(scaled(0.5f));
    CHECK(of_floats(3.0f) == 1.5f);
    const std::array<double, 3> w{1.0, 2.0, 3.0};
    auto H = cr::function<3>(
        [w](const auto& q) {
            auto sum = 0.0 * q[0];
            for (std::size_t i = 0; i < 3; ++i) sum += w[i] * q[i];
            return sum;
        },
        cr::members(cr::variables<"w", 3>));
    CHECK(H.gradient(1.0, 1.0, 1.0) == w);
}

TEST_CASE("a residual with members is one statement on the tape") {
    auto F = cr::function<cr::inputs<1, 1>>(exponential_residual(2.0, 5.0), cr::members(x, y));
    cr::tape::tape t;
    const auto m = t.variable(0.5), c = t.variable(0.25);
    const std::array<cr::tape::active<double>, 2> point{m, c};
    const auto r = F(point);
    t.backward(r[0]);
    CHECK(m.gradient() == F.jacobian(0.5, 0.25)[0][0]);
    CHECK(c.gradient() == F.jacobian(0.5, 0.25)[0][1]);
}

} // namespace
