// SPDX-License-Identifier: BSL-1.0
//
// Code whose arguments are variables in order, where a vector of variables is one array: f(t, x, w).
#pragma once

#include <chainrule/core/type_list.hpp>
#include <chainrule/trace/forms.hpp>

namespace chainrule::tracing {

/// The length of a name's part before the number in brackets, or 0 if it is not name[number].
[[nodiscard]] constexpr int length_of_base(const char* text, int number) {
    int length = 0;
    while (text[length] != '\0' && text[length] != '[') ++length;
    if (text[length] == '\0') return 0;
    int found = 0, at = length + 1;
    for (; '0' <= text[at] && text[at] <= '9'; ++at) found = 10 * found + (text[at] - '0');
    return found == number && text[at] == ']' ? length : 0;
}
[[nodiscard]] constexpr bool same_base(const char* a, const char* b, int length) {
    for (int i = 0; i < length; ++i)
        if (a[i] != b[i]) return false;
    return true;
}

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
        const int base = length_of_base(names[first], 0);
        int size = base > 0 ? 1 : 0;
        while (size > 0 && first + size < all && length_of_base(names[first + size], size) == base &&
               same_base(names[first], names[first + size], base))
            ++size;
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
