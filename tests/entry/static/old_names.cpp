// SPDX-License-Identifier: BSL-1.0
//
// The old public names still work, and say that they are old.
#include <chainrule/chainrule.hpp>
#include <chainrule/own_function.hpp>
#include <chainrule/text/c.hpp>
#include <chainrule/text/graphviz.hpp>
#include <chainrule/text/latex.hpp>

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif

namespace {

namespace cr = chainrule;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

struct half_square : cr::own_function<half_square, 1> {
    static constexpr char name[] = "half_square";
    template <class T>
    static constexpr T value(const T& u) {
        return u * u / 2;
    }
    template <class T>
    static constexpr auto derivative(const T& u, const T&) {
        return u;
    }
};
constexpr half_square half;
constexpr auto F = cr::function(half(x) * y, cr::wrt(x, y));
static_assert(F.gradient(3.0, 2.0)[0] == 6.0);

static_assert(cr::operation_count<cr::program::values>(F).total == cr::operation_count<cr::request::values>(F).total);
static_assert(cr::derivation_of(F) == cr::derivation::reverse && cr::derivation_of(F) == cr::jacobian_mode_of(F));
static_assert(cr::derivation::elimination == cr::jacobian_mode::cross_country);

constexpr auto stored = 2.0 * x;
static_assert(cr::same(cr::known<stored>, cr::exact<stored>));

} // namespace
