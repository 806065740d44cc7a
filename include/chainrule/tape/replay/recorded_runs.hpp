// SPDX-License-Identifier: BSL-1.0
//
// The common parts of all calls of a recorded function: the function, its recording, a run at a point, and how points,
// directions and results are laid out. tape/replay/recorded_function.hpp has the calls.
#pragma once

#include <chainrule/tape/derivatives/several_arguments.hpp>
#include <chainrule/tape/replay/arrangement.hpp>
#include <chainrule/tape/replay/memory.hpp>
#include <chainrule/tape/replay/replayable.hpp>
#include <chainrule/tape/sparse/colouring.hpp>

namespace chainrule::tape {

namespace points {
// What a recorded function gets and returns.
/// A function of so many separate numbers as one of a list.
template <class F, std::size_t Count>
struct of_list {
    F f;
    template <class X>
    auto operator()(const X& at) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return f(points::element(at, I)...);
        }(std::make_index_sequence<Count>{});
    }
};
} // namespace points

namespace replays {

/// Calls part(first, count) for the parts of so many.
template <std::size_t Most, class Part>
void for_parts(std::size_t all, Part part) {
    for (std::size_t first = 0; first < all; first += Most) part(first, std::min(Most, all - first));
}

[[noreturn, gnu::noinline]] inline void report_count(const char* call, const std::string& what, std::size_t needed,
                                                     std::size_t given) {
    core::raise(std::invalid_argument(std::string(call) + ": the recording has " + std::to_string(needed) + ' ' + what +
                                      " and " + std::to_string(given) + " are given; give as many as it has"));
}
inline void check(const char* call, const char* what, std::size_t needed, std::size_t given) {
    if (needed != given) [[unlikely]]
        replays::report_count(call, what, needed, given);
}
// The same for memory for a result, which is a list if it has one row.
template <class T>
void check_memory(const char* call, const char* what, std::size_t rows, std::size_t columns, const memory_of<T>& to) {
    replays::check(call, what, rows * columns, to.size());
    to.check_shape(call, rows, columns);
}

/// The layouts of a recorded function's arguments if some of several are lists, in a std::tuple; or else none.
template <class F>
struct parts_of_function {
    using type = std::tuple<>;
    [[nodiscard]] static type of(const F&) { return {}; }
};
template <class F, class... Parts>
struct parts_of_function<points::of_parts<F, Parts...>> {
    using type = std::tuple<Parts...>;
    [[nodiscard]] static const type& of(const points::of_parts<F, Parts...>& f) { return f.parts; }
};

/// Whether a recording with these parts takes a point: all numbers as one list or one after another, or arguments as
/// the function's own.
template <class Parts, class... X>
inline constexpr bool takes_point = points::point<X...>;
template <class First, class... Parts, class... X>
inline constexpr bool takes_point<std::tuple<First, Parts...>, X...> =
    points::point<X...> || points::point_of_parts<X...>;

/// Whether an argument has lists, structs and numbers where that of the recorded function has them.
template <class Part, class X>
consteval bool is_like_part() {
    if constexpr (points::list<Part> && points::list<X>)
        return replays::is_like_part<typename points::layout<Part>::number_type,
                                     typename points::layout<X>::number_type>();
    else if constexpr (points::composite<Part> || points::composite<X>)
        return std::same_as<points::with_numbers<double, Part>, points::with_numbers<double, X>>;
    else
        return points::list<Part> == points::list<X>;
}
template <class Parts, class... X>
inline constexpr bool are_like_parts = false;
template <class... Parts, class... X>
requires(sizeof...(Parts) == sizeof...(X))
inline constexpr bool are_like_parts<std::tuple<Parts...>, X...> =
    (true && ... && replays::is_like_part<Parts, std::remove_cv_t<X>>());

/// Whether results are to be written into memory after a point, or a list of points is given.
template <class T, class... X>
inline constexpr bool takes_memory = false;
template <class T, class X>
inline constexpr bool takes_memory<T, X> = points::is_matrix<X>;
template <class T, points::list_of_numbers X, class To, class... Further>
inline constexpr bool takes_memory<T, X, To, Further...> =
    (std::is_convertible_v<To&, memory_of<T>> && ... && std::is_convertible_v<Further&, memory_of<T>>);

template <bool AsRecorded>
consteval bool right_arguments() {
    static_assert(AsRecorded, "replay: the arguments are not those of the recorded function; pass a list for each list "
                              "and a number for each number at which it was recorded");
    return AsRecorded;
}

/// Whether a field that has no derivative is as it was when the function was recorded; unknown without ==.
template <class Constant>
[[nodiscard]] bool is_same_constant(const Constant& recorded, const Constant& given) {
    if constexpr (std::equality_comparable<Constant>)
        return recorded == given;
    else
        return true;
}
[[noreturn, gnu::noinline]] inline void report_constant(std::size_t argument) {
    core::raise(std::invalid_argument("replay: a field of argument " + std::to_string(argument) +
                                      " that has no derivative is not as it was when the function was recorded; record "
                                      "it again"));
}
/// Checks that each list in an argument has as many numbers, or lists, as when the function was recorded,
/// and that constants in structs are the same.
template <class Part, class X>
void check_argument(std::size_t argument, const Part& part, const X& x) {
    if constexpr (points::list<X>) {
        constexpr const char* what = points::list_of_numbers<X> ? "numbers in argument " : "lists in argument ";
        const std::size_t needed = points::size_of(part), given = points::size_of(x);
        if (needed != given) [[unlikely]]
            replays::report_count("replay", what + std::to_string(argument), needed, given);
        if constexpr (points::composite<X>)
            for (std::size_t i = 0; i < given; ++i)
                replays::check_argument(argument, points::element(part, i), points::element(x, i));
    } else if constexpr (points::composite<X>) {
        points::with_parts(part, [&](const auto&... needed) {
            points::with_parts(x,
                               [&](const auto&... given) { (replays::check_argument(argument, needed, given), ...); });
        });
        if constexpr (points::is_struct<X>)
            points::with_parts<false>(part, [&](const auto&... recorded) {
                points::with_parts<false>(x, [&](const auto&... given) {
                    if (!(true && ... && replays::is_same_constant(recorded, given))) [[unlikely]]
                        replays::report_constant(argument);
                });
            });
    }
}

/// Several arguments as one list.
template <class... Parts, class... X>
[[nodiscard]] auto joined(const std::tuple<Parts...>& parts, const X&... x) {
    if constexpr (replays::right_arguments<are_like_parts<std::tuple<Parts...>, X...>>())
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (replays::check_argument(I + 1, std::get<I>(parts), x), ...);
        }(std::index_sequence_for<X...>{});
    return points::joined(x...);
}

/// Calls call(x) with a point as one list. Separate numbers become an array.
template <class T, class Parts, class Call, class... X>
decltype(auto) listed(const Parts& parts, Call call, const X&... x) {
    if constexpr (points::point_of_parts<X...>)
        return call(replays::joined(parts, x...));
    else if constexpr ((points::list<X> && ...))
        return call(x...);
    else
        return call(std::array<T, sizeof...(X)>{static_cast<T>(x)...});
}
/// The same for derivatives, which have a part for each of several arguments of which some are lists.
template <class T, class Parts, class Call, class... X>
[[nodiscard]] auto listed_in_parts(const Parts& parts, Call call, const X&... x) {
    if constexpr (points::point_of_parts<X...>)
        return points::in_parts(call(replays::joined(parts, x...)), x...);
    else
        return replays::listed<T>(parts, call, x...);
}

/// The recording of a function that returns a T, or a list of numbers laid out as Values.
template <class T, class F, class Values>
class recorded_runs {
protected:
    static constexpr bool one = std::same_as<Values, T>; // the function returns a number, not a list

    template <points::list_of_numbers X>
    recorded_runs(F f, const X& x) : f_(std::move(f)), memory_(recorded(x)) {}
    recorded_runs(F f, Values shape, replays::memory<T> recorded)
        : f_(std::move(f)), shape_(std::move(shape)), memory_(std::move(recorded)) {}

    template <class... X>
    static constexpr bool takes_point = replays::takes_point<typename parts_of_function<F>::type, X...>;
    [[nodiscard]] decltype(auto) parts() const { return parts_of_function<F>::of(f_); }

    F f_;
    Values shape_{};
    replays::memory<T> memory_;
    bool records_ = false;
    std::shared_ptr<const jacobian_plan> jacobian_plan_; // of this recording, made at the first request
    std::shared_ptr<const hessian_plan> hessian_plan_;

    [[nodiscard]] std::size_t inputs() const { return memory_.what().inputs; }
    [[nodiscard]] std::size_t outputs() const { return memory_.what().outputs.size(); }

    static consteval void check_one() {
        static_assert(one, "record: the function returns several numbers; use jacobian, jvp or vjp, or return one");
    }

    template <class X>
    [[nodiscard]] memory<T> recorded(const X& x) {
        auto made = std::make_shared<program<T>>();
        {
            recorder<T> on;
            const auto at = points::made<replayable<T>>(
                x, [&](const auto& v, std::size_t) { return replayable<T>::input(on, static_cast<T>(v)); });
            const auto y = points::all_values<replayable<T>>(f_, at);
            std::vector<slot> outputs(points::size_of(y));
            for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = points::element(y, i).slot_on(on);
            if constexpr (!one) {
                auto shape = points::made<T>(y, [](const auto&, std::size_t) { return T{}; });
                if constexpr (std::same_as<decltype(shape), Values>) shape_ = std::move(shape);
            }
            *made = arrangement<T>(on, points::size_of(at), outputs).take();
        }
        return memory<T>(std::move(made));
    }

    template <class X>
    void record_at(const X& x) {
        memory_ = recorded(x);
        jacobian_plan_ = nullptr;
        hessian_plan_ = nullptr;
    }
    /// The same at several arguments, whose lists and constants may be others than before.
    template <class... X>
    void record_at_arguments(const X&... x) {
        using parts = typename parts_of_function<F>::type;
        if constexpr (std::same_as<parts, std::tuple<points::with_numbers<T, X>...>>) {
            const auto all = points::joined(x...);
            struct change {
                parts& now;
                parts other;
                bool stays = false;
                change(parts& of, parts to) : now(of), other(std::move(to)) { std::swap(now, other); }
                ~change() {
                    if (!stays) std::swap(now, other); // f has thrown
                }
                change(const change&) = delete;
                change& operator=(const change&) = delete;
            } arguments(f_.parts, points::parts_of<T>(all, x...));
            record_at(all);
            arguments.stays = true;
        } else {
            replays::listed<T>(parts_of_function<F>::of(f_), [this](const auto& at) { this->record_at(at); }, x...);
        }
    }

    template <class X>
    void load(const X& x) {
        decltype(auto) from = points::evaluated(x);
        replays::check("replay", "numbers in its point", inputs(), points::size_of(from));
        T* const to = memory_.inputs();
        for (std::size_t i = 0; i < inputs(); ++i) to[i] = static_cast<T>(points::element(from, i));
    }
    /// The values at a point. A function that is recorded anew may return another number of values: what is written
    /// for the caller is checked after this.
    template <class X>
    void run(const X& x) {
        load(x);
        if (memory_.run_values()) [[likely]]
            return;
        if (!records_) memory_.report_change();
        record_at(x);
        load(x);
        (void)memory_.run_values();
    }
    [[nodiscard]] const T* swept() {
        check_one();
        return memory_.sweep([](std::size_t) { return T(1); });
    }

    // Numbers laid out as f returns them.
    template <class Of>
    [[nodiscard]] auto as_returned(Of of) const {
        if constexpr (one)
            return of(0);
        else
            return points::made<T>(shape_, [&](const auto&, std::size_t i) { return of(i); });
    }
    [[nodiscard]] auto all_values() const {
        return as_returned([this](std::size_t i) { return memory_.output(i); });
    }

    template <class D>
    [[nodiscard]] static auto component_of(const D& direction) {
        return [&direction](std::size_t i, std::size_t) { return static_cast<T>(points::element(direction, i)); };
    }
    template <std::size_t Most = directions, class D, class Part>
    static void for_directions(const D& along, Part part) {
        if constexpr (points::is_matrix<D>) {
            replays::for_parts<Most>(along.rows(), [&](std::size_t first, std::size_t count) {
                part(first, count, [&](std::size_t i, std::size_t k) { return along(first + k, i); });
            });
        } else {
            decltype(auto) evaluated = points::evaluated(along);
            part(0, 1, component_of(evaluated));
        }
    }
    // Passes the products of the Hessian with directions to write(direction, input, product).
    template <class D, class Write>
    void second(const D& along, Write write) {
        check_one();
        for_directions<second_directions>(along, [&](std::size_t first, std::size_t count, auto component) {
            const auto* const g = memory_.run_second(count, component);
            for (std::size_t i = 0; i < inputs(); ++i)
                for (std::size_t k = 0; k < count; ++k) write(first + k, i, g[i].tangents[k]);
        });
    }

    // Writes the Jacobian row by row, by the fewer sweeps.
    void fill_jacobian(T* to) {
        if (outputs() <= inputs())
            replays::for_parts<directions>(outputs(), [&](std::size_t first, std::size_t count) {
                const auto* const g =
                    memory_.sweep_lanes(count, [&](std::size_t i, std::size_t k) { return T(i == first + k ? 1 : 0); });
                for (std::size_t k = 0; k < count; ++k)
                    for (std::size_t j = 0; j < inputs(); ++j) to[(first + k) * inputs() + j] = g[j][k];
            });
        else
            replays::for_parts<directions>(inputs(), [&](std::size_t first, std::size_t count) {
                const auto* const t = memory_.run_tangents(
                    count, [&](std::size_t i, std::size_t k) { return T(i == first + k ? 1 : 0); });
                for (std::size_t i = 0; i < outputs(); ++i)
                    for (std::size_t k = 0; k < count; ++k) to[i * inputs() + first + k] = t[memory_.place(i)][k];
            });
    }
    // Writes the Hessian row by row, both halves, after a run and the sweep of the gradient.
    void fill_hessian(T* to) {
        replays::for_parts<second_directions>(inputs(), [&](std::size_t first, std::size_t count) {
            const auto* const g =
                memory_.run_second(count, [&](std::size_t i, std::size_t k) { return T(i == first + k); });
            for (std::size_t i = 0; i < inputs(); ++i)
                for (std::size_t k = 0; k < count; ++k) to[i * inputs() + first + k] = g[i].tangents[k];
        });
    }

    template <class Part>
    void at_points(const matrix<T>& x, Part part) {
        replays::check("replay", "numbers in its point", inputs(), x.columns());
        replays::for_parts<memory<T>::width>(x.rows(), [&](std::size_t first, std::size_t count) {
            memory_.run_points(first, count, [&](std::size_t i, std::size_t k) { return x(first + k, i); });
            part(first, count);
        });
    }
};

} // namespace replays
} // namespace chainrule::tape
