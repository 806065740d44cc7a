// SPDX-License-Identifier: BSL-1.0
//
// What a positional function consists of, for the headers that run its programs themselves.
#pragma once

#include <chainrule/entry/parameters.hpp>
#include <chainrule/expression/vector.hpp>

#include <cstddef>

namespace chainrule::detail {

template <class... E>
expression_vector<E...> vector_for(core::type_list<E...>);
template <class List>
using vector_of = decltype(detail::vector_for(List{}));

template <class... Bindings>
parameters<Bindings...> parameters_for(core::type_list<Bindings...>);
template <class List>
using parameters_of = decltype(detail::parameters_for(List{}));

/// A member of a function that has none: nvcc (13) takes no class without a member as an argument of a kernel. The size
/// of the function stays.
template <bool IsEmpty>
struct member_for_kernels {};
template <>
struct member_for_kernels<true> {
    char member = 0;
};

/// The programs of a function and what they read besides its point, for headers that run them themselves.
struct function_parts {
    template <class F>
    [[nodiscard, gnu::always_inline]] static constexpr const auto& expressions(const F& f) {
        return f.f_;
    }
    template <class F>
    [[nodiscard, gnu::always_inline]] static constexpr const auto& bound(const F& f) {
        return f.parameters_;
    }
    /// Runs the program of a request at a point. Values are the types of what is given for it.
    template <unsigned Request, class Values = void, class F, class Outputs, class T, std::size_t Size>
    [[gnu::always_inline]] static constexpr auto run(const F& f, Outputs& outputs, const T (&point)[Size]) {
        f.template run_at<Request, T, Values>(outputs, point);
    }
};

} // namespace chainrule::detail
