// SPDX-License-Identifier: BSL-1.0
//
// Subexpressions are the same where their types are, and variables where their names are: equal hashes prove nothing.
// The expressions here have parts that differ and have one hash.
#include <chainrule/chainrule.hpp>

#include <string_view>

namespace cr = chainrule;
namespace core = chainrule::core;
using namespace cr::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

// Constants: a real one against an integer, by the hash of fractions that had no mark of their own.
static_assert((1267650600228229401496703205376_c * x + 5057542381537067008_c * y)(x = 0.0, y = 1.0) ==
              5057542381537067008.0);

// Names: these two have one 64-bit hash by Fowler, Noll and Vo.
constexpr auto a = cr::variable<"8yn0iYCKYHlIj4-BwPqk">;
constexpr auto b = cr::variable<"GReLUrM4wMqfg9yzV3KQ">;
static_assert(core::hash_value{decltype(a)::hash} == core::hash_value{decltype(b)::hash});
static_assert((a - b)(a = 3.0, b = 1.0) == 2);
static_assert((a * a * b)(a = 3.0, b = 2.0) == 18);
static_assert(cr::gradient(a * b, cr::wrt(a, b))(a = 3.0, b = 2.0)[a] == 2);
static_assert(cr::function(a - 2_c * b, cr::wrt(b, a)).gradient(1.0, 1.0) == std::array{-2.0, 1.0});
static_assert(cr::same(cr::derivative(a * a + b, b), 1_c));
static_assert(cr::to_string(a - b) == "8yn0iYCKYHlIj4-BwPqk - GReLUrM4wMqfg9yzV3KQ");

// Operations: for an integer N there is an integer M so that y + M has the hash of x + N. Every step of the hash is
// undone.
namespace inverse {

using word = core::hash_value;

constexpr word shifted(word h, int by) { // of h ^ (h >> by), by at least 22
    return h ^ (h >> by) ^ (2 * by < 64 ? h >> (2 * by) : 0);
}
constexpr word of_odd(word n) { // modulo 2^64, by Newton's iteration
    word inverse = n;
    for (int i = 0; i < 6; ++i) inverse *= 2 - n * inverse;
    return inverse;
}
constexpr word mixed(word a, word h) { // the b with mix(a, b) == h
    h = shifted(h, 31) * of_odd(0xBF58476D1CE4E5B9ull);
    return (h ^ a) - 0x9E3779B97F4A7C15ull - (a << 6) - (a >> 2);
}
constexpr word hashed(word h) { return shifted(h, 32) * of_odd(0x9E3779B97F4A7C15ull); }

struct pair {
    core::integer n;
    core::integer m;
};
/// The first pair from n on.
constexpr pair find(word code, word left, word other, core::integer n) {
    for (;; ++n) {
        const word mix = core::mix(core::mix(code, left), core::hash_of_fraction(n, 1));
        const word h = hashed(mixed(core::mix(code, other), mix));
        if ((h & 7) != static_cast<word>(core::hashed::whole)) continue;
        return {n, static_cast<core::integer>(h) >> 3};
    }
}

} // namespace inverse

template <class Operation, core::integer From>
constexpr bool told_apart() {
    constexpr inverse::pair c = inverse::find(Operation::code, decltype(x)::hash, decltype(y)::hash, From);
    constexpr
        typename cr::binary<Operation, std::remove_const_t<decltype(x)>, typename cr::constant<c.n, 1>::node>::node f;
    constexpr
        typename cr::binary<Operation, std::remove_const_t<decltype(y)>, typename cr::constant<c.m, 1>::node>::node g;
    static_assert(core::hash_value{decltype(f)::hash} == core::hash_value{decltype(g)::hash}, "not a collision");
    const double n = static_cast<double>(c.n), m = static_cast<double>(c.m);
    const bool sum = std::same_as<Operation, cr::operations::add>;
    const double left = sum ? 0.5 + n : 0.5 * n, right = sum ? 0.25 + m : 0.25 * m;
    constexpr auto text = cr::to_string(f - g);
    return (f - g)(x = 0.5, y = 0.25) == left - right && (f / g)(x = 0.5, y = 0.25) == left / right &&
           std::string_view(text).find('y') != std::string_view::npos;
}
static_assert(told_apart<cr::operations::add, 1>());
static_assert(told_apart<cr::operations::add, 1000>());
static_assert(told_apart<cr::operations::multiply, 1>());
static_assert(told_apart<cr::operations::multiply, -1000>());

// Whether a leaf is 0 or 1 is asked of its hash alone: integers of 60 bits have hashes of their own, and what is no
// integer has none of these.
static_assert([] {
    using core::hash_of_fraction, core::hash_of, core::hashed;
    for (core::integer n = -1; n <= 1; ++n)
        for (core::integer k = -500; k < 500; ++k) {
            const auto large = static_cast<core::integer>(static_cast<core::hash_value>(k) << 55);
            if ((hash_of_fraction(k, 1) == hash_of_fraction(n, 1)) != (k == n)) return false;
            if (k != 0 && hash_of_fraction(large, 1) == hash_of_fraction(n, 1)) return false;
            if (hash_of(hashed::real, static_cast<core::hash_value>(k)) == hash_of_fraction(n, 1)) return false;
            if (hash_of(hashed::variable, static_cast<core::hash_value>(k)) == hash_of_fraction(n, 1)) return false;
        }
    return true;
}());
