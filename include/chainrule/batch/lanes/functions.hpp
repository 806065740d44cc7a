// SPDX-License-Identifier: BSL-1.0
//
// Every function of the table for lanes. NAME_at_once computes all lanes together: by a vector library, an instruction,
// or a formula that chooses instead of branching. A function without one is that of the table, lane by lane.
#pragma once

#include <chainrule/batch/lanes/register_functions.hpp>
#include <chainrule/batch/lanes/vector_math.hpp>

#include <utility>

namespace chainrule::batches {

// The functions of vector libraries and of processors ----------------------------------------------------------------

#if defined(CHAINRULE_HAS_LIBMVEC)
#define CHAINRULE_UNARY(NAME)                                                                                          \
    template <class T>                                                                                                 \
    [[gnu::always_inline]] inline widest<T> NAME##_at_once(const vector_number<T, simd::native_lanes<T>>& x) {         \
        return libmvec::NAME(x.value);                                                                                 \
    }
#define CHAINRULE_BINARY(NAME)                                                                                         \
    template <class T>                                                                                                 \
    [[gnu::always_inline]] inline widest<T> NAME##_at_once(const vector_number<T, simd::native_lanes<T>>& x,           \
                                                           const vector_number<T, simd::native_lanes<T>>& y) {         \
        return libmvec::NAME(x.value, y.value);                                                                        \
    }
CHAINRULE_FUNCTIONS_OF_LIBMVEC(CHAINRULE_UNARY, CHAINRULE_BINARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#endif

#define CHAINRULE_UNARY(NAME)                                                                                          \
    template <class T, std::size_t Count>                                                                              \
    [[gnu::always_inline]] inline vector_number<T, Count> NAME##_at_once(const vector_number<T, Count>& x)
#define CHAINRULE_BINARY(NAME)                                                                                         \
    template <class T, std::size_t Count>                                                                              \
    [[gnu::always_inline]] inline vector_number<T, Count> NAME##_at_once(const vector_number<T, Count>& x,             \
                                                                         const vector_number<T, Count>& y)
#define CHAINRULE_TERNARY(NAME)                                                                                        \
    template <class T, std::size_t Count>                                                                              \
    [[gnu::always_inline]] inline vector_number<T, Count> NAME##_at_once(                                              \
        const vector_number<T, Count>& x, const vector_number<T, Count>& y, const vector_number<T, Count>& z)

CHAINRULE_UNARY(sqrt) { return square_root(x.value); }
CHAINRULE_TERNARY(fma) { return fused(x.value, y.value, z.value); }
CHAINRULE_UNARY(floor) { return rounded<down>(x.value); }
CHAINRULE_UNARY(ceil) { return rounded<up>(x.value); }
CHAINRULE_UNARY(trunc) { return rounded<to_zero>(x.value); }
CHAINRULE_UNARY(rint) { return rounded<to_nearest>(x.value); }
CHAINRULE_UNARY(nearbyint) { return rounded<to_nearest>(x.value); }
CHAINRULE_BINARY(copysign) {
    using bits = typename vector_number<T, Count>::mask_type::register_type;
    using lanes = typename vector_number<T, Count>::register_type;
    const bits sign = reinterpret_cast<bits>(vector_number<T, Count>(T(-0.0)).value);
    return reinterpret_cast<lanes>((reinterpret_cast<bits>(x.value) & ~sign) |
                                   (reinterpret_cast<bits>(y.value) & sign));
}
CHAINRULE_UNARY(abs) { return copysign_at_once(x, vector_number<T, Count>(T(0))); }
CHAINRULE_UNARY(fabs) { return abs_at_once(x); }

// Every function of the table ----------------------------------------------------------------------------------------

// For the derivatives of the table. The sum of its parts is folded before lanes are filled with it.
template <class T, std::size_t Count>
[[gnu::always_inline]] inline vector_number<T, Count> operator*(irrational constant, const vector_number<T, Count>& x) {
    return constant.as<T>() * x;
}

// Not inlined: a kernel would hold as many calls as there are lanes.
template <class Row, class T, std::size_t Count, class... Rest>
[[gnu::noinline]] vector_number<T, Count> lane_by_lane(vector_number<T, Count> x, Rest... rest) {
    return each_lane([](const auto&... a) { return Row::value(a...); }, x.value, rest.value...);
}

/// A custom function (chainrule/custom_function.hpp) of lanes, one by one: its formula may branch.
template <class Row, class T, std::size_t Count, class... Rest>
[[gnu::always_inline]] inline vector_number<T, Count> call_custom(Row, const vector_number<T, Count>& x,
                                                                  const Rest&... rest) {
    return lane_by_lane<Row>(x, rest...);
}

// Whether the compiler knows all lanes, and that they are equal: what a function makes of a constant is one, too. The
// compiler knows the functions of numbers, but not those of vectors.
template <class T, std::size_t Count>
[[gnu::always_inline]] inline bool is_constant(const vector_number<T, Count>& x) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
        return (__builtin_constant_p(x.value[I]) && ...) && ((x.value[I] == x.value[0]) && ...);
    }(std::make_index_sequence<Count>{});
}

#define CHAINRULE_CALL(NAME, ...)                                                                                      \
    {                                                                                                                  \
        if constexpr (requires { NAME##_at_once(__VA_ARGS__); })                                                       \
            return NAME##_at_once(__VA_ARGS__);                                                                        \
        else                                                                                                           \
            return lane_by_lane<functions::NAME>(__VA_ARGS__);                                                         \
    }
#define CHAINRULE_UNARY_CALL(NAME, ...)                                                                                \
    template <class T, std::size_t Count>                                                                              \
    [[gnu::always_inline]] inline vector_number<T, Count> NAME(const vector_number<T, Count>& x) {                     \
        if (is_constant(x)) return vector_number<T, Count>(functions::NAME::value(T(x.value[0])));                     \
        CHAINRULE_CALL(NAME, x)                                                                                        \
    }
#define CHAINRULE_BINARY_CALL(NAME, ...)                                                                               \
    template <class T, std::size_t Count>                                                                              \
    [[gnu::always_inline]] inline vector_number<T, Count> NAME(                                                        \
        const vector_number<T, Count>& x, const vector_number<T, Count>& y) CHAINRULE_CALL(NAME, x, y)
#define CHAINRULE_TERNARY_CALL(NAME, ...)                                                                              \
    template <class T, std::size_t Count>                                                                              \
    [[gnu::always_inline]] inline vector_number<T, Count> NAME(                                                        \
        const vector_number<T, Count>& x, const vector_number<T, Count>& y, const vector_number<T, Count>& z)          \
        CHAINRULE_CALL(NAME, x, y, z)
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY_CALL, CHAINRULE_BINARY_CALL, CHAINRULE_TERNARY_CALL)
#undef CHAINRULE_CALL
#undef CHAINRULE_UNARY_CALL
#undef CHAINRULE_BINARY_CALL
#undef CHAINRULE_TERNARY_CALL

// The formulas of the table, with choices in place of branches -------------------------------------------------------

CHAINRULE_UNARY(square) { return x * x; }
CHAINRULE_UNARY(cube) { return x * x * x; }
CHAINRULE_UNARY(inverse) { return 1 / x; }
CHAINRULE_TERNARY(hypot3) { return hypot(hypot(x, y), z); }
CHAINRULE_TERNARY(lerp) { return x + z * (y - x); }
CHAINRULE_UNARY(sec) { return 1 / cos(x); }
CHAINRULE_UNARY(csc) { return 1 / sin(x); }
CHAINRULE_UNARY(cot) { return 1 / tan(x); }
CHAINRULE_UNARY(round) {
    const auto whole = trunc(x);
    return select(abs(x - whole) < T(0.5), whole, select(x == whole, x, whole + copysign_at_once({1}, x)));
}
CHAINRULE_UNARY(normal_cdf) { return erfc(-irrational::sqrt_half.as<T>() * x) * T(0.5); }

CHAINRULE_UNARY(sigmoid) { return 1 / (1 + exp(-x)); }
CHAINRULE_UNARY(logit) { return log(x / (1 - x)); }

// The rows that choose: functions/values_of_lanes.hpp.
#define CHAINRULE_CHOICE(ARITY, NAME, ...)                                                                             \
    CHAINRULE_##ARITY(NAME) { return functions::values_of_lanes<vector_number<T, Count>>::NAME(__VA_ARGS__); }
CHAINRULE_CHOICE(UNARY, sinpi, x)
CHAINRULE_CHOICE(UNARY, cospi, x)
CHAINRULE_CHOICE(UNARY, sinc, x)
CHAINRULE_CHOICE(UNARY, softplus, x)
CHAINRULE_CHOICE(UNARY, log1p_exp, x)
CHAINRULE_CHOICE(UNARY, sign, x)
CHAINRULE_CHOICE(UNARY, relu, x)
CHAINRULE_CHOICE(BINARY, xlogy, x, y)
CHAINRULE_CHOICE(BINARY, log_sum_exp, x, y)
CHAINRULE_CHOICE(BINARY, log_diff_exp, x, y)
CHAINRULE_CHOICE(BINARY, max, x, y)
CHAINRULE_CHOICE(BINARY, min, x, y)
CHAINRULE_CHOICE(BINARY, fmax, x, y)
CHAINRULE_CHOICE(BINARY, fmin, x, y)
CHAINRULE_CHOICE(BINARY, fdim, x, y)
CHAINRULE_CHOICE(BINARY, taken, x, y)
CHAINRULE_CHOICE(BINARY, exceeds, x, y)
CHAINRULE_CHOICE(BINARY, weighted, x, y)
CHAINRULE_CHOICE(TERNARY, clamp, x, y, z)
CHAINRULE_CHOICE(TERNARY, share, x, y, z)
#undef CHAINRULE_CHOICE
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY

} // namespace chainrule::batches
