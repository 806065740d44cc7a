// SPDX-License-Identifier: BSL-1.0
//
// A function that was recorded once, record(f, x), and is replayed at other points: its values and derivatives.
#pragma once

#include <chainrule/tape/replay/recorded_taylor.hpp>

namespace chainrule::tape {

/// A recording of f that is evaluated again at other points, without f. It holds where the comparisons on which f
/// branches come out alike; elsewhere, calls throw comparison_changed, or record anew after record_when_changed().
/// Values have the bits of f. Copies share the recording and may be used by other threads; one object has one thread at
/// a time, since its memory is kept from call to call. Results go into lists that are laid out as the point, or into a
/// span. Calls of a moved-from recording throw std::logic_error.
template <class T, class F, class Values>
class recorded_function : replays::taylor_runs<T, F, Values> {
    using runs = replays::taylor_runs<T, F, Values>;
    using runs::all_values;
    using runs::as_returned;
    using runs::at_points;
    using runs::check_one;
    using runs::component_of;
    using runs::fill_hessian;
    using runs::fill_jacobian;
    using runs::for_directions;
    using runs::memory_;
    using runs::one;
    using runs::parts;
    using runs::record_at_arguments;
    using runs::records_;
    using runs::run;
    using runs::second;
    using runs::swept;
    template <class X>
    using gradient_like = typename points::layout<X>::template with<T>;
    template <class... X>
    static constexpr bool takes_point = runs::template takes_point<X...>;

public:
    template <points::list_of_numbers X>
    recorded_function(F f, const X& x) : runs(std::move(f), x) {}
    /// A recording of f that exists already, for tape/load.hpp.
    recorded_function(F f, Values shape, replays::memory<T> recorded)
        : runs(std::move(f), std::move(shape), std::move(recorded)) {}

    // How many numbers it takes and returns.
    using runs::inputs;
    using runs::outputs;
    /// How many operations it has.
    [[nodiscard]] std::size_t operations() const { return memory_.what().operations; }
    /// On how many comparisons and values read by value() it depends.
    [[nodiscard]] std::size_t comparisons() const { return memory_.what().readings.size(); }

    /// For tape/compile.hpp: what was recorded.
    [[nodiscard]] const replays::memory<T>& recording() const { return memory_; }
    /// For tape/compile.hpp: how the values are laid out.
    [[nodiscard]] const Values& layout_of_values() const { return runs::shape_; }
    /// For tape/compile.hpp: how the arguments are laid out if some of several are lists.
    [[nodiscard]] auto layout_of_arguments() const { return parts(); }

    /// Records f again, at this point.
    template <class... X>
    requires takes_point<X...>
    void record_again(const X&... x) {
        (void)memory_.what(); // throws if the recording was moved from, and with it f
        record_at_arguments(x...);
    }
    /// Whether calls at one point record f again where a comparison has changed, instead of throwing.
    void record_when_changed(bool records = true) { records_ = records; }

    /// The value, or the values laid out as f returns them.
    template <class... X>
    requires takes_point<X...>
    [[nodiscard]] auto operator()(const X&... x) {
        return replays::listed<T>(
            parts(),
            [this](const auto& at) {
                run(at);
                return all_values();
            },
            x...);
    }
    /// The values, into memory of the caller.
    template <points::list_of_numbers X>
    void values(const X& x, memory_of<T> to) {
        run(x);
        replays::check_memory("values", "values", 1, outputs(), to);
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = memory_.output(i);
    }

    /// The gradient of a function of one value.
    template <class... X>
    requires takes_point<X...>
    [[nodiscard]] auto gradient(const X&... x) {
        return value_and_gradient(x...).gradient;
    }
    template <points::list_of_numbers X>
    void gradient(const X& x, memory_of<T> to) {
        (void)value_and_gradient(x, to);
    }
    /// The value and the gradient: `.value`, `.gradient`.
    template <class... X>
    requires takes_point<X...>
    [[nodiscard]] auto value_and_gradient(const X&... x) {
        return replays::listed_in_parts<T>(
            parts(),
            [this](const auto& at) {
                run(at);
                const T* const adjoints = swept();
                auto gradient = points::made<T>(at, [&](const auto&, std::size_t i) { return adjoints[i]; });
                return value_and_gradient_of<T, decltype(gradient)>{memory_.output(0), std::move(gradient)};
            },
            x...);
    }
    /// Writes the gradient into memory of the caller and returns the value.
    template <points::list_of_numbers X>
    T value_and_gradient(const X& x, memory_of<T> to) {
        run(x);
        replays::check_memory("gradient", "elements of the gradient", 1, inputs(), to);
        std::copy_n(swept(), to.size(), to.data());
        return memory_.output(0);
    }

    /// The Jacobian of a function that returns a list: one row for each value.
    template <class... X>
    requires takes_point<X...>
    [[nodiscard]] auto jacobian(const X&... x) {
        return value_and_jacobian(x...).jacobian;
    }
    /// Writes the Jacobian into memory of the caller, row by row.
    template <points::list_of_numbers X>
    void jacobian(const X& x, memory_of<T> to) {
        run(x);
        replays::check_memory("jacobian", "elements of the Jacobian", outputs(), inputs(), to);
        fill_jacobian(to.data());
    }
    /// The values and the Jacobian: `.values`, `.jacobian`.
    template <class... X>
    requires takes_point<X...>
    [[nodiscard]] auto value_and_jacobian(const X&... x) {
        return replays::listed_in_parts<T>(
            parts(),
            [this]<class At>(const At& at) {
                static_assert(!one,
                              "record: the function returns one number; use gradient, or return a list of numbers");
                if constexpr (!one) {
                    run(at);
                    auto j = matrix<T>::to_be_written(outputs(), inputs());
                    fill_jacobian(j.data());
                    using type = points::matrix_of<Values, gradient_like<At>, T>;
                    return values_and_jacobian_of<Values, type>{all_values(), points::converted<type>(std::move(j))};
                } else {
                    return values_and_jacobian_of<T, T>{};
                }
            },
            x...);
    }

    /// The value, the gradient and the Hessian: `.value`, `.gradient`, `.hessian`.
    template <class... X>
    requires takes_point<X...>
    [[nodiscard]] auto hessian(const X&... x) {
        return replays::listed_in_parts<T>(
            parts(),
            [this]<class At>(const At& at) {
                run(at);
                const T* const adjoints = swept();
                auto gradient = points::made<T>(at, [&](const auto&, std::size_t i) { return adjoints[i]; });
                auto h = matrix<T>::to_be_written(inputs(), inputs());
                fill_hessian(h.data());
                using type = points::matrix_of<gradient_like<At>, gradient_like<At>, T>;
                return second_derivatives<T, gradient_like<At>, type>{memory_.output(0), std::move(gradient),
                                                                      points::converted<type>(std::move(h))};
            },
            x...);
    }
    /// Writes the gradient and the Hessian, both halves row by row, into memory of the caller and returns the value.
    template <points::list_of_numbers X>
    T hessian(const X& x, memory_of<T> gradient, memory_of<T> to) {
        run(x);
        replays::check_memory("hessian", "elements of the gradient", 1, inputs(), gradient);
        replays::check_memory("hessian", "elements of the Hessian", inputs(), inputs(), to);
        std::copy_n(swept(), gradient.size(), gradient.data());
        fill_hessian(to.data());
        return memory_.output(0);
    }

    /// The Jacobian times a direction; the directional derivative if f returns one number. The rows of a matrix<T> are
    /// several directions, and those of the result their products.
    template <points::list_of_numbers X, points::direction D>
    [[nodiscard]] auto jvp(const X& x, const D& direction) {
        points::check_direction("jvp", x, direction);
        run(x);
        matrix<T> product(points::rows_of(direction), outputs());
        for_directions(direction, [&](std::size_t first, std::size_t count, auto component) {
            const auto* const t = memory_.run_tangents(count, component);
            for (std::size_t k = 0; k < count; ++k)
                for (std::size_t i = 0; i < outputs(); ++i) product(first + k, i) = t[memory_.place(i)][k];
        });
        if constexpr (points::is_matrix<D>)
            return product;
        else
            return as_returned([&](std::size_t i) { return product(0, i); });
    }
    /// Weights times the Jacobian: the gradient of the weighted sum of the values. The rows of a matrix<T> are several
    /// lists of weights, and those of the result their products.
    template <points::list_of_numbers X, class W>
    requires points::number<W> || points::direction<W>
    [[nodiscard]] auto vjp(const X& x, const W& weights) {
        if constexpr (points::number<W>) {
            return vjp(x, std::array<T, 1>{static_cast<T>(weights)});
        } else {
            run(x);
            replays::check("vjp", "weights", outputs(), points::length(weights));
            if constexpr (points::is_matrix<W>) {
                matrix<T> product(weights.rows(), inputs());
                replays::for_parts<replays::directions>(weights.rows(), [&](std::size_t first, std::size_t count) {
                    const auto* const g =
                        memory_.sweep_lanes(count, [&](std::size_t i, std::size_t k) { return weights(first + k, i); });
                    for (std::size_t k = 0; k < count; ++k)
                        for (std::size_t i = 0; i < inputs(); ++i) product(first + k, i) = g[i][k];
                });
                return product;
            } else {
                decltype(auto) w = points::evaluated(weights);
                const T* const g = memory_.sweep([&](std::size_t i) { return static_cast<T>(points::element(w, i)); });
                return points::made<T>(x, [&](const auto&, std::size_t i) { return g[i]; });
            }
        }
    }
    /// The Hessian times a direction, without computing the Hessian. The rows of a matrix<T> are several directions,
    /// and those of the result their products.
    template <points::list_of_numbers X, points::direction D>
    [[nodiscard]] auto hvp(const X& x, const D& direction) {
        points::check_direction("hvp", x, direction);
        run(x);
        if constexpr (points::is_matrix<D>) {
            matrix<T> product(direction.rows(), inputs());
            second(direction, [&](std::size_t k, std::size_t i, const T& h) { product(k, i) = h; });
            return product;
        } else {
            auto product = points::made<T>(x, [](const auto&, std::size_t) { return T{}; });
            second(direction, [&](std::size_t, std::size_t i, const T& h) { points::element(product, i) = h; });
            return product;
        }
    }
    /// The products with one direction or list of weights, into memory of the caller.
    template <points::list_of_numbers X, points::list_of_numbers D>
    void jvp(const X& x, const D& direction, memory_of<T> to) {
        points::check_direction("jvp", x, direction);
        run(x);
        replays::check_memory("jvp", "elements of the product", 1, outputs(), to);
        decltype(auto) along = points::evaluated(direction);
        const auto* const t = memory_.run_tangents(1, component_of(along));
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = t[memory_.place(i)][0];
    }
    template <points::list_of_numbers X, points::list_of_numbers W>
    void vjp(const X& x, const W& weights, memory_of<T> to) {
        run(x);
        replays::check("vjp", "weights", outputs(), points::size_of(weights));
        replays::check_memory("vjp", "elements of the product", 1, inputs(), to);
        decltype(auto) w = points::evaluated(weights);
        std::copy_n(memory_.sweep([&](std::size_t i) { return static_cast<T>(points::element(w, i)); }), to.size(),
                    to.data());
    }
    template <points::list_of_numbers X, points::list_of_numbers D>
    void hvp(const X& x, const D& direction, memory_of<T> to) {
        points::check_direction("hvp", x, direction);
        run(x);
        replays::check_memory("hvp", "elements of the product", 1, inputs(), to);
        second(direction, [&](std::size_t, std::size_t i, const T& h) { to[i] = h; });
    }

    // Other arguments, in place of a list of members. MEMORY is how many results may have memory of the caller.
#define CHAINRULE_REFUSED(NAME, CALL, MEMORY)                                                                          \
    template <class... X>                                                                                              \
    requires(!takes_point<X...> && !(sizeof...(X) <= 1 + MEMORY && replays::takes_memory<T, X...>))                    \
    auto NAME(const X&...) {                                                                                           \
        constexpr bool is_point = takes_point<X...>;                                                                   \
        static_assert(is_point, CALL ": the arguments are not a point as at the recording, or memory for results is "  \
                                     "wrong; pass as many lists and numbers, and memory after one list only");         \
    }
    CHAINRULE_REFUSED(operator(), "r(x)", 0)
    CHAINRULE_REFUSED(gradient, "r.gradient(x)", 1)
    CHAINRULE_REFUSED(value_and_gradient, "r.value_and_gradient(x)", 1)
    CHAINRULE_REFUSED(jacobian, "r.jacobian(x)", 1)
    CHAINRULE_REFUSED(value_and_jacobian, "r.value_and_jacobian(x)", 0)
    CHAINRULE_REFUSED(hessian, "r.hessian(x)", 2)
#undef CHAINRULE_REFUSED

    // Taylor coefficients (tape/replay/recorded_taylor.hpp) and sparse derivatives (tape/replay/recorded_sparse.hpp)
    using runs::hessian_sparsity;
    using runs::jacobian_sparsity;
    using runs::sparse_hessian;
    using runs::sparse_jacobian;
    using runs::taylor;

    // Many points
    // --------------------------------------------------------------------------------------------------------

    /// The values at the points in the rows of a matrix, a row for each, in SIMD lanes: with the functions of
    /// docs/batches.md, so that the last bits may differ from those at one point.
    [[nodiscard]] matrix<T> operator()(const matrix<T>& x) {
        matrix<T> result(x.rows(), outputs());
        at_points(x, [&](std::size_t first, std::size_t count) {
            for (std::size_t k = 0; k < count; ++k)
                for (std::size_t i = 0; i < outputs(); ++i)
                    result(first + k, i) = memory_.at_point(memory_.place(i), k);
        });
        return result;
    }
    /// The gradients there, of a function of one value.
    [[nodiscard]] matrix<T> gradient(const matrix<T>& x) { return value_and_gradient(x).gradient; }
    /// The values and the gradients there: `.value`, a list, and `.gradient`, a row for each point.
    [[nodiscard]] auto value_and_gradient(const matrix<T>& x) {
        value_and_gradient_of<std::vector<T>, matrix<T>> result{std::vector<T>(x.rows()),
                                                                matrix<T>(x.rows(), inputs())};
        check_one();
        at_points(x, [&](std::size_t first, std::size_t count) {
            memory_.sweep_points();
            for (std::size_t k = 0; k < count; ++k) {
                result.value[first + k] = memory_.at_point(memory_.place(0), k);
                for (std::size_t i = 0; i < inputs(); ++i)
                    result.gradient(first + k, i) = memory_.adjoint_at_point(i, k);
            }
        });
        return result;
    }
};

} // namespace chainrule::tape
