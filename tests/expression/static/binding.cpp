// SPDX-License-Identifier: BSL-1.0
//
// What x = value refers to and what it copies: a named owner of numbers is referred to, however small it is, since sums
// and columns keep the binding; a view, a number and a temporary are copied.
#include <chainrule/chainrule.hpp>

#include <array>
#include <span>
#include <type_traits>
#include <vector>

namespace {

namespace cr = chainrule;

constexpr auto x = cr::variable<"x">;
constexpr auto v = cr::variables<"v", 2>;

template <class Range>
using named = decltype((x = std::declval<const Range&>()).value);
template <class Range>
using temporary = decltype((x = std::declval<Range>()).value);
template <class Range>
using reference = cr::expressions::range_reference<Range>;

template <class Owner>
constexpr bool is_referred_to =
    std::is_same_v<named<Owner>, reference<Owner>> && std::is_same_v<temporary<Owner>, Owner>;
static_assert(is_referred_to<std::vector<double>>);
static_assert(is_referred_to<std::array<double, 100>>);
static_assert(is_referred_to<std::array<double, 3>>);
static_assert(is_referred_to<std::array<float, 1>>);
static_assert(is_referred_to<std::array<const double, 2>>);
static_assert(is_referred_to<std::array<std::array<double, 2>, 1>>);
static_assert(std::is_same_v<named<double[2]>, reference<double[2]>>);

struct owner {
    double numbers[2];
    constexpr double* data() { return numbers; }
    constexpr const double* data() const { return numbers; }
    constexpr std::size_t size() const { return 2; }
};
static_assert(is_referred_to<owner>);
struct view {
    double* first;
    std::size_t count;
    constexpr double* data() const { return first; }
    constexpr std::size_t size() const { return count; }
};
template <class View>
constexpr bool is_copied = std::is_same_v<named<View>, View> && std::is_same_v<temporary<View>, View>;
static_assert(is_copied<view>);
static_assert(is_copied<std::span<double>> && is_copied<std::span<const double>>);
static_assert(is_copied<std::span<double, 3>> && is_copied<std::span<const float, 1>>);
static_assert(is_copied<float>);

constexpr std::array small{2.0, 3.0};
static_assert((x * x + v[boost::hana::size_c<1>])(x = 1.0, v = small) == 4.0);
static_assert(cr::function(dot(v, v) * x, x, cr::given(v = small))(2.0) == 26.0);

} // namespace
