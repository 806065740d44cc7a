// SPDX-License-Identifier: BSL-1.0
//
// Functions of several arguments of which some are lists, as f(weights, bias): the arguments as one list, the function
// as one of that list, and results for it as a std::tuple with a part for each argument.
#pragma once

#include <chainrule/tape/derivatives/derivatives_at_points.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

namespace chainrule::tape::points {

/// The only part of a point that is not several arguments.
template <class... Part>
[[nodiscard]] auto part_or_parts(std::tuple<Part...>&& parts) {
    if constexpr (sizeof...(Part) == 1)
        return std::get<0>(std::move(parts));
    else
        return std::move(parts);
}

/// The columns of a Jacobian for an argument, from `first` on: a list for a number.
template <class T, std::size_t Rows, std::size_t Columns, class X>
[[nodiscard]] auto columns_of(const std::array<std::array<T, Columns>, Rows>& all, std::size_t& first, const X&) {
    const auto rows = [&](auto of_row) {
        std::array<decltype(of_row(all[0])), Rows> to;
        for (std::size_t i = 0; i < Rows; ++i) to[i] = of_row(all[i]);
        return to;
    };
    if constexpr (!number<X>) {
        constexpr std::size_t size = size_and_number<X>::size;
        const std::size_t from = first;
        first += size;
        return rows([&](const std::array<T, Columns>& row) {
            std::array<T, size> to;
            for (std::size_t j = 0; j < size; ++j) to[j] = row[from + j];
            return to;
        });
    } else {
        const std::size_t column = first++;
        return rows([&](const std::array<T, Columns>& row) { return row[column]; });
    }
}
template <class T, class X>
[[nodiscard]] auto columns_of(const matrix<T>& all, std::size_t& first, const X& like) {
    const std::size_t from = first;
    if constexpr (!number<X>) {
        first += points::size_of_argument(like);
        return points::matrix_made<matrix<T>, T>(all.rows(), first - from,
                                                 [&](std::size_t i, std::size_t j) { return all(i, from + j); });
    } else {
        ++first;
        std::vector<T> to(all.rows());
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = all(i, from);
        return to;
    }
}

/// A gradient, a Jacobian or a result that has one, with respect to all arguments, in parts.
template <class T, class... X>
[[nodiscard]] auto in_parts(const std::vector<T>& gradient, const X&... like) {
    return points::part_or_parts(points::parts_of<T>(gradient, like...));
}
template <number T, std::size_t Size, class... X>
[[nodiscard]] auto in_parts(const std::array<T, Size>& gradient, const X&... like) {
    return points::part_or_parts(points::parts_of<T>(gradient, like...));
}
template <class T, std::size_t Columns, std::size_t Rows, class... X>
[[nodiscard]] auto in_parts(const std::array<std::array<T, Columns>, Rows>& jacobian, const X&... like) {
    std::size_t first = 0;
    return points::part_or_parts(std::tuple{points::columns_of(jacobian, first, like)...});
}
template <class T, class... X>
[[nodiscard]] auto in_parts(const matrix<T>& jacobian, const X&... like) {
    std::size_t first = 0;
    return points::part_or_parts(std::tuple{points::columns_of(jacobian, first, like)...});
}
template <class T, class Gradient, class... X>
[[nodiscard]] auto in_parts(value_and_gradient_of<T, Gradient>&& all, const X&... like) {
    auto gradient = points::in_parts(all.gradient, like...);
    return value_and_gradient_of<T, decltype(gradient)>{std::move(all.value), std::move(gradient)};
}
template <class Values, class Jacobian, class... X>
[[nodiscard]] auto in_parts(values_and_jacobian_of<Values, Jacobian>&& all, const X&... like) {
    auto jacobian = points::in_parts(all.jacobian, like...);
    return values_and_jacobian_of<Values, decltype(jacobian)>{std::move(all.values), std::move(jacobian)};
}
template <class T, class Gradient, class Hessian, class... X>
[[nodiscard]] auto in_parts(second_derivatives<T, Gradient, Hessian>&& all, const X&... like) {
    auto gradient = points::in_parts(all.gradient, like...);
    return second_derivatives<T, decltype(gradient), Hessian>{std::move(all.value), std::move(gradient),
                                                              std::move(all.hessian)};
}

/// A function of several arguments as one of all their numbers. The parts are laid out as the arguments.
template <class F, class... Parts>
struct of_parts {
    F f;
    std::tuple<Parts...> parts;

    template <class At>
    auto operator()(const At& at) {
        using number = typename layout<At>::number_type;
        return std::apply(
            [&](const auto&... like) {
                const auto arguments = points::parts_of<number>(at, like...);
                return [&]<std::size_t... I>(std::index_sequence<I...>) {
                    return f(std::get<I>(arguments)...);
                }(std::index_sequence_for<Parts...>{});
            },
            parts);
    }
};

/// Calls call(f, x) with all arguments as one list, and gives its result in parts.
template <class Call, class F, class... X>
requires point_of_parts<X...>
[[nodiscard]] auto with_list(Call call, F& f, const X&... x) {
    const auto all = points::joined(x...);
    of_parts<F&, const X&...> of_list{f, {x...}};
    return points::in_parts(call(of_list, all), x...);
}

/// The value and the gradient of a function of such arguments. (As f of one list, this would copy all numbers twice.)
template <class F, class... X>
requires point_of_parts<X...>
[[nodiscard]] auto value_and_gradient(F& f, const X&... x) {
    using T = number_of<listed<X...>>;
    const kept_tape<T> on;
    active<T> first;
    std::size_t count = 0;
    const auto variable = [&](const auto& each) {
        const active<T> made = on->variable(static_cast<T>(each));
        if (count++ == 0) first = made;
        return made;
    };
    const std::tuple<with_numbers<active<T>, X>...> at{points::mapped<active<T>>(x, variable)...}; // in their order
    auto of_tuple = [&](const auto& arguments) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return f(std::get<I>(arguments)...);
        }(std::index_sequence_for<X...>{});
    };
    const active<T> y = points::one_value<active<T>>(of_tuple, at);
    if (y.is_recorded()) on->backward(y);
    const T* next = count > 0 && y.is_recorded() ? on->gradients_from(first, count).data() : nullptr;
    const auto slope = [&](const auto&) { return next != nullptr ? *next++ : T{}; };
    auto gradient = points::part_or_parts(std::apply(
        [&](const auto&... part) { return std::tuple<with_numbers<T, X>...>{points::mapped<T>(part, slope)...}; }, at));
    return value_and_gradient_of<T, decltype(gradient)>{y.value(), std::move(gradient)};
}
template <class F, class... X>
requires point<X...>
[[nodiscard]] auto value_and_gradient_at(F& f, const X&... x) {
    if constexpr ((list<X> && ...)) // a shorter context of errors in f
        return points::value_and_gradient(f, x...);
    else
        return points::with_list([](auto& g, const auto& at) { return points::value_and_gradient(g, at); }, f, x...);
}
template <class F, class... X>
requires point_of_parts<X...>
[[nodiscard]] auto value_and_gradient_at(F& f, const X&... x) {
    return points::value_and_gradient(f, x...);
}

/// Whether a function takes two lists. A function that calls another, as that of tape/eager.hpp, answers for the other.
template <class F, class... At>
inline constexpr bool takes_two = requires(F& f, const At&... at) { f(at...); };
template <class F, class... At>
requires requires { typename F::called_function; }
inline constexpr bool takes_two<F, At...> = F::template can_take<At...>;

/// Whether these are the arguments of a function F, and not a point and memory for results, or lists on a tape. A
/// function that takes both one list and two takes two.
template <class F, class... X>
inline constexpr bool arguments_of = point_of_parts<X...> && !is_tape<std::remove_cvref_t<F>>;
template <class F, class X, list Last>
inline constexpr bool arguments_of<F, X, Last> =
    point_of_parts<X, Last> && !is_tape<std::remove_cvref_t<F>> &&
    takes_two<std::remove_reference_t<F>, actives<X, X, Last>, actives<Last, X, Last>>;

} // namespace chainrule::tape::points
