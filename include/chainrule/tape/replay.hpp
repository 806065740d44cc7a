// SPDX-License-Identifier: BSL-1.0
//
// Replay: a function that is recorded once, record(f, x), and evaluated at many points, with its derivatives. Include
// this header in addition to chainrule/tape.hpp.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/tape/look_up.hpp>
#include <chainrule/tape/replay/recorded_function.hpp>

namespace chainrule::tape {

namespace points {
template <class T, class F, class X>
[[nodiscard]] auto recorded(F f, const X& at) {
    using inputs = typename layout<X>::template with<replayable<T>>;
    using result = result_of<F, inputs>;
    if constexpr (list<result>)
        return recorded_function<T, F, typename values_of_result<T, result>::type>(std::move(f), at);
    else
        return recorded_function<T, F, T>(std::move(f), at);
}

/// A function of several arguments, which keeps how these are laid out.
template <class T, class F, class... X>
[[nodiscard]] auto with_parts(F f, const X&... x) {
    return of_parts<F, with_numbers<T, X>...>{std::move(f), points::parts_of<T>(points::joined(x...), x...)};
}
} // namespace points

/// Records f at a point, to be evaluated again at others: its operations, and the comparisons on which it branches. f
/// is generic in the number type, and the point is as for gradient(f, x): also several arguments of which some are
/// lists. Equal operations are recorded once, and those on which no result depends are left out.
/// Example: `auto r = record(f, x); r.gradient(other)`
template <class F, class... X>
requires(points::point<X...> || points::point_of_parts<X...>)
[[nodiscard]] auto record(F f, const X&... x) {
    using T = points::number_of<points::listed<X...>>;
    constexpr bool plain = std::floating_point<T>;
    static_assert(plain, "record: the numbers of the point carry derivatives; record at plain floating-point numbers");
    if constexpr (plain) {
        if constexpr (points::takes<F, points::with_numbers<replayable<T>, X>...>()) {
            if constexpr (points::point_of_parts<X...>)
                return points::recorded<T>(points::with_parts<T>(std::move(f), x...), points::joined(x...));
            else if constexpr ((true && ... && points::list<X>))
                return points::recorded<T>(std::move(f), x...);
            else
                return points::recorded<T>(points::of_list<F, sizeof...(X)>{std::move(f)},
                                           std::array<T, sizeof...(X)>{static_cast<T>(x)...});
        } else {
            return points::recorded<double>(points::refused<false>, std::array<double, 1>{});
        }
    } else {
        return points::recorded<double>(points::refused<false>, std::array<double, 1>{});
    }
}

template <class F, class X>
requires(!points::point<X> && !points::composite<X>)
void record(const F&, const X&) {
    constexpr bool fields = !points::is_template_of_numbers<X>, numbers = points::point<X> || !fields;
    static_assert(fields, "record(f, x): the struct x has a base class, a constructor, or a field that is neither a "
                          "number, a list, a tuple nor such a struct, or whose type depends on that of the numbers "
                          "otherwise, as a nested enum; leave it out, or copy the numbers");
    static_assert(numbers, "record(f, x): the point x is neither a number nor a list of numbers; pass numbers, a "
                           "std::vector or a std::array of them, or a struct that is a template of its type of "
                           "numbers; convert text with std::stod");
}
// By a conversion, so that functions of this name in a program go first.
namespace points {
struct argument_of_record {
    template <class F>
    argument_of_record(const F&) {
        static_assert(sizeof(F) == 0, "record(f, x): the point x is missing; pass numbers at which f is recorded");
    }
};
} // namespace points
inline void record(points::argument_of_record) {}

} // namespace chainrule::tape

#include <chainrule/core/names_end.inc>
