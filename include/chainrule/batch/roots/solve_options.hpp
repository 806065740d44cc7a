// SPDX-License-Identifier: BSL-1.0
//
// The common parts of batches of equations and of fits: their options, in any order, and how the problems are
// distributed among threads.
#pragma once

#include <chainrule/batch/execution/options.hpp>

#include <algorithm>
#include <atomic>

namespace chainrule {

/// When searches for roots end.
struct newton_options {
    /// The last step is at most so large, relative to each unknown; 0: it changes at most the last digit.
    double tolerance = 0;
    /// Evaluations of the equations.
    int iterations = 100;
};

/// When fits end, and where they begin.
struct fit_options {
    /// The last step is at most so large, relative to the parameters, both in the norm of Marquardt's scales; 0: 1e-10
    /// for double, 1e-5 for float.
    double tolerance = 0;
    /// Evaluations of the residuals.
    int iterations = 500;
    /// The first damping, relative to the diagonal of J^T J: smaller if the start is close.
    double damping = 1e-3;
};

namespace batches {

struct damping {};
struct covariances {};
template <class F>
struct reporter {
    F f;
};

template <class T>
inline constexpr bool is_reporter = false;
template <class F>
inline constexpr bool is_reporter<reporter<F>> = true;
template <class T>
inline constexpr bool is_newton_option =
    is_executor<T> || is_reporter<T> || std::is_same_v<T, damping> || std::is_same_v<T, newton_options>;
template <class T>
inline constexpr bool is_fit_option =
    is_reporter<T> || std::is_same_v<T, covariances> || std::is_same_v<T, fit_options>;

/// Checks the arguments of newton(points, roots, options...).
template <class Out, class... Options>
consteval bool right_newton_options() {
    constexpr bool known =
        !std::is_arithmetic_v<Out> && !is_fit_option<Out> && (true && ... && is_newton_option<Options>);
    static_assert(known, "newton: an argument is neither memory for the roots nor one of newton_options, damped, "
                         "threads(n) and report(f); write b.newton(points, newton_options{.tolerance = 1e-12})");
    return known;
}

/// The option of a type among some arguments, or a default.
template <class Wanted, class Default>
[[nodiscard]] constexpr Default option_or(const Default& otherwise) {
    return otherwise;
}
template <class Wanted, class Default, class First, class... Rest>
[[nodiscard]] constexpr auto option_or(const Default& otherwise, const First& first, const Rest&... rest) {
    if constexpr (std::is_same_v<Wanted, First>)
        return first;
    else
        return option_or<Wanted>(otherwise, rest...);
}
/// The executor that some arguments ask for, or another.
template <class Executor>
[[nodiscard]] constexpr Executor executor_or(const Executor& otherwise) {
    return otherwise;
}
template <class Executor, class First, class... Rest>
[[nodiscard]] constexpr auto executor_or(const Executor& otherwise, const First& first, const Rest&... rest) {
    if constexpr (is_executor<First>)
        return typename executor_of<First>::type(first);
    else
        return executor_or(otherwise, rest...);
}
struct no_report {
    constexpr void operator()(std::size_t) const {}
};
[[nodiscard]] constexpr no_report report_among() { return {}; }
template <class First, class... Rest>
[[nodiscard]] constexpr auto report_among(const First& first, const Rest&... rest) {
    if constexpr (is_reporter<First>)
        return first.f;
    else
        return report_among(rest...);
}

/// A mark of the thread that asks.
[[nodiscard]] inline const void* mark_of_thread() {
    static thread_local const char mark = 0;
    return &mark;
}

/// Deals problems out to the threads of an executor, a multiple of `least` at a time and at most `most`:
/// work(first, end). report(done) is called in this thread only.
template <class Executor, class Report, class Work>
void deal(const Executor& executor, std::size_t problems, std::size_t least, std::size_t most, const Report& report,
          const Work& work) {
    const std::size_t even = problems / (8 * executor.workers() + 1);
    const std::size_t per_task = std::clamp((even + least - 1) / least * least, least, most);
    const std::size_t tasks = (problems + per_task - 1) / per_task;
    std::atomic<std::size_t> done{0};
    const void* const caller = mark_of_thread();
    executor.for_each_task(tasks, [&](std::size_t task) {
        const std::size_t first = task * per_task, end = std::min(problems, first + per_task);
        work(first, end);
        const std::size_t all = done += end - first;
        if (all < problems && mark_of_thread() == caller) report(all);
    });
    report(problems);
}

} // namespace batches

/// Halves a step of Newton's method as long as it does not bring g closer to 0: b.newton(points, damped).
inline constexpr batches::damping damped{};
/// Asks fits for the covariances of their parameters.
inline constexpr batches::covariances with_covariance{};
/// Calls f(done) with the number of problems that are solved, now and then and at the end, in the thread of the call.
template <class F>
[[nodiscard]] constexpr batches::reporter<F> report(const F& f) {
    return {f};
}

} // namespace chainrule
