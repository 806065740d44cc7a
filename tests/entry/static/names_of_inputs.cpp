// SPDX-License-Identifier: BSL-1.0
//
// Names and parameters for traced code with pointers and structs: each function has the program of the expression.
#include "../../same_program.hpp"

#include <chainrule/chainrule.hpp>

#include <array>
#include <tuple>

namespace {

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;
constexpr auto k = cr::variable<"k">;
constexpr auto o = cr::variables<"o", 2>;
constexpr auto p = cr::variables<"p", 2>;

// Pointers: names for all numbers in the order of the call; parameters may be first or last.
struct rotated {
    template <class T>
    constexpr bool operator()(const T* angle, const T* point, T* result) const {
        result[0] = cos(angle[0]) * point[0] - sin(angle[0]) * point[1];
        result[1] = sin(angle[0]) * point[0] + cos(angle[0]) * point[1];
        return true;
    }
};
constexpr auto expected = cr::vector(cos(x) * y - sin(x) * z, sin(x) * y + cos(x) * z);
using sizes = cr::inputs<1, 2>;
static_assert(same_programs(cr::function<sizes>(rotated{}, cr::wrt(x, y, z)),
                            cr::function(expected, cr::wrt(x, y, z))));
static_assert(same_programs(cr::function<sizes>(rotated{}, x, y, z), cr::function(expected, cr::wrt(x, y, z))));
constexpr auto fixed_angle = cr::function<sizes>(rotated{}, cr::given(x = 0.0), cr::wrt(y, z));
static_assert(same_programs(fixed_angle, cr::function(expected, cr::wrt(y, z), cr::given(x = 0.0))));
static_assert(fixed_angle(2.0, 3.0) == std::array{2.0, 3.0} && fixed_angle(z = 3.0, y = 2.0)[1] == 3.0);
static_assert(fixed_angle.jacobian(2.0, 3.0) == std::array{std::array{1.0, -0.0}, std::array{0.0, 1.0}});
constexpr auto fixed_point = cr::function<sizes>(rotated{}, cr::wrt(x), cr::given(y = 2.0, z = 3.0));
static_assert(same_programs(fixed_point, cr::function(expected, cr::wrt(x), cr::given(y = 2.0, z = 3.0))));
static_assert(fixed_point.jacobian(0.0)[1][0] == 2.0);
static_assert([] {
    auto f = fixed_point;
    f.set(y = 5.0);
    return f(0.0)[0] == 5.0;
}());
// Vectors of variables.
static_assert(same_programs(cr::function<sizes>(rotated{}, cr::wrt(x, p)),
                            cr::function<sizes>(rotated{}, cr::wrt(x, y, z))));
constexpr auto fixed_vector = cr::function<sizes>(rotated{}, cr::wrt(x), cr::given(p = std::array{2.0, 3.0}));
static_assert(same_programs(fixed_vector, fixed_point) && fixed_vector(0.0) == std::array{2.0, 3.0});

// Parameters behind further pointers: numbers and vectors.
struct residual {
    template <class T>
    constexpr void operator()(const T* q, const T* observed, const T* weight, T* result) const {
        for (int i = 0; i < 2; ++i) result[i] = weight[0] * (q[i] - observed[i]);
    }
};
constexpr auto further = cr::function<cr::inputs<2>>(residual{}, cr::given(o = std::array{1.0, 2.0}, k = 3.0));
static_assert(further(3.0, 3.0) == std::array{6.0, 3.0} && further.jacobian(3.0, 3.0)[0][0] == 3.0);
constexpr auto named_further = cr::function<cr::inputs<2>, cr::outputs<2>>(
    residual{}, cr::wrt(x, y), cr::given(o = std::array{1.0, 2.0}, k = 3.0));
static_assert(same_programs(further, named_further) && named_further(y = 3.0, x = 3.0)[0] == 6.0);
static_assert(named_further(x = 3.0, y = 3.0, k = 1.0)[0] == 2.0);

// Structs: names for all numbers, whole arguments as parameters, and further arguments.
template <class T>
struct state {
    T angle, speed;
    friend constexpr bool operator==(const state&, const state&) = default;
};
constexpr auto energy = [](const auto& s, const auto& mass) { return mass * (s.speed * s.speed - cos(s.angle)); };
constexpr auto formula = k * (y * y - cos(x));
constexpr auto all = cr::function<state<double>, double>(energy, cr::wrt(x, y, k));
static_assert(same_programs(all, cr::function(formula, cr::wrt(x, y, k))));
static_assert(all(state<double>{0.0, 3.0}, 2.0) == 16.0 && all(k = 2.0, x = 0.0, y = 3.0) == 16.0);
static_assert(std::get<0>(all.gradient(state<double>{0.0, 3.0}, 2.0)) == state<double>{0.0, 12.0});

constexpr auto heavy = cr::function<state<double>, double>(energy, cr::wrt(x, y), cr::given(k = 2.0));
static_assert(same_programs(heavy, cr::function(formula, cr::wrt(x, y), cr::given(k = 2.0))));
static_assert(heavy(state<double>{0.0, 3.0}) == 16.0);
static_assert(heavy.gradient(state<double>{0.0, 3.0}) == state<double>{0.0, 12.0});
static_assert(heavy.hvp(state<double>{0.0, 3.0}, state<double>{1.0, 1.0}) == state<double>{2.0, 4.0});
static_assert([] {
    auto f = heavy;
    f.set(k = 1.0);
    return f(state<double>{0.0, 3.0}) == 8.0 && f(0.0, 3.0) == 8.0;
}());
constexpr auto at_rest = cr::function<state<double>, double>(energy, cr::given(x = 0.0, y = 3.0), cr::wrt(k));
static_assert(at_rest(2.0) == 16.0 && at_rest.gradient(2.0) == 8.0);

constexpr auto with_further = cr::function<state<double>>(energy, cr::given(k = 2.0));
static_assert(same_programs(with_further, heavy));
static_assert(with_further.gradient(state<double>{0.0, 3.0}) == state<double>{0.0, 12.0});
constexpr auto with_array = cr::function<state<double>>(
    [](const auto& s, const auto& w) {
        return state<std::remove_cvref_t<decltype(s.speed)>>{s.angle * w[0], s.speed * w[1]};
    },
    cr::wrt(x, y), cr::given(o = std::array{2.0, 3.0}));
static_assert(with_array(state<double>{1.0, 1.0}) == state<double>{2.0, 3.0});
static_assert(with_array.jacobian(x = 1.0, y = 1.0)[1][1] == 3.0);

// Members of code with structs.
struct scaled {
    double factor;
    template <class T>
    constexpr T operator()(const state<T>& s) const {
        return factor * s.angle * s.speed;
    }
};
constexpr auto member = cr::function<state<double>>(scaled{2.0}, cr::wrt(x, y), cr::members(k));
static_assert(same_programs(member, cr::function(k* x* y, cr::wrt(x, y), cr::given(k = 2.0))));
static_assert(member.gradient(state<double>{3.0, 4.0}) == state<double>{8.0, 6.0});
static_assert([] {
    auto f = member;
    f.set(scaled{-1.0});
    return f(state<double>{3.0, 4.0}) == -12.0;
}());

} // namespace
