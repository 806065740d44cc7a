// SPDX-License-Identifier: BSL-1.0
//
// Structs with arrays of the language as members: inputs, outputs and derivatives.
#include <chainrule/chainrule.hpp>

#include <array>
#include <cstddef>

namespace {

namespace cr = chainrule;

template <class T, std::size_t Rows, std::size_t Columns>
struct grid {
    T a[Rows][Columns];
};
template <class T>
struct point {
    T x[3];
};
template <class T>
struct mixed {
    T first;
    T two[2];
    point<T> within;
    T last;
};
template <class T>
struct several {
    point<T> points[2];
    std::array<T, 2> others;
};
static_assert(cr::tracing::fields_of<point<double>> == 1 && cr::tracing::fields_of<grid<double, 2, 2>> == 1);
static_assert(cr::tracing::fields_of<mixed<double>> == 4 && cr::tracing::fields_of<several<double>> == 2);

constexpr auto determinant =
    cr::function<grid<double, 2, 2>>([](const auto& m) { return m.a[0][0] * m.a[1][1] - m.a[0][1] * m.a[1][0]; });
constexpr grid<double, 2, 2> numbers{{{1, 2}, {3, 4}}};
static_assert(determinant(numbers) == -2.0);
constexpr auto cofactors = determinant.value_and_gradient(numbers).gradient;
static_assert(cofactors.a[0][0] == 4.0 && cofactors.a[0][1] == -3.0 && cofactors.a[1][0] == -2.0);

constexpr auto replaced = cr::function<point<double>>([](const auto& p) {
    auto q = p;
    q.x[0] = p.x[1] * p.x[2];
    return q;
});
static_assert(replaced(point<double>{{1, 2, 3}}).x[0] == 6.0 && replaced(point<double>{{1, 2, 3}}).x[2] == 3.0);

constexpr auto sum =
    cr::function<mixed<double>>([](const auto& m) { return m.first * m.two[1] + m.within.x[2] * m.last; });
constexpr mixed<double> at{1, {2, 3}, {{4, 5, 6}}, 7};
static_assert(sum(at) == 45.0);
static_assert(sum.value_and_gradient(at).gradient.within.x[2] == 7.0);
static_assert(sum.value_and_gradient(at).gradient.two[0] == 0.0 && sum.value_and_gradient(at).gradient.last == 6.0);

constexpr auto of_several =
    cr::function<several<double>>([](const auto& s) { return s.points[0].x[1] * s.points[1].x[2] + s.others[1]; });
static_assert(of_several(several<double>{{{{1, 2, 3}}, {{4, 5, 6}}}, {7, 8}}) == 20.0);

} // namespace
