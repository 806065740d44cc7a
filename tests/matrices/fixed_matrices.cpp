// SPDX-License-Identifier: BSL-1.0
//
// Matrices and vectors of numbers: what must hold for inverses, factors and rotations, for numbers of every type, and
// their derivatives in traced functions against closed forms.
#include "catch.hpp"

#include <chainrule/dual.hpp>
#include <chainrule/fixed_matrix.hpp>
#include <chainrule/tape.hpp>

#include <array>
#include <cmath>
#include <random>
#include <vector>

#if __has_include(<experimental/simd>)
#include <experimental/simd>
#endif

namespace {

namespace cr = chainrule;
template <std::size_t N>
using matrix = cr::fixed_matrix<double, N>;
template <std::size_t N>
using vector = cr::fixed_vector<double, N>;

// Construction, elements and operators, in constant expressions.
constexpr cr::fixed_matrix a{{1.0, 2.0}, {3.0, 4.0}};
static_assert(a == cr::fixed_matrix<double, 2>{{1, 2}, {3, 4}} && a(1, 0) == 3.0);
static_assert(cr::fixed_matrix<double, 1, 3>{{1, 2, 3}} * cr::fixed_vector{1.0, 10.0, 100.0} ==
              cr::fixed_vector<double, 1>{321.0});
static_assert(a * a - 2 * a == cr::fixed_matrix<double, 2>{{5, 6}, {9, 14}});
static_assert(a + -a == cr::fixed_matrix<double, 2>());
static_assert(a / 2.0 * 2.0 == +a && a * matrix<2>::identity() == a);
static_assert(determinant(a) == -2.0 && trace(a) == 5.0 && transpose(a)(0, 1) == 3.0);
static_assert(adjugate(a) == cr::fixed_matrix<double, 2>{{4, -2}, {-3, 1}});
static_assert(solve(a, cr::fixed_vector{5.0, 11.0}) == cr::fixed_vector{1.0, 2.0});
static_assert(a.row(1) == cr::fixed_vector{3.0, 4.0} && a.column(1) == cr::fixed_vector{2.0, 4.0});
static_assert(outer(cr::fixed_vector{1.0, 2.0}, cr::fixed_vector{3.0}) == cr::fixed_matrix<double, 2, 1>{{3}, {6}});
static_assert(cross(cr::fixed_vector{1.0, 0.0, 0.0}, cr::fixed_vector{0.0, 1.0, 0.0})[2] == 1.0);
static_assert(squared_norm(a) == 30.0 && dot(a.row(0), a.row(1)) == 11.0);
static_assert(cr::fixed_matrix<float, 2>(a)(1, 1) == 4.0f);
// Of arrays, as results of functions are.
constexpr std::array<std::array<double, 2>, 2> rows_of_a{{{1.0, 2.0}, {3.0, 4.0}}};
constexpr cr::fixed_matrix<double, 2> from_rows = rows_of_a;
static_assert(from_rows == a && cr::fixed_matrix{rows_of_a} == a && cr::fixed_matrix(rows_of_a) == a);
static_assert(cr::fixed_matrix<float, 2>(rows_of_a)(0, 1) == 2.0f);
static_assert(cr::fixed_vector{std::array{3.0, 4.0}} == a.row(1) && cr::fixed_vector(std::array{3.0, 4.0})[1] == 4.0);
constexpr auto turn = cr::function<cr::fixed_vector<double, 2>, double>(
    [](const auto& v, const auto& s) { return cr::vector(v[0] * v[1], s * v[1] * v[1], s); });
constexpr cr::fixed_matrix of_turn{turn.jacobian(cr::fixed_vector{2.0, 3.0}, 5.0)};
static_assert(of_turn == cr::fixed_matrix<double, 3>{{3, 2, 0}, {0, 30, 9}, {0, 0, 1}});
static_assert(of_turn * transpose(of_turn) == cr::fixed_matrix<double, 3>{{13, 60, 0}, {60, 981, 9}, {0, 9, 1}});
// By elimination with exchanged rows.
static_assert(determinant(cr::fixed_matrix<double, 5>{
                  {0, 1, 0, 0, 0}, {0, 0, 1, 0, 0}, {0, 0, 0, 1, 0}, {0, 0, 0, 0, 1}, {2, 0, 0, 0, 0}}) == 2.0);

template <std::size_t N>
matrix<N> random_matrix(std::mt19937& random, double diagonal) {
    std::uniform_real_distribution<double> in(-1, 1);
    matrix<N> m;
    for (double& x : m) x = in(random);
    for (std::size_t i = 0; i < N; ++i) m(i, i) += diagonal;
    return m;
}
template <std::size_t N>
double distance(const matrix<N>& m, const matrix<N>& n) {
    return norm(m - n);
}

#if defined(CHAINRULE_TEST_SAMPLE)
#define CHAINRULE_SIZES 2, 5
#else
#define CHAINRULE_SIZES 1, 2, 3, 4, 5, 6, 9
#endif
TEMPLATE_TEST_CASE_SIG("inverses, solutions and factors", "", ((std::size_t N), N), CHAINRULE_SIZES) {
    std::mt19937 random(1);
    for (int k = 0; k < 20; ++k) {
        const matrix<N> m = random_matrix<N>(random, 2), inv = inverse(m);
        const double tolerance = 1e-13 * norm(m) * norm(inv) * norm(inv);
        CHECK(distance(m * inv, matrix<N>::identity()) < tolerance);
        CHECK(distance(solve(m, matrix<N>::identity()), inv) < tolerance);
        CHECK(norm(m * solve(m, m.column(0)) - m.column(0)) < tolerance);
        CHECK(log_det(m) == Approx(std::log(std::abs(determinant(m)))).margin(1e-13));
        CHECK(determinant(m * m) == Approx(determinant(m) * determinant(m)).epsilon(1e-10));
        CHECK(determinant(inv) == Approx(1 / determinant(m)).epsilon(1e-10));

        const matrix<N> s = m * transpose(m) + matrix<N>::identity();
        const auto factor = cholesky(s);
        CHECK(distance(factor.lower * transpose(factor.lower), s) < 1e-13 * norm(s));
        CHECK(distance(inverse(factor), inverse(s)) < 1e-12);
        CHECK(norm(s * solve(factor, m.column(0)) - m.column(0)) < 1e-12);
        CHECK(log_det(factor) == Approx(log_det(s)).margin(1e-12));
        CHECK(determinant(factor) == Approx(determinant(s)).epsilon(1e-12));
        if (N > 1) CHECK(factor.lower(0, N - 1) == 0.0);
    }
}

// Numbers without a pattern, also in constant expressions.
template <class T, std::size_t Rows, std::size_t Columns>
constexpr cr::fixed_matrix<T, Rows, Columns> scattered(unsigned seed) {
    cr::fixed_matrix<T, Rows, Columns> m;
    for (T& x : m) {
        seed = seed * 1664525u + 1013904223u;
        x = static_cast<T>(seed >> 8) / static_cast<T>(1 << 23) - T(1);
    }
    return m;
}

// At run time these are computed in lanes, in constant expressions number by number: with the same roundings.
template <class T, std::size_t Rows, std::size_t Inner, std::size_t Columns>
void check_product() {
    constexpr auto m = scattered<T, Rows, Inner>(1);
    constexpr auto n = scattered<T, Inner, Columns>(2);
    constexpr auto expected = m * n;
    CHECK(m * n == expected);
}
TEST_CASE("fixed vectors and matrices are elements of standard containers", "[matrices]") {
    std::vector<cr::fixed_matrix<double, 5>> matrices(2);
    matrices.push_back(cr::fixed_matrix<double, 5>::identity());
    auto at = matrices.end() - 1;
    at -= 1, at += 1;
    CHECK(((*at)(4, 4) == 1 && matrices.back()(0, 0) == 1 && at - matrices.begin() == 2));
    std::vector<cr::fixed_vector<double, 3>> vectors{{1, 2, 3}};
    vectors.insert(vectors.begin() + 1, vectors.back() + vectors.front());
    CHECK(vectors.back()[2] == 6);
}

TEMPLATE_TEST_CASE("products of all widths", "", float, double, long double) {
    check_product<TestType, 2, 3, 1>();
    check_product<TestType, 3, 2, 2>();
    check_product<TestType, 2, 4, 3>();
    check_product<TestType, 4, 4, 4>();
    check_product<TestType, 1, 5, 5>();
    check_product<TestType, 6, 1, 6>();
    check_product<TestType, 3, 2, 7>();
    check_product<TestType, 2, 3, 11>();
}
TEMPLATE_TEST_CASE("the inverse of a 4 x 4 matrix", "", float, double, long double) {
    constexpr auto m = scattered<TestType, 4, 4>(3);
    constexpr auto expected = inverse(m);
    CHECK(inverse(m) == expected);
}

TEST_CASE("a zero pivot is exchanged where numbers can be compared") {
    matrix<6> m; // a permutation, without a nonzero on its diagonal
    for (std::size_t i = 0; i < 6; ++i) m(i, (i + 2) % 6) = 1.0;
    CHECK(inverse(m) == transpose(m));
    CHECK(solve(m, vector<6>{1, 2, 3, 4, 5, 6}) == transpose(m) * vector<6>{1, 2, 3, 4, 5, 6});
    CHECK(determinant(m) == 1.0);
    CHECK(determinant(matrix<5>()) == 0.0);
}

// d log |det A| = inverse(A)', by formulas of minors and by elimination.
template <std::size_t N>
constexpr auto log_det_of = cr::function<matrix<N>>([](const auto& m) { return log_det(m); });

TEMPLATE_TEST_CASE_SIG("the gradient of a log determinant", "", ((std::size_t N), N), 2, 3, 4, 5) {
    std::mt19937 random(2);
    for (int k = 0; k < 20; ++k) {
        const matrix<N> m = random_matrix<N>(random, 3);
        const auto [value, gradient] = log_det_of<N>.value_and_gradient(m);
        CHECK(value == Approx(log_det(m)).margin(1e-13));
        CHECK(distance(gradient, transpose(inverse(m))) < 1e-12);
    }
}
// By hand: 9 cofactors of 2 products each, 3 products for the determinant, one division, 9 products with its result;
// and the absolute value and sign.
template <class E, class V, class P, bool Scalar>
consteval auto operations_of(const cr::positional_function<E, V, P, Scalar>& f) {
    return cr::operation_count<cr::request::jacobians>(f);
}
constexpr auto counted = operations_of(log_det_of<3>);
static_assert(counted.divisions == 1 && counted.calls == 2);
static_assert(counted.multiplications + counted.fused <= 9 * 2 + 3 + 9);

TEST_CASE("matrices and vectors as arguments and results of traced functions") {
    constexpr auto inverse_of = cr::function<matrix<3>>([](const auto& m) { return inverse(m); });
    constexpr auto solution =
        cr::function<matrix<2>, vector<2>>([](const auto& m, const auto& b) { return solve(m, b); });
    constexpr auto norm_of = cr::function<matrix<2>, double>(
        [](const auto& m, const auto& s) { return norm(s * m * transpose(m) + m / 2.0); });
    std::mt19937 random(3);
    const matrix<3> m = random_matrix<3>(random, 2), inv = inverse(m);
    const matrix<3> traced = inverse_of(m);
    CHECK(traced == inv); // the same operations in the same order
    const auto jacobian = inverse_of.jacobian(m);
    for (std::size_t e = 0; e < 9; ++e) // d inv = -inv dA inv
        for (std::size_t c = 0; c < 9; ++c)
            CHECK(jacobian[e][c] == Approx(-inv(e / 3, c / 3) * inv(c % 3, e % 3)).margin(1e-13));
    CHECK(inverse_of(cr::fixed_matrix<float, 3>(m)) == inverse(cr::fixed_matrix<float, 3>(m)));

    const vector<2> x = solution(a, vector<2>{5, 11});
    CHECK(x == vector<2>{1, 2});
    CHECK(solution.jacobian(a, vector<2>{5, 11})[0][4] == Approx(inverse(a)(0, 0)));

    const auto [by_matrix, by_number] = norm_of.gradient(a, 0.5);
    const double step = 1e-6;
    matrix<2> moved = a;
    moved(0, 1) += step;
    CHECK(by_matrix(0, 1) == Approx((norm_of(moved, 0.5) - norm_of(a, 0.5)) / step).epsilon(1e-5));
    CHECK(by_number == Approx((norm_of(a, 0.5 + step) - norm_of(a, 0.5)) / step).epsilon(1e-5));
}

TEST_CASE("a Cholesky factor in a traced function") {
    constexpr auto energy = cr::function<matrix<3>, vector<3>>([](const auto& s, const auto& b) {
        const auto factor = cholesky(s);
        return 0.5 * dot(b, solve(factor, b)) + 0.5 * log_det(factor);
    });
    std::mt19937 random(4);
    const matrix<3> m = random_matrix<3>(random, 2), s = m * transpose(m);
    const vector<3> b{1, -2, 0.5}, x = solve(s, b);
    const auto [by_matrix, by_vector] = energy.gradient(s, b);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(by_vector[i] == Approx(x[i]));
        // Only the lower triangle is read, so an element below the diagonal stands for two.
        for (std::size_t j = 0; j < 3; ++j)
            CHECK(by_matrix(i, j) ==
                  Approx(i < j ? 0.0 : (i == j ? 0.5 : 1.0) * (inverse(s)(i, j) - x[i] * x[j])).margin(1e-12));
    }
}

TEST_CASE("code with vectors and matrices serves expressions and traced code") {
    using namespace cr::literals;
    constexpr auto code = [](const auto& p, const auto& q, const auto& r) {
        const auto v = cr::vector(p * q, sin(r), 2.0 + q);
        const auto A = cr::matrix(v, cr::vector(p, q, r), cr::vector(r, 2.0 * q, p));
        return dot(v, A * v) + norm(v) * v[0_c] + determinant(A) + A[1_c][2_c] + cross(v, cr::vector(r, p, q))[2_c] +
               trace(transpose(A)) + dot(solve(A, v), v);
    };
    constexpr auto x = cr::variable<"x">;
    constexpr auto y = cr::variable<"y">;
    constexpr auto z = cr::variable<"z">;
    constexpr auto symbolic = cr::function(code(x, y, z), cr::wrt(x, y, z));
    constexpr auto traced = cr::function(code);
    for (const double c : {0.3, 1.1, 2.4}) {
        CHECK(traced(1.2, 0.7, c) == Approx(symbolic(1.2, 0.7, c)).epsilon(1e-13));
        const auto by_symbols = symbolic.gradient(1.2, 0.7, c), by_trace = traced.gradient(1.2, 0.7, c);
        for (std::size_t i = 0; i < 3; ++i) CHECK(by_trace[i] == Approx(by_symbols[i]).epsilon(1e-12));
    }
    constexpr auto several = cr::function([](auto p, auto q) { return cr::vector(p * q, 1, sin(p)); });
    static_assert(std::is_same_v<decltype(several(1.0, 2.0)), std::array<double, 3>>);
    CHECK(several.jacobian(2.0, 3.0)[0] == std::array{3.0, 2.0});
    CHECK(several.jacobian(2.0, 3.0)[1] == std::array{0.0, 0.0});
    CHECK(cr::matrix(cr::fixed_vector{1.0, 2.0}, cr::fixed_vector{3.0, 4.0}) ==
          cr::fixed_matrix<double, 2>{{1, 2}, {3, 4}});
}

TEST_CASE("active and dual numbers") {
    cr::tape::tape t;
    using active = cr::tape::active<double>;
    cr::fixed_matrix<active, 5> m;
    std::mt19937 random(5);
    const matrix<5> at = random_matrix<5>(random, 2);
    for (std::size_t i = 0; i < 25; ++i) m.numbers[i] = t.variable(at.numbers[i]);
    t.backward(log_det(m));
    for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t j = 0; j < 5; ++j) CHECK(m(i, j).gradient() == Approx(inverse(at)(j, i)).margin(1e-13));

    cr::fixed_matrix<active, 3> small;
    for (std::size_t i = 0; i < 9; ++i) small.numbers[i] = t.variable(at.numbers[i]);
    const auto inv = inverse(small);
    t.backward(trace(inv));
    const matrix<3> plain = [&] {
        matrix<3> r;
        for (std::size_t i = 0; i < 9; ++i) r.numbers[i] = at.numbers[i];
        return inverse(r);
    }();
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            CHECK(small(i, j).gradient() == Approx(-(plain * plain)(j, i)).margin(1e-13));

    using dual = cr::dual<double, 1>;
    cr::fixed_vector<dual, 3> w{dual(0), dual(0), dual(0)};
    w[2] = cr::dual<double, 1>::variable(0.0, 0);
    const auto turned = rotate(cr::fixed_vector<double, 3>{1, 2, 4}, w);
    CHECK(turned[0].tangents[0] == -2.0);
    CHECK(turned[1].tangents[0] == 1.0);
}

TEST_CASE("vectors and matrices times formulas of active numbers") {
    namespace tape = cr::tape;
    using number = tape::active<double>;
    tape::tape t;
    const cr::fixed_vector<number, 2> x{t.variable(1.0), t.variable(2.0)};
    const cr::fixed_vector<double, 2> d{1.0, 2.0};
    const auto slope_of = [&](const number& y) {
        t.backward(y);
        return x[0].gradient();
    };
    const cr::fixed_vector<number, 2> product = x[0] * x[1] * x;
    CHECK(slope_of(squared_norm(product)) == 48.0);
    CHECK(slope_of(squared_norm(x / (x[0] * x[1]))) == -2.0);
    CHECK(slope_of((x[0] * x[1] * d)[1]) == 4.0);
    CHECK(slope_of(squared_norm(cr::fixed_vector{x[0], x[1] * x[0]})) == 10.0);
    auto changed = x;
    changed *= x[0] + x[1];
    changed /= -x[1];
    CHECK(slope_of(changed[0]) == -2.0);
    const cr::fixed_matrix<number, 2> diagonal{{x[0], 0.0}, {0.0, x[1]}};
    CHECK(slope_of(determinant(diagonal * (1.0 / x[0]))) == -2.0);
}

TEST_CASE("rotations are those of expressions") {
    constexpr auto w = cr::variables<"w", 4>;
    constexpr auto axis = cr::variables<"w", 3>;
    constexpr auto by_vector = cr::function(rotation(axis), axis);
    constexpr auto by_quaternion = cr::function(rotation(w), w);
    constexpr auto traced = cr::function<vector<3>>([](const auto& v) { return rotation(v); });
    for (const double size : {0.0, 1e-200, 1e-9, 0.1, 0.9, 1.1, 3.0}) {
        const vector<3> v{0.3 * size, -0.5 * size, 0.81 * size};
        const auto r = rotation(v);
        const auto expected = by_vector(v[0], v[1], v[2]);
        CHECK(distance(r * transpose(r), matrix<3>::identity()) < 2e-15);
        CHECK(determinant(r) == Approx(1.0).epsilon(1e-14));
        CHECK(distance(r, traced(v)) < 1e-15);
        CHECK(norm(rotate(vector<3>{1, 2, 4}, v) - r * vector<3>{1, 2, 4}) < 4e-15);
        const vector<4> q{1.0, v[0], v[1], v[2]};
        const auto by_q = by_quaternion(q[0], q[1], q[2], q[3]);
        for (std::size_t i = 0; i < 9; ++i) {
            CHECK(r.numbers[i] == Approx(expected[i]).margin(1e-15));
            CHECK(rotation(q).numbers[i] == by_q[i]);
        }
    }
}

TEST_CASE("rotations about an axis are those by the vector") {
    const vector<3> axis{2.0 / 3, -1.0 / 3, 2.0 / 3}, v{1, 2, 4};
    constexpr auto traced =
        cr::function<vector<3>, double>([](const auto& about, const auto& angle) { return rotation(about, angle); });
    constexpr auto turned = cr::function<double>([](const auto& angle) {
        return rotate(cr::fixed_vector<double, 3>{1, 2, 4}, cr::fixed_vector<double, 3>{0, 0, 1}, angle);
    });
    for (const double angle : {0.0, 1e-9, 0.5, -2.0, 7.0}) {
        const auto r = rotation(axis, angle);
        CHECK(norm(r - rotation(angle * axis)) < 4e-15);
        CHECK(norm(r * v - rotate(v, axis, angle)) < 1e-14);
        CHECK(traced(axis, angle) == r);
        // By the angle: the cross product of the axis with the image, at 0, too.
        const auto image = turned(angle);
        const auto by_angle = turned.jacobian(angle);
        CHECK(std::abs(by_angle[0][0] + image[1]) < 1e-14);
        CHECK(std::abs(by_angle[1][0] - image[0]) < 1e-14);
        CHECK(by_angle[2][0] == 0.0);
    }
}

// sin(angle) / angle and the other factor as functions of one component: at 0 and on both sides of where the series
// ends, derivatives of order 1 to 4 equal those of rotations about one axis, cos and sin.
TEST_CASE("derivatives of a rotation by a vector, up to the fourth") {
    constexpr auto x = cr::variable<"x">;
    using namespace cr::literals;
    constexpr auto image = rotate(cr::vector(1_c, 0_c, 0_c), cr::vector(0_c, 0_c, x)); // cos(x), sin(x), 0
    constexpr auto third = cr::derivative<3>(image[1_c], x);
    constexpr auto fourth = cr::derivative<4>(image[0_c], x);
    for (const double at : {0.0, 1e-9, 1e-3, 0.5, 0.999, 1.001, 2.0}) {
        CHECK(image(x = at)[0] == Approx(std::cos(at)).epsilon(1e-15));
        CHECK(third(x = at) == Approx(-std::cos(at)).epsilon(1e-11));
        CHECK(fourth(x = at) == Approx(std::cos(at)).epsilon(1e-9));
    }
}

// What the types of numbers in braces make, and rows in a further pair of braces.
static_assert(std::same_as<decltype(cr::fixed_vector{1, 2, 3}), cr::fixed_vector<double, 3>> &&
              std::same_as<decltype(cr::fixed_vector{1, 2.0f}), cr::fixed_vector<float, 2>> &&
              std::same_as<decltype(cr::fixed_matrix{{1, 2}, {3, 4}}), cr::fixed_matrix<double, 2>> &&
              std::same_as<decltype(cr::fixed_matrix{{1.0f, 2.0f}, {3.0f, 4.0f}}), cr::fixed_matrix<float, 2>>);
static_assert(inverse(cr::fixed_matrix{{4, 0}, {0, 2}})(0, 0) == 0.25);
static_assert(cr::fixed_matrix<double, 2>{{{1, 2}, {3, 4}}} == cr::fixed_matrix<double, 2>{{1, 2}, {3, 4}});
static_assert(cr::fixed_matrix<double, 2, 3>{{{1, 2}, {3, 4}}} == cr::fixed_matrix<double, 2, 3>{{1, 2, 0}, {3, 4, 0}});
static_assert(cr::fixed_matrix<double, 1>{{3}}(0, 0) == 3 && cr::fixed_matrix<double, 2, 1>{{3}, {4}}(1, 0) == 4);
constexpr double unit[2][2] = {{1, 0}, {0, 1}};
static_assert(cr::fixed_matrix<double, 2>(unit) == cr::fixed_matrix<double, 2>::identity());
static_assert(cr::function<2>([](const auto& q) { return norm(cr::fixed_vector{3, q[0] * q[1]}); })(2.0, 2.0) == 5.0);

#if __has_include(<experimental/simd>)
TEST_CASE("matrices of SIMD lanes") {
    using lanes = std::experimental::native_simd<double>;
    std::mt19937 random(6);
    cr::fixed_matrix<lanes, 3> m;
    const matrix<3> at = random_matrix<3>(random, 2);
    for (std::size_t i = 0; i < 9; ++i) m.numbers[i] = at.numbers[i];
    const auto inv = inverse(m);
    for (std::size_t i = 0; i < 9; ++i) CHECK(double(inv.numbers[i][0]) == inverse(at).numbers[i]);
    const auto factor = cholesky(cr::fixed_matrix<lanes, 3>(m * transpose(m)));
    CHECK(double(factor.lower(2, 1)[0]) == cholesky(at * transpose(at)).lower(2, 1));
}
#endif

} // namespace
