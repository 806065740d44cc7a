// SPDX-License-Identifier: BSL-1.0
//
// The ends of a search for a root: of newton() for one system, and in batch/roots.hpp for many.
#pragma once

namespace chainrule {

/// The outcome of a search for a root.
enum class root_status {
    converged,
    not_finite,     // g or its derivatives are infinite or NaN at an iterate
    no_slope,       // the derivative is zero, or the Jacobian singular, at an iterate
    no_convergence, // more than 100 iterations
};

} // namespace chainrule
