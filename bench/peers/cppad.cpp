// SPDX-License-Identifier: BSL-1.0
//
// How does one take a gradient with CppAD where each evaluation is recorded anew? Its allocator and the function object keep
// their memory; a new object each time is up to 1.2 times slower. A forward sweep has to follow the recording.
#include <iostream>
#include <type_traits>

// Three names that TMB's copy of CppAD expects from TMB.
template <class T>
struct isDouble : std::is_same<T, double> {};
static std::ostream& Rcout = std::cout;
#define CSKIP(...) __VA_ARGS__

#include <cppad/cppad.hpp>

#include "contestant.hpp"

namespace peers {
namespace {

struct cppad_function {
    template <class Workload>
    static void answer(const double* x, double* answer) {
        using number = CppAD::AD<double>;
        constexpr std::size_t n = inputs<Workload>, m = outputs<Workload>;
        CppAD::thread_alloc::hold_memory(true);
        CppAD::vector<number> point(n), results(m);
        for (std::size_t i = 0; i < n; ++i) point[i] = x[i];
        CppAD::Independent(point);
        const auto computed = run<Workload>(point.data());
        for (std::size_t j = 0; j < m; ++j) {
            results[j] = computed[j];
            answer[j] = CppAD::Value(CppAD::Var2Par(computed[j]));
        }
        static CppAD::ADFun<double> recorded;
        recorded.Dependent(point, results);
        CppAD::vector<double> start(n), weights(m), row(n);
        for (std::size_t i = 0; i < n; ++i) start[i] = x[i];
        recorded.Forward(0, start);
        double* derivatives = answer + m;
        for (std::size_t j = 0; j < m; ++j) {
            for (std::size_t other = 0; other < m; ++other) weights[other] = other == j ? 1.0 : 0.0;
            row = recorded.Reverse(1, weights);
            for (std::size_t i = 0; i < n; ++i) *derivatives++ = row[i];
        }
    }
};

}  // namespace

contestant cppad() { return contestant_of<cppad_function>("CppAD"); }

}  // namespace peers
