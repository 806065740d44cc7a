// SPDX-License-Identifier: BSL-1.0
//
// Custom functions in the graph. The functions of the table are numbered by position. A custom function
// (chainrule/custom_function.hpp) is identified by the hash of its type's name; a program numbers those that it calls
// after the table, in order of appearance, and the hash leads back to the type.
#pragma once

#include <chainrule/functions/rows.hpp>
#include <chainrule/core/coefficient.hpp>
#include <chainrule/core/type_list.hpp>

namespace chainrule::graph {

struct term;

/// The arguments and the result of a call: the base class of call_terms (graph/graph_term.hpp). Constants contain
/// pointers to formulas, and debug information would describe the graph with them.
struct call_terms_base {};

/// The derivative of a function with respect to its argument number k.
using derivative_formula = term (*)(const call_terms_base& call, int k);

/// The number of a program's first custom function, and the maximal count: numbers have 8 bits.
inline constexpr unsigned first_custom_function = static_cast<unsigned>(functions::index::count);
inline constexpr int custom_function_limit = 128;
static_assert(first_custom_function + custom_function_limit <= 255);

/// Compilers print its name at that limit.
inline void a_program_calls_more_than_128_functions_of_the_user() {}

/// A custom function in a graph.
struct custom_function_entry {
    hash_value hash = 0;
    derivative_formula formula = nullptr;
};

template <class T>
constexpr hash_value hash_of_type() {
    hash_value h = core::hash_of_no_bytes;
    for (const char* c = __PRETTY_FUNCTION__; *c != '\0'; ++c) h = core::with_byte(h, static_cast<unsigned char>(*c));
    return mix(h, 4);
}

/// Represents the custom function F, as its number represents a function of the table.
template <class F>
struct custom_code {
    static constexpr hash_value hash = hash_of_type<F>();
    constexpr operator hash_value() const { return hash; }
};

// Maps the hash back to the type. The function is defined where F's base class registered_function is instantiated, for
// the hash of F: two types with the same hash are an error there.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-template-friend"
#endif
template <hash_value Hash>
struct custom_function_key {
    friend constexpr auto custom_function_of(custom_function_key);
};
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
template <class F>
class registered_function {
    friend constexpr auto custom_function_of(custom_function_key<custom_code<F>::hash>) {
        return std::type_identity<F>{};
    }
};
template <hash_value Hash>
using custom_function_type = typename decltype(custom_function_of(custom_function_key<Hash>{}))::type;

/// The function at a position: a row of the table, or one of the custom functions `Own`.
template <unsigned Position, class Own>
struct called_function : functions::row_at<Position> {};
template <unsigned Position, class Own>
requires(Position >= first_custom_function)
struct called_function<Position, Own> : type_at<static_cast<int>(Position - first_custom_function), Own> {};

} // namespace chainrule::graph
