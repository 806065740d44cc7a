// SPDX-License-Identifier: BSL-1.0
//
// Sums over data and means, against loops; what the function of a row may be, and how a point is given.
#include "loops.hpp"

#include <vector>

namespace {

constexpr auto k = cr::variable<"k">;

struct looped_sum {
    constexpr auto operator()(auto p, auto q) const {
        auto all = 0.0 * p;
        for (std::size_t i = 0; i < rows; ++i) all += term{}(times[i], counts[i], p, q);
        return all;
    }
};

struct looped_mean {
    constexpr auto operator()(auto p, auto q) const { return looped_sum{}(p, q) / 21.0; }
};

} // namespace

TEST_CASE("sums and means have the values and the derivatives of loops") {
    const auto data = cr::over(t = times, y = counts);
    check_all(cr::sum(f, data, cr::wrt(a, b)), results_of<looped_sum>());
    check_all(cr::mean(f, data, cr::wrt(a, b)), results_of<looped_mean>());
}

TEST_CASE("a point is an array, numbers in the order of wrt(), or named numbers") {
    const auto found = cr::sum(f, cr::over(t = times, y = counts), cr::wrt(a, b));
    CHECK(found(0.7, -0.3) == found(at));
    CHECK(found(b = -0.3, a = 0.7) == found(at));
}

TEST_CASE("the function of a row may be traced code, and hold parameters and stored numbers") {
    const auto data = cr::over(t = times, y = counts);
    check_all(cr::sum(term{}, data, cr::wrt(a, b)), results_of<looped_sum>());
    auto scaled = cr::sum(0.5 * k * f, data, cr::wrt(a, b), cr::given(k = 2.0));
    check_all(scaled, results_of<looped_sum>());
    scaled.set(k = 4.0);
    check_close(scaled(at), 2 * results_of<looped_sum>().value);
}

TEST_CASE("the function of a row may be made by function(): its variables are named, or in order") {
    const auto data = cr::over(t = times, y = counts);
    constexpr auto named = cr::function(f, cr::wrt(b, y, a, t));
    constexpr auto in_order = cr::function(term{});
    check_all(cr::sum(named, data, cr::wrt(a, b)), results_of<looped_sum>());
    check_all(cr::sum(in_order, data, cr::wrt(a, b)), results_of<looped_sum>());
    check_all(cr::sum(cr::function(f * k, cr::wrt(t, y, a, b), cr::given(k = 1.0)), data, cr::wrt(a, b)),
              results_of<looped_sum>());
}

TEST_CASE("a point may name vectors of variables") {
    constexpr auto p = cr::variables<"p", 3>;
    constexpr auto c = cr::variables<"c", 3>;
    constexpr auto radius = cr::variable<"radius">;
    const std::vector<std::array<double, 3>> points = {{1, 2, 2}, {2, 3, 6}, {1, 4, 8}};
    const auto fit = cr::sum(squared_norm(p - c) / radius, cr::over(p = points), cr::wrt(c, radius));
    const std::array centre{0.5, -1.0, 2.0};
    const std::vector<float> as_floats{0.5f, -1.0f, 2.0f};
    const double expected = fit(0.5, -1.0, 2.0, 4.0);
    CHECK(fit(c = centre, radius = 4.0) == expected);
    CHECK(fit(radius = 4, c = as_floats) == expected);
    CHECK(fit(c = std::array{0.5, -1.0, 2.0}, radius = 4.0) == expected);
    CHECK(fit.gradient(radius = 4.0, c = centre) == fit.gradient(0.5, -1.0, 2.0, 4.0));
}
