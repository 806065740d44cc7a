// SPDX-License-Identifier: BSL-1.0
//
// Gradients with CppAD. One contestant records anew at each evaluation, after which a forward sweep has to follow. Its
// allocator and the function object keep their memory; a new object each time is up to 1.2 times slower. The other
// records once and optimises that, which holds for points at which every branch goes the same way, and only there: of
// these workloads the Gaussian mixture branches, where it looks for the largest term.
#include "cppad_of_tmb.hpp"

#include "contestant.hpp"

namespace peers {
namespace {

using cppad_function = CppAD::ADFun<double>;

/// Records a workload. The function object keeps its memory.
template <class Workload>
void record(cppad_function& recorded, const double* x) {
    using number = CppAD::AD<double>;
    CppAD::thread_alloc::hold_memory(true);
    CppAD::vector<number> point(inputs<Workload>), results(outputs<Workload>);
    for (std::size_t i = 0; i < point.size(); ++i) point[i] = x[i];
    CppAD::Independent(point);
    const auto computed = run<Workload>(point.data());
    for (std::size_t j = 0; j < results.size(); ++j) results[j] = computed[j];
    recorded.Dependent(point, results);
}

/// The values at a point, forwards, and the derivatives by one sweep back for each output.
template <class Workload>
void sweep(cppad_function& recorded, const double* x, double* answer) {
    constexpr std::size_t n = inputs<Workload>, m = outputs<Workload>;
    CppAD::vector<double> point(n), values(m), weights(m), row(n);
    for (std::size_t i = 0; i < n; ++i) point[i] = x[i];
    values = recorded.Forward(0, point);
    double* derivatives = answer + m;
    for (std::size_t j = 0; j < m; ++j) {
        answer[j] = values[j];
        for (std::size_t other = 0; other < m; ++other) weights[other] = other == j ? 1.0 : 0.0;
        row = recorded.Reverse(1, weights);
        for (std::size_t i = 0; i < n; ++i) *derivatives++ = row[i];
    }
}

struct cppad_anew {
    template <class Workload>
    static void answer(const double* x, double* answer) {
        static cppad_function recorded;
        record<Workload>(recorded, x);
        sweep<Workload>(recorded, x, answer);
    }
};

struct cppad_once {
    template <class Workload>
    static void answer(const double* x, double* answer) {
        static cppad_function recorded;
        static const bool is_recorded = [&] {
            record<Workload>(recorded, x);
            recorded.optimize();
            return true;
        }();
        static_cast<void>(is_recorded);
        sweep<Workload>(recorded, x, answer);
    }
};

} // namespace

contestant cppad() { return contestant_of<cppad_anew>("CppAD"); }
contestant cppad_recorded() { return contestant_of<cppad_once>("CppAD, recorded once"); }

} // namespace peers
