// SPDX-License-Identifier: BSL-1.0
//
// Code whose arguments are variables in order, where a vector of variables is one array: f(t, x, w).
#pragma once

#include <chainrule/core/type_list.hpp>
#include <chainrule/expression/variable_names.hpp>
#include <chainrule/trace/forms.hpp>

namespace chainrule::tracing {

/// How variables are grouped into arguments: for each the size of its array, or 0 for a number.
template <std::size_t Variables>
struct grouping {
    int sizes[Variables + 1] = {};
    std::size_t count = 0;
};
template <class... V>
[[nodiscard]] consteval auto groups_of(core::type_list<V...>) {
    const char* const names[] = {V::text..., ""};
    constexpr int all = sizeof...(V);
    grouping<sizeof...(V)> made;
    for (int first = 0; first < all;) {
        const expressions::element_name begin(names[first]);
        int size = begin.base > 0 && begin.index == 0 ? 1 : 0;
        const auto continues = [&](const char* name) {
            const expressions::element_name next(name);
            return next.base == begin.base && next.index == size &&
                   expressions::same_beginning(names[first], name, next.base);
        };
        while (size > 0 && first + size < all && continues(names[first + size])) ++size;
        made.sizes[made.count++] = size;
        first += size > 0 ? size : 1;
    }
    return made;
}

/// f(t, x, w) with numbers, and with arrays for vectors of variables: of size 0 for a number.
template <int... Sizes>
struct by_groups {
    static constexpr int inputs = core::sum_of({(Sizes == 0 ? 1 : Sizes)..., 0});
    using all_inputs = std::make_index_sequence<sizeof...(Sizes)>;

    template <int Size>
    using argument = std::conditional_t<Size == 0, traced_number,
                                        std::array<traced_number, static_cast<std::size_t>(Size == 0 ? 1 : Size)>>;
    template <class F>
    static constexpr bool accepted_by = std::is_invocable_v<const F&, argument<Sizes>&...>;
    template <class F>
    using result_of = decltype(std::declval<const F&>()(std::declval<argument<Sizes>&>()...));

    template <class Code, class Use, std::size_t... G>
    static constexpr auto call(const Use& use, std::index_sequence<G...>) {
        recorded_call<Code, inputs> made;
        held_arguments<all_inputs, argument<Sizes>...> arguments;
        arguments.fill(made.x.items);
        made.push(made.f(arguments.held_argument<G, argument<Sizes>>::value...));
        return made.passed_to(use);
    }
};

template <class Variables, int... Before, std::size_t... G>
consteval auto form_of_groups(std::index_sequence<G...>) {
    constexpr auto groups = groups_of(Variables{});
    return by_groups<Before..., groups.sizes[G]...>{};
}
/// The form in which code takes arrays of the sizes Before, and then variables.
template <class Variables, int... Before>
using groups_form =
    decltype(form_of_groups<Variables, Before...>(std::make_index_sequence<groups_of(Variables{}).count>{}));

} // namespace chainrule::tracing
