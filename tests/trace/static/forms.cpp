// SPDX-License-Identifier: BSL-1.0
//
// Every form of traced code has every feature of a function: each is compared with the function of an expression.
#include "../../same_program.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/print/c.hpp>
#include <chainrule/print/graphviz.hpp>
#include <chainrule/print/latex.hpp>

#include <array>
#include <tuple>

namespace {

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x0 = cr::variable<"x0">;
constexpr auto x1 = cr::variable<"x1">;
constexpr auto x2 = cr::variable<"x2">;

template <class T>
struct pair_of {
    T a, b;
    friend constexpr bool operator==(const pair_of&, const pair_of&) = default;
};

// One formula, and three, in each form.
constexpr auto product = [](const auto& a, const auto& b, const auto& c) { return a * exp(b) * c + 0.5 * a * b * b; };
constexpr auto expected = cr::function(x0 * exp(x1) * x2 + 0.5_c * x0 * x1 * x1, cr::wrt(x0, x1, x2));
constexpr auto numbers = cr::function([](auto a, auto b, auto c) { return product(a, b, c); });
constexpr auto named =
    cr::function([](auto a, auto b, auto c) { return product(a, b, c); }, cr::wrt(x0, x1), cr::given(x2 = 3.0));
constexpr auto array = cr::function<3>([](const auto& q) { return product(q[0], q[1], q[2]); });
constexpr auto structs =
    cr::function<pair_of<double>, double>([](const auto& s, const auto& c) { return product(s.a, s.b, c); });
constexpr auto whole = cr::function<std::array<double, 3>>([](const auto& q) { return product(q[0], q[1], q[2]); });
struct with_member {
    double c;
    template <class T>
    constexpr T operator()(const T& a, const T& b) const {
        return a * exp(b) * T(c) + 0.5 * a * b * b;
    }
};
constexpr auto member = cr::function(with_member{3.0}, cr::members(x2));

constexpr auto three = cr::function(cr::vector(x0 * x1, sin(x1) + x2, 2_c * x2), cr::wrt(x0, x1, x2));
constexpr auto tuples =
    cr::function([](auto a, auto b, auto c) { return std::tuple{a * b, std::array{sin(b) + c, 2 * c}}; });
struct to_pointer {
    template <class T>
    constexpr bool operator()(const T* p, const T* q, T* r) const {
        r[0] = p[0] * p[1];
        r[1] = sin(p[1]) + q[0];
        r[2] = T(2) * q[0];
        return true;
    }
};
constexpr auto pointers = cr::function<cr::inputs<2, 1>>(to_pointer{});
constexpr auto to_structs = cr::function<pair_of<double>, double>([](const auto& s, const auto& c) {
    return std::pair{pair_of<std::remove_cvref_t<decltype(c)>>{s.a * s.b, sin(s.b) + c}, 2 * c};
});

constexpr std::array at{0.5, 0.25, 3.0}, along{1.0, -2.0, 0.5};

// Every member gives the same results as that of the other function, at the same point and along the same direction.
template <class F, class Other, std::size_t Size>
constexpr bool same_results(const F& f, const Other& other, const std::array<double, Size>& p,
                            const std::array<double, Size>& d) {
    std::array<float, Size> single{};
    std::array<long double, Size> extended{};
    for (std::size_t i = 0; i < Size; ++i) {
        single[i] = static_cast<float>(p[i]);
        extended[i] = p[i];
    }
    return f(p) == other(p) && f(single) == other(single) && f(extended) == other(extended) &&
           f.values(p) == other.values(p) && f.jvp(p, d) == other.jvp(p, d) &&
           f.template taylor<3>(p, d) == other.template taylor<3>(p, d) &&
           f.sparse_jacobian(p) == other.sparse_jacobian(p);
}
template <class F, class Other, std::size_t Size>
constexpr bool same_of_one(const F& f, const Other& other, const std::array<double, Size>& p,
                           const std::array<double, Size>& d) {
    return same_results(f, other, p, d) && f.gradient(p) == other.gradient(p) && f.hessian(p) == other.hessian(p) &&
           f.third_derivatives(p) == other.third_derivatives(p) && f.hvp(p, d) == other.hvp(p, d) &&
           f.vjp(p, 2.0) == other.vjp(p, 2.0) && f.lagrangian_hessian(p, 2.0) == other.lagrangian_hessian(p, 2.0) &&
           f.sparse_hessian(p) == other.sparse_hessian(p) && f.value_and_gradient(p).gradient == other.gradient(p) &&
           f.value_gradient_and_hessian(p).hessian == other.hessian(p);
}
template <class F, class Other>
constexpr bool same_of_three(const F& f, const Other& other) {
    return same_results(f, other, at, along) && f.jacobian(at) == other.jacobian(at) &&
           f.value_and_jacobian(at).jacobian == other.jacobian(at) && f.vjp(at, along) == other.vjp(at, along) &&
           f.lagrangian_hessian(at, along) == other.lagrangian_hessian(at, along) &&
           f.sparse_lagrangian_hessian(at, along) == other.sparse_lagrangian_hessian(at, along);
}
static_assert(same_of_one(numbers, expected, at, along));
static_assert(array.gradient(at) == expected.gradient(at) && array.hvp(at, along) == expected.hvp(at, along));
static_assert(same_of_one(structs, expected, at, along));
static_assert(whole.gradient(at) == expected.gradient(at) && whole.hvp(at, along) == expected.hvp(at, along));
constexpr auto bound = cr::function(x0 * exp(x1) * x2 + 0.5_c * x0 * x1 * x1, cr::wrt(x0, x1), cr::given(x2 = 3.0));
static_assert(same_of_one(member, bound, std::array{0.5, 0.25}, std::array{1.0, -2.0}));
static_assert(same_of_three(tuples, three));
static_assert(same_of_three(pointers, three));
static_assert(cr::jacobian_mode_of(pointers) == cr::jacobian_mode_of(three));
static_assert(cr::jacobian_mode_of(to_structs) == cr::jacobian_mode_of(three));

// Texts and counts.
template <class F, class Other>
constexpr bool same_texts(const F& f, const Other& other) {
    return cr::operation_count(f) == cr::operation_count(other) && cr::program_text(f) == cr::program_text(other) &&
           cr::program_text<cr::request::values>(f) == cr::program_text<cr::request::values>(other) &&
           cr::to_c<"f">(f) == cr::to_c<"f">(other) && cr::to_graphviz(f) == cr::to_graphviz(other);
}
static_assert(same_texts(numbers, expected) && same_texts(array, expected) && same_texts(structs, expected));
static_assert(same_texts(named, bound) && same_texts(member, bound));
static_assert(same_texts(tuples, three));
static_assert(same_texts(pointers, three));
static_assert(same_texts(to_structs, three));
template <class F>
constexpr bool same_formulas(const F& f) {
    return cr::to_string(f) == cr::to_string(expected) && cr::to_latex(f) == cr::to_latex(expected) &&
           cr::to_graphviz(f.expression()) == cr::to_graphviz(expected.expression());
}
static_assert(same_formulas(numbers) && same_formulas(array) && same_formulas(structs) && same_formulas(whole));
static_assert(cr::to_string(member) == cr::to_string(bound) && cr::to_latex(named) == cr::to_latex(bound));
static_assert(cr::to_latex(to_structs.expression()[1_c]) == cr::to_latex(three.expression()[1_c]));

// Structs as points, directions, weights and results.
constexpr pair_of<double> s{0.5, 0.25}, ds{1.0, -2.0};
constexpr std::tuple point{s, 3.0}, direction{ds, 0.5};
constexpr auto tied(const std::tuple<pair_of<double>, double>& t) {
    return std::array{std::get<0>(t).a, std::get<0>(t).b, std::get<1>(t)};
}
static_assert(structs(s, 3.0) == expected(at) && structs.values(s, 3.0) == expected(at));
static_assert(tied(structs.gradient(s, 3.0)) == expected.gradient(at));
static_assert(structs.jvp(point, direction) == expected.jvp(at, along));
static_assert(structs.jvp(at, along) == expected.jvp(at, along));
static_assert(tied(structs.vjp(point, 2.0)) == expected.vjp(at, 2.0));
static_assert(tied(structs.hvp(point, direction)) == expected.hvp(at, along));
static_assert(structs.hvp(at, direction) == expected.hvp(at, along));
static_assert(structs.taylor<2>(point, direction) == expected.taylor<2>(at, along));
static_assert(structs.hessian(s, 3.0) == expected.hessian(at));
static_assert(structs.third_derivatives(s, 3.0) == expected.third_derivatives(at));
static_assert(structs.sparse_hessian(s, 3.0) == expected.sparse_hessian(at));
static_assert(structs.sparse_jacobian(s, 3.0) == expected.sparse_jacobian(at));
static_assert(structs.lagrangian_hessian(point, 2.0) == expected.lagrangian_hessian(at, 2.0));
static_assert(structs(x0 = 0.5, x1 = 0.25, x2 = 3.0) == expected(at));
constexpr std::pair weights{ds, 0.5};
static_assert(to_structs(s, 3.0) == std::pair{pair_of<double>{0.125, three(at)[1]}, 6.0});
static_assert(to_structs.values(s, 3.0) == three(at));
static_assert(to_structs.jvp(point, direction).second == three.jvp(at, along)[2]);
static_assert(tied(to_structs.vjp(point, weights)) == three.vjp(at, along));
static_assert(to_structs.lagrangian_hessian(point, weights) == three.lagrangian_hessian(at, along));
static_assert(to_structs.sparse_lagrangian_hessian(at, weights) == three.sparse_lagrangian_hessian(at, along));

// One argument needs no tuple. In its own type of numbers.
constexpr auto turn =
    cr::function<pair_of<double>>([](const auto& p) { return std::remove_cvref_t<decltype(p)>{-p.b, p.a * p.b}; });
static_assert(turn(s) == pair_of<double>{-0.25, 0.125});
static_assert(turn.jvp(s, ds) == pair_of<double>{2.0, -0.75});
static_assert(turn.vjp(s, ds) == pair_of<double>{-0.5, -2.0});
static_assert(turn.vjp(s, std::array{1.0, -2.0}) == turn.vjp(s, ds));
static_assert(turn(pair_of<float>{0.5f, 0.25f}) == pair_of<float>{-0.25f, 0.125f});

// In other traced code, with structs of its numbers, and with expressions.
constexpr auto outer = cr::function<3>([](const auto& q) {
    using T = std::remove_cvref_t<decltype(q[0])>;
    return structs(pair_of<T>{q[0], q[1]}, q[2]) * 2.0;
});
static_assert(outer(at) == 2 * expected(at) && outer.gradient(at)[0] == 2 * expected.gradient(at)[0]);
static_assert(cr::text_is<"x1 * x0">(pointers(x1, x0, x2)[0_c]));

// Code with a private overload.
class with_private_overload {
public:
    template <class T>
    constexpr auto operator()(const T& x) const {
        return (*this)(x, x, x);
    }

private:
    template <class T>
    constexpr auto operator()(const T& u, const T& v, const T& w) const {
        return u * v * w;
    }
};
static_assert(cr::function(with_private_overload{}).gradient(2.0)[0] == 12);

// An output may be T().
constexpr auto ends_in_zero = cr::function<cr::inputs<2>>([](const auto* u, auto* r) {
    r[0] = u[0] * u[1];
    r[1] = std::remove_cvref_t<decltype(*u)>();
});
static_assert(ends_in_zero(2.0, 3.0) == std::array{6.0, 0.0});

// Equations of traced functions.
constexpr auto y = cr::variable<"y">;
constexpr auto a = cr::variable<"a">;
constexpr auto cube = cr::function([](auto u, auto v) { return u * u * u - v; });
static_assert(cr::newton(cube(y, a), y, 1.0, a = 8.0) == 2.0);
static_assert(cr::text_is<"1 / (3 * y * y)">(cr::implicit_derivative(cube(y, a), y, a)));

} // namespace
