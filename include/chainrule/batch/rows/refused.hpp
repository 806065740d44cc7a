// SPDX-License-Identifier: BSL-1.0
//
// The results of sum(), residuals() and fits() after an error has been reported: their uses add no errors.
#pragma once

#include <chainrule/entry/untraced.hpp>

#include <type_traits>

namespace chainrule::batches {

/// In place of the function of a row.
struct refused_row {};

/// In place of a reduction, of residuals or of fits.
struct refused_reduction : tracing::untraced {
    struct with_matrix {
        double value = 0;
        tracing::untraced_row gradient;
        tracing::untraced_matrix matrix;
    };
    template <class... Point>
    double half_squares(const Point&...) const {
        return 0;
    }
    template <class... Point>
    with_matrix gauss_newton(const Point&...) const {
        return {};
    }
    template <class... Start>
    refused_reduction levenberg_marquardt(const Start&...) const {
        return {};
    }
};

/// Whether function() or a reduction refused what it was given.
template <class F>
inline constexpr bool is_refused = std::is_base_of_v<tracing::untraced, F>;

} // namespace chainrule::batches
