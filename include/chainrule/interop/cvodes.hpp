// SPDX-License-Identifier: BSL-1.0
//
// Systems of differential equations for CVODES of SUNDIALS: cvodes_system(F) has the callbacks for the derivative of
// the state, its Jacobian, forward sensitivities and the adjoint system. Link with sundials_cvodes and
// sundials_nvecserial (Debian: libsundials-dev).
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/core/is_finite.hpp>
#include <chainrule/core/raise.hpp>
#include <chainrule/interop/number_list.hpp>
#include <chainrule/interop/shape.hpp>

#include <cvodes/cvodes.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <array>
#include <cstddef>
#include <type_traits>

namespace chainrule {

/// Tells cvodes_system() that the last input of the function is the time.
struct last_input_is_time {};
/// As the last argument of cvodes_system(): the last input of the function is the time.
inline constexpr last_input_is_time time_is_last{};

/// The system dy/dt = F(y, p), or F(y, p, t), where p are parameters. F has one value per state variable. All callbacks
/// get the address of this object as user data. Where a result is not finite, they return 1, and CVODES tries a smaller
/// step. Where a vector or matrix does not fit the system, or F throws, they return -1, and it stops.
template <detail::function_of_numbers F, bool Timed>
class cvodes_equations {
    static constexpr std::size_t size = detail::shape_of<F>::outputs, inputs = detail::shape_of<F>::inputs;
    static constexpr std::size_t count = inputs - size - (Timed ? 1 : 0);
    using row = std::array<double, inputs>;
    static_assert(std::is_same_v<sunrealtype, double>,
                  "cvodes_system: SUNDIALS is compiled for numbers other than double; "
                  "use a library with double precision");

public:
    explicit cvodes_equations(const F& f) : f_(f) {}

    /// The values of p, in the order of the inputs of F.
    detail::number_list<count> parameters;

    /// dy/dt, for CVodeInit.
    static int slope(sunrealtype t, N_Vector y, N_Vector slope, void* system) {
        if (!fits(y) || !fits(slope)) return -1;
        return caught([&] {
            const cvodes_equations& self = of(system);
            const auto values = detail::values_as_array(self.f_, self.point(t, y));
            return written(slope, [&](std::size_t i) { return values[i]; });
        });
    }
    /// The Jacobian with respect to y, dense or banded, for CVodeSetJacFn.
    static int jacobian(sunrealtype t, N_Vector y, N_Vector, SUNMatrix to, void* system, N_Vector, N_Vector, N_Vector) {
        if (!fits(y)) return -1;
        return caught([&] {
            const auto rows = of(system).rows(t, y);
            return written(to, [&](std::size_t i, std::size_t j) { return rows[i][j]; });
        });
    }

    /// The time derivative of a sensitivity s, J s + dF/dp, for CVodeSensInit1: the first sensitivities are
    /// those with respect to p, the further ones those with respect to the start, whose own starts are unit vectors.
    static int sensitivity_slope(int, sunrealtype t, N_Vector y, N_Vector, int number, N_Vector s, N_Vector slope,
                                 void* system, N_Vector, N_Vector) {
        if (!fits(y) || !fits(s) || !fits(slope)) return -1;
        return caught([&] {
            const auto rows = of(system).rows(t, y);
            const auto parameter = static_cast<std::size_t>(number);
            const double* const along = N_VGetArrayPointer(s);
            return written(slope, [&](std::size_t i) {
                double sum = parameter < count ? rows[i][size + parameter] : 0.0;
                for (std::size_t j = 0; j < size; ++j) sum += rows[i][j] * along[j];
                return sum;
            });
        });
    }

    /// The adjoint system da/dt = -J^T a, for CVodeInitB. It begins at the end of time with the gradient of the output
    /// by y; at the start, a is the gradient with respect to the start.
    static int adjoint_slope(sunrealtype t, N_Vector y, N_Vector a, N_Vector slope, void* system) {
        if (!fits(y) || !fits(a) || !fits(slope)) return -1;
        return caught([&] {
            const row products = of(system).products(t, y, a);
            return written(slope, [&](std::size_t i) { return -products[i]; });
        });
    }
    /// Its Jacobian -J^T, for CVodeSetJacFnB.
    static int adjoint_jacobian(sunrealtype t, N_Vector y, N_Vector, N_Vector, SUNMatrix to, void* system, N_Vector,
                                N_Vector, N_Vector) {
        if (!fits(y)) return -1;
        return caught([&] {
            const auto rows = of(system).rows(t, y);
            return written(to, [&](std::size_t i, std::size_t j) { return -rows[j][i]; });
        });
    }
    /// -(dF/dp)^T a, for CVodeQuadInitB. From 0 at the end of time, its integral at the start is the gradient with
    /// respect to p.
    static int adjoint_integrand(sunrealtype t, N_Vector y, N_Vector a, N_Vector slope, void* system) {
        if (!fits(y) || !fits(a) || !fits<count>(slope)) return -1;
        return caught([&] {
            const row products = of(system).products(t, y, a);
            return written<count>(slope, [&](std::size_t k) { return -products[size + k]; });
        });
    }

private:
    F f_;

    static const cvodes_equations& of(const void* system) { return *static_cast<const cvodes_equations*>(system); }
    template <std::size_t Count = size>
    static bool fits(N_Vector v) {
        return N_VGetLength(v) == static_cast<sunindextype>(Count) && v->ops->nvgetarraypointer != nullptr &&
               (Count == 0 || N_VGetArrayPointer(v) != nullptr);
    }
    // An exception must not pass through CVODES, which is C.
    template <class Call>
    static int caught(const Call& call) {
        CHAINRULE_TRY { return call(); }
        CHAINRULE_CATCH(...) { return -1; }
    }

    [[nodiscard]] row point(double t, N_Vector y) const {
        row at{};
        const double* const state = N_VGetArrayPointer(y);
        for (std::size_t i = 0; i < size; ++i) at[i] = state[i];
        for (std::size_t k = 0; k < count; ++k) at[size + k] = parameters[k];
        if constexpr (Timed) at[inputs - 1] = t;
        return at;
    }
    [[nodiscard]] auto rows(double t, N_Vector y) const { return detail::values_and_rows_of(f_, point(t, y)).rows; }
    /// The transposed Jacobian times a vector.
    [[nodiscard]] row products(double t, N_Vector y, N_Vector a) const {
        const double* const weights = N_VGetArrayPointer(a);
        if constexpr (detail::shape_of<F>::scalar) {
            row gradient = f_.gradient(point(t, y));
            for (double& each : gradient) each *= weights[0];
            return gradient;
        } else {
            std::array<double, size> all;
            for (std::size_t i = 0; i < size; ++i) all[i] = weights[i];
            return f_.vjp(point(t, y), all);
        }
    }

    template <std::size_t Count = size, class Entry>
    static int written(N_Vector to, const Entry& entry) {
        double* const numbers = N_VGetArrayPointer(to);
        bool finite = true;
        for (std::size_t i = 0; i < Count; ++i) {
            numbers[i] = entry(i);
            finite = finite && core::is_finite(numbers[i]);
        }
        return finite ? 0 : 1;
    }
    template <class Entry>
    static int written(SUNMatrix to, const Entry& entry) {
        constexpr auto n = static_cast<sunindextype>(size);
        const SUNMatrix_ID kind = SUNMatGetID(to);
        bool finite = true;
        const auto write = [&](sunindextype i, sunindextype j, double& number) {
            number = entry(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
            finite = finite && core::is_finite(number);
        };
        if (kind == SUNMATRIX_DENSE && SUNDenseMatrix_Rows(to) == n && SUNDenseMatrix_Columns(to) == n) {
            for (sunindextype j = 0; j < n; ++j)
                for (sunindextype i = 0; i < n; ++i) write(i, j, SUNDenseMatrix_Column(to, j)[i]);
        } else if (kind == SUNMATRIX_BAND && SUNBandMatrix_Columns(to) == n) {
            for (sunindextype j = 0; j < n; ++j)
                for (sunindextype i = 0; i < n; ++i)
                    if (i - j <= SUNBandMatrix_LowerBandwidth(to) && j - i <= SUNBandMatrix_UpperBandwidth(to))
                        write(i, j, SUNBandMatrix_Column(to, j)[i - j]);
                    else if (entry(static_cast<std::size_t>(i), static_cast<std::size_t>(j)) != 0)
                        return -1; // Newton's iteration would hardly converge without it
        } else {
            return -1;
        }
        return finite ? 0 : 1;
    }
};

namespace detail {

template <bool Timed, class F>
[[nodiscard]] auto equations_of(const F& f) {
    constexpr bool known = function_of_numbers<F>;
    static_assert(known, "cvodes_system: the argument is not what cr::function(...) returns; pass cr::function(f, "
                         "cr::wrt(...)) or a traced function");
    if constexpr (known) {
        constexpr bool enough = shape_of<F>::inputs >= shape_of<F>::outputs + (Timed ? 1 : 0);
        static_assert(enough, "cvodes_system: the function has too few inputs; they are one per state variable, then "
                              "parameters, then the time where that is stated");
        if constexpr (enough) return cvodes_equations<F, Timed>(f);
    }
}

} // namespace detail

/// A system for CVODES. The inputs of the function are the state, then parameters of sensitivities.
/// Example: `auto system = cvodes_system(F); CVodeInit(m, system.slope, 0.0, y); CVodeSetUserData(m, &system);`
template <class F>
[[nodiscard]] auto cvodes_system(const F& f) {
    return detail::equations_of<false>(f);
}
/// The same; the last input is the time: cvodes_system(F, time_is_last).
template <class F>
[[nodiscard]] auto cvodes_system(const F& f, last_input_is_time) {
    return detail::equations_of<true>(f);
}

} // namespace chainrule

#include <chainrule/core/names_end.inc>
