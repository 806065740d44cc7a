// SPDX-License-Identifier: BSL-1.0
//
// Expressions, vectors and gradients in the algorithms of Boost.Hana.
#include <chainrule/chainrule.hpp>
#include <chainrule/interop/hana.hpp>

#include <boost/hana.hpp>

#include <array>
#include <type_traits>

namespace {

namespace cr = chainrule;
namespace hana = boost::hana;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;

static_assert(cr::same(cr::variable_named(BOOST_HANA_STRING("x")), x));
static_assert(std::is_same_v<decltype(cr::variable_named(hana::string_c<'x'>)), std::remove_const_t<decltype(x)>>);

// Expressions are compared by structure, and are Foldable: their operands.
static_assert(hana::equal(x * y, x* y) && hana::not_equal(x * y, y* x) && hana::equal(x < y, x < y));
static_assert(hana::length(x) == hana::size_c<0> && hana::length(sin(x)) == hana::size_c<1>);
static_assert(hana::equal(hana::to_tuple(x + sin(y)), hana::make_tuple(x, sin(y))));
static_assert(hana::equal(hana::to_tuple(cr::select(x < y, x, 2_c)), hana::make_tuple(x < y, x, 2_c)));
static_assert(hana::unpack(2.5 * x, [](auto k, auto) { return k(); }) == 2.5);
static_assert(hana::length(log(x + 0.5) - 1.5 * y) == hana::size_c<2>);

// A walk over all nodes.
struct count_nodes {
    template <class E>
    constexpr auto operator()(const E& e) const {
        return hana::fold_left(e, hana::size_c<1>, [this](auto n, auto operand) { return n + (*this)(operand); });
    }
};
static_assert(count_nodes{}(log(x) + x * y - sin(y)) == hana::size_c<9>);

// Vectors are sequences.
constexpr auto v = cr::vector(x * y, sin(x), 3_c, 0.5 * y);
static_assert(hana::length(v) == hana::size_c<4> && !hana::is_empty(v));
static_assert(hana::equal(hana::at_c<1>(v), sin(x)) && hana::equal(hana::front(v), x* y));
static_assert(cr::same(hana::transform(cr::vector(x, y), [](auto e) { return e * e; })[1_c], y* y));
static_assert(hana::back(hana::transform(v, [](auto e) { return 2_c * e; }))(y = 3.0) == 3.0);
static_assert(hana::equal(hana::drop_front(v), cr::vector(sin(x), 3_c, 0.5 * y)));
static_assert(hana::equal(hana::reverse(cr::vector(x, y, z)), cr::vector(z, y, x)));
static_assert(hana::equal(hana::concat(cr::vector(x), cr::vector(y, z)), cr::vector(x, y, z)));
static_assert(hana::equal(hana::to<cr::vector_tag>(hana::make_tuple(x, 2_c, y)), cr::vector(x, 2_c, y)));
static_assert(hana::is_empty(hana::drop_front(v, hana::size_c<9>)));
constexpr auto uses_y = [](auto e) { return hana::not_equal(cr::derivative(e, y), 0_c); };
static_assert(hana::length(hana::filter(v, uses_y)) == hana::size_c<2>);
static_assert(cr::same(hana::sum<hana::integral_constant_tag<int>>(
                           hana::transform(hana::to_tuple(v), [](auto e) { return hana::int_c<decltype(e)::arity>; })) *
                           x,
                       5_c * x));
static_assert(hana::unpack(cr::vector(x, y), [](auto... e) { return (e + ...); })(x = 2.0, y = 3.0) == 5.0);

// Keys of maps are variables, or any expression.
constexpr auto point = hana::make_map(hana::make_pair(x, 2.0), hana::make_pair(y, 5.0));
static_assert(point[x] == 2.0 && hana::at_key(point, y) == 5.0 && hana::contains(point, x) &&
              !hana::contains(point, z));
constexpr auto at = [](auto f, auto map) {
    return hana::unpack(map, [f](auto... p) { return f((hana::first(p) = hana::second(p))...); });
};
static_assert(at(x * y, point) == 10.0);
constexpr auto names = hana::make_map(hana::make_pair(x * y, hana::int_c<1>), hana::make_pair(sin(x), hana::int_c<2>));
static_assert(names[x * y] == hana::int_c<1> && names[sin(x)] == hana::int_c<2>);

// Gradients are maps from variables to derivatives, as expressions and as numbers.
constexpr auto f = x * x * y;
constexpr auto derivatives = hana::to_map(cr::gradient(f, x, y));
static_assert(cr::same(derivatives[y], x* x) && hana::length(derivatives) == hana::size_c<2>);
static_assert(hana::equal(hana::keys(derivatives), hana::make_tuple(x, y)));
constexpr auto numbers = hana::to_map(cr::gradient(f, x, y)(x = 3.0, y = 2.0));
static_assert(numbers[x] == 12.0 && numbers[y] == 9.0);
static_assert(hana::to_map(cr::value_and_gradient(f, y)(x = 3.0, y = 2.0))[y] == 9.0);
static_assert(hana::to_map(cr::jacobian(cr::vector(f, x + y), x, y)(x = 3.0, y = 2.0)[1])[x] == 1.0);
static_assert(hana::size(hana::to_tuple(cr::gradient(f))) == hana::size_c<2>);

// Strings stand for the variables of that name.
constexpr auto name_of_x = BOOST_HANA_STRING("x");
constexpr auto name_of_y = BOOST_HANA_STRING("y");
static_assert(cr::same(cr::gradient(f)[name_of_y], x* x) && cr::gradient(f)(x = 3.0, y = 2.0)[name_of_x] == 12.0);
static_assert(cr::value_and_gradient(f, y)(x = 3.0, y = 2.0)[name_of_y] == 9.0);
static_assert(cr::jacobian(cr::vector(f, x + y))(x = 3.0, y = 2.0)[1][name_of_x] == 1.0);
static_assert(cr::same(cr::hessian(f)(name_of_x, name_of_y), 2_c * x));
constexpr auto second = cr::hessian(f)(x = 3.0, y = 2.0);
static_assert(second(name_of_x, y) == 6.0 && second[x][name_of_y] == 6.0 && second[name_of_x][x] == 4.0);
static_assert(second[y].values == std::array{6.0, 0.0});

// Constants are orders of derivatives.
static_assert(cr::same(cr::derivative(f, x, hana::int_c<2>), 2_c * y));
static_assert(cr::same(cr::derivative(f, x, 2_c), 2_c * y) && cr::same(cr::derivative(f, x, hana::size_c<0>), f));
static_assert(cr::same(cr::derivative(cr::vector(f, x), x, std::integral_constant<int, 1>{})[1_c], 1_c));
static_assert(cr::taylor(exp(x), x, hana::int_c<2>)(x = 0.0) == std::array{1.0, 1.0, 0.5});
static_assert(cr::same(cr::taylor(f, x, 2_c).coefficient<2>(), cr::taylor<2>(f, x).coefficient<2>()));

// Lists of variables.
static_assert(std::is_same_v<decltype(cr::wrt(hana::make_tuple(x, y))), decltype(cr::wrt(x, y))>);
constexpr auto each = hana::transform(hana::make_tuple(x, y), [](auto w) { return cr::derivative(f, w); });
static_assert(cr::same(each[hana::size_c<1>], x* x));

} // namespace
