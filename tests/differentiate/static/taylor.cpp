// SPDX-License-Identifier: BSL-1.0
//
// Taylor coefficients: of one variable, along a direction, as expressions, and where only one arm of a choice counts.
#include <chainrule/chainrule.hpp>

namespace {

namespace cr = chainrule;
using namespace cr::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto k = cr::variable<"k">;

template <std::size_t Size>
constexpr bool close(const std::array<double, Size>& found, const std::array<double, Size>& expected) {
    for (std::size_t i = 0; i < Size; ++i) {
        const double difference = found[i] - expected[i];
        if (!(difference < 1e-15 && difference > -1e-15)) return false;
    }
    return true;
}

static_assert(close(cr::taylor<4>(exp(x), x)(x = 0.0), {1, 1, 1. / 2, 1. / 6, 1. / 24}));
static_assert(close(cr::taylor<8>(exp(sin(x)), x)(x = 0.0),
                    {1, 1, 1. / 2, 0, -1. / 8, -1. / 15, -1. / 240, 1. / 90, 31. / 5760}));
static_assert(close(cr::taylor<7>(tan(x), x)(x = 0.0), {0, 1, 0, 1. / 3, 0, 2. / 15, 0, 17. / 315}));
static_assert(close(cr::taylor<7>(asin(x), x)(x = 0.0), {0, 1, 0, 1. / 6, 0, 3. / 40, 0, 15. / 336}));
static_assert(close(cr::taylor<5>(sqrt(1_c + x), x)(x = 0.0), {1, 1. / 2, -1. / 8, 1. / 16, -5. / 128, 7. / 256}));
static_assert(close(cr::taylor<4>(pow(x, 2.5), x)(x = 1.0), {1, 2.5, 1.875, 0.3125, -0.0390625}));
static_assert(close(cr::taylor<4>(x / (1_c - x - x * x), x)(x = 0.0), {0, 1, 1, 2, 3})); // the Fibonacci numbers

// Exact where the arithmetic is: polynomials, also at a zero, and beyond their degree.
static_assert(cr::taylor<6>(1_c / (1_c - x), x)(x = 0.5) == std::array{2., 4., 8., 16., 32., 64., 128.});
static_assert(cr::taylor<6>(pow(x, 5_c) * y, x)(x = 0.0, y = 2.0) == std::array{0., 0., 0., 0., 0., 2., 0.});
static_assert(cr::taylor<3>(x * x * x, x)(x = 2.0) == std::array{8., 12., 6., 1.});
static_assert(cr::taylor<2>(y * y, x)(y = 3.0) == std::array{9., 0., 0.});
static_assert(cr::taylor<0>(x + 1_c, x)(x = 2.0) == std::array{3.});
static_assert(cr::taylor<2>(3.0 * x * x, x)(x = 1.0) == std::array{3., 6., 3.});

// With the numbers of a vector of variables.
constexpr auto q = cr::variables<"q", 2>;
static_assert(cr::taylor<2>(q[0_c] * q[0_c] * q[1_c], q[0_c])(q = std::array{3., 5.}) == std::array{45., 30., 5.});

// Along a direction, with parameters, several at once.
constexpr auto F = cr::function(x * y + k * x * x, cr::wrt(x, y), cr::given(k = 3.0));
static_assert(F.taylor<3>(std::array{1., 5.}, std::array{1., 2.}) == std::array{8., 13., 5., 0.});
constexpr auto G = cr::function(cr::vector(x * x, y), cr::wrt(x, y));
static_assert(G.taylor<2>(std::array{3., 5.}, std::array{1., -1.}) ==
              std::array{std::array{9., 6., 1.}, std::array{5., -1., 0.}});

// As expressions.
static_assert(cr::same(cr::taylor<3>(sin(x), x).coefficient<1>(), cr::derivative(sin(x), x)));
static_assert(cr::taylor<3>(x * x * x, x).coefficient<2>()(x = 2.0) == 6);

// The arm that is not selected has no effect, even if it gives NaN or infinity.
static_assert(cr::taylor<3>(select(x > 0_c, x* x* x, sqrt(x)), x)(x = 1.0) == std::array{1., 3., 3., 1.});
static_assert(cr::taylor<3>(select(x < 0_c, x* x, 1_c / x), x)(x = 0.5) == std::array{2., -4., 8., -16.});
static_assert(cr::taylor<2>(select(x <= 0_c, x* x, 1_c / x), x)(x = 0.0) == std::array{0., 0., 1.});
static_assert(cr::taylor<2>(y * select(x <= 0_c, x, 1_c / x) * x, x)(x = 0.0, y = 2.0) == std::array{0., 0., 2.});
static_assert(cr::taylor<2>(relu(x) * x, x)(x = -1.0) == std::array{-0., 0., 0.});
static_assert(cr::taylor<2>(abs(x) * x, x)(x = -2.0) == std::array{-4., 4., -1.});

} // namespace
