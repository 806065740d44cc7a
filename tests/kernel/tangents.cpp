// SPDX-License-Identifier: BSL-1.0
//
// Hessians that are computed on tangents in vectors are those of the program of the Hessian, on long double.
#include "random_operations.hpp"

namespace {

namespace cr = chainrule;
namespace request = chainrule::request;

/// The Hessian on tangents, whether the function would choose them or not.
template <int Lanes, unsigned Request, class T, std::size_t N, class F, class Inputs>
square<T, N> on_tangents(const F& f, const Inputs& inputs) {
    using program = typename F::template code<cr::detail::gradient_of(Request)>::program;
    constexpr int columns = static_cast<int>(N), before = cr::detail::values_before(Request);
    static_assert(program::template tangents<columns, Lanes, before>.size > 0);
    square<T, N> hessian{};
    std::array<T, N + 1> others{};
    program::template run_with_tangents<T, columns, Lanes, before>(
        inputs, cr::kernel::numbers_of<T>(cr::detail::function_parts::expressions(f)), others, hessian[0].data());
    return hessian;
}

template <class T, std::size_t N>
struct numbers {
    std::array<T, N> all;
    T operator[](std::size_t i) const { return all[i]; }
    void refresh() {}
};

template <std::size_t N, class F>
void check(const F& f) {
    const auto exact = f.hessian(a_point<N, long double>());
    check_entries(on_tangents<2, request::hessians, double, N>(f, numbers<double, N>{a_point<N>()}), exact);
#if defined(__AVX__)
    check_entries(on_tangents<4, request::hessians, double, N>(f, numbers<double, N>{a_point<N>()}), exact);
#endif
    check_entries(on_tangents<4, request::hessians, float, N>(f, numbers<float, N>{a_point<N, float>()}), exact);
}

constexpr auto five = cr::function<5>(random_operations<5, 3>{});

} // namespace

TEST_CASE("Hessians on tangents", "[tangents]") {
    check<5>(five);
    check<2>(cr::function<2>(random_operations<4, 1>{}));
    check<4>(cr::function<4>(random_operations<4, 8>{}));
    check<7>(cr::function<7>(random_operations<5, 11>{}));
}

TEST_CASE("an infinite slope leaves the other tangents as they are", "[tangents]") {
    // Most derivatives with respect to the first variable are not numbers where it is 0. All others are.
    const auto f = cr::function<6>([](const auto& x) {
        auto y = x;
        y[0] = sqrt(x[0] * x[0]);
        return random_operations<6, 4>{}(y);
    });
    auto x = a_point<6, long double>();
    x[0] = 0;
    const auto exact = f.hessian(x);
    const auto check_finite = [&](const auto& got, double tolerance) {
        for (std::size_t i = 0; i < 6; ++i)
            for (std::size_t j = 0; j < 6; ++j) {
                CAPTURE(i, j);
                if (i > 0 && j > 0) REQUIRE(std::isfinite(exact[i][j]));
                if (std::isfinite(exact[i][j]))
                    CHECK(got[i][j] == Approx(static_cast<double>(exact[i][j])).epsilon(tolerance).margin(tolerance));
                else
                    CHECK(!std::isfinite(got[i][j]));
            }
    };
    numbers<double, 6> at{a_point<6>()};
    at.all[0] = 0;
    check_finite(on_tangents<2, request::hessians, double, 6>(f, at), 1e-13);
    numbers<float, 6> in_float{a_point<6, float>()};
    in_float.all[0] = 0;
    check_finite(on_tangents<4, request::hessians, float, 6>(f, in_float), 1e-4);
}

TEST_CASE("Hessians on tangents with numbers of an object", "[tangents]") {
    const double weight = 1.25, scale = 0.75;
    const auto f = cr::function(
        [weight, scale](auto a, auto b, auto c) {
            return weight * random_operations<4, 5>{}(std::array{a, b, c}) + scale * sin(a * c);
        },
        cr::members(cr::variable<"weight">, cr::variable<"scale">));
    const auto exact = f.hessian(0.5L, 0.7L, 0.2L);
    check_entries(on_tangents<2, request::hessians, double, 3>(f, numbers<double, 5>{{0.5, 0.7, 0.2, weight, scale}}),
                  exact);
}

TEST_CASE("the Hessian of a Lagrangian on tangents", "[tangents]") {
    constexpr auto f = cr::function<5>(
        [](const auto& x) { return std::array{random_operations<4, 9>{}(x), x[0] * x[1] + sin(x[2] * x[3]) * x[4]}; });
    const auto exact = f.lagrangian_hessian(a_point<5, long double>(), std::array{0.5L, 3.0L});
    numbers<double, 7> at{};
    std::copy_n(a_point<5>().begin(), 5, at.all.begin());
    at.all[5] = 0.5;
    at.all[6] = 3.0;
    check_entries(on_tangents<2, request::weighted_hessians, double, 5>(f, at), exact);
}
