// SPDX-License-Identifier: BSL-1.0
//
// Traced functions: the forms in which code is called, what its literals are, and that its kernel is the one of the
// same expression with exact constants, instruction for instruction.
#include "../../same_program.hpp"

#include <chainrule/chainrule.hpp>

#include <array>
#include <cmath>
#include <tuple>

namespace {

namespace cr = chainrule;
using namespace cr::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto k = cr::variable<"k">;

// By position, with names, and with parameters.
constexpr auto F = cr::function([](auto u, auto v) { return log(u) + u * v - sin(v); });
static_assert(same_programs(F, cr::function(log(x) + x * y - sin(y), cr::wrt(x, y))));
static_assert(F(1.0, 0.0) == 0.0);
static_assert(F.gradient(2.0, 5.0)[0] == 5.5 && F.hessian(2.0, 0.0)[0][0] == -0.25);
static_assert(cr::program_text<cr::request::values>(F) ==
                  "t1 = log(x0)\nt2 = x0 * x1 + t1\nt3 = sin(x1)\nf = t2 - t3" ||
              cr::program_text<cr::request::values>(F) == "t1 = log(x0)\nt2 = sin(x1)\nt3 = x0 * x1 + t1\nf = t3 - t2");

constexpr auto damped = [](auto u, auto v, auto c) {
    auto b = exp(-c * u);
    return b * (1.0 + b) * v;
};
constexpr auto P = cr::function(damped, cr::wrt(x, y), cr::given(k = 0.5));
static_assert(same_programs(P, cr::function(exp(-k* x) * (1_c + exp(-k * x)) * y, cr::wrt(x, y), cr::given(k = 0.5))));
static_assert([] {
    auto f = P;
    f.set(k = 0.0);
    return f(3.0, 4.0) == 8.0 && f(x = 3.0, y = 4.0) == 8.0 && P(x = 3.0, y = 4.0, k = 0.0) == 8.0;
}());

// An array of inputs, and a loop.
constexpr auto valley = [](const auto& q) {
    auto s = 0.0 * q[0];
    for (std::size_t i = 0; i + 1 < q.size(); ++i) s += 100.0 * square(q[i + 1] - q[i] * q[i]) + square(1.0 - q[i]);
    return s;
};
constexpr auto R = cr::function<3>(valley);
constexpr auto q = cr::variables<"q", 3>;
static_assert(same_programs(R, cr::function(0_c * q[0_c] +
                                                (100_c * square(q[1_c] - q[0_c] * q[0_c]) + square(1_c - q[0_c])) +
                                                (100_c * square(q[2_c] - q[1_c] * q[1_c]) + square(1_c - q[1_c])),
                                            cr::wrt(q))));
static_assert(R(std::array{1.0, 2.0, 4.0}) == 101.0 && R.gradient(1.0, 1.0, 1.0)[2] == 0.0);

// Several outputs: arrays and tuples, one in another, and pointers.
constexpr auto polar = cr::function([](auto r, auto a) { return std::array{r * cos(a), r * sin(a)}; });
static_assert(polar(2.0, 0.0) == std::array{2.0, 0.0});
static_assert(polar.jacobian(2.0, 0.0) == std::array{std::array{1.0, -0.0}, std::array{0.0, 2.0}});
constexpr auto mixed = cr::function([](auto u) { return std::tuple{u, std::array{2 * u, u * u}, 7.0}; });
static_assert(mixed(3.0) == std::array{3.0, 6.0, 9.0, 7.0});

struct residuals {
    template <class T>
    constexpr bool operator()(const T* a, const T* b, T* result) const {
        using std::abs, std::max, std::pow, std::sqrt;
        T s(0);
        T t = 0;
        t += 1;
        for (int i = 0; i < 3; ++i) s += a[i] * b[i % 2];
        result[0] = sqrt(s) + t;
        result[1] = max(s, T(0)) + pow(s, 2) + pow(abs(s), 2.5) + std::numeric_limits<T>::epsilon();
        return true;
    }
};
constexpr auto S = cr::function<cr::inputs<3, 2>>(residuals{});
static_assert(S(1.0, 2.0, 0.0, 2.0, 1.0) == std::array{3.0, 4.0 + 16.0 + 32.0 + 0x1p-52});
constexpr auto stated = cr::function<cr::inputs<3, 2>, cr::outputs<2>>(residuals{});
static_assert(same_program<cr::request::values>(S, stated));

// Literals are the decimals that were written.
static_assert(
    same_programs(cr::function([](auto u) { return 0.1 * u * u + 6.02214076e23 * u + 1.380649e-23 / u - 1e-7; }),
                  cr::function(0.1_c * x * x + 6.02214076e23_c * x + 1.380649e-23_c / x - 1e-7_c, cr::wrt(x))));
// Arithmetic of literals alone is that of doubles.
static_assert(cr::function([](auto u) { return u * 0 + (decltype(u)(0.1) + 0.2); })(1.0) == 0.1 + 0.2);
static_assert(cr::function([](auto u) { return u * (1.0 / 3.0); })(1.0) == 1.0 / 3.0);
static_assert(cr::function([](auto u) { return u * -0.0; })(1.0) == 0.0);

// Choices.
// clang-format off: it takes the product for a pointer
static_assert(
    same_programs(cr::function([](auto u) {
                      return select(u > 0 && u < 1, u * u, piecewise(u <= 0, 0.0, 2 * u - 1));
                  }),
                  cr::function(select(x > 0_c && x < 1_c, x * x, piecewise(x <= 0_c, 0_c, 2_c * x - 1_c)),
                               cr::wrt(x))));
// clang-format on

// Structs, functions of the program and recursion.
template <class T>
struct complex_number {
    T re, im;
};
template <class T>
constexpr complex_number<T> product(const complex_number<T>& a, const complex_number<T>& b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class T>
constexpr complex_number<T> power(const complex_number<T>& a, int n) {
    return n == 1 ? a : n % 2 == 0 ? power(product(a, a), n / 2) : product(a, power(a, n - 1));
}
constexpr auto tenth = cr::function([](auto re, auto im) {
    const auto p = power(complex_number<decltype(re)>{re, im}, 10);
    return std::array{p.re, p.im};
});
static_assert(tenth(1.0, 1.0) == std::array{0.0, 32.0});
static_assert(tenth.jacobian(1.0, 0.0)[0][0] == 10.0);

} // namespace

namespace {

// Constants: those of expressions without variables, and operations on literals alone, are computed in the type of
// number that is called with, as in the expression.
static_assert(same_programs(cr::function([](auto u) { return sqrt(2_c) * u + u / (2_c + exp(1_c)); }, cr::wrt(x)),
                            cr::function(sqrt(2_c) * x + x / (2_c + exp(1_c)), cr::wrt(x))));
static_assert(same_programs(cr::function(
                                [](auto u) {
                                    using T = decltype(u);
                                    T s = sqrt(T(2));
                                    return select(u > sqrt(2_c), s * u, T(1) / T(3));
                                },
                                cr::wrt(x)),
                            cr::function(select(x > sqrt(2_c), sqrt(2_c) * x, 1_c / 3_c), cr::wrt(x))));
static_assert(cr::function([](auto u) { return decltype(u)(1) / decltype(u)(3) * u; })(1.0L) == 1.0L / 3.0L);
static_assert(cr::function([](auto u) { return decltype(u)(0.1) + decltype(u)(0.2) + u; })(0.0f) == 0.1f + 0.2f);
static_assert(cr::function([](auto u) {
                  return (decltype(u)(2) * decltype(u)(3) - decltype(u)(0.5) / decltype(u)(-2)) * u;
              }).expression()(cr::variable<"x0"> = 4.0) == 25.0);
static_assert(cr::text_is<"5.5 * x0">(cr::function([](auto u) {
                                          using T = decltype(u);
                                          return (T(2) * T(3) - T(0.5)) * u;
                                      }).expression()));

// Predicates of numbers.
static_assert(same_programs(cr::function(
                                [](auto u, auto v) {
                                    using std::isfinite, std::isinf, std::isnan;
                                    return select(isfinite(u / v) || isnan(u), u / v, select(isinf(v), u, v));
                                },
                                cr::wrt(x, y)),
                            cr::function(select(isfinite(x / y) || isnan(x), x / y, select(isinf(y), x, y)),
                                         cr::wrt(x, y))));

// The two doors meet: expressions in traced code, and traced functions of expressions.
constexpr auto f = log(x) + x * y - sin(y) / 3_c;
constexpr auto D = cr::function([](auto u, auto v) { return f(x = u * v, y = v + 1.0) * 2.0; });
static_assert(same_programs(D, cr::function(cr::substitute(f, x = x * y, y = y + 1_c) * 2_c, cr::wrt(x, y))));
static_assert(cr::function([](auto u, auto v) { return cr::function(f, cr::wrt(x, y)).gradient(u, v)[0]; })(2.0, 5.0) ==
              5.5);
static_assert(cr::function([](auto u) { return F(u, u * u) + 1_c * u; })(1.0) == 2.0 - cr::function(sin(x), x)(1.0));

static_assert(cr::text_is<"log(x) + x * y - sin(y)">(F(x, y)));
static_assert(cr::text_is<"1 / x + y">(cr::derivative(F(x, y), x)));
static_assert(cr::same(F(x * y, y), log(x* y) + x * y * y - sin(y)));
// One vector or matrix stands for its elements, also as many as a function has.
static_assert(cr::same(F(cr::vector(x * y, y)), F(x* y, y)));
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto distance = cr::function(dot(joints, joints), cr::wrt(joints));
static_assert(cr::same(distance(x * joints), dot(x* joints, x* joints)));
static_assert(cr::same(cr::function(x / y, cr::wrt(x, y))(cr::matrix<1>(cr::vector(y, x* x))), y / (x * x)));
constexpr auto z = cr::variable<"z">;
static_assert(cr::function(x - y / z, cr::wrt(y, x), cr::given(z = 2.0))(cr::vector(3.0, y))(y = 5.0) == 3.5);
static_assert(cr::same(cr::function(cr::vector(x, x* y), cr::wrt(x, y))(cr::vector(y, x))[1_c], y* x));
static_assert(cr::to_string(F.expression()) == "log(x0) + x0 * x1 - sin(x1)");
static_assert(cr::to_string(F) == "log(x0) + x0 * x1 - sin(x1)");
static_assert(cr::to_string(P.expression()) == "exp(-0.5 * x) * (1 + exp(-0.5 * x)) * y");
static_assert(std::is_same_v<decltype(polar(x, y)), decltype(cr::vector(x * cos(y), x* sin(y)))>);
static_assert(cr::same(cr::function(x * y, cr::wrt(x, y))(y, x), y* x));

} // namespace

namespace {

// Values of 5000 operations compile with the limits that compilers have by default.
constexpr auto long_chain = cr::function([](auto u, auto v) {
    for (int i = 0; i < 5000; ++i) u = i % 2 == 0 ? u + v : u * v;
    return u;
});
static_assert(cr::operation_count<cr::request::values>(long_chain).total > 2000);

} // namespace
