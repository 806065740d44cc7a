// SPDX-License-Identifier: BSL-1.0
//
// The computation of the values of a row of the table, by the source that the row names (functions/table.hpp): macros
// for functions/values.hpp, which undefines them.
#pragma once

#include <chainrule/functions/device.hpp>
#include <chainrule/functions/values_of_lanes.hpp>

#include <limits>

// The built-in functions are those that <cmath> calls; including <cmath> would double the compile time of this header.
// Device code calls the functions of CUDA and HIP; SYCL has the built-in ones.
#if defined(CHAINRULE_FOR_DEVICES) && !defined(__SYCL_DEVICE_ONLY__)
#define CHAINRULE_BUILTIN(NAME, ...) return static_cast<T>(std::NAME(__VA_ARGS__));
#else
#define CHAINRULE_BUILTIN(NAME, ...)                                                                                   \
    if constexpr (std::same_as<T, float>)                                                                              \
        return __builtin_##NAME##f(__VA_ARGS__);                                                                       \
    else if constexpr (std::same_as<T, double>)                                                                        \
        return __builtin_##NAME(__VA_ARGS__);                                                                          \
    else                                                                                                               \
        return __builtin_##NAME##l(__VA_ARGS__);
#endif
#if defined(__clang__) || defined(__CUDACC__)
#define CHAINRULE_CONSTANT_CASE(NAME, ...)                                                                             \
    if (std::is_constant_evaluated()) return constant_evaluation::NAME(__VA_ARGS__);
#define CHAINRULE_NO_CONSTANT_CASE                                                                                     \
    if (std::is_constant_evaluated()) this_function_cannot_be_evaluated_by_clang_in_a_constant_expression();
#else
#define CHAINRULE_CONSTANT_CASE(NAME, ...)
#define CHAINRULE_NO_CONSTANT_CASE
#endif
// What Boost computes is not there on a device: clang says so, nvcc would leave the value out.
#if defined(CHAINRULE_ON_DEVICE) && !defined(__clang__)
#define CHAINRULE_NOT_ON_DEVICE                                                                                        \
    if (!std::is_constant_evaluated()) functions::stop_device();
#else
#define CHAINRULE_NOT_ON_DEVICE
#endif

#if defined(__GLIBC__) && !defined(CHAINRULE_FOR_DEVICES)
extern "C" {
float lgammaf_r(float, int*) noexcept;
double lgamma_r(double, int*) noexcept;
long double lgammal_r(long double, int*) noexcept;
}
#endif

namespace chainrule {

namespace functions {

/// Replacements for functions of <cmath> that write to a global variable, as lgamma writes to signgam: several threads
/// may call these concurrently.
template <class T>
struct reentrant {
#if defined(__GLIBC__) && !defined(CHAINRULE_FOR_DEVICES)
    static T lgamma(const T& x) {
        int sign = 0;
        if constexpr (std::same_as<T, float>)
            return ::lgammaf_r(x, &sign);
        else if constexpr (std::same_as<T, double>)
            return ::lgamma_r(x, &sign);
        else
            return ::lgammal_r(x, &sign);
    }
#endif
};

/// Whether the values of a function are available; otherwise a static_assert names the header.
template <class Values>
consteval bool are_provided() {
    constexpr bool complete = requires { sizeof(Values); };
    static_assert(complete, "special function: its values, or those of its derivatives, as digamma of lgamma, require "
                            "another header; include <chainrule/special_functions.hpp>");
    return complete;
}

template <class T>
struct closed_number;

/// A step. Where a comparison meets a NaN, a formula returns that argument; its derivatives are not those of the step.
template <class T>
constexpr T without_derivatives(const T& step) {
    return step == step ? step : T(std::numeric_limits<double>::quiet_NaN());
}

} // namespace functions

/// Values that chainrule/special_functions.hpp provides, as NAME<T>::at_run_time(arguments).
namespace special_values {
#define CHAINRULE_DECLARED_BOOST(NAME)                                                                                 \
    template <class T>                                                                                                 \
    struct NAME;
#define CHAINRULE_DECLARED_CMATH(NAME)
#define CHAINRULE_DECLARED_BUILTIN(NAME)
#define CHAINRULE_DECLARED_FORMULA(...) CHAINRULE_DECLARED_CMATH
#define CHAINRULE_DECLARED_CHOICE(...) CHAINRULE_DECLARED_CMATH
#define CHAINRULE_DECLARED_STEPPED(...) CHAINRULE_DECLARED_CMATH
#define CHAINRULE_ROW(NAME, VALUE, ...) CHAINRULE_DECLARED_##VALUE(NAME)
CHAINRULE_FUNCTIONS(CHAINRULE_ROW, CHAINRULE_ROW, CHAINRULE_ROW)
#undef CHAINRULE_ROW
#undef CHAINRULE_DECLARED_BOOST
#undef CHAINRULE_DECLARED_CMATH
#undef CHAINRULE_DECLARED_BUILTIN
#undef CHAINRULE_DECLARED_FORMULA
#undef CHAINRULE_DECLARED_CHOICE
#undef CHAINRULE_DECLARED_STEPPED
} // namespace special_values

} // namespace chainrule

#define CHAINRULE_SOURCE_CMATH cmath, ()
#define CHAINRULE_SOURCE_BUILTIN builtin, ()
#define CHAINRULE_SOURCE_BOOST boost, ()
#define CHAINRULE_SOURCE_FORMULA(...) formula, (__VA_ARGS__)
#define CHAINRULE_SOURCE_CHOICE(...) choice, (__VA_ARGS__)
#define CHAINRULE_SOURCE_STEPPED(...) stepped, (__VA_ARGS__)
#define CHAINRULE_VALUE(NAME, SOURCE, CLOSED, ...) CHAINRULE_VALUE_FROM(NAME, SOURCE, CLOSED, __VA_ARGS__)
#define CHAINRULE_VALUE_FROM(NAME, KIND, FORMULA, CLOSED, ...)                                                         \
    CHAINRULE_VALUE_##KIND(NAME, FORMULA, CLOSED, __VA_ARGS__)
#define CHAINRULE_VALUE_cmath(NAME, FORMULA, CLOSED, ...)                                                              \
    if constexpr (std::floating_point<T>) {                                                                            \
        CHAINRULE_CONSTANT_CASE(NAME, __VA_ARGS__)                                                                     \
        CHAINRULE_BUILTIN(NAME, __VA_ARGS__)                                                                           \
    } else {                                                                                                           \
        return static_cast<T>(by_lookup::NAME##_of(__VA_ARGS__));                                                      \
    }
#define CHAINRULE_VALUE_builtin(NAME, FORMULA, CLOSED, ...)                                                            \
    if constexpr (std::floating_point<T>) {                                                                            \
        if constexpr (requires { functions::reentrant<T>::NAME(__VA_ARGS__); })                                        \
            if (!std::is_constant_evaluated()) return functions::reentrant<T>::NAME(__VA_ARGS__);                      \
        CHAINRULE_NO_CONSTANT_CASE                                                                                     \
        CHAINRULE_BUILTIN(NAME, __VA_ARGS__)                                                                           \
    } else {                                                                                                           \
        return static_cast<T>(by_lookup::NAME##_of(__VA_ARGS__));                                                      \
    }
#define CHAINRULE_VALUE_boost(NAME, FORMULA, CLOSED, ...)                                                              \
    if constexpr (std::floating_point<T>) {                                                                            \
        CHAINRULE_NOT_ON_DEVICE                                                                                        \
        if constexpr (functions::are_provided<special_values::NAME<T>>())                                              \
            return special_values::NAME<T>::at_run_time(__VA_ARGS__);                                                  \
        else                                                                                                           \
            return T{};                                                                                                \
    } else if constexpr (functions::are_lanes<T>) {                                                                    \
        return functions::lane_by_lane<functions::NAME>(__VA_ARGS__);                                                  \
    } else {                                                                                                           \
        return static_cast<T>(by_lookup::NAME##_of(__VA_ARGS__));                                                      \
    }
#define CHAINRULE_VALUE_formula(NAME, FORMULA, CLOSED, ...)                                                            \
    if constexpr (functions::has_functions_of_table<T>)                                                                \
        return static_cast<T>(by_lookup::NAME##_of(__VA_ARGS__));                                                      \
    else if constexpr (!functions::closed_under_arithmetic<T>)                                                         \
        return evaluation::NAME CLOSED.value;                                                                          \
    else                                                                                                               \
        return static_cast<T> FORMULA;
#define CHAINRULE_VALUE_choice(NAME, FORMULA, CLOSED, ...)                                                             \
    if constexpr (functions::has_functions_of_table<T>)                                                                \
        return static_cast<T>(by_lookup::NAME##_of(__VA_ARGS__));                                                      \
    else if constexpr (functions::are_lanes<T>)                                                                        \
        return functions::values_of_lanes<T>::NAME(__VA_ARGS__);                                                       \
    else if constexpr (!functions::closed_under_arithmetic<T>)                                                         \
        return evaluation::NAME CLOSED.value;                                                                          \
    else                                                                                                               \
        return static_cast<T> FORMULA;
#define CHAINRULE_VALUE_stepped(NAME, FORMULA, CLOSED, ...)                                                            \
    if constexpr (functions::are_lanes<T>)                                                                             \
        return functions::values_of_lanes<T>::NAME(__VA_ARGS__);                                                       \
    else if constexpr (!std::same_as<decltype(x == x), bool>)                                                          \
        return static_cast<T>(by_lookup::NAME##_of(__VA_ARGS__));                                                      \
    else if constexpr (!functions::closed_under_arithmetic<T>)                                                         \
        return evaluation::NAME CLOSED.value;                                                                          \
    else if constexpr (functions::has_functions_of_table<T>)                                                           \
        return functions::without_derivatives(static_cast<T> FORMULA);                                                 \
    else                                                                                                               \
        return static_cast<T> FORMULA;
