// SPDX-License-Identifier: BSL-1.0
//
// Existing code that is not constexpr, with g++'s -fimplicit-constexpr, which tests/CMakeLists.txt adds for this file:
// functions that are inline or defined in a class, and templates.
#if defined(__GNUC__) && !defined(__clang__)
#include <chainrule/chainrule.hpp>

#include "catch.hpp"

#include <array>
#include <cmath>

namespace {

namespace cr = chainrule;

template <typename T>
inline T dot_of_three(const T* a, const T* b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

struct pinhole_error {
    pinhole_error(double u, double v) : observed_u(u), observed_v(v) {}

    template <typename T>
    bool operator()(const T* const camera, const T* const point, T* residuals) const {
        using std::sqrt;
        T direction[3] = {point[0] - camera[0], point[1] - camera[1], point[2] - camera[2]};
        const T length = sqrt(dot_of_three(direction, direction));
        residuals[0] = camera[3] * direction[0] / length - T(observed_u);
        residuals[1] = camera[3] * direction[1] / length - T(observed_v);
        return true;
    }

    double observed_u;
    double observed_v;
};

TEST_CASE("a functor that is not constexpr, with -fimplicit-constexpr") {
    constexpr auto u = cr::variable<"u">;
    constexpr auto v = cr::variable<"v">;
    auto F = cr::function<cr::inputs<4, 3>, cr::outputs<2>>(pinhole_error(0.5, -2.0), cr::members(u, v));
    const std::array<double, 7> at{1.0, 2.0, 3.0, 10.0, 1.5, -0.5, 9.0};
    std::array<double, 2> plain{};
    pinhole_error(0.5, -2.0)(at.data(), at.data() + 4, plain.data());
    CHECK(F(at) == plain);
    CHECK(F.jacobian(at)[1][3] == (plain[1] - 2.0) / 10.0);
    F.set(pinhole_error(7.0, 8.0));
    pinhole_error(7.0, 8.0)(at.data(), at.data() + 4, plain.data());
    CHECK(F(at) == plain);
}

} // namespace
#endif
