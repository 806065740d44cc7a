// SPDX-License-Identifier: BSL-1.0
//
// std::complex of dual, active, eager and traced numbers: values are those of std::complex<double>, and derivatives
// those of complex analysis, on the axes too. A function f has the slope f'(z) by the real part and i f'(z) by the
// imaginary part.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/interop/complex.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/eager.hpp>
#include <chainrule/tape/replay.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

namespace {

namespace cr = chainrule;
namespace tape = chainrule::tape;
using plain = std::complex<double>;
using number = cr::dual<double, 2>;

template <class Z>
using part_of = typename std::remove_cvref_t<Z>::value_type;

void check(const plain& found, const plain& expected, double tolerance) {
    CHECK(std::abs(found - expected) <= tolerance * (1.0 + std::abs(expected)));
}
/// The value and the slope of f at z.
template <class F>
void check_at(const plain& z, const F& f, const plain& slope) {
    INFO("z = " << z);
    const auto w = f(std::complex<number>(number::variable(z.real(), 0), number::variable(z.imag(), 1)));
    check({w.real().value, w.imag().value}, f(z), 1e-14);
    check({w.real().tangents[0], w.imag().tangents[0]}, slope, 1e-12);
    check({w.imag().tangents[1], -w.real().tangents[1]}, slope, 1e-12);
}

/// On both axes, both sides of the negative one, and between.
std::vector<plain> points() {
    std::vector<plain> all = {{0, 2},    {0, -2},       {0, 0.5},      {-0.0, 0.5},    {2, 0},
                              {2, -0.0}, {-2, 0},       {-2, -0.0},    {0.5, 0},       {0.5, -0.0},
                              {-0.5, 0}, {1e-300, 3.0}, {3.0, 1e-300}, {-3.0, -1e-300}};
    for (const double re : {-1.5, -0.3, 0.4, 1.25})
        for (const double im : {-2.0, -0.2, 0.7, 3.0}) all.emplace_back(re, im);
    return all;
}

constexpr auto root = [](const auto& z) {
    using std::sqrt;
    return sqrt(z);
};

} // namespace

TEST_CASE("roots of complex numbers keep their derivatives on the axes", "[complex]") {
    for (const plain& z : points()) check_at(z, root, 0.5 / std::sqrt(z));
    const std::complex<number> zero(number::variable(0.0, 0), number::variable(0.0, 1));
    CHECK(root(zero).real().value == 0.0);
    CHECK(std::isinf(root(zero).real().tangents[0]));
    CHECK(std::isinf(root(zero).imag().tangents[1]));
    CHECK_FALSE(std::signbit(root(-zero).real().value));

    const double most = std::numeric_limits<double>::max();
    check_at({most, most}, root, 0.5 / std::sqrt(plain(most, most)));
    check_at({-most, most / 2}, root, 0.5 / std::sqrt(plain(-most, most / 2)));
}

TEST_CASE("roots of the least complex numbers have all digits", "[complex]") {
    const double least = std::numeric_limits<double>::denorm_min(), normal = std::numeric_limits<double>::min();
    const auto is_near = [](const plain& found, const plain& expected) {
        CHECK(std::abs(found - expected) <= 1e-14 * std::abs(expected));
    };
    for (const double size : {least, 3 * least, normal / 1024, normal, 1e-290, 1e-100, 1.0})
        for (const plain& direction : {plain(1, 0), plain(-1, 0), plain(-1, -0.0), plain(0, 1), plain(-0.0, -1),
                                       plain(1, 1), plain(-2, 1), plain(3, -1), plain(-1, 1e-200), plain(1, -1e-8)}) {
            const plain z(size * direction.real(), size * direction.imag());
            INFO("z = " << z);
            const auto w = root(std::complex(number::variable(z.real(), 0), number::variable(z.imag(), 1)));
            const plain expected = std::sqrt(z), slope = 0.5 / expected;
            is_near({w.real().value, w.imag().value}, expected);
            is_near({w.real().tangents[0], w.imag().tangents[0]}, slope);
            is_near({w.imag().tangents[1], -w.real().tangents[1]}, slope);
            CHECK(std::signbit(w.imag().value) == std::signbit(expected.imag()));
        }
    using single = cr::dual<float, 1>;
    const float least_single = std::numeric_limits<float>::denorm_min();
    const auto w = root(std::complex(single::variable(least_single, 0), single(0.0f)));
    CHECK(w.real().value == std::sqrt(least_single));
    CHECK(w.real().tangents[0] == 0.5f / std::sqrt(least_single));
}

TEST_CASE("roots of infinite complex numbers are those of the standard library", "[complex]") {
    const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    for (const double re : {0.0, 1.0, -1.0, inf, -inf, nan})
        for (const double im : {inf, -inf}) {
            const auto w = root(std::complex(number::variable(re, 0), number::variable(im, 1)));
            CHECK(w.real().value == inf);
            CHECK(w.imag().value == im);
            CHECK(w.real().tangents == std::array{0.0, 0.0}); // the limit of 1 / (2 sqrt(z))
        }
    for (const double re : {inf, -inf}) {
        const auto w = root(std::complex(number(re), number(-1.0)));
        CHECK(w.real().value == std::sqrt(plain(re, -1.0)).real());
        CHECK(w.imag().value == std::sqrt(plain(re, -1.0)).imag());
    }
}

TEST_CASE("powers of complex numbers keep their derivatives on the axes and at 0", "[complex]") {
    for (const double p : {2.5, 0.5, -1.0, 1.0, 3.0, 0.0}) {
        const auto real_power = [p](const auto& z) {
            using std::pow;
            return pow(z, part_of<decltype(z)>(p));
        };
        const auto complex_power = [p](const auto& z) {
            using std::pow;
            return pow(z, std::complex(part_of<decltype(z)>(p), part_of<decltype(z)>(0.3)));
        };
        for (const plain& z : points()) {
            check_at(z, real_power, p * std::pow(z, plain(p - 1.0)));
            check_at(z, complex_power, plain(p, 0.3) * std::pow(z, plain(p - 1.0, 0.3)));
        }
        if (p >= 1.0) check_at(0.0, real_power, p == 1.0 ? 1.0 : 0.0);
    }
    check_at(0.0, [](const auto& z) { return pow(z, std::remove_cvref_t<decltype(z)>(1.0)); }, 1.0);
    check_at({2.0, 0.0}, [](const auto& z) { return pow(z, 3); }, 12.0);

    // Exponents and bases of other types.
    for (const plain& z : points()) {
        check_at(z, [](const auto& c) { return pow(c, 2.5); }, 2.5 * std::pow(z, plain(1.5)));
        check_at(z, [](const auto& c) { return pow(c, 0.5f); }, 0.5 * std::pow(z, plain(-0.5)));
        check_at(
            z, [](const auto& c) { return pow(c, plain(2.0, 1.0)); }, plain(2.0, 1.0) * std::pow(z, plain(1.0, 1.0)));
        check_at(z, [](const auto& c) { return pow(2.0, c); }, std::log(2.0) * std::pow(2.0, z));
    }
    check_at({1.0, 2.0}, [](const auto& c) { return pow(3, c); }, std::log(3.0) * std::pow(3.0, plain(1.0, 2.0)));

    // By the exponent.
    const number p = number::variable(2.5, 0);
    const auto w = pow(std::complex<number>(number(2.0), number(0.0)), p);
    CHECK(w.real().tangents[0] == Approx(std::pow(2.0, 2.5) * std::log(2.0)));
    CHECK(w.imag().tangents[0] == 0.0);
}

TEST_CASE("powers and inverse functions keep derivatives where squares overflow or vanish", "[complex]") {
    // Relative to the slope, however small that is.
    const auto check_slope = [](const plain& z, const auto& f, const plain& slope) {
        INFO("z = " << z);
        const auto w = f(std::complex<number>(number::variable(z.real(), 0), number::variable(z.imag(), 1)));
        CHECK(std::abs(plain(w.real().tangents[0], w.imag().tangents[0]) - slope) <= 1e-12 * std::abs(slope));
        CHECK(std::abs(plain(w.imag().tangents[1], -w.real().tangents[1]) - slope) <= 1e-12 * std::abs(slope));
    };
    for (const plain& direction : {plain(1, 0), plain(0.6, 0.8), plain(0, -1), plain(-0.8, 0.6)})
        for (const double size : {1e-200, 1e-160, 1e-140, 1e-120, 1e-30, 1e120, 1e140, 1e160, 1e200}) {
            const plain z = size * direction;
            for (const double p : {1.5, 0.5, -0.25})
                check_slope(
                    z, [p](const auto& c) { return pow(c, p); },
                    p * std::pow(size, p - 1) * std::pow(direction, p - 1));
            if (size == 1e-30)
                check_slope(z, [](const auto& c) { return pow(c, 11.0); }, 11e-300 * std::pow(direction, 10.0));
            if (size < 1) {
                check_slope(
                    z, [](const auto& c) { return pow(c, 2.5); }, 2.5 * std::pow(size, 1.5) * std::pow(direction, 1.5));
                check_slope(z, [](const auto& c) { return asin(c); }, 1.0);
                continue;
            }
            if (direction.imag() == 0) continue; // on a cut
            // asin' = 1 / (sqrt(1 - z) sqrt(1 + z)) = 1 / (+-i z), on the side of the cut where z is.
            const plain below = std::sqrt(plain(1.0) - direction * 1e8),
                        above = std::sqrt(plain(1.0) + direction * 1e8);
            const plain slope = 1.0 / (below * above) * 1e8 / size;
            const auto close = [&](const auto& f, const plain& expected) {
                const auto w = f(std::complex<number>(number::variable(z.real(), 0), number::variable(z.imag(), 1)));
                INFO("z = " << z);
                CHECK(std::abs(plain(w.real().tangents[0], w.imag().tangents[0]) - expected) <= 1e-7 / size);
            };
            close([](const auto& c) { return asin(c); }, slope);
            close([](const auto& c) { return acos(c); }, -slope);
        }
}

TEST_CASE("inverse functions of complex numbers keep their derivatives on the axes", "[complex]") {
    for (const plain& z : points()) {
        const plain from_both = std::sqrt(1.0 - z) * std::sqrt(1.0 + z);
        check_at(z, [](const auto& c) { return asin(c); }, 1.0 / from_both);
        check_at(z, [](const auto& c) { return acos(c); }, -1.0 / from_both);
        check_at(
            z, [](const auto& c) { return asinh(c); },
            1.0 / (std::sqrt(plain(1.0 - z.imag(), z.real())) * std::sqrt(plain(1.0 + z.imag(), -z.real()))));
        check_at(z, [](const auto& c) { return acosh(c); }, 1.0 / (std::sqrt(z - 1.0) * std::sqrt(z + 1.0)));
    }
}

TEST_CASE("functions of the standard library have derivatives of complex numbers on the axes by themselves",
          "[complex]") {
    for (const plain& z : points()) {
        check_at(z, [](const auto& c) { return log(c); }, 1.0 / z);
        check_at(z, [](const auto& c) { return exp(c); }, std::exp(z));
        check_at(z, [](const auto& c) { return sin(c); }, std::cos(z));
        check_at(z, [](const auto& c) { return cosh(c); }, std::sinh(z));
        check_at(z, [](const auto& c) { return tan(c); }, 1.0 / (std::cos(z) * std::cos(z)));
        check_at(z, [](const auto& c) { return atan(c); }, 1.0 / (1.0 + z * z));
        check_at(
            z, [](const auto& c) { return c / (c * c + std::remove_cvref_t<decltype(c)>(5.0) * c); },
            -1.0 / ((5.0 + z) * (5.0 + z)));
    }
}

TEST_CASE("complex numbers on a tape keep their derivatives on the axes", "[complex]") {
    const auto real_root = [](const auto& v) {
        using T = std::remove_cvref_t<decltype(v[0])>;
        return T(root(std::complex<T>(v[0], v[1])).real());
    };
    const auto imaginary_power = [](const auto& v) {
        using T = std::remove_cvref_t<decltype(v[0])>;
        return T(pow(std::complex<T>(v[0], v[1]), T(2.5)).imag());
    };
    const auto by_tape = tape::gradient(real_root, std::array{0.0, 2.0});
    CHECK(by_tape[0] == Approx(0.25));
    CHECK(by_tape[1] == Approx(0.25));
    CHECK(tape::gradient(tape::eagerly(real_root), std::array{0.0, 2.0}) == by_tape);
    CHECK(tape::gradient(tape::eagerly(imaginary_power), std::array{2.0, 0.0})[1] == Approx(2.5 * std::pow(2.0, 1.5)));
    const auto formula = tape::gradient(
        [](const auto& v) {
            using T = std::remove_cvref_t<decltype(v[0])>;
            return T(pow(std::complex<T>(v[0], v[1]), v[0] * v[1] + 1.0).real());
        },
        std::array{2.0, 0.0});
    CHECK(formula[0] == Approx(1.0));
    CHECK(formula[1] == Approx(4.0 * std::log(2.0)));
    const auto second = tape::hessian(imaginary_power, std::array{2.0, 0.0});
    CHECK(second.gradient[1] == Approx(2.5 * std::pow(2.0, 1.5)));
    CHECK(second.hessian[0][1] == Approx(3.75 * std::sqrt(2.0)));

    // Whole powers of 0.
    for (const double p : {1.0, 2.0, 3.0}) {
        const auto power = tape::hessian(
            [p](const auto& v) {
                using T = std::remove_cvref_t<decltype(v[0])>;
                return T(pow(std::complex<T>(v[0], v[1]), T(p)).real());
            },
            std::array{0.0, 0.0});
        const double by_x = p == 2.0 ? 2.0 : 0.0;
        CHECK(power.hessian == std::array{std::array{by_x, 0.0}, std::array{0.0, -by_x}});
    }
}

TEST_CASE("complex numbers have operators with plain numbers", "[complex]") {
    using namespace std::complex_literals;
    for (const plain& z : {plain(0.5, -2.0), plain(-1.0, 0.0), plain(0.0, 3.0)}) {
        check_at(z, [](const auto& w) { return 2.0 * w - w * 3.0; }, -1.0);
        check_at(z, [](const auto& w) { return w / 2.0 + 1.0; }, 0.5);
        check_at(z, [](const auto& w) { return 3.0 - (1.0 + (w - 2.0)); }, -1.0);
        check_at(z, [](const auto& w) { return 2.0 / w; }, -2.0 / (z * z));
        check_at(z, [](const auto& w) { return 1.0i * w + w * (2.0 - 1.0i); }, 2.0);
        check_at(z, [](const auto& w) { return (1.0 - 2.0i) / w - w / 2.0i; }, -(1.0 - 2.0i) / (z * z) + 0.5i);
        check_at(z, [](const auto& w) { return (w - 1.0i) * (1.0i + w) - (1.0i - w); }, 2.0 * z + 1.0);
    }
    CHECK(2 * std::complex<number>(number(1.0), number(3.0)) + 1 == std::complex<number>(number(3.0), number(6.0)));
    CHECK(std::complex<number>(number(2.0)) == 2.0);
    CHECK(2 != std::complex<number>(number(2.0), number(1.0)));

    const auto modulus = [](const auto& v) {
        using T = std::remove_cvref_t<decltype(v[0])>;
        const std::complex<T> z(v[0], v[1]);
        const auto w = (2.0 * z - 1.0) / (1.0i * z + 3.0) + z / 4.0;
        return T(w.real() * w.real() + w.imag() * w.imag());
    };
    constexpr auto kernel = cr::function<2>(modulus);
    const std::array at{0.5, -1.5};
    const auto expected = kernel.hessian(at);
    CHECK(kernel(at) == Approx(modulus(at)));
    const auto found = tape::hessian(modulus, at);
    const auto eager = tape::gradient(tape::eagerly(modulus), at);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(found.gradient[i] == Approx(kernel.gradient(at)[i]));
        CHECK(eager[i] == Approx(found.gradient[i]));
        for (std::size_t j = 0; j < 2; ++j) CHECK(found.hessian[i][j] == Approx(expected[i][j]));
    }
}

TEST_CASE("real numbers with derivatives have operators with plain complex numbers", "[complex]") {
    using namespace std::complex_literals;
    const auto mixed = [](const auto& v) {
        using T = std::remove_cvref_t<decltype(v[0])>;
        std::complex<T> sum = v[0] * 1.0i + (2.0 - 1.0i) / v[1];
        sum += (v[0] * v[1]) * (1.0 + 0.5i);
        sum -= (1.0i - v[1]) * ((v[0] + 1.0) / 2.0i);
        return T(sum.real() * sum.real() + v[0] * sum.imag());
    };
    const std::array at{0.5, -1.5};
    const auto found = tape::value_and_gradient(mixed, at);
    CHECK(found.value == Approx(mixed(at)));
    for (std::size_t i = 0; i < 2; ++i) {
        auto up = at, down = at;
        up[i] += 1e-5;
        down[i] -= 1e-5;
        CHECK(found.gradient[i] == Approx((mixed(up) - mixed(down)) / 2e-5).epsilon(1e-9));
    }
    const auto by_direction = tape::jvp(mixed, at, std::array{1.0, 2.0});
    CHECK(by_direction == Approx(found.gradient[0] + 2.0 * found.gradient[1]));
    const auto eager = tape::gradient(tape::eagerly(mixed), at);
    const auto replayed = tape::record(mixed, at).gradient(at);
    const auto traced = cr::function<2>(mixed).gradient(at);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(eager[i] == Approx(found.gradient[i]));
        CHECK(replayed[i] == Approx(found.gradient[i]));
        CHECK(traced[i] == Approx(found.gradient[i]));
    }
    const std::complex<number> z(number(2.0), number(1.0));
    CHECK((z == 2.0 + 1.0i && 2.0 + 1.0i == z && z != 2.0 - 1.0i));
}
