// SPDX-License-Identifier: BSL-1.0
//
// Runs of functions on dual numbers within one another. The numbers of an outer run have the type of those of an inner
// one, so the types do not tell them apart, and a function that uses both would mix their tangents.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/core/structural_zero.hpp>

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace chainrule::tape::points {

/// The runs that are in progress in this thread, the innermost first, and in the thread that waits for its part of a
/// parallel computation.
struct run_in_progress {
    const void* numbers; // stands for their type
    const run_in_progress* around;

    static inline constinit thread_local const run_in_progress* innermost = nullptr;
};

/// A run of a function on numbers of type D, or on active ones of these, in this thread.
template <class D>
class forward_run {
public:
    forward_run() : mine_{&type_, run_in_progress::innermost} { run_in_progress::innermost = &mine_; }
    ~forward_run() { run_in_progress::innermost = mine_.around; }
    forward_run(const forward_run&) = delete;
    forward_run& operator=(const forward_run&) = delete;

    /// Whether it is called by a function that runs on such numbers itself.
    [[nodiscard]] bool is_within_another() const {
        const run_in_progress* run = mine_.around;
        while (run != nullptr && run->numbers != &type_) run = run->around;
        return run != nullptr;
    }

private:
    static inline char type_ = 0; // not constant: linkers may fold constants into one
    run_in_progress mine_;
};

/// A part of a parallel computation, which is within the runs of the thread that waits for it.
class part_of_run {
public:
    explicit part_of_run(const run_in_progress* of) : own_(run_in_progress::innermost) {
        run_in_progress::innermost = of;
    }
    ~part_of_run() { run_in_progress::innermost = own_; }
    part_of_run(const part_of_run&) = delete;
    part_of_run& operator=(const part_of_run&) = delete;

private:
    const run_in_progress* own_;
};

/// Where a function is evaluated to find out whether it uses numbers of an outer run. At the point itself tangents may
/// be zero by chance, as that of x y where y is 0, and on one side of it too, as that of max(x, 0) y.
enum class probe { point, above, below };

/// Checks that a function on dual numbers uses none of an outer run: then its results have tangents at a point without
/// any. `results(where)` are those at the point or near it.
template <class Results>
void check_own_numbers(const char* call, const Results& results) {
    const auto check = [call](const auto& found) {
        for (const auto& result : found)
            for (const auto& tangent : result.tangents)
                if (!core::is_structural_zero(tangent))
                    core::raise(std::logic_error(
                        std::string(call) + ": the function uses numbers of a derivative around this call, whose "
                                            "tangents would mix with its own; start at numbers of their type T, as at "
                                            "std::vector{T(2.0)}"));
    };
    check(results(probe::point));
    for (const probe where : {probe::above, probe::below}) {
        decltype(results(where)) found;
        CHAINRULE_TRY { found = results(where); }
        CHAINRULE_CATCH(...) { continue; } // the function is not defined there
        check(found);
    }
}
/// Number i of a point, or another one near it.
template <class T>
[[nodiscard]] T at_or_near(const T& x, std::size_t i, probe where) {
    if (where == probe::point) return x;
    const double step = 0x1p-10 / (1.6180339887498949 + static_cast<double>(i));
    // Without a comparison, which a recording would note.
    const auto length = [&x]() -> T {
        using std::hypot, std::sqrt;
        if constexpr (requires { hypot(T(1), x); })
            return hypot(T(1), x);
        else
            return sqrt(T(T(1) + x * x)); // of std::complex and intervals
    };
    const T distance(length() * T(step));
    return where == probe::above ? T(x + distance) : T(x - distance);
}

} // namespace chainrule::tape::points
