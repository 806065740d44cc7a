// SPDX-License-Identifier: BSL-1.0
//
// Slopes that are infinite or not a number: in each lane, a zero tangent stays zero, and others are multiplied. For
// every number of tangents, so that vectors of each width and what is left over take part.
#include "catch.hpp"

#include <chainrule/dual.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace {

namespace cr = chainrule;

template <class T, std::size_t N>
cr::dual<T, N> number_with(T value, std::size_t moving) {
    cr::dual<T, N> x(value);
    for (std::size_t k = moving; k < N; k += 3) x.tangents[k] = T(k + 1) * (k % 2 == 0 ? T(0.5) : T(-2));
    return x;
}

template <class T>
T by_rule(T slope, T tangent) {
    return tangent == 0 ? T(0) : slope * tangent;
}

template <class T>
bool are_equal(T a, T b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

template <class T, std::size_t N>
void check_with(const cr::dual<T, N>& found, const std::array<T, N>& expected) {
    for (std::size_t k = 0; k < N; ++k) {
        CAPTURE(N, k, found.tangents[k], expected[k]);
        CHECK(are_equal(found.tangents[k], expected[k]));
    }
}

template <class T, std::size_t N>
void check_slopes() {
    constexpr T infinity = std::numeric_limits<T>::infinity(), none = std::numeric_limits<T>::quiet_NaN();
    for (const T special : {infinity, -infinity, none, T(0), T(1.5)})
        for (const T other : {T(-0.75), infinity, T(0)}) {
            const auto x = number_with<T, N>(special, 0), y = number_with<T, N>(other, 1);
            std::array<T, N> product, quotient, scaled, shared;
            for (std::size_t k = 0; k < N; ++k) {
                const T s = x.tangents[k], t = y.tangents[k];
                product[k] = by_rule(other, s) + by_rule(special, t);
                quotient[k] = by_rule(T(1) / other, s) + by_rule(-(special / other) * (T(1) / other), t);
                scaled[k] = by_rule(special, t);
                shared[k] = by_rule(special, s) + by_rule(special, s);
            }
            check_with(x * y, product);
            check_with(x / y, quotient);
            check_with(y * special, scaled);
            check_with(special * y, scaled);
            check_with(x * x, shared);
        }
    // Functions, one with a slope of zero, whose result does not depend on an infinite tangent.
    auto steep = number_with<T, N>(T(0), 0);
    std::array<T, N> roots, cubes{};
    for (std::size_t k = 0; k < N; ++k) roots[k] = by_rule(infinity, steep.tangents[k]);
    check_with(sqrt(steep), roots);
    check_with(hypot(steep, cr::dual<T, N>(T(0))), cubes);
    steep.tangents[N - 1] = infinity;
    check_with(pow(steep, T(3)), cubes);
}

} // namespace

TEST_CASE("dual numbers: zero tangents stay zero beside slopes that are infinite or not a number") {
    []<std::size_t... N>(std::index_sequence<N...>) {
        (check_slopes<double, N + 1>(), ...);
        (check_slopes<float, N + 1>(), ...);
    }(std::make_index_sequence<17>{});
    check_slopes<double, 64>();
    check_slopes<long double, 3>();
}
