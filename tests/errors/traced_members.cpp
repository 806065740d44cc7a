// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code does not consist of the numbers that members(...) names; name each of its captures or members, in order, and let all be double, or all float
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

struct line {
    double slope, offset;
    template <class T>
    constexpr T operator()(const T& x) const {
        return slope * x + offset;
    }
};

constexpr auto a = cr::variable<"a">;
constexpr auto b = cr::variable<"b">;

#ifdef CHAINRULE_BAD
auto F = cr::function(line{1.0, 2.0}, cr::members(a));
#else
auto F = cr::function(line{1.0, 2.0}, cr::members(a, b));
#endif
