// SPDX-License-Identifier: BSL-1.0
//
// Runs of functions on dual numbers within one another. The numbers of an outer run have the type of those of an inner
// one, so the types do not tell them apart, and a function that uses both would mix their tangents.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/core/structural_zero.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace chainrule::tape::points {

/// A run of a function on numbers of type D, or on active ones of these, in this thread.
template <class D>
class forward_run {
public:
    forward_run() { ++running_; }
    ~forward_run() { --running_; }
    forward_run(const forward_run&) = delete;
    forward_run& operator=(const forward_run&) = delete;

    /// Whether it is called by a function that runs on such numbers itself.
    [[nodiscard]] bool is_within_another() const { return running_ > 1; }

private:
    static inline constinit thread_local int running_ = 0;
};

/// Checks that a function on dual numbers uses none of an outer run: then its results have tangents at a point without
/// any. `results(nearby)` are those at the point or near it: at the point itself the tangents may be zero by chance, as
/// that of x y where y is 0.
template <class Results>
void check_own_numbers(const char* call, const Results& results) {
    const auto check = [call](const auto& found) {
        for (const auto& result : found)
            for (const auto& tangent : result.tangents)
                if (!core::is_structural_zero(tangent) && tangent == tangent)
                    core::raise(std::logic_error(
                        std::string(call) + ": the function uses numbers of a derivative around this call, whose "
                                            "tangents would mix with its own; start at numbers of their type T, as at "
                                            "std::vector{T(2.0)}"));
    };
    check(results(false));
    decltype(results(true)) near_point;
    CHAINRULE_TRY { near_point = results(true); }
    CHAINRULE_CATCH(...) { return; } // the function is not defined there
    check(near_point);
}
/// Number i of a point, or another one near it.
template <class T>
[[nodiscard]] T at_or_near(const T& x, std::size_t i, bool nearby) {
    if (!nearby) return x;
    const double step = 0x1p-10 / (1.6180339887498949 + static_cast<double>(i));
    return T(x + x * T(step) + T(step));
}

} // namespace chainrule::tape::points
