// SPDX-License-Identifier: BSL-1.0
//
// A function whose class has the name of one in custom_functions.cpp: each file has to keep its own.
#include "../custom_functions.hpp"

#include <chainrule/chainrule.hpp>

namespace {

namespace cr = chainrule;

struct times_constant : cr::custom_function<times_constant, 1> {
    static constexpr char name[] = "times_constant";
    template <class T>
    static constexpr T value(const T& x) {
        return 2 * x;
    }
    template <int K, class T>
    static constexpr auto derivative(const T&, const T&) {
        return 2;
    }
};

constexpr auto x = cr::variable<"x">;
constexpr auto F = cr::function(times_constant{}(x)*x, cr::wrt(x));

} // namespace

double slope_with_constant_of_another_file(double at) { return F.gradient(at)[0]; }
