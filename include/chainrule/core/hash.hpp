// SPDX-License-Identifier: BSL-1.0
//
// The identity of subexpressions. Hashes find candidates; the lowering function of a type, or the text of a name,
// decides whether they are equal. A hash alone proves nothing, since collisions can be constructed.
#pragma once

#include <chainrule/core/rooms.hpp>

#include <cstdint>

namespace chainrule::core {

using integer = std::int64_t;
using hash_value = std::uint64_t;

[[nodiscard]] constexpr hash_value mix(hash_value a, hash_value b) noexcept {
    hash_value h = (a ^ (b + 0x9E3779B97F4A7C15ull + (a << 6) + (a >> 2))) * 0xBF58476D1CE4E5B9ull;
    return h ^ (h >> 31);
}

/// The hash of bytes, one after the other, by Fowler, Noll and Vo (FNV-1a). Each step is invertible.
inline constexpr hash_value hash_of_no_bytes = 0xCBF29CE484222325ull;
[[nodiscard]] constexpr hash_value with_byte(hash_value before, unsigned byte) noexcept {
    return (before ^ byte) * 0x100000001B3ull;
}

/// The kind of object that is hashed. Hashes of different kinds differ in their last bits, before mixing spreads these
/// over all bits.
enum class hashed : unsigned char { operation, whole, fraction, real, variable, number };
[[nodiscard]] constexpr hash_value hash_of(hashed what, hash_value h) noexcept {
    h = (h << 3 | static_cast<hash_value>(what)) * 0x9E3779B97F4A7C15ull;
    return h ^ (h >> 32);
}
/// Injective for 60-bit integers, and different from the hash of any other leaf: code may test with it whether a leaf
/// is 0 or 1.
[[nodiscard]] constexpr hash_value hash_of_fraction(integer numerator, integer denominator) noexcept {
    const auto n = static_cast<hash_value>(numerator), d = static_cast<hash_value>(denominator);
    if (denominator == 1 && numerator >> 60 == numerator >> 63) return hash_of(hashed::whole, n);
    return hash_of(hashed::fraction, mix(mix(d, n), n));
}
[[nodiscard]] constexpr hash_value hash_of_operation(hash_value code, hash_value a, hash_value b = 0,
                                                     hash_value c = 0) noexcept {
    return hash_of(hashed::operation, mix(mix(mix(code, a), b), c));
}

/// Whether two functions are the same. Two instances of a function template are the same if their types are, which
/// hashes cannot prove. (With -fsanitize=undefined, g++ 12 does not accept f == g as a constant expression, but accepts
/// f == f: bug 71962.)
template <class F>
[[nodiscard]] constexpr bool same_function(F* f, F* g) {
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
    if (__builtin_is_constant_evaluated()) return __builtin_constant_p(f == g) && f == g;
#endif
    return f == g;
}

/// Whether two names are the same.
[[nodiscard]] constexpr bool same_text(const char* a, const char* b) {
    for (; *a == *b; ++a, ++b)
        if (*a == '\0') return true;
    return false;
}

} // namespace chainrule::core
