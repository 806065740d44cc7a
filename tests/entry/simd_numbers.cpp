// SPDX-License-Identifier: BSL-1.0
//
// Traced functions called with numbers that are SIMD lanes of other libraries: std::experimental::simd, and xsimd where
// it is installed. Each lane is the result of the call with its numbers.
#include <chainrule/chainrule.hpp>

#include "catch.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#if __has_include(<experimental/simd>)
#include <experimental/simd>
#endif
#if __has_include(<xsimd/xsimd.hpp>)
#include <xsimd/xsimd.hpp>
#endif

namespace {

namespace cr = chainrule;

// Arithmetic with literals, roots of literals, and choices by conditions; exp and others need not round as <cmath>.
constexpr auto F = cr::function([](auto u, auto v) {
    using std::sqrt;
    using T = decltype(u);
    const auto b = u * u * -0.3 + sqrt(T(2)) * v;
    const auto s = select((u > 0.5 && v < 2.0) || !(v <= 3.5), b * b, T(0.25));
    return s * u + select(u == 0.75, v, 1 / v) + sqrt(v);
});

template <class Lanes, std::size_t Width, class T, std::size_t Count>
void check(const T (&us)[Count], const T (&vs)[Count], auto load, auto lane) {
    for (std::size_t first = 0; first + Width <= Count; first += Width) {
        const Lanes u = load(us + first), v = load(vs + first);
        const auto [value, gradient] = F.value_and_gradient(u, v);
        const auto hessian = F.hessian(u, v);
        for (std::size_t i = 0; i < Width; ++i) {
            const T a = us[first + i], b = vs[first + i];
            CHECK(lane(value, i) == F(a, b));
            CHECK(lane(gradient[0], i) == F.gradient(a, b)[0]);
            CHECK(lane(gradient[1], i) == F.gradient(a, b)[1]);
            CHECK(lane(hessian[0][1], i) == F.hessian(a, b)[0][1]);
        }
    }
}

// Functions with kinks: lane by lane the values and derivatives of numbers, NaNs included.
constexpr auto kinks = cr::function([](auto u, auto v) {
    return std::array{max(u, v),   min(u, v),
                      abs(u),      clamp(u, v, v + 1.0),
                      fmax(u, v),  fmin(u, v),
                      fdim(u, v),  relu(u),
                      sign(u) * v, softplus(u),
                      sinc(u),     xlogy(u, v),
                      pow(u, 3),   square(u) * hypot(u, v)};
});
template <class Lanes, std::size_t Width, class T>
void check_kinks(auto load, auto lane) {
    constexpr T nan = std::numeric_limits<T>::quiet_NaN();
    constexpr T points[2][8] = {{T(-1.5), 0, 2, T(0.5), 1, -3, nan, T(0.25)}, {2, 0, 2, T(0.25), 3, 1, 1, nan}};
    const auto same = [](T a, T b) {
        return a == b || (a != a && b != b) || std::abs(a - b) <= 4 * std::numeric_limits<T>::epsilon() * std::abs(a);
    };
    for (std::size_t first = 0; first + Width <= 8; first += Width) {
        const auto [values, jacobian] = kinks.value_and_jacobian(load(points[0] + first), load(points[1] + first));
        for (std::size_t i = 0; i < Width; ++i) {
            const auto expected = kinks.value_and_jacobian(points[0][first + i], points[1][first + i]);
            for (std::size_t row = 0; row < values.size(); ++row) {
                CAPTURE(row, points[0][first + i], points[1][first + i]);
                CHECK(same(lane(values[row], i), expected.values[row]));
                CHECK(same(lane(jacobian[row][0], i), expected.jacobian[row][0]));
                CHECK(same(lane(jacobian[row][1], i), expected.jacobian[row][1]));
            }
        }
    }
}

template <class T>
constexpr T us[] = {T(0.4), T(0.9), T(0.75), T(0.75), T(-1), T(2), T(0.5), T(0.6),
                    T(3),   T(0.1), T(0.7),  T(0.8),  T(0),  T(1), T(5),   T(0.25)};
template <class T>
constexpr T vs[] = {T(0.2), T(3),   T(1.5), T(2.5), T(4), T(1), T(2),   T(1.9),
                    T(3.5), T(3.6), T(0.3), T(7),   T(1), T(2), T(0.5), T(8)};

#if __has_include(<experimental/simd>)
TEMPLATE_TEST_CASE("a traced function of std::experimental::simd", "", float, double) {
    namespace stdx = std::experimental;
    using lanes = stdx::native_simd<TestType>;
    check<lanes, lanes::size()>(
        us<TestType>, vs<TestType>, [](const TestType* p) { return lanes(p, stdx::element_aligned); },
        [](const lanes& l, std::size_t i) { return TestType(l[i]); });
    check_kinks<lanes, lanes::size(), TestType>([](const TestType* p) { return lanes(p, stdx::element_aligned); },
                                                [](const lanes& l, std::size_t i) { return TestType(l[i]); });
}
#endif

#if __has_include(<xsimd/xsimd.hpp>)
TEMPLATE_TEST_CASE("a traced function of xsimd::batch", "", float, double) {
    using lanes = xsimd::batch<TestType>;
    check<lanes, lanes::size>(
        us<TestType>, vs<TestType>, [](const TestType* p) { return lanes::load_unaligned(p); },
        [](const lanes& l, std::size_t i) { return l.get(i); });
    check_kinks<lanes, lanes::size, TestType>([](const TestType* p) { return lanes::load_unaligned(p); },
                                              [](const lanes& l, std::size_t i) { return l.get(i); });
}
#endif

} // namespace
