// SPDX-License-Identifier: BSL-1.0
//
// Products of a compiled recording's derivatives with directions or weights: jvp, vjp and hvp, as of the recording.
#pragma once

#include <chainrule/tape/compiled/programs.hpp>
#include <chainrule/tape/replay/recorded_function.hpp>

#include <span>
#include <type_traits>

namespace chainrule::tape {

/// The base of compiled_function<Values> with its products, for compile(r, {.products = true}). Points, directions and
/// products are laid out as those of the recording.
template <class Self, class Values>
class compiled_products {
    static constexpr bool one = std::same_as<Values, double>;

public:
    /// The Jacobian times a direction; the directional derivative if f returns one number. The rows of a matrix<double>
    /// are several directions, and those of the result their products.
    template <points::list_of_numbers X, points::direction D>
    [[nodiscard]] auto jvp(const X& x, const D& direction) {
        points::check_direction("jvp", x, direction);
        if constexpr (points::is_matrix<D>) {
            return rows_of("jvp", jvp_code(), self().outputs(), x, direction);
        } else if constexpr (one) {
            double product = 0;
            self().multiply("jvp", jvp_code(), x, direction, std::span(&product, 1));
            return product;
        } else {
            std::vector<double> product(self().outputs());
            self().multiply("jvp", jvp_code(), x, direction, product);
            return points::made<double>(self().layout_of_values(),
                                        [&](const auto&, std::size_t i) { return product[i]; });
        }
    }
    /// Weights times the Jacobian: the gradient of the weighted sum of the values. The rows of a matrix<double> are
    /// several lists of weights, and those of the result their products.
    template <points::list_of_numbers X, class W>
    requires points::number<W> || points::direction<W>
    [[nodiscard]] auto vjp(const X& x, const W& weights) {
        if constexpr (points::number<W>) {
            return vjp(x, std::array<double, 1>{static_cast<double>(weights)});
        } else {
            replays::check("vjp", "weights", self().outputs(), points::length(weights));
            if constexpr (points::is_matrix<W>)
                return rows_of("vjp", vjp_code(), self().inputs(), x, weights);
            else
                return like_point("vjp", vjp_code(), x, weights);
        }
    }
    /// The Hessian times a direction, without computing the Hessian. The rows of a matrix<double> are several
    /// directions, and those of the result their products.
    template <points::list_of_numbers X, points::direction D>
    [[nodiscard]] auto hvp(const X& x, const D& direction) {
        Self::check_one();
        points::check_direction("hvp", x, direction);
        if constexpr (points::is_matrix<D>)
            return rows_of("hvp", hvp_code(), self().inputs(), x, direction);
        else
            return like_point("hvp", hvp_code(), x, direction);
    }
    /// The products with one direction or list of weights, into memory of the caller.
    template <points::list_of_numbers X, points::list_of_numbers D>
    void jvp(const X& x, const D& direction, memory_of<double> to) {
        points::check_direction("jvp", x, direction);
        replays::check_memory("jvp", "elements of the product", 1, self().outputs(), to);
        self().multiply("jvp", jvp_code(), x, direction, to);
    }
    template <points::list_of_numbers X, points::list_of_numbers W>
    void vjp(const X& x, const W& weights, memory_of<double> to) {
        replays::check("vjp", "weights", self().outputs(), points::size_of(weights));
        replays::check_memory("vjp", "elements of the product", 1, self().inputs(), to);
        self().multiply("vjp", vjp_code(), x, weights, to);
    }
    template <points::list_of_numbers X, points::list_of_numbers D>
    void hvp(const X& x, const D& direction, memory_of<double> to) {
        Self::check_one();
        points::check_direction("hvp", x, direction);
        replays::check_memory("hvp", "elements of the product", 1, self().inputs(), to);
        self().multiply("hvp", hvp_code(), x, direction, to);
    }

private:
    using code = replays::compiled_programs::code;

    [[nodiscard]] Self& self() { return static_cast<Self&>(*this); }
    [[nodiscard]] code* jvp_code() { return self().programs_.jvp; }
    [[nodiscard]] code* vjp_code() { return self().programs_.vjp; }
    [[nodiscard]] code* hvp_code() { return self().programs_.hvp; }

    template <class X, class D>
    [[nodiscard]] matrix<double> rows_of(const char* call, code* f, std::size_t results, const X& x, const D& along) {
        matrix<double> products(along.rows(), results);
        for (std::size_t k = 0; k < along.rows(); ++k)
            self().multiply(call, f, x, along.row(k), std::span(products.data() + k * results, results));
        return products;
    }
    template <class X, class D>
    [[nodiscard]] auto like_point(const char* call, code* f, const X& x, const D& along) {
        std::vector<double> product(self().inputs());
        self().multiply(call, f, x, along, product);
        return points::made<double>(x, [&](const auto&, std::size_t i) { return product[i]; });
    }
};

} // namespace chainrule::tape
