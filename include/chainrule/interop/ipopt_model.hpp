// SPDX-License-Identifier: BSL-1.0
//
// Nonlinear programs for Ipopt whose size is known at run time: ipopt_model is put together from functions of few
// variables, each applied at many places, as the steps of a trajectory are or the links of a chain.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/core/raise.hpp>
#include <chainrule/interop/ipopt.hpp> // for programs that have both
#include <chainrule/interop/ipopt/terms.hpp>
#include <chainrule/interop/number_list.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <numeric>
#include <ranges>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <vector>

namespace chainrule {

namespace detail {
/// A list of numbers of variables whose length is known when the program runs.
template <class Places>
concept list_of_places = std::ranges::sized_range<const Places> && std::ranges::input_range<const Places> &&
                         !std::is_array_v<Places> && std::integral<std::ranges::range_value_t<const Places>> &&
                         !requires(const Places& all) { []<std::size_t N>(const std::array<std::size_t, N>&) {}(all); };
/// The bounds of N values: one number for all, or a list of N.
template <std::size_t N>
struct ipopt_bounds : number_list<N> {
    using number_list<N>::number_list;
    ipopt_bounds(double of_all) { this->fill(of_all); }
};
} // namespace detail

/// A nonlinear program of as many variables as a program likes. minimise(F, places) adds the value of F at the
/// variables with these numbers to the objective; constrain(G, places, lower, upper) bounds each value of G there. Each
/// function is a kernel of its few inputs, with parameters of its own; Ipopt gets exact sparse first and second
/// derivatives. Fill in the start and the bounds of the variables, and pass it to
/// Ipopt::IpoptApplication::OptimizeTNLP, which returns Unrecoverable_Exception if a list has another length.
/// Example: `const auto model = make_ipopt_model(2 * n); model->constrain(link, {0, 1, 2, 3}, 0.0, 0.0);`
class ipopt_model : public detail::ipopt_program<std::vector<double>, std::vector<double>> {
    using index = Ipopt::Index;
    using number = Ipopt::Number;

    template <class F>
    using places_of = std::array<std::size_t, detail::shape_of<F>::inputs>;
    template <class F>
    using bounds_of = detail::ipopt_bounds<detail::shape_of<F>::outputs>;

public:
    explicit ipopt_model(std::size_t variables) : ipopt_program(variables, 0), variables_(variables) {}

    /// Adds F at the variables with these numbers to the objective.
    template <detail::function_of_numbers F>
    void minimise(const F& f, const places_of<F>& places) {
        static_assert(detail::shape_of<F>::outputs == 1,
                      "minimise: the function has several values; give one that returns the term of the objective");
        check("minimise", places);
        terms_of<F, true>().add(f, places, 0);
    }
    template <detail::function_of_numbers F, std::size_t Count>
    requires(Count > 1)
    void minimise(const F& f, const std::size_t (&places)[Count]) {
        minimise(f, in_braces<F>(places));
    }
    /// The same with the numbers in a list of any integers, such as a std::vector. Throws std::invalid_argument unless
    /// there is one for each input.
    template <detail::function_of_numbers F, detail::list_of_places Places>
    void minimise(const F& f, const Places& places) {
        minimise(f, of_list<F>("minimise", places));
    }
    /// The same at consecutive variables, from this one on.
    template <detail::function_of_numbers F>
    void minimise(const F& f, std::size_t first) {
        minimise(f, consecutive<F>(first));
    }
    /// Bounds the values of F at the variables with these numbers, by one number for all or a list with one for each;
    /// equal bounds make an equality, an infinite bound is none. Returns the number of the first of these constraints,
    /// at which constraint_lower has its bound. Throws std::invalid_argument if a lower bound is above the upper one.
    template <detail::function_of_numbers F>
    std::size_t constrain(const F& f, const places_of<F>& places, const bounds_of<F>& least,
                          const bounds_of<F>& greatest) {
        check("constrain", places);
        for (std::size_t i = 0; i < least.size(); ++i)
            if (!(least[i] <= greatest[i]))
                core::raise(std::invalid_argument("constrain: a lower bound is above the upper one, or one is not a "
                                                  "number; give the lower bounds first"));
        const std::size_t first_row = constraints_;
        constraints_ += detail::shape_of<F>::outputs;
        terms_of<F, false>().add(f, places, first_row);
        constraint_lower.insert(constraint_lower.end(), least.begin(), least.end());
        constraint_upper.insert(constraint_upper.end(), greatest.begin(), greatest.end());
        return first_row;
    }
    template <detail::function_of_numbers F, detail::list_of_places Places>
    std::size_t constrain(const F& f, const Places& places, const bounds_of<F>& least, const bounds_of<F>& greatest) {
        return constrain(f, of_list<F>("constrain", places), least, greatest);
    }
    template <detail::function_of_numbers F, std::size_t Count>
    requires(Count > 1)
    std::size_t constrain(const F& f, const std::size_t (&places)[Count], const bounds_of<F>& least,
                          const bounds_of<F>& greatest) {
        return constrain(f, in_braces<F>(places), least, greatest);
    }
    /// The same at consecutive variables, from this one on.
    template <detail::function_of_numbers F>
    std::size_t constrain(const F& f, std::size_t first, const bounds_of<F>& least, const bounds_of<F>& greatest) {
        return constrain(f, consecutive<F>(first), least, greatest);
    }

    bool get_nlp_info(index& n, index& m, index& jacobian_entries, index& hessian_entries,
                      IndexStyleEnum& style) override {
        std::size_t entries[2]{};
        for (const auto& terms : terms_) {
            entries[0] += terms->jacobian_entries();
            entries[1] += terms->hessian_entries();
        }
        n = static_cast<index>(variables_);
        m = static_cast<index>(constraints_);
        begin_run(n, m); // before Ipopt has memory that an exception would leak
        jacobian_entries = static_cast<index>(entries[0]);
        hessian_entries = static_cast<index>(entries[1]);
        style = C_STYLE;
        return true;
    }

    bool eval_f(index, const number* x, bool, number& value) override {
        value = 0.0;
        for (const auto& terms : terms_) value += terms->objective(x);
        return true;
    }

    bool eval_grad_f(index n, const number* x, bool, number* gradient) override {
        std::fill(gradient, gradient + n, 0.0);
        for (const auto& terms : terms_) terms->add_gradient(x, gradient);
        return true;
    }

    bool eval_g(index, const number* x, bool, index, number* g) override {
        for (const auto& terms : terms_) terms->constraints(x, g);
        return true;
    }

    bool eval_jac_g(index, const number* x, bool, index, index entries, index* rows, index* columns,
                    number* values) override {
        if (values) {
            for (const auto& terms : terms_) values = terms->jacobian(x, values);
        } else {
            std::vector<detail::ipopt_entry> places(static_cast<std::size_t>(entries));
            detail::ipopt_entry* next = places.data();
            for (const auto& terms : terms_) next = terms->jacobian_places(next);
            write(places, rows, columns);
        }
        return true;
    }

    bool eval_h(index, const number* x, bool, number objective_factor, index, const number* lambda, bool, index entries,
                index* rows, index* columns, number* values) override {
        if (values) {
            for (const auto& terms : terms_) values = terms->hessian(x, objective_factor, lambda, values);
        } else {
            std::vector<detail::ipopt_entry> places(static_cast<std::size_t>(entries));
            detail::ipopt_entry* next = places.data();
            for (const auto& terms : terms_) next = terms->hessian_places(next);
            write(places, rows, columns);
        }
        return true;
    }

private:
    // The lists may have other lengths until they are checked.
    std::size_t variables_, constraints_ = 0;
    // In the order in which their types were first used. Ipopt adds entries that have the same place.
    std::vector<std::unique_ptr<detail::ipopt_terms>> terms_;

    template <class F, bool Objective>
    detail::ipopt_terms_of<F, Objective>& terms_of() {
        using type = detail::ipopt_terms_of<F, Objective>;
        for (const auto& stored : terms_)
            if (detail::ipopt_terms& terms = *stored; typeid(terms) == typeid(type)) return static_cast<type&>(terms);
        return static_cast<type&>(*terms_.emplace_back(std::make_unique<type>()));
    }

    // A list in braces: as places_of, a list that is too short would get zeros.
    template <class F, std::size_t Count>
    static places_of<F> in_braces(const std::size_t (&list)[Count]) {
        constexpr bool right = Count == detail::shape_of<F>::inputs;
        static_assert(right, "minimise, constrain: there is not one number of a variable per input of the function; "
                             "give as many, or the first of consecutive ones");
        places_of<F> places{};
        if constexpr (right) std::copy(list, list + Count, places.begin());
        return places;
    }
    template <class F, class Places>
    static places_of<F> of_list(const char* call, const Places& list) {
        places_of<F> places{};
        if (std::ranges::size(list) != places.size())
            core::raise(std::invalid_argument(std::string(call) + ": there are " +
                                              std::to_string(std::ranges::size(list)) +
                                              " numbers of variables for a function of " +
                                              std::to_string(places.size()) + " inputs; give one for each"));
        std::ranges::transform(list, places.begin(), [](auto place) { return static_cast<std::size_t>(place); });
        return places;
    }
    template <class F>
    static places_of<F> consecutive(std::size_t first) {
        places_of<F> places;
        std::iota(places.begin(), places.end(), first);
        return places;
    }
    template <class Places>
    void check(const char* call, const Places& places) const {
        for (const std::size_t place : places)
            if (place >= variables_)
                core::raise(std::invalid_argument(std::string(call) + ": the variable number " + std::to_string(place) +
                                                  " is not below the number of variables, " +
                                                  std::to_string(variables_) +
                                                  "; make_ipopt_model(n) has the variables 0 to n - 1"));
    }
    static void write(const std::vector<detail::ipopt_entry>& places, index* rows, index* columns) {
        for (std::size_t k = 0; k < places.size(); ++k) {
            rows[k] = places[k].row;
            columns[k] = places[k].column;
        }
    }
};

/// A nonlinear program of n variables, yet without objective and constraints, as Ipopt holds it.
[[nodiscard]] inline Ipopt::SmartPtr<ipopt_model> make_ipopt_model(std::size_t variables) {
    return new ipopt_model(variables);
}

} // namespace chainrule

#include <chainrule/core/names_end.inc>
