// SPDX-License-Identifier: BSL-1.0
//
// Systems of differential equations for Boost.Odeint: odeint_system(F) for every stepper, with the Jacobian for the
// implicit ones; and states of dual or active numbers in steppers that control their step.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/core/raise.hpp>
#include <chainrule/entry/points.hpp>
#include <chainrule/interop/odeint/arrays_of_ublas.hpp>
#include <chainrule/interop/shape.hpp>
#include <chainrule/dual/dual_variables.hpp>
#include <chainrule/tape/recording/carries_derivatives.hpp>
#include <chainrule/tape/recording/comparison.hpp>
#include <chainrule/tape/recording/recorded_call.hpp>
#include <chainrule/tape/recording/tape.hpp>

#include <boost/numeric/odeint/algebra/norm_result_type.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

namespace chainrule {

namespace detail {

/// The largest absolute value in a state of dual or active numbers, without their derivatives: so a stepper takes the
/// steps that it takes with plain numbers.
class plain_norm {
public:
    using has_functions_of_table = void; // not a plain number beside a dual one, whose max() would fit as well

    explicit constexpr plain_norm(int zero) : norm_(zero) {}
    template <class T>
    requires std::is_class_v<T>
    explicit constexpr plain_norm(const T& absolute) : norm_(static_cast<double>(plain_value(absolute))) {}

    constexpr operator double() const { return norm_; }
    // For steppers whose tolerances and times have derivatives too. Beside those it is no operand: becomes_anything.
    constexpr operator of_no_number() const { return {}; }
    template <class T>
    requires(functions::has_own_rules<T> && !std::same_as<T, plain_norm> && std::constructible_from<T, double>)
    constexpr operator T() const {
        return T(norm_);
    }

    // Where Odeint does not convert the second operand.
    template <class T>
    requires(std::is_class_v<T> && !std::same_as<T, plain_norm>)
    friend constexpr plain_norm max(const plain_norm& before, const T& absolute) {
        const plain_norm here(absolute);
        return before.norm_ < here.norm_ ? here : before;
    }

private:
    double norm_;
};

/// Refuses a list, if it knows its size, that does not have one number per state variable.
template <std::size_t Size, class List>
void check_odeint_size(const List& list) {
    if constexpr (requires { std::tuple_size<List>::value; })
        static_assert(std::tuple_size<List>::value == Size,
                      "odeint_system: the state or its derivative does not have one number per value of the function; "
                      "give it that many");
    else if constexpr (requires { std::size(list); })
        if (static_cast<std::size_t>(std::size(list)) != Size)
            core::raise(
                wrong_size("odeint_system: the state or its derivative does not have one number per value of the "
                           "function; give it that many"));
}

/// The numbers with which a system is computed: those of the state if they are dual, active or of another class, or
/// else double. (An element may be a reference to a number, so the state names its type.)
template <class State>
struct odeint_number {
    using type = double;
};
template <class State>
requires std::is_class_v<typename State::value_type>
struct odeint_number<State> {
    using type = typename State::value_type;
};

} // namespace detail

/// The system dx/dt = F(x), or F(x, t) if F has one input more than outputs. `first` computes the derivative and
/// `second` the Jacobian, as the implicit steppers (rosenbrock4) need them; explicit steppers take `first`. Both take
/// states of dual and active numbers, and throw wrong_size where a state has another size. Example: `const auto system
/// = odeint_system(F); integrate_adaptive(stepper, system.first, state, 0.0, 1.0, 0.01);`
template <class F>
[[nodiscard]] auto odeint_system(const F& f) {
    static_assert(detail::function_of_numbers<F>, "odeint_system: the argument is not what cr::function(...) returns; "
                                                  "pass cr::function(f, cr::wrt(...)) or a traced function");
    constexpr std::size_t size = detail::shape_of<F>::outputs, inputs = detail::shape_of<F>::inputs;
    static_assert(inputs == size || inputs == size + 1,
                  "odeint_system: the function must have one value per state variable; its inputs are the state, and "
                  "then the time if it depends on it");
    // The inputs one by one: the state, then the time.
    constexpr auto on_inputs = []<class State>(const auto& call, const State& x, double t) {
        return detail::with_each_input<inputs>(call, [&](auto i) -> typename detail::odeint_number<State>::type {
            if constexpr (i() < size)
                return x[i()];
            else
                return t;
        });
    };
    const auto slope = [f, on_inputs](const auto& x, auto& dxdt, double t) {
        detail::check_odeint_size<size>(x);
        detail::check_odeint_size<size>(dxdt);
        const auto values = on_inputs([&f](auto... input) { return detail::values_as_array(f, input...); }, x, t);
        for (std::size_t i = 0; i < size; ++i) dxdt[i] = values[i];
    };
    // rosenbrock4 asks for the derivative with respect to time too, implicit_euler does not.
    const auto jacobian = [f, on_inputs](const auto& x, auto& matrix, double t, auto&... dfdt) {
        detail::check_odeint_size<size>(x);
        (detail::check_odeint_size<size>(dfdt), ...);
        const auto rows = on_inputs([&f](auto... input) { return detail::values_and_rows_of(f, input...); }, x, t).rows;
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t j = 0; j < size; ++j) matrix(i, j) = rows[i][j];
            if constexpr (inputs > size)
                ((dfdt[i] = rows[i][size]), ...);
            else
                ((dfdt[i] = 0.0), ...);
        }
    };
    return std::pair(slope, jacobian);
}

} // namespace chainrule

namespace boost::numeric::odeint {

template <class State>
requires chainrule::tape::carries_derivatives<typename State::value_type>
struct norm_result_type<State, void> {
    using type = chainrule::detail::plain_norm;
};

} // namespace boost::numeric::odeint

#include <chainrule/core/names_end.inc>
