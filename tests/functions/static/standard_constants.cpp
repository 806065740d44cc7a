// SPDX-License-Identifier: BSL-1.0
//
// std::numbers::pi_v<T> and the others for numbers that carry derivatives: the constants of the plain number in them.
#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/eager.hpp>
#include <chainrule/tape/replay.hpp>

#include <numbers>

namespace {

namespace cr = chainrule;
namespace tape = chainrule::tape;

// A template as other libraries have it.
template <class T>
constexpr T area(const T& radius) {
    return std::numbers::pi_v<T> * radius * radius;
}

static_assert(cr::function([](auto r) { return area(r); }).gradient(2.0)[0] == 4 * std::numbers::pi);
static_assert(cr::function([](auto r) { return area(r); })(1.0f) == std::numbers::pi_v<float>);
static_assert(area(cr::dual<float>(1.0f)).value == std::numbers::pi_v<float>);
static_assert(std::numbers::phi_v<cr::dual<cr::dual<long double>, 2>>.value.value == std::numbers::phi_v<long double>);
static_assert(std::numbers::e_v<tape::active<long double>>.value() == std::numbers::e_v<long double>);
static_assert(std::numbers::sqrt2_v<tape::active<cr::dual<double>>>.value().value == std::numbers::sqrt2);
static_assert(std::numbers::ln2_v<tape::eager<double>>.value() == std::numbers::ln2);
static_assert(
    std::is_same_v<decltype(std::numbers::egamma_v<tape::replayable<double>>), const tape::replayable<double>>);
static_assert(std::numbers::pi_v<double> == std::numbers::pi);

} // namespace
