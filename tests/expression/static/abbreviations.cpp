// SPDX-License-Identifier: BSL-1.0
//
// The types of long expressions have short names: compilers write them as trees, in messages, symbols and debug
// information. Expressions that differ have types that differ, and those with classes of the user's keep their whole
// names.
#include "repeated.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/custom_function.hpp>

#include <string_view>

namespace cr = chainrule;
using namespace cr::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

template <class T>
constexpr std::size_t length_of_name(T) {
    return std::string_view(__PRETTY_FUNCTION__).size();
}

// The tree of the last one would have 2^200 nodes.
constexpr auto chain = repeated<100>(x, [](auto s) { return sin(s) * x + y; });
constexpr auto shared = repeated<100>(x, [](auto s) { return (s + y) * (s - x); });
static_assert(length_of_name(chain) < 1000);
static_assert(length_of_name(shared) < 1000);
static_assert(length_of_name(select(chain < shared && !(chain > y), chain, -shared)) < 1000);
static_assert(length_of_name(cr::derivative(chain, x)) < 1000);
static_assert(length_of_name(cr::function(cr::vector(chain, shared), cr::wrt(x, y))) < 2000);

// Short ones are written out.
static_assert(std::same_as<decltype(x * y), cr::binary<cr::operations::multiply, std::remove_const_t<decltype(x)>,
                                                       std::remove_const_t<decltype(y)>>::node>);

// The same types come of the same operations, others of others.
constexpr auto tail = [](auto last) { return sin(x * y + 2_c) / (x - y * y) + last; };
static_assert(length_of_name(tail(cos(x * y))) < length_of_name(sin(x * y + 2_c) / (x - y * y)) + 500);
static_assert(cr::same(tail(cos(x * y)), tail(cos(x* y))));
static_assert(!cr::same(tail(cos(x * y)), tail(cos(x + y))));
static_assert(!cr::same(tail(x), tail(y)));
static_assert(!cr::same(tail(1_c), tail(2_c)));
static_assert(!cr::same(tail(2.0 * x), tail(2.0F * x)));
static_assert(!cr::same(tail(2.0 * x), tail(2.0L * x)));
static_assert(!cr::same(tail(2 * x), tail(2U * x)));
static_assert(std::same_as<decltype(tail(2.0F * x)(x = 1.0F, y = 2.0F)), float>);
static_assert(std::same_as<decltype(tail(2.0 * x)(x = 1.0F, y = 2.0F)), double>);
static_assert(tail(3.0 * x)(x = 2.0, y = 0.0) - tail(2.0 * x)(x = 2.0, y = 0.0) == 2.0);
static_assert(sizeof(tail(2.0 * x + 3.0)) == 2 * sizeof(double));

// A class of the user's: its name may stand for another class in another file.
namespace outside {
struct degrees {
    double value;
    friend constexpr degrees operator+(degrees a, degrees b) { return {a.value + b.value}; }
    friend constexpr degrees operator*(degrees a, degrees b) { return {a.value * b.value}; }
};
struct doubled_function : cr::custom_function<doubled_function, 1> {
    static constexpr char name[] = "doubled";
    template <class T>
    static constexpr T value(const T& a) {
        return a + a;
    }
    template <class T>
    static constexpr T derivative(const T&, const T&) {
        return T(2);
    }
};
inline constexpr doubled_function doubled;
} // namespace outside
template <class T>
constexpr bool names(T, std::string_view part) {
    return std::string_view(__PRETTY_FUNCTION__).find(part) != std::string_view::npos;
}
static_assert(names(tail(x * outside::degrees{2.0}) * y, "degrees"));
static_assert(names(tail(outside::doubled(x)) * y, "doubled"));

int main() {}
