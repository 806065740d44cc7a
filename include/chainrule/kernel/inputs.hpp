// SPDX-License-Identifier: BSL-1.0
//
// Where do the inputs of a kernel come from? From a point in the caller's memory, from parameters that were bound once,
// and from a direction or weights. kernel/function.hpp puts them together.
#pragma once

#include <chainrule/kernel/evaluate.hpp>
#include <chainrule/kernel/points.hpp>

namespace chainrule {

/// Values of parameters, to be bound once: see function().
template <class... Bindings>
struct parameters;
template <class... V, class... T>
struct parameters<binding<V, T>...> : binding<V, T>... {
    using variables = program::type_list<V...>;
    template <class N>
    constexpr kernel::buffer<N, sizeof...(V)> as() const {
        return {{static_cast<N>(static_cast<const binding<V, T>&>(*this).value)...}};
    }
};

/// Binds variables that are outside wrt() to values, once for all calls: given(k = 0.3).
template <class... V, class... T>
[[nodiscard]] constexpr auto given(binding<V, T>... values) {
    constexpr bool once = (true && ... && (program::times_in<V, V...> == 1));
    static_assert(once, "given: a variable is given two values; give each variable exactly one");
    return parameters<binding<V, T>...>{values...};
}

namespace kernel {

// The inputs of a program: the point, then the parameters.
template <class T, class Element, int Size, int Parameters>
struct point_and_parameters {
    const Element* point;
    buffer<T, Parameters> bound;
    [[gnu::always_inline]] constexpr T operator[](std::size_t i) const {
        if constexpr (Parameters == 0)
            return static_cast<T>(point[i]);
        else
            return i < static_cast<std::size_t>(Size) ? static_cast<T>(point[i])
                                                      : bound[i - static_cast<std::size_t>(Size)];
    }
    [[gnu::always_inline]] constexpr void refresh() { kernel::forget(point); }
};

// The inputs of a program that takes a direction or weights as well.
template <class Inputs, class Element, int Size>
struct with_further_inputs {
    Inputs inputs;
    const Element* further;
    [[gnu::always_inline]] constexpr auto operator[](std::size_t i) const {
        using T = decltype(inputs[i]);
        return i < static_cast<std::size_t>(Size) ? inputs[i]
                                                  : static_cast<T>(further[i - static_cast<std::size_t>(Size)]);
    }
    [[gnu::always_inline]] constexpr void refresh() {
        inputs.refresh();
        kernel::forget(further);
    }
};

/// Whether function() was given every variable of f; says which kind is missing where not.
template <class Code, class... Input>
consteval bool all_bound(std::type_identity<Code>, program::type_list<Input...>) {
    constexpr bool complete = Code::code.variable_count == static_cast<int>(sizeof...(Input));
    static_assert(complete,
                  "function: f has a variable that is neither in wrt(...) nor in given(...); add it to one of "
                  "them, as in function(f, wrt(x), given(k = 0.3))");
    return complete;
}

} // namespace kernel

} // namespace chainrule
