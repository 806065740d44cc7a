// SPDX-License-Identifier: BSL-1.0
//
// Functors for Eigen's unsupported solvers, LevenbergMarquardt, NonLinearOptimization (both its Levenberg-Marquardt and
// its hybrid method) and others that take a functor with df(): eigen_functor(F) of a function, or of residuals over
// data.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/batch/residuals.hpp>
#include <chainrule/interop/shape.hpp>

#include <Eigen/Core>
#include <Eigen/QR>

#include <cstddef>
#include <span>
#include <type_traits>

namespace chainrule {

namespace detail {

template <class F>
inline constexpr bool is_residuals = false;
template <class Row, class Data, class Options>
inline constexpr bool is_residuals<residuals_over_data<Row, Data, Options>> = true;
template <class F>
inline constexpr bool has_weights = false;
template <class Row, class Data, class Options>
inline constexpr bool has_weights<residuals_over_data<Row, Data, Options>> = Options::weight >= 0 || Options::mask >= 0;

} // namespace detail

/// Values and Jacobians of F as Eigen's solvers call them, in double, which the solvers compute in; residuals over data
/// of other numbers are converted. It holds the address of F, which must live as long; parameters of F may be set
/// between runs. See eigen_functor().
template <class F>
class eigen_functor_of {
public:
    using Scalar = double;
    enum { InputsAtCompileTime = Eigen::Dynamic, ValuesAtCompileTime = Eigen::Dynamic };
    using InputType = Eigen::VectorXd;
    using ValueType = Eigen::VectorXd;
    using JacobianType = Eigen::MatrixXd;
    using QRSolver = Eigen::ColPivHouseholderQR<JacobianType>;

    explicit eigen_functor_of(const F& f) : f_(&f) {}

    [[nodiscard]] int inputs() const {
        if constexpr (detail::is_residuals<F>)
            return static_cast<int>(F::variable_count);
        else
            return static_cast<int>(detail::shape_of<F>::inputs);
    }
    [[nodiscard]] int values() const {
        if constexpr (detail::is_residuals<F>)
            return static_cast<int>(f_->count());
        else
            return static_cast<int>(detail::shape_of<F>::outputs);
    }

    /// Writes the values. (The result 0 says that all went well.)
    int operator()(const InputType& point, ValueType& to) const {
        to.resize(values());
        if constexpr (detail::is_residuals<F>) {
            if constexpr (std::is_same_v<typename F::number, double>) {
                f_->values(point, to);
            } else {
                Eigen::Matrix<typename F::number, Eigen::Dynamic, 1> found(values());
                f_->values(point, found);
                to = found.template cast<double>();
            }
        } else {
            const auto found = detail::values_as_array(*f_, point);
            for (std::size_t i = 0; i < found.size(); ++i) to[static_cast<Eigen::Index>(i)] = found[i];
        }
        return 0;
    }
    /// Writes the Jacobian.
    int df(const InputType& point, JacobianType& to) const {
        if constexpr (detail::is_residuals<F>) {
            Eigen::Matrix<typename F::number, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows(values(), inputs());
            f_->jacobian(point, std::span(rows.data(), static_cast<std::size_t>(rows.size())));
            to = rows.template cast<double>();
        } else {
            to.resize(values(), inputs());
            const auto rows = detail::values_and_rows_of(*f_, point).rows;
            for (Eigen::Index i = 0; i < to.rows(); ++i)
                for (Eigen::Index j = 0; j < to.cols(); ++j)
                    to(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
        }
        return 0;
    }

private:
    const F* f_;
};

/// A functor for Eigen's solvers: of what cr::function(...) returns, whose values are the equations or residuals, or of
/// cr::residuals(...).
/// Example: `auto functor = cr::eigen_functor(r); Eigen::LevenbergMarquardt solver(functor); solver.minimize(start);`
template <class F>
[[nodiscard]] auto eigen_functor(const F& f) {
    constexpr bool known = [] {
        if constexpr (detail::is_residuals<F>)
            return true;
        else
            return detail::function_of_numbers<F>;
    }();
    static_assert(known,
                  "eigen_functor: the argument is neither what cr::function(...) returns nor cr::residuals(...); "
                  "pass one of them");
    constexpr bool plain = !detail::has_weights<F>;
    static_assert(plain,
                  "eigen_functor: the residuals have weights or a mask, which their values and Jacobians leave "
                  "out; multiply the residual by the square root of its weight, as in residuals(sqrt(w) * r, ...)");
    return eigen_functor_of<F>(f);
}
template <class F>
void eigen_functor(const F&&) = delete; // keep the function in a variable

} // namespace chainrule

#include <chainrule/core/names_end.inc>
