// SPDX-License-Identifier: BSL-1.0
//
// Vectors and matrices of expressions: which expressions their elements are, how they are named, and values that are
// exact on every compiler. tests/matrices/matrices.cpp has values and derivatives in general.
#include <chainrule/chainrule.hpp>

#include <boost/hana/integral_constant.hpp>

#include <array>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;
using cr::same;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;

// Numbered variables.
constexpr auto q = cr::variables<"q", 12>;
static_assert(same(q[0_c], cr::variable<"q[0]">) && same(q[9_c], cr::variable<"q[9]">));
static_assert(same(q[10_c], cr::variable<"q[10]">) && same(q.get<11>(), cr::variable<"q[11]">));
static_assert(same(cr::variables<"x", 101>[100_c], cr::variable<"x[100]">));
static_assert(std::is_empty_v<decltype(q)> && std::tuple_size_v<decltype(q)> == 12);
const auto [q0, q1, q2] = cr::variables<"q", 3>;
static_assert(same(q0, cr::variable<"q[0]">) && same(q2, cr::variable<"q[2]">));
static_assert((q0 * q1)(q0 = 2.0, q1 = 3.0) == 6.0);
// An element is not a variable whose name ends in a digit: an intercept b0 stands beside the slopes b.
constexpr auto b = cr::variables<"b", 2>;
constexpr auto b0 = cr::variable<"b0">;
static_assert(!same(b[0_c], b0) && !same(cr::variables<"b", 11>[10_c], cr::variables<"b1", 1>[0_c]));
constexpr auto line = cr::function(b0 + b[0_c] * x + b[1_c] * y, cr::wrt(b0, b), cr::given(x = 3.0, y = 5.0));
static_assert(line.gradient(1.0, 1.0, 1.0) == std::array{1.0, 3.0, 5.0});
static_assert(cr::to_string(b0 + b[0_c] * x) == "b0 + b[0] * x");

// Elements by index, by get and by name.
constexpr auto v = cr::vector(x, y* y, 2_c);
constexpr auto w = cr::vector(1_c, x, z);
static_assert(same(v[1_c], y* y) && same(v.get<1>(), y* y) && same(v[boost::hana::int_c<1>], y* y));
static_assert(same(v[std::integral_constant<std::size_t, 2>{}], 2_c));
const auto [v0, v1, v2] = v;
static_assert(same(v0, x) && same(v1, y* y) && same(v2, 2_c));
static_assert(cr::vector(x, 3.0)[1_c]() == 3.0 && cr::vector(3.0, x, 4.0)[2_c]() == 4.0);

// Arithmetic writes the operations of the elements, and none for exact zeros and ones.
static_assert(same((v + w)[0_c], x + 1_c) && same((v - w)[1_c], y* y - x) && same((-v)[0_c], -x) && same((+v)[0_c], x));
static_assert(same((z * v)[0_c], z* x) && same((v * z)[0_c], z* x) && same((v / z)[0_c], x / z));
static_assert(same((3 * v)[0_c], 3 * x) && (3 * v)(x = 2.0, y = 1.0)[0] == 6.0);
static_assert((v / 2)(x = 2.0, y = 1.0) == std::array{1.0, 0.5, 1.0});
static_assert(same((boost::hana::int_c<3> * v)[0_c], 3_c * x) && same((v * boost::hana::int_c<3>)[0_c], 3_c * x));
constexpr auto edges = cr::vector(0_c, 1_c, -1_c, x);
static_assert(same((y * edges)[0_c], 0_c) && same((y * edges)[1_c], y) && same((1_c * edges)[3_c], x));
static_assert(same((0_c * edges)[3_c], 0_c) && same((edges / 1_c)[3_c], x) && same((edges / x)[0_c], 0_c));
static_assert(same((-edges)[0_c], 0_c) && same((edges + edges)[0_c], 0_c) && same((edges - edges)[0_c], 0_c));
static_assert(same((cr::vector(x) - cr::vector(0_c))[0_c], x) && same((cr::vector(0_c) - cr::vector(x))[0_c], -x));
static_assert(same(dot(edges, cr::vector(x, y, z, z)), y + -1_c * z + x * z));
// A zero that is not exact stays.
static_assert(same((0.0 * cr::vector(x))[0_c], 0.0 * x) && same((0_c + x), 0_c + x));

// Functions of vectors.
static_assert(same(dot(v, w), x + y * y * x + 2_c * z));
static_assert(same(squared_norm(cr::vector(x, y)), x* x + y * y));
static_assert(same(cross(cr::vector(x, y, z), cr::vector(q0, q1, q2))[2_c], x* q1 - y * q0));
static_assert(same(cross(v, v)[0_c], y* y * 2_c - 2_c * (y * y)));
static_assert(same(norm(cr::vector(x)), abs(x)) && same(norm(cr::vector(x, y)), hypot(x, y)));
static_assert(same(norm(cr::vector(x, y, z)), hypot(x, y, z)));
constexpr auto long_norm = norm(cr::vector(x, y, x, y));
static_assert(long_norm(x = 1.0, y = 7.0) == 10.0 && long_norm(x = 0.0, y = 0.0) == 0.0);
static_assert(cr::gradient(long_norm)(x = 0.0, y = 0.0).values == std::array{0.0, 0.0});
static_assert(cr::hessian(long_norm)(x = 0.0, y = 0.0)(x, y) == 0.0);

// Lists of variables.
static_assert(std::is_same_v<decltype(cr::wrt(x, cr::variables<"q", 2>, y)), decltype(cr::wrt(x, q0, q1, y))>);
constexpr auto F = cr::function(dot(q, q) + x, cr::wrt(x, q));
static_assert(F(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1) == 13.0);
static_assert(F.gradient(0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)[12] == 22.0);
static_assert(cr::gradient(q0 * q1, cr::variables<"q", 2>)(q0 = 2.0, q1 = 3.0).values == std::array{3.0, 2.0});
static_assert(cr::jacobian(cr::vector(q1, q0), cr::variables<"q", 2>)(q0 = 2.0, q1 = 3.0)[0][q1] == 1.0);

// Values by name.
static_assert(cr::vector(x, x* y)(y = 3.0, x = 2.0) == std::array{2.0, 6.0});
static_assert(std::is_same_v<decltype(cr::vector(x, 2_c)(x = 1.0f)), std::array<float, 2>>);
static_assert(cr::vector(2_c, 3.0)() == std::array{2.0, 3.0});

// Matrices.
constexpr auto A = cr::matrix(cr::vector(x, y, 1_c), cr::vector(0_c, z, 2_c));
static_assert(same(A(1_c, 2_c), 2_c) && same(A[0_c][1_c], y) && same(A.get<1>()[1_c], z));
static_assert(std::tuple_size_v<decltype(A)> == 2 && std::is_empty_v<decltype(A)>);
const auto [row0, row1] = A;
static_assert(same(row0[0_c], x) && same(row1[1_c], z));
static_assert(same(transpose(A)(2_c, 0_c), 1_c) && same(transpose(A)(1_c, 1_c), z));
static_assert(same((A * cr::vector(q0, q1, q2))[1_c], z* q1 + 2_c * q2));
static_assert(same((A * transpose(A))(0_c, 1_c), y* z + 2_c) && same((A * transpose(A))(1_c, 1_c), z* z + 2_c * 2_c));
static_assert(same((A + A)(0_c, 0_c), x + x) && same((A - A)(1_c, 1_c), z - z) && same((-A)(1_c, 1_c), -z));
static_assert(same((y * A)(1_c, 1_c), y* z) && same((A * y)(1_c, 1_c), y* z) && same((A / y)(1_c, 1_c), z / y));
static_assert(same((cr::identity<3> * cr::vector(x, y, z))[1_c], y) && same((A * cr::identity<3>)(0_c, 1_c), y));
static_assert(same(cr::identity<3>(1_c, 1_c), 1_c) && same(cr::identity<3>(1_c, 2_c), 0_c));
static_assert(same(outer(cr::vector(x, y), cr::vector(z, q0, q1))(1_c, 2_c), y* q1));
constexpr auto B = cr::matrix(cr::vector(x, y), cr::vector(z, q0));
static_assert(same(squared_norm(B), squared_norm(elements(B))) && same(norm(A), norm(elements(A))));
static_assert(same(trace(B), x + q0) && same(determinant(B), x* q0 - y * z));
static_assert(A(x = 1.0, y = 2.0, z = 3.0) == std::array{std::array{1.0, 2.0, 1.0}, std::array{0.0, 3.0, 2.0}});
static_assert(elements(B)(x = 1.0, y = 2.0, z = 3.0, q0 = 4.0) == std::array{1.0, 2.0, 3.0, 4.0});

// Determinants, inverses and solutions in exact numbers.
static_assert(determinant(B)(x = 2.0, y = 1.0, z = 3.0, q0 = 4.0) == 5.0);
static_assert(adjugate(B)(x = 2.0, y = 1.0, z = 3.0, q0 = 4.0) ==
              std::array{std::array{4.0, -1.0}, std::array{-3.0, 2.0}});
constexpr auto C = cr::matrix(cr::vector(x, 1_c, 0_c, 2_c), cr::vector(0_c, 2_c, 0_c, 1_c),
                              cr::vector(1_c, 0_c, 4_c, 0_c), cr::vector(0_c, 0_c, 0_c, 1_c));
static_assert(determinant(C)(x = 2.0) == 16.0);
static_assert((C * inverse(C))(x = 2.0) == cr::identity<4>());
static_assert((inverse(C) * C)(x = 0.5) == cr::identity<4>());
static_assert((C * solve(C, cr::vector(1_c, x, 3_c, 8_c)))(x = 2.0) == std::array{1.0, 2.0, 3.0, 8.0});
static_assert(solve(C, C)(x = 2.0) == cr::identity<4>());
constexpr auto triangle = cr::matrix(cr::vector(2_c, x, 1_c), cr::vector(0_c, 4_c, y), cr::vector(0_c, 0_c, 0.5_c));
static_assert(determinant(triangle)() == 4.0); // x and y stand beside exact zeros only
static_assert((triangle * inverse(triangle))(x = 3.0, y = 5.0) == cr::identity<3>());
static_assert(inverse(cr::matrix(cr::vector(x)))(x = 4.0)[0][0] == 0.25);
static_assert(same(inverse(cr::identity<4>)(0_c, 0_c), 1_c) && same(inverse(cr::identity<4>)(0_c, 1_c), 0_c));

// Functions of matrices are those of their elements, row by row.
constexpr auto G = cr::function(B * B, cr::wrt(x, y, z, q0));
static_assert(G(1.0, 2.0, 3.0, 4.0) == std::array{7.0, 10.0, 15.0, 22.0});
static_assert(G.jacobian(1.0, 2.0, 3.0, 4.0)[1] == std::array{2.0, 5.0, 0.0, 2.0});
static_assert(cr::jacobian(B, cr::wrt(z))(z = 1.0, x = 1.0, y = 1.0, q0 = 1.0)[2][z] == 1.0);

// Rotations.
constexpr auto quarter = rotation(cr::vector(1_c, 0_c, 0_c, 1_c)); // the quaternion of a quarter turn about z
static_assert(quarter() ==
              std::array{std::array{0.0, -1.0, 0.0}, std::array{1.0, 0.0, 0.0}, std::array{0.0, 0.0, 1.0}});
static_assert(rotate(cr::vector(x, y, z), cr::vector(1_c, 0_c, 0_c, 1_c))(x = 1.0, y = 2.0, z = 3.0) ==
              std::array{-2.0, 1.0, 3.0});
constexpr auto turn = cr::function(rotation(cr::variables<"q", 3>), cr::variables<"q", 3>);
static_assert(turn(0.0, 0.0, 0.0) == elements(cr::identity<3>)());
static_assert(turn.jacobian(0.0, 0.0, 0.0)[1] ==
              std::array{0.0, 0.0, -1.0}); // d R01: minus the z of the rotation vector

// The types of many elements have short names. Equal elements give equal types, and a function that takes a vector of
// any elements takes these too.
constexpr auto many = cr::variables<"many", 60>;
constexpr auto moved = many + many * dot(many, many);
template <class T>
constexpr std::size_t length_of_name(T) {
    return std::string_view(__PRETTY_FUNCTION__).size();
}
static_assert(length_of_name(moved) < 200 && length_of_name(cr::matrix<6>(moved)) < 200);
static_assert(length_of_name(cr::jacobian(moved)) < 400 && length_of_name(cr::gradient(dot(many, many))) < 400);
static_assert(std::same_as<decltype(many + moved), decltype(many + (many + many * dot(many, many)))>);
static_assert(!std::same_as<decltype(many + moved), decltype(moved + many)>);
template <class... E>
constexpr std::size_t size_of(const cr::expression_vector<E...>&) {
    return sizeof...(E);
}
template <std::size_t Columns, class... E>
constexpr std::size_t rows_of(const cr::expression_matrix<Columns, E...>&) {
    return sizeof...(E) / Columns;
}
static_assert(size_of(moved) == 60 && rows_of(cr::matrix<6>(moved)) == 10);
static_assert(std::is_empty_v<decltype(moved)> && sizeof(2.0 * many) == 60 * sizeof(double));
constexpr auto five = cr::variables<"of five", 5>;
const auto [first, second, third, fourth, fifth] = five;
static_assert(same(first * second * third * fourth * fifth, five[0_c] * five[1_c] * five[2_c] * five[3_c] * five[4_c]));
constexpr auto six = cr::variables<"of six", 6>;
const auto [top, middle, bottom] = cr::matrix<2>(six);
static_assert(same(top[0_c] * middle[0_c] * bottom[1_c], six[0_c] * six[2_c] * six[5_c]));
static_assert((2.0 * five)(five = std::array{1.0, 2.0, 3.0, 4.0, 5.0}) == std::array{2.0, 4.0, 6.0, 8.0, 10.0});

// Choices between vectors and between matrices, element by element.
constexpr auto two = cr::variables<"two", 2>;
constexpr auto chosen = select(x > 0, two, 2_c * two);
static_assert(cr::same(chosen[1_c], select(x > 0, two[1_c], 2_c * two[1_c])));
static_assert(chosen(x = -1.0, two = {1.0, 2.0}) == std::array{2.0, 4.0});
static_assert(cr::piecewise(x > 1, two, x > 0, -two, two + two)(x = 0.5, two = {3.0, 4.0}) == std::array{-3.0, -4.0});
static_assert(cr::jacobian(chosen, two)(x = -1.0, two = {1.0, 2.0})[1][two[1_c]] == 2.0);
constexpr auto square = cr::matrix<2>(cr::variables<"a", 4>);
static_assert(select(x > 0, square, transpose(square))(x = -1.0, square = {1.0, 2.0, 3.0, 4.0}) ==
              std::array{std::array{1.0, 3.0}, std::array{2.0, 4.0}});

// A matrix of variables in a list of variables.
static_assert(std::is_same_v<decltype(cr::wrt(x, square)), decltype(cr::wrt(x, elements(square)))>);

} // namespace
