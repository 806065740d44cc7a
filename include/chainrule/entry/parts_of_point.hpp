// SPDX-License-Identifier: BSL-1.0
//
// A point in parts, as in F(q, 2.0) with a function of wrt(variables<"q", 3>, t): each argument is a number or a range
// of numbers, in the order of the variables, and no range begins or ends inside a vector of variables.
#pragma once

#include <chainrule/entry/points.hpp>
#include <chainrule/expression/variable_names.hpp>

#include <array>
#include <cstddef>

namespace chainrule::detail {

/// Whether a variable is the one after another in a vector of variables, as q[3] is after q[2].
constexpr bool continues_vector(const char* previous, const char* name) {
    const expressions::element_name before(previous), next(name);
    return next.base > 0 && next.base == before.base && next.index == before.index + 1 &&
           expressions::same_beginning(previous, name, next.base);
}

/// How many variables each part is for, and whether all fit.
template <std::size_t Parts>
struct sizes_of_parts {
    std::array<std::size_t, Parts> sizes;
    bool fit;
};
/// For parts of these sizes: 0 for a number, and one beyond the count of all variables for a range whose size is not
/// known, which is for one vector.
template <std::size_t Parts, class... V>
consteval sizes_of_parts<Parts> fitted_sizes(const std::size_t (&sizes)[Parts], core::type_list<V...>) {
    constexpr std::size_t count = sizeof...(V);
    constexpr const char* names[] = {V::text...};
    const auto is_inside = [&](std::size_t i) {
        return i > 0 && i < count && continues_vector(names[i - 1], names[i]);
    };
    sizes_of_parts<Parts> all{};
    std::size_t at = 0;
    for (std::size_t k = 0; k < Parts; ++k) {
        const bool between_numbers = sizes[k] == 0 && (k == 0 || sizes[k - 1] == 0);
        if (at >= count || (is_inside(at) && !between_numbers)) return all;
        std::size_t& size = all.sizes[k] = sizes[k] == 0 ? 1 : sizes[k];
        if (size > count)
            for (size = 1; is_inside(at + size);) ++size;
        at += size;
    }
    all.fit = at == count;
    return all;
}
template <class Variables, class... Part>
consteval auto fitted_parts() {
    constexpr std::size_t unknown = Variables::size + 1;
    constexpr std::size_t sizes[] = {source_for<Part> == source::number ? 0 : detail::size_known<Part>(unknown)...};
    return detail::fitted_sizes(sizes, Variables{});
}

/// Checks, as far as the types allow, that each part has a number for each of its variables. Variables is a list, or
/// the short name of one.
template <class Variables, class... Part>
consteval bool right_parts() {
    constexpr bool fit = detail::fitted_parts<expressions::long_list<Variables>, Part...>().fit;
    static_assert(fit,
                  "function: the arguments do not fit the variables in wrt(...); pass a number for each variable or "
                  "a range for each vector of variables, in their order, or name them, as in F(x = 2.0)");
    return fit;
}

template <class T, class Number, std::size_t... I>
CHAINRULE_STEP constexpr void copy_part(T* to, const Number* from, std::index_sequence<I...>) {
    ((to[I] = static_cast<T>(from[I])), ...);
}
/// The numbers of all parts one after another.
template <class T, class Variables, class... Part>
CHAINRULE_STEP constexpr auto joined_parts(const Part&... parts) {
    constexpr auto fitted = detail::fitted_parts<Variables, Part...>();
    copied_numbers<T, std::size_t{Variables::size}> all{};
    std::size_t at = 0;
    [&]<std::size_t... K>(std::index_sequence<K...>) {
        (
            [&] {
                constexpr std::size_t size = fitted.sizes[K];
                const auto numbers = detail::numbers_in_order<role::part, size>(parts);
                // Unrolled, so that compilers need not keep few numbers in memory.
                if constexpr (size <= 64)
                    detail::copy_part(all.values + at, numbers.data(), std::make_index_sequence<size>{});
                else
                    for (std::size_t i = 0; i < size; ++i) all.values[at + i] = static_cast<T>(numbers.data()[i]);
                at += size;
            }(),
            ...);
    }(std::index_sequence_for<Part...>{});
    return all;
}

} // namespace chainrule::detail
