// SPDX-License-Identifier: BSL-1.0
//
// Calls of a tape with the wrong arguments, each with an error message instead of a list of candidates.
#pragma once

#include <chainrule/dual/requirements.hpp>
#include <chainrule/tape/recording/list_of.hpp>

#include <type_traits>
#include <vector>

namespace chainrule::tape {

/// The base class of a tape.
template <class T>
class refused_calls {
public:
    template <class Refused = void>
    void backward() {
        constexpr bool has_output = !std::is_void_v<Refused>;
        static_assert(has_output, "backward(): the number whose derivatives are wanted is missing; write "
                                  "t.backward(f)");
    }
    template <class Y, class W>
    requires(functions::has_own_rules<W> && !detail::becomes_number<W, T>)
    void backward(const Y&, const W&) {
        constexpr bool is_weight = sizeof(W) == 0;
        static_assert(is_weight, "backward(f, x): x is not a weight of f; write t.backward(f), and then x.gradient()");
    }
    template <list_of_actives<T> Y>
    void backward(const Y&) {
        constexpr bool has_weights = sizeof(Y) == 0;
        static_assert(has_weights, "backward(y): several outputs need a weight each; write t.backward(y, weights), or "
                                   "t.backward<2>(y) for the derivatives of two, each by itself");
    }
    template <class N, class... More>
    requires std::is_arithmetic_v<N>
    std::vector<active<T>> variables(const N&, const More&...) {
        constexpr bool is_list = sizeof(N) == 0;
        static_assert(is_list,
                      "variables(2.0): a number is not a list; write t.variable(2.0), t.variables({2.0, 5.0}), or "
                      "t.variables(std::vector(n, 0.0)) for n variables");
        return {};
    }
};

} // namespace chainrule::tape
