// SPDX-License-Identifier: BSL-1.0
//
// exact<f>: stored numbers of a constexpr expression become constants of the optimiser, with the same values.
#include <chainrule/chainrule.hpp>

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;
using cr::derivative;
using cr::exact;
using cr::same;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

constexpr auto product = 2.0 * x * 3.0;
static_assert(same(exact<product>, 2_c * x * 3_c) && std::is_empty_v<std::remove_cvref_t<decltype(exact<product>)>>);
static_assert(same(derivative(exact<product>, x), 6_c));
static_assert(!same(derivative(product, x), 6_c)); // a stored number is not exact

// Nothing to be known.
constexpr auto plain = log(x) + x * y;
static_assert(same(exact<plain>, plain) && same(exact<x>, x));

// Every number in its place.
constexpr auto all = -(0.5 * x) + sin(y - 4) * pow(x, 3.0F) / (7U - y / 1.25L);
static_assert(same(exact<all>, -(0.5_c * x) + sin(y - 4_c) * pow(x, 3_c) / (7_c - y / 1.25_c)));
constexpr auto slots = (1.0 / (2.0 * x)) * (3.0 * x);
static_assert(same(derivative(exact<slots>, x), 0_c) && exact<slots>(x = 4.0) == 1.5);
constexpr auto like = 2.0 * x + 2.0 * x;
static_assert(same(derivative(exact<like>, x), 4_c));

// The value of the number, not of its decimal digits: the optimiser has all of it.
constexpr auto tenth = 0.1 * x;
static_assert(!same(exact<tenth>, 0.1_c * x) && same(exact<tenth>, 0x1.999999999999ap-4_c * x));
static_assert(exact<tenth>(x = 1.0) == 0.1 && exact<tenth>(x = 3.0) == 0.1 * 3.0 &&
              exact<tenth>(x = 1.0L) == static_cast<long double>(0.1));
constexpr auto extreme = 1e300 * x + 1e-300 * y;
static_assert(exact<extreme>(x = 1.0, y = 0.0) == 1e300 && exact<extreme>(x = 0.0, y = 1.0) == 1e-300);
static_assert(derivative(exact<extreme>, y)() == 1e-300);
constexpr auto least = std::numeric_limits<double>::denorm_min() * x;
static_assert(exact<least>(x = 1.0) == std::numeric_limits<double>::denorm_min());
constexpr auto third = (1 / 3.0L) * x;
static_assert(exact<third>(x = 1.0L) == 1 / 3.0L);
constexpr auto integers =
    std::numeric_limits<unsigned long long>::max() * x + std::numeric_limits<long long>::min() * y;
static_assert(exact<integers>(x = 1.0L, y = 0.0L) ==
              static_cast<long double>(std::numeric_limits<unsigned long long>::max()));
static_assert(exact<integers>(x = 0.0L, y = 1.0L) == -0x1p63L);

// A number that the optimiser cannot use stays stored.
constexpr auto mixed = std::numeric_limits<double>::infinity() * x + 2.0 * y;
static_assert(same(exact<mixed>, std::numeric_limits<double>::infinity() * x + 2_c * y));
static_assert(exact<mixed>(x = 1.0, y = 1.0) == std::numeric_limits<double>::infinity());
constexpr auto minus_zero = 2.0 * (x * -0.0) + y;
static_assert(same(exact<minus_zero>, 2_c * (x * 0.0) + y));
static_assert(std::bit_cast<std::uint64_t>(exact<minus_zero>(x = 1.0, y = -0.0)) == std::uint64_t{1} << 63); // -0.0
constexpr auto zero = 0.0 * x;
static_assert(same(exact<zero>, 0_c * x) && exact<zero>(x = 2.0) == 0.0);

// In all ways of asking.
static_assert(cr::function(exact<slots>, cr::wrt(x)).gradient(4.0)[0] == 0.0);
static_assert(cr::gradient(exact<product>)(x = 5.0)[x] == 6.0);
static_assert(cr::to_string(exact<all>) == "-(0.5 * x) + sin(y - 4) * pow(x, 3) / (7 - y / 1.25)");

} // namespace
