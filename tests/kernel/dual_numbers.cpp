// SPDX-License-Identifier: BSL-1.0
//
// Kernels on dual numbers of double and float, which run on tangents in vectors, are those on dual numbers of long
// double, which do not.
#include "random_operations.hpp"

#include <chainrule/custom_function.hpp>
#include <chainrule/dual.hpp>

#include <utility>

namespace {

namespace cr = chainrule;
namespace request = chainrule::request;

/// Numbers with tangents in some directions; the others are zero. Direction k is the same for any N.
template <std::size_t N, class T, std::size_t Size>
auto numbers_on(const std::array<long double, Size>& at) {
    std::array<cr::dual<T, N>, Size> x;
    for (std::size_t i = 0; i < Size; ++i) {
        x[i] = static_cast<T>(at[i]);
        for (std::size_t k = 0; k < N; ++k)
            if ((i + k) % 3 != 0) x[i].tangents[k] = T(0.25) * T(static_cast<int>((5 * i + k) % 7) - 3);
    }
    return x;
}

template <class T>
void check_number(T got, long double exact, long double scale) {
    if (std::isfinite(exact))
        CHECK(std::abs(got - exact) <= 256 * std::numeric_limits<T>::epsilon() * scale);
    else if (std::isnan(exact))
        CHECK(std::isnan(got));
    else
        CHECK(static_cast<long double>(got) == exact);
}

// Any result: a number, or a list of results. The exact one may have more directions.
template <class T, std::size_t N, std::size_t Exact>
void check_result(const cr::dual<T, N>& got, const cr::dual<long double, Exact>& exact) {
    long double scale = 1 + (std::isfinite(exact.value) ? std::abs(exact.value) : 0);
    for (const long double t : exact.tangents)
        if (std::isfinite(t)) scale = std::max(scale, std::abs(t));
    check_number(got.value, exact.value, scale);
    for (std::size_t k = 0; k < N; ++k) {
        CAPTURE(N, k, got.tangents[k], exact.tangents[k]);
        check_number(got.tangents[k], exact.tangents[k], scale);
    }
}
template <class A, class B, std::size_t Size>
void check_result(const std::array<A, Size>& got, const std::array<B, Size>& exact) {
    for (std::size_t i = 0; i < Size; ++i) {
        CAPTURE(i);
        check_result(got[i], exact[i]);
    }
}

template <std::size_t N, class T, std::size_t Size, class Compute>
void check(const std::array<long double, Size>& at, const Compute& compute) {
    check_result(compute(numbers_on<N, T>(at)), compute(numbers_on<N, long double>(at)));
}
/// For several numbers of tangents: one, two groups with the second not full, and some of float.
template <std::size_t Size, class Compute>
void check_all(const std::array<long double, Size>& at, const Compute& compute) {
    const auto exact = compute(numbers_on<7, long double>(at));
    check_result(compute(numbers_on<1, double>(at)), exact);
    check_result(compute(numbers_on<7, double>(at)), exact);
    check_result(compute(numbers_on<3, float>(at)), exact);
}

template <class F, class T, std::size_t N>
constexpr bool runs_in_vectors =
    F::template code<request::values>::program::template runs_on_dual_numbers<cr::dual<T, N>,
                                                                              cr::kernel::buffer<T, 0>>();

constexpr auto four = cr::function<4>(random_operations<14, 7>{});
constexpr auto with_conditions = cr::function<3>([](const auto& x) {
    using std::atan2, std::fma, std::hypot, std::pow;
    auto first = select(x[0] < x[1], x[0] * x[2], select(x[2] > 0.5, sin(x[1]), 2.0));
    auto second = atan2(x[0], x[1]) * pow(x[1] * x[1] + 0.5, x[2]) + max(x[0], x[1]) * abs(x[2] - 1.0);
    return std::array{first, second, fma(x[0], x[1], hypot(x[2], x[0])), x[2], 0.0 * x[0] + 3.0};
});
constexpr auto steep = cr::function<3>([](const auto& x) { return sqrt(x[0]) * x[1] + log(x[2]) * x[1]; });
constexpr auto rotation = cr::function<2>(
    [](const auto& x) { return std::array{sin(x[0] * x[1]) * cos(x[0] * x[1]), cos(x[0]) - x[1] * sin(x[0])}; });
constexpr auto long_program = cr::function<5>(random_operations<40, 3>{});

} // namespace

TEST_CASE("kernels on dual numbers: random operations", "[dual_kernels]") {
#if defined(__OPTIMIZE__) && (defined(__SSE2__) || defined(__aarch64__))
    static_assert(runs_in_vectors<decltype(four), double, 1> && runs_in_vectors<decltype(four), float, 5>);
#endif
    static_assert(!runs_in_vectors<decltype(four), long double, 1>);
    const auto at = a_point<4, long double>();
    check_all(at, [](const auto& x) { return four.gradient(x); });
    check<3, double>(at, [](const auto& x) { return four.hvp(x, x); });
}

TEST_CASE("kernels on dual numbers: conditions, functions of several numbers, several values", "[dual_kernels]") {
    check_all(std::array<long double, 3>{0.3L, 0.8L, 1.4L}, [](const auto& x) { return with_conditions.jacobian(x); });
    for (const long double last : {1.4L, 0.2L})
        check<5, double>(std::array<long double, 3>{1.3L, 0.8L, last},
                         [](const auto& x) { return with_conditions(x); });
}

TEST_CASE("kernels on dual numbers: Hessians, whose halves are one program's outputs", "[dual_kernels]") {
    const std::array<long double, 3> at{0.5L, 0.8L, 1.4L};
    check<2, double>(at, [](const auto& x) { return steep.hessian(x); });
    check<2, double>(at, [](const auto& x) { return steep.sparse_hessian(x); });
    check<2, float>(at, [](const auto& x) { return steep.value_gradient_and_hessian(x).hessian; });
}

TEST_CASE("kernels on dual numbers: what they store, dual or not, and parameters", "[dual_kernels]") {
    constexpr auto x = cr::variable<"x">;
    constexpr auto y = cr::variable<"y">;
    constexpr auto k = cr::variable<"k">;
    const std::array<long double, 3> at{0.7L, 1.2L, -0.4L};
    check<5, double>(at, [&](const auto& p) {
        const double plain = 0.625;
        const auto f = cr::function(exp(x * plain) * y + k * sin(x - 0.5f), cr::wrt(x, y), cr::given(k = 0.75));
        return f.gradient(p[0], p[1]);
    });
    check<5, double>(at, [&](const auto& p) { return (exp(x * 0.625) * y)(y = p[0], x = p[1]); });
    check<5, double>(at, [&](const auto& p) {
        const auto f = cr::function(exp(x * p[2]) * y + k * sin(x), cr::wrt(x, y), cr::given(k = p[2] * p[0]));
        return f.gradient(std::array{p[0], p[1]});
    });
}

TEST_CASE("kernels on dual numbers: where a slope is infinite, zero tangents stay zero", "[dual_kernels]") {
    const auto compute = [](const auto& x) { return steep(x); };
    check_all(std::array<long double, 3>{0.0L, 0.8L, 1.4L}, compute);
    check<7, double>(std::array<long double, 3>{0.5L, 0.8L, 0.0L}, compute);
    // Directions in which only the others move.
    std::array<cr::dual<double, 2>, 3> x{0.0, 2.0, 1.0};
    x[1].tangents = {1.0, 0.0};
    x[2].tangents = {0.0, 1.0};
    const auto f = steep(x);
    CHECK(f.tangents[0] == 0.0);
    CHECK(f.tangents[1] == 2.0);
}

TEST_CASE("kernels on dual numbers: constants", "[dual_kernels]") {
    using dual = cr::dual<double, 2>;
    constexpr auto F = cr::function<2>([](const auto& x) { return x[0] * x[0] * x[1]; });
    constexpr auto g = F.gradient(std::array{dual::variable(3.0, 0), dual::variable(2.0, 1)});
    static_assert(g[0].value == 12 && g[0].tangents == std::array{4.0, 6.0});
    static_assert(g[1].value == 9 && g[1].tangents == std::array{6.0, 0.0});
}

TEST_CASE("kernels on dual numbers: sine and cosine of one angle, and long programs", "[dual_kernels]") {
    check_all(std::array<long double, 2>{0.7L, 1.9L}, [](const auto& x) { return rotation.jacobian(x); });
    // More steps than are compiled so.
    static_assert(!runs_in_vectors<decltype(long_program), double, 64>);
    check<64, double>(a_point<5, long double>(), [](const auto& x) { return long_program(x); });
}
