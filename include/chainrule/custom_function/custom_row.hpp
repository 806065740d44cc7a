// SPDX-License-Identifier: BSL-1.0
//
// A custom function as a row of the table: values and derivatives in the type of the arguments, for numbers and graph
// terms.
#pragma once

#include <chainrule/kernel/numbers.hpp>
#include <chainrule/custom_function/formula_term.hpp>

#include <utility>

namespace chainrule::detail {

template <class T>
inline constexpr bool exact_constant_node = false;
template <expression T>
inline constexpr bool exact_constant_node<T> = int{T::arity} == 0 && int{T::numbers} == 0 && int{T::is_variable} == 0;

/// The row that represents a custom function F in the rest of the library: values and derivatives in the type of the
/// arguments.
template <class F>
struct custom_row {
    using function = F;
    using code_type = custom_code<F>;
    enum : unsigned { arity = F::arity };
    static constexpr const auto& name = F::name;

    template <class... T>
    [[gnu::always_inline]] static constexpr auto value(const T&... x) {
        using number = kernel::common_number<T...>;
        if constexpr (functions::has_functions_of_table<number>)
            return call_custom(custom_row{}, static_cast<number>(x)...);
        else
            return value_of<number>(static_cast<number>(x)...);
    }
    template <int K, class... T>
    [[gnu::always_inline]] static constexpr auto derivative(const T&... x_and_result) {
        using number = kernel::common_number<T...>;
        if constexpr (functions::closed_under_arithmetic<number>)
            return derivative_of<K, number>(static_cast<number>(x_and_result)...);
        else
            return functions::in_closed_numbers(
                [](const auto&... x) { return derivative_of<K, functions::closed_number<number>>(x...); },
                static_cast<number>(x_and_result)...);
    }
    /// Whether F's derivatives are formulas. derivative_of() says why not, here at the call of F, to which few lines
    /// lead; the graph would need the derivatives much later.
    template <int... K>
    static consteval bool has_formulas(std::integer_sequence<int, K...>) {
        // First, for clang, where the derivatives of two functions may need each other's return types.
        [[maybe_unused]] constexpr auto formula = &graph::custom_formula_of<F>;
        if constexpr (!(true && ... && is_formula<K, typename argument<K>::type..., formula_term>))
            static_cast<void>((derivative_of<K, formula_term>(typename argument<K>::type()..., formula_term()), ...));
        return true;
    }

private:
    // (A class, since nvcc writes out an alias and then lacks the parameter pack.)
    template <int>
    struct argument {
        using type = formula_term;
    };
    template <int K, class... Argument>
    static constexpr bool is_formula =
        requires(const Argument&... x) { static_cast<formula_term>(F::template derivative<K>(x...)); };

    // (Not in the functions: there nvcc finds no member of a class whose namespace is still open.)
    template <class... Argument>
    static constexpr bool has_value = requires(const Argument&... x) { F::value(x...); };
    template <int K, class... Argument>
    static constexpr bool has_derivative = requires(const Argument&... x) { F::template derivative<K>(x...); };
    template <class... Argument>
    static constexpr bool has_only_derivative = requires(const Argument&... x) { F::derivative(x...); };

    // Calls derivative_of() directly, which keeps error messages short.
    template <class G>
    friend constexpr graph::term graph::custom_formula_of(const graph::call_terms_base&, int);

    template <class N, class... Argument>
    [[gnu::always_inline]] static constexpr N value_of(const Argument&... x) {
        constexpr bool given = has_value<Argument...>;
        static_assert(given,
                      "custom_function: the class has no value() for this number type; write template <class T> static "
                      "constexpr T value(const T& x), with one parameter per argument of the function");
        if constexpr (given) {
            constexpr bool same_type = std::is_same_v<std::remove_cvref_t<decltype(F::value(x...))>, N>;
            static_assert(same_type,
                          "custom_function: value() does not return the type of its argument, for instance because it "
                          "takes double only; make it a template, or call the function with that type");
            if constexpr (same_type)
                return F::value(x...);
            else
                return N{};
        } else {
            return N{};
        }
    }
    // The result of a derivative; an exact constant such as 0.5_c is a number too.
    template <class N, class R>
    [[gnu::always_inline]] static constexpr N as_number(const R& result) {
        // An expression converts to a plain number only to say that it cannot.
        constexpr bool converts = requires { static_cast<N>(result); } && !(std::is_arithmetic_v<N> && expression<R>);
        if constexpr (converts) {
            return static_cast<N>(result);
        } else if constexpr (exact_constant_node<R>) {
            if constexpr (std::is_same_v<N, formula_term>)
                return N(R::value());
            else if constexpr (std::floating_point<N>)
                return R::value().template as<N>();
            else
                return static_cast<N>(R::value().template as<double>());
        } else {
            static_assert(converts,
                          "custom_function: the derivative is not a number; compute it from the arguments and "
                          "numbers, as in 0.5 * x instead of 0.5_c * x");
            return N{};
        }
    }
    template <int K, class N, class... Argument>
    [[gnu::always_inline]] static constexpr N derivative_of(const Argument&... x) {
        if constexpr (has_derivative<K, Argument...>) {
            return as_number<N>(F::template derivative<K>(x...));
        } else {
            constexpr bool given = F::arity == 1 && has_only_derivative<Argument...>;
            static_assert(
                given,
                "custom_function: the class has no derivative(); write template <int K, class T> static constexpr "
                "auto derivative(const T& x, const T& r), the derivative with respect to argument K");
            if constexpr (given)
                return as_number<N>(F::derivative(x...));
            else
                return N{};
        }
    }
};

} // namespace chainrule::detail

template <class F>
constexpr chainrule::graph::term chainrule::graph::custom_formula_of(const call_terms_base& call,
                                                                     [[maybe_unused]] int k) {
    using detail::formula_term, detail::custom_row;
    const graph_term *const x = static_cast<const call_terms&>(call).x, &r = static_cast<const call_terms&>(call).r;
    canonical_graph& g = *r.owner();
    const formula_term result(r), a(x[0]);
    if constexpr (int{F::arity} == 1) {
        return custom_row<F>::template derivative_of<0, formula_term>(a, result).term_in(g);
    } else if constexpr (int{F::arity} == 2) {
        const formula_term b(x[1]);
        return (k == 0 ? custom_row<F>::template derivative_of<0, formula_term>(a, b, result)
                       : custom_row<F>::template derivative_of<1, formula_term>(a, b, result))
            .term_in(g);
    } else {
        const formula_term b(x[1]), c(x[2]);
        return (k == 0   ? custom_row<F>::template derivative_of<0, formula_term>(a, b, c, result)
                : k == 1 ? custom_row<F>::template derivative_of<1, formula_term>(a, b, c, result)
                         : custom_row<F>::template derivative_of<2, formula_term>(a, b, c, result))
            .term_in(g);
    }
}
