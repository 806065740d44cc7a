// SPDX-License-Identifier: BSL-1.0
//
// Bounds for rounding errors: the kernel runs on numbers that carry a bound of their rounding error
// (../property/reference.hpp), in the units of oracle.hpp.
#pragma once

#include "../property/interpreter.hpp"
#include "oracle.hpp"

// Constants of kernels come with its digits.
template <>
class std::numeric_limits<reference::tracked> : public std::numeric_limits<long double> {};

namespace oracle {

/// The bound of a result's error in units in the last place of a double: half a unit for each half of the unit
/// roundoff.
inline double running_error(const reference::tracked& result) {
    return result.value == 0 ? std::numeric_limits<double>::infinity()
                             : static_cast<double>(result.error / std::abs(result.value));
}

/// Functions whose derivative cancels in the formula of the table, where a better one would cost a second call: the
/// condition number does not bound the error, running error analysis does.
inline bool cancels(const std::string& name) { return name == "tanh" || name == "erfcx"; }

} // namespace oracle
