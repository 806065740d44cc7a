// SPDX-License-Identifier: BSL-1.0
//
// Vectors, matrices and rotations at random points: values bit for bit as the same operations in plain C++, derivatives
// against closed forms and differences. tests/expression/static/vectors.cpp has the expressions themselves.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;

template <std::size_t N>
using square = std::array<std::array<double, N>, N>;

// A matrix of the variables a0, a1 and so on.
constexpr auto a = cr::variables<"a", 16>;
constexpr auto A2 = cr::matrix(cr::vector(a[0_c], a[1_c]), cr::vector(a[2_c], a[3_c]));
constexpr auto A3 = cr::matrix(cr::vector(a[0_c], a[1_c], a[2_c]), cr::vector(a[3_c], a[4_c], a[5_c]),
                               cr::vector(a[6_c], a[7_c], a[8_c]));
constexpr auto A4 =
    cr::matrix(cr::vector(a[0_c], a[1_c], a[2_c], a[3_c]), cr::vector(a[4_c], a[5_c], a[6_c], a[7_c]),
               cr::vector(a[8_c], a[9_c], a[10_c], a[11_c]), cr::vector(a[12_c], a[13_c], a[14_c], a[15_c]));

template <std::size_t N>
std::array<double, N> random_point(std::mt19937& random) {
    std::uniform_real_distribution<double> in(-2, 2);
    std::array<double, N> point;
    for (double& coordinate : point) coordinate = in(random);
    return point;
}

double plain_minor(const std::array<double, 16>& m, std::size_t r, std::size_t i, std::size_t j) {
    return m[r + i] * m[r + 4 + j] - m[r + j] * m[r + 4 + i];
}
double plain_determinant(const std::array<double, 16>& m) {
    const auto s = [&](std::size_t i, std::size_t j) { return plain_minor(m, 0, i, j); };
    const auto t = [&](std::size_t i, std::size_t j) { return plain_minor(m, 8, i, j); };
    return s(0, 1) * t(2, 3) - s(0, 2) * t(1, 3) + s(0, 3) * t(1, 2) + s(1, 2) * t(0, 3) - s(1, 3) * t(0, 2) +
           s(2, 3) * t(0, 1);
}

// det A, adj A and inv A of the point, checked with what must hold for them.
template <std::size_t N, class Matrix>
void check_inverse(Matrix matrix) {
    constexpr auto variables = cr::variables<"a", N * N>;
    constexpr auto determinant_of = cr::function(determinant(Matrix{}), variables);
    constexpr auto adjugate_of = cr::function(adjugate(Matrix{}), variables);
    constexpr auto inverse_of = cr::function(inverse(Matrix{}), variables);
    constexpr auto second_row = cr::function(inverse(Matrix{})[1_c], variables);
    constexpr auto product_of = cr::function(matrix * inverse(Matrix{}), variables);
    std::mt19937 random(7);
    for (int k = 0; k < 200; ++k) {
        const auto point = random_point<N * N>(random);
        const auto [det, gradient] = determinant_of.value_and_gradient(point);
        if (std::abs(det) < 0.1) continue;
        const auto adj = adjugate_of(point);
        const auto inv = inverse_of(point);
        const auto jacobian = second_row.jacobian(point);
        const auto product = product_of(point);
        double scale = 1;
        for (const double x : inv) scale = std::max(scale, std::abs(x));
        for (std::size_t i = 0; i < N; ++i)
            for (std::size_t j = 0; j < N; ++j) {
                // A inv(A) = 1; inv(A) = adj(A) / det(A), in this order of operations; d det / dA = adj(A)'.
                CHECK(product[N * i + j] == Approx(i == j ? 1.0 : 0.0).margin(1e-13 * scale));
                CHECK(inv[N * i + j] == 1 / det * adj[N * i + j]);
                CHECK(gradient[N * i + j] == Approx(adj[N * j + i]).margin(1e-13));
                // d inv = -inv dA inv.
                for (std::size_t c = 0; c < N; ++c)
                    CHECK(jacobian[i][N * j + c] ==
                          Approx(-inv[N + j] * inv[N * c + i]).epsilon(1e-9).margin(1e-11 * scale * scale));
            }
    }
}

TEST_CASE("determinants and inverses") {
    check_inverse<2>(A2);
    check_inverse<3>(A3);
    check_inverse<4>(A4);
}

TEST_CASE("determinants are the operations one would write") {
    std::mt19937 random(1);
    constexpr auto by2 = cr::function(determinant(A2), cr::variables<"a", 4>);
    constexpr auto by3 = cr::function(determinant(A3), cr::variables<"a", 9>);
    constexpr auto by4 = cr::function(determinant(A4), a);
    for (int k = 0; k < 100; ++k) {
        const auto m = random_point<16>(random);
        CHECK(by2(m[0], m[1], m[2], m[3]) == m[0] * m[3] - m[1] * m[2]);
        std::array<double, 9> n;
        std::copy_n(m.begin(), 9, n.begin());
        CHECK(by3(n) == n[0] * (n[4] * n[8] - n[5] * n[7]) + n[1] * (n[5] * n[6] - n[3] * n[8]) +
                            n[2] * (n[3] * n[7] - n[4] * n[6]));
        CHECK(by4(m) == plain_determinant(m));
    }
}

TEST_CASE("an inverse shares its minors") {
    // 12 minors, the determinant, the adjugate, one division, 16 products with its result.
    constexpr auto inverse_of = cr::function(inverse(A4), a);
    constexpr auto counts = cr::operation_count<cr::request::values>(inverse_of);
    static_assert(counts.divisions == 1);
    static_assert(counts.multiplications + counts.fused <= 12 * 2 + 6 + 16 * 3 + 16);
}

TEST_CASE("products of matrices and vectors") {
    std::mt19937 random(2);
    constexpr auto product = cr::function(A3 * A3, cr::variables<"a", 9>);
    constexpr auto applied = cr::function(A4 * cr::vector(a[3_c], a[2_c], a[1_c], a[0_c]), a);
    constexpr auto crossed = cr::function(cross(A3[0_c], A3[2_c]), cr::variables<"a", 9>);
    constexpr auto form = cr::function(dot(A3[0_c], A3 * A3[0_c]), cr::variables<"a", 9>);
    for (int k = 0; k < 100; ++k) {
        const auto m = random_point<16>(random);
        std::array<double, 9> n;
        std::copy_n(m.begin(), 9, n.begin());
        const auto squared = product(n);
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j)
                CHECK(squared[3 * i + j] == n[3 * i] * n[j] + n[3 * i + 1] * n[3 + j] + n[3 * i + 2] * n[6 + j]);
        const auto image = applied(m);
        for (std::size_t i = 0; i < 4; ++i)
            CHECK(image[i] == m[4 * i] * m[3] + m[4 * i + 1] * m[2] + m[4 * i + 2] * m[1] + m[4 * i + 3] * m[0]);
        const auto normal = crossed(n);
        CHECK(normal == std::array{n[1] * n[8] - n[2] * n[7], n[2] * n[6] - n[0] * n[8], n[0] * n[7] - n[1] * n[6]});
        // The gradient of v'Av by v and A, where v is the first row of A.
        const auto gradient = form.gradient(n);
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) {
                double expected = n[i] * n[j];
                if (i == 0)
                    for (std::size_t l = 0; l < 3; ++l) expected += n[3 * j + l] * n[l] + n[3 * l + j] * n[l];
                CHECK(gradient[3 * i + j] == Approx(expected).margin(1e-13));
            }
    }
}

TEST_CASE("linear systems") {
    std::mt19937 random(3);
    constexpr auto b = cr::variables<"b", 4>;
    constexpr auto image = cr::function(A4 * solve(A4, b), cr::wrt(a, b));
    constexpr auto solution = cr::function(solve(A4, b), cr::wrt(a, b));
    constexpr auto first = cr::function(solve(A4, b)[0_c], cr::wrt(a, b));
    constexpr auto inverted = cr::function(inverse(A4), cr::wrt(a));
    for (int k = 0; k < 50; ++k) {
        const auto point = random_point<20>(random);
        std::array<double, 16> m;
        std::copy_n(point.begin(), 16, m.begin());
        if (std::abs(plain_determinant(m)) < 0.2) continue;
        const auto y = image(point);
        const auto x = solution(point);
        const auto gradient = first.gradient(point); // d x = inv (db - dA x)
        const auto inv = inverted(m);
        for (std::size_t i = 0; i < 4; ++i) {
            CHECK(y[i] == Approx(point[16 + i]).margin(1e-11));
            for (std::size_t j = 0; j < 4; ++j) CHECK(gradient[4 * i + j] == Approx(-inv[i] * x[j]).margin(1e-10));
            CHECK(gradient[16 + i] == Approx(inv[i]).margin(1e-11));
        }
    }
}

TEST_CASE("elements may be stored numbers") {
    std::mt19937 random(4);
    const auto m = random_point<16>(random);
    const auto stored = cr::matrix(cr::vector(m[0], m[1], m[2], a[0_c]), cr::vector(m[4], m[5], m[6], m[7]),
                                   cr::vector(m[8], m[9], m[10], m[11]), cr::vector(m[12], m[13], m[14], m[15]));
    CHECK(determinant(stored)(a[0_c] = m[3]) == plain_determinant(m));
    const auto names = cr::vector(m[0], a[0_c] * m[1], m[2]);
    const auto [first, second, third] = names;
    CHECK(first() == m[0]);
    CHECK(second(a[0_c] = 3.0) == 3.0 * m[1]);
    CHECK(third() == m[2]);
    CHECK((m[5] * names + names)(a[0_c] = 2.0)[1] == m[5] * (2.0 * m[1]) + 2.0 * m[1]);
    CHECK(transpose(stored)(a[0_c] = 2.5)[3][0] == 2.5);
}

TEST_CASE("an exact zero lets no infinity through, a stored zero does") {
    constexpr auto x = cr::variable<"x">;
    const auto pole = cr::vector(1_c / x, x);
    CHECK(dot(cr::vector(0_c, 1_c), pole)(x = 0.0) == 0.0);
    CHECK(std::isnan(dot(cr::vector(0.0, 1_c), pole)(x = 0.0)));
    CHECK(norm(cr::vector(x, x, x, x))(x = 3.0) == 6.0);
    CHECK(std::isnan(norm(cr::vector(x, x, x, x))(x = std::numeric_limits<double>::quiet_NaN())));
}

// Rotations
// -------------------------------------------------------------------------------------------------------------

constexpr auto w = cr::variables<"w", 4>;
constexpr auto axis = cr::variables<"w", 3>;
constexpr auto p = cr::variables<"p", 3>;

template <std::size_t N>
void check_orthonormal(const std::array<double, N>& r) {
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            CHECK(r[3 * i] * r[3 * j] + r[3 * i + 1] * r[3 * j + 1] + r[3 * i + 2] * r[3 * j + 2] ==
                  Approx(i == j ? 1.0 : 0.0).margin(2e-15));
    CHECK(r[0] * (r[4] * r[8] - r[5] * r[7]) - r[1] * (r[3] * r[8] - r[5] * r[6]) +
              r[2] * (r[3] * r[7] - r[4] * r[6]) ==
          Approx(1.0));
}

TEST_CASE("rotations are orthonormal, agree with each other, and turn the right way") {
    constexpr auto by_vector = cr::function(rotation(axis), axis);
    constexpr auto by_quaternion = cr::function(rotation(w), w);
    constexpr auto by_axis = cr::function(rotation(axis, w[3_c]), w);
    constexpr auto point_by_vector = cr::function(rotate(p, axis), cr::wrt(axis, p));
    constexpr auto point_by_quaternion = cr::function(rotate(p, w), cr::wrt(w, p));
    constexpr auto point_by_axis = cr::function(rotate(p, axis, w[3_c]), cr::wrt(w, p));
    std::mt19937 random(5);
    for (int k = 0; k < 100; ++k) {
        const auto n = random_point<3>(random);
        const double length = std::hypot(n[0], n[1], n[2]), angle = length;
        const std::array unit{n[0] / length, n[1] / length, n[2] / length};
        const auto r = by_vector(n);
        check_orthonormal(r);
        const double c = std::cos(angle / 2), s = 3 * std::sin(angle / 2); // a quaternion of length 3
        const auto q = by_quaternion(3 * c, s * unit[0], s * unit[1], s * unit[2]);
        check_orthonormal(q);
        const auto t = by_axis(unit[0], unit[1], unit[2], angle);
        const auto v = random_point<3>(random);
        const auto rv = point_by_vector(n[0], n[1], n[2], v[0], v[1], v[2]);
        const auto qv = point_by_quaternion(3 * c, s * unit[0], s * unit[1], s * unit[2], v[0], v[1], v[2]);
        const auto tv = point_by_axis(unit[0], unit[1], unit[2], angle, v[0], v[1], v[2]);
        for (std::size_t i = 0; i < 9; ++i) {
            CHECK(q[i] == Approx(r[i]).margin(1e-14));
            CHECK(t[i] == Approx(r[i]).margin(1e-14));
        }
        for (std::size_t i = 0; i < 3; ++i) {
            const double image = r[3 * i] * v[0] + r[3 * i + 1] * v[1] + r[3 * i + 2] * v[2];
            CHECK(rv[i] == Approx(image).margin(1e-14));
            CHECK(qv[i] == Approx(image).margin(1e-14));
            CHECK(tv[i] == Approx(image).margin(1e-14));
        }
    }
    const auto z = by_vector(0.0, 0.0, 0.5);
    CHECK(z[0] == Approx(std::cos(0.5)));
    CHECK(z[3] == Approx(std::sin(0.5)));
}

// The product of exponentials of matrices is no help at 0: the series exp([w]x) = 1 + [w]x + [w]x^2 / 2 + ... is.
TEST_CASE("a rotation by a vector has the right first and second derivatives at the angle 0") {
    constexpr auto x = cr::vector(1_c, 2_c, 4_c);
    constexpr auto image = cr::function(rotate(x, axis), axis);
    const std::array<double, 3> zero{}, v{1, 2, 4};
    // d (w x v) / dw: the matrix of cross products, with a minus sign.
    CHECK(image.jacobian(zero) == square<3>{{{0, 4, -2}, {-4, 0, 1}, {2, -1, 0}}});
    constexpr auto second = cr::function(rotate(x, axis)[0_c], axis);
    constexpr auto entry = cr::function(rotation(axis)(0_c, 1_c), axis);
    // w x (w x v) / 2 = (w (w.v) - v (w.w)) / 2.
    const auto h = second.hessian(zero);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            const double expected = ((i == 0 ? v[j] : 0) + (j == 0 ? v[i] : 0)) / 2 - (i == j ? v[0] : 0);
            CHECK(h[i][j] == Approx(expected).margin(1e-15));
            CHECK(entry.hessian(zero)[i][j] == Approx(i + j == 1 ? 0.5 : 0.0).margin(1e-15));
        }
}

TEST_CASE("the derivatives of rotations are those of differences") {
    constexpr auto image = cr::function(rotate(p, axis)[1_c], cr::wrt(axis, p));
    constexpr auto element = cr::function(rotation(w)(0_c, 2_c), w);
    const auto check = [](const auto& f, auto point) {
        const auto [value, gradient, hessian] = f.value_gradient_and_hessian(point);
        (void)value;
        for (std::size_t i = 0; i < point.size(); ++i) {
            const double step = 1e-6;
            auto left = point, right = point;
            left[i] -= step;
            right[i] += step;
            CHECK(gradient[i] == Approx((f(right) - f(left)) / (2 * step)).margin(1e-8));
            const auto g = f.gradient(right), h = f.gradient(left);
            for (std::size_t j = 0; j < point.size(); ++j)
                CHECK(hessian[i][j] == Approx((g[j] - h[j]) / (2 * step)).margin(1e-8));
        }
    };
    for (const double size : {1.0, 0.1, 1e-3}) {
        check(image, std::array{0.3 * size, -0.5 * size, 0.7 * size, 1.0, 2.0, -1.5});
        check(element, std::array{0.9, -0.5 * size, 0.7 * size, 0.2 * size});
    }
}

} // namespace
