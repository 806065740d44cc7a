// SPDX-License-Identifier: BSL-1.0
//
// Functions of the user in constant expressions: values, derivatives as expressions and numbers, texts, counts,
// verified().
#include "../../custom_functions.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>

#include <type_traits>

using namespace outside;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

static_assert(cr::verified(gelu));
static_assert(cr::verified(cubic_root));
static_assert(cr::verified(sine));
static_assert(cr::verified(cosine));
static_assert(cr::verified(mean));
static_assert(cr::verified(leaky));

// Values.
static_assert(cubic_root(10.0) == 2 && cubic_root(10) == 2 && std::is_same_v<decltype(cubic_root(10)), double>);
static_assert(std::is_same_v<decltype(cubic_root(10.0f)), float> &&
              std::is_same_v<decltype(cubic_root(10.0L)), long double>);
static_assert(std::is_same_v<decltype(mean(1.0f, 2)), double> &&
              std::is_same_v<decltype(mean(x, 2)(x = 1.0f)), double>);
static_assert(cubic_root(x)(x = 10.0) == 2);
static_assert(leaky(-2.0, 0.5, 3.0) == -1 && leaky(x, 0.5_c, 3_c)(x = -2.0) == -1);

// An expression without numbers is empty, one with numbers stores them.
static_assert(std::is_empty_v<decltype(gelu(x))>);
static_assert(std::is_empty_v<decltype(leaky(x, 0.5_c, boost::hana::int_c<3>))>);
static_assert(sizeof(mean(x, 2.0)) == sizeof(double));

// Derivatives.
static_assert(cr::same(cr::derivative(sine(x), x), cosine(x)));
static_assert(cr::same(cr::derivative<2>(sine(x), x), -sine(x)));
static_assert(cr::same(cr::derivative<4>(sine(x), x), sine(x)));
static_assert(cr::to_string(cr::derivative(sine(3_c * x + 1_c), x)) == "3 * cosine_like(3 * x + 1)");
static_assert(cr::to_string(cr::derivative(gelu(x), x)) ==
              "normal_cdf(x) + 0.3989422804014327 * x * exp(-0.5 * x * x)");
static_assert(cr::to_string(cr::derivative(cubic_root(x), x)) == "1 / (3 * (cubic_root(x) * cubic_root(x) + 1 / 3))");
static_assert(cr::derivative(cubic_root(x), x)(x = 10.0) == 1.0 / 13);
static_assert(cr::same(cr::derivative(mean(x, y), cr::variable<"z">), 0_c));
static_assert(cr::to_string(cr::derivative(leaky(x, 0.5_c, 3_c), x)) == "select(x < 0, 0.5, 3)");
static_assert(cr::derivative(leaky(x, y, 3_c), y)(x = -2.0) == -2 && cr::derivative(leaky(x, y, 3_c), y)(x = 2.0) == 0);
static_assert(cr::gradient(mean(x, y))(x = 1.0, y = 1.0)[x] == 0.5);
static_assert(cr::hessian(mean(x, y))(x = 1.0, y = 1.0).values[0][1] == -0.25);

// Texts.
static_assert(cr::to_string(gelu(x * y) - mean(x, 2.0)) == "gelu(x * y) - power_mean(x, 2)");
static_assert(cr::to_string(leaky(x, 0.5_c, y)) == "leaky_line(x, 0.5, y)");
static_assert(cr::program_text(cr::function(cubic_root(x) * y, cr::wrt(x, y))) ==
              "t1 = cubic_root(x)\nf = t1 * y\nt2 = t1 * t1 + (1 / 3)\nt3 = y / t2\ndf/dx = t3 * (1 / 3)\ndf/dy = t1");

// One call where it occurs twice, and where the derivative is written with the result.
constexpr auto twice = cr::function(cubic_root(x) + y * cubic_root(x), cr::wrt(x, y));
static_assert(cr::operation_count(twice).calls == 1);
static_assert(twice.gradient(10.0, 1.0)[1] == 2);

// The same structure is the same type; another function is another.
static_assert(cr::same(gelu(x), gelu(cr::variable<"x">)) && !cr::same(sine(x), cosine(x)));

// Two functions may have one name: they are known by their types.
template <int N>
struct shifted : cr::custom_function<shifted<N>, 1> {
    static constexpr char name[] = "shifted";
    template <class T>
    static constexpr T value(const T& u) {
        return u + N;
    }
    template <int K, class T>
    static constexpr auto derivative(const T&, const T&) {
        return N;
    }
};
static_assert((shifted<1>{}(x) + shifted<2>{}(x))(x = 1.0) == 5);
static_assert(cr::derivative(shifted<1>{}(x)*shifted<2>{}(x), x)(x = 1.0) == 1 * 3 + 2 * 2);

// Constants of a formula: numbers of any type, T(n), loops, and functions of constants.
struct polynomial : cr::custom_function<polynomial, 1> {
    static constexpr char name[] = "polynomial";
    static constexpr double domain[][2] = {{-1, 1}};
    static constexpr double c[] = {2, 0.5, -1, 3};
    template <class T>
    static constexpr T value(const T& u) {
        T sum = static_cast<T>(c[3]);
        for (int k = 2; k >= 0; --k) sum = sum * u + static_cast<T>(c[k]);
        return sum;
    }
    template <int K, class T>
    static constexpr auto derivative(const T& u, const T&) {
        T sum(0);
        for (int k = 3; k >= 1; --k) sum = sum * u + T(k) * static_cast<T>(c[k]);
        return sum + 0 * sqrt(T(4)) * u + pow(u, 2) - u * u;
    }
};
static_assert(cr::verified(polynomial{}));
static_assert(cr::to_string(cr::derivative<3>(polynomial{}(x), x)) == "18");
static_assert(cr::derivative(polynomial{}(x), x)(x = 2.0) == 0.5 - 4 + 36);

// Products, third derivatives and Taylor coefficients.
constexpr auto product = cr::function(mean(x, y) * x, cr::wrt(x, y));
static_assert(product.jvp(std::array{1.0, 1.0}, std::array{1.0, 2.0}) == 1 + 1.5);
static_assert(cr::function(sine(x), cr::wrt(x)).third_derivatives(0.0)[0][0][0] == -1);
static_assert(cr::to_string(cr::taylor<2>(sine(x), x).coefficient<2>()) == "-sine_like(x) / 2");
static_assert(cr::function(cubic_root(x), cr::wrt(x)).taylor<2>(std::array{10.0}, std::array{13.0})[1] == 1);

// Algebra.
static_assert(cr::to_string(cr::simplify(cubic_root(x) * 2_c + cubic_root(x))) == "3 * cubic_root(x)");
static_assert(cr::to_string(cr::expand((cubic_root(x) + mean(x, y)) * sine(y))) ==
              "cubic_root(x) * sine_like(y) + sine_like(y) * power_mean(x, y)");
static_assert(cr::to_string(cr::substitute(cubic_root(x) * y, x = y * y)) == "cubic_root(y * y) * y");

// An exact constant is a derivative, too.
struct half_of : cr::custom_function<half_of, 1> {
    static constexpr char name[] = "half";
    static constexpr double domain[][2] = {{-3, 3}};
    template <class T>
    static constexpr T value(const T& at) {
        return at / T(2);
    }
    template <class T>
    static constexpr auto derivative(const T&, const T&) {
        return 0.5_c;
    }
};
constexpr half_of half;
static_assert(cr::verified(half));
static_assert(cr::text_is<"0.5 * x + half(x)">(cr::derivative(half(x) * x, x)));
static_assert(cr::gradient(half(x))(x = 3.0f)[x] == 0.5f);
static_assert(half(cr::dual<double>(2.0, {1.0})).tangents[0] == 0.5);
