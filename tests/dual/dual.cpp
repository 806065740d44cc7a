// SPDX-License-Identifier: BSL-1.0
//
// Dual numbers in several directions: the directions do not see each other, however many of them share a register.
#include <chainrule/dual.hpp>

#include "../sentence.hpp"
#include "catch.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace cr = chainrule;

namespace {

template <class T>
T everything(const T& x, const T& y, const T& z) {
    T sum = 2.0 * x - 1.0;
    sum += exp(x * y) / (1.0 + z);
    sum -= 3.0 - y / z;
    sum *= hypot(x, z) + 0.5;
    sum /= 1.5;
    sum += 0.25;
    return -sum + pow(z, 2.5) * fma(x, y, z);
}

// The derivatives along N directions at once, and one after the other.
template <class T, std::size_t N>
void compare() {
    std::array<std::array<T, N>, 3> directions{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < N; ++k)
            directions[i][k] = static_cast<T>(static_cast<int>((7 * i + 3 * k) % 5) - 2);
    const T at[] = {T(0.7), T(-0.4), T(1.3)};
    using several = cr::dual<T, N>;
    const several together =
        everything(several(at[0], directions[0]), several(at[1], directions[1]), several(at[2], directions[2]));
    for (std::size_t k = 0; k < N; ++k) {
        using one = cr::dual<T>;
        const one alone =
            everything(one(at[0], {directions[0][k]}), one(at[1], {directions[1][k]}), one(at[2], {directions[2][k]}));
        CHECK(together.value == alone.value);
        CHECK(std::abs(together.tangents[k] - alone.tangents[0]) <=
              16 * std::numeric_limits<T>::epsilon() * (1 + std::abs(alone.tangents[0])));
    }
}

} // namespace

TEST_CASE("dual numbers: directions together are directions alone") {
    [&]<std::size_t... N>(std::index_sequence<N...>) {
        (compare<double, N + 1>(), ...);
        (compare<float, N + 1>(), ...);
    }(std::make_index_sequence<19>{});
    compare<long double, 3>();
}

TEST_CASE("dual numbers: what does not move stays, also where a function is infinitely steep") {
    using number = cr::dual<double, 6>;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const number x = number::variable(0.0, 4);
    const number root = sqrt(x);
    const number product = x * infinity;
    const number sum = x * number(infinity) + number(0.0) * number::variable(infinity, 1);
    for (std::size_t k = 0; k < 6; ++k) {
        CHECK(root.tangents[k] == (k == 4 ? infinity : 0.0));
        CHECK(product.tangents[k] == (k == 4 ? infinity : 0.0));
        CHECK(sum.tangents[k] == (k == 4 ? infinity : 0.0));
    }
}

TEST_CASE("dual numbers: while compiling they are what they are while running") {
    constexpr auto compute = [](double x) {
        const auto v = cr::dual_variables(x, 2.0, 3.0, 4.0, 5.0);
        return (v[0] * v[1] + v[2] / v[3] - 2.0 * v[4]) * v[0] - 1.0;
    };
    constexpr auto compiled = compute(1.5);
    const auto run = compute(1.5);
    CHECK(compiled.value == run.value);
    CHECK(compiled.tangents == run.tangents);
}

TEST_CASE("a dual number counts up and down without its derivatives moving", "[dual]") {
    auto x = chainrule::dual<double>::variable(2.0);
    CHECK((x++).value == 2);
    CHECK((++x).value == 4);
    CHECK((x--).value == 4);
    CHECK((--x).value == 2);
    CHECK(x.tangents[0] == 1);
}

namespace {

// As a program writes it that is also for plain numbers: with the functions of std, and with numbers of other types.
template <class T>
T of_plain_numbers_too(const T& x, const T& y) {
    using std::abs, std::fma, std::hypot, std::isnan, std::lerp, std::max, std::pow, std::sin;
    if (isnan(x) || x < -1.0f || x == 7 || 9.0L <= y) return 0.0;
    const T larger = x > 0.0L ? x : 0.0;
    return larger * sin(x) + fma(x, y, 2.0) + lerp(x, y, 0.5) + hypot(x, 2.0) + hypot(2.0, x, 1) + pow(2.0, x) +
           pow(y, 2) + abs(y) + max(x, y);
}
template <class T>
T derivative_too(double x, double y) {
    const auto [u, v] = cr::dual_variables(static_cast<T>(x), static_cast<T>(y));
    return of_plain_numbers_too(u, v).tangents[1];
}

} // namespace

TEST_CASE("dual numbers: numbers of other types and the functions of std beside them", "[dual]") {
    const double x = 0.5, y = 1.5;
    CHECK(of_plain_numbers_too(cr::dual<double>(x), cr::dual<double>(y)).value == Approx(of_plain_numbers_too(x, y)));
    // x + 1/2 + 2 y + 1 + 1
    CHECK(derivative_too<double>(x, y) == x + 0.5 + 2 * y + 2);
    CHECK(derivative_too<float>(x, y) == 6.0F);
    CHECK(derivative_too<long double>(x, y) == 6.0L);
}

TEST_CASE("dual numbers: variables are of the common type of their numbers, integers count as double", "[dual]") {
    constexpr auto ratio = [](const auto& at) { return at[0] / at[1]; };
    constexpr auto q = ratio(cr::dual_variables(3, 2));
    static_assert(q.value == 1.5 && q.tangents[0] == 0.5 && q.tangents[1] == -0.75);
    static_assert(std::is_same_v<decltype(cr::dual_variables(3.0F, 2.0F)), std::array<cr::dual<float, 2>, 2>>);
    constexpr auto listed = cr::dual_variables(std::array{3, 2});
    static_assert(std::is_same_v<decltype(listed), const std::array<cr::dual<double, 2>, 2>>);
    static_assert(ratio(listed).value == 1.5 && ratio(listed).tangents == q.tangents);
    static_assert(std::is_same_v<decltype(cr::dual_variables(3.0F, 2.0)), std::array<cr::dual<double, 2>, 2>>);
    static_assert(std::is_same_v<decltype(cr::dual_variables(cr::dual<double>(3.0), 2.0)),
                                 std::array<cr::dual<cr::dual<double>, 2>, 2>>);
    CHECK(ratio(cr::dual_variables(3, 2.0)).value == 1.5);
}

template <std::size_t Direction>
constexpr bool is_constant_in =
    requires { typename std::bool_constant<cr::dual<double, 2>::variable(7.0, Direction) == 7.0>; };

TEST_CASE("dual numbers: a variable needs a direction that exists", "[dual]") {
    static_assert(is_constant_in<0> && is_constant_in<1> && !is_constant_in<2>);
    const std::size_t directions = 2;
    CHECK_THROWS_AS((cr::dual<double, 2>::variable(7.0, directions)), std::out_of_range);
    CHECK_THROWS_AS((cr::dual<cr::dual<float>>::variable(7.0F, directions)), std::out_of_range);
    CHECK_THROWS_AS((cr::dual<double, 0>::variable(7.0)), std::out_of_range);
    CHECK(sentence_of([&] { (void)cr::dual<double, 2>::variable(7.0, directions); }) ==
          "dual::variable: there is no direction 2 of dual<T, 2>, which counts from 0; give a smaller one, or the type "
          "more directions");
    CHECK(cr::dual<double, 2>::variable(7.0, directions - 1).tangents[1] == 1);
}
