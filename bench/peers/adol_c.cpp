// SPDX-License-Identifier: BSL-1.0
//
// Gradients with ADOL-C. One contestant records anew at each evaluation, with values kept for the way back, so that no
// forward sweep follows. The other records once and sweeps over that forwards and back; this holds for points at which
// every branch goes the same way, and only there: of these workloads the Gaussian mixture branches, where it looks for
// the largest term.
#include "adol_c_recording.hpp"

#include "contestant.hpp"

namespace peers {
namespace {

/// One recording of a workload. Values are kept for the way back.
template <class Workload>
class recording_of {
public:
    void record(const double* x, double* values) {
        recording_.record(true, [x, values] { run_on(x, values); });
    }

    /// The values at another point, by what was recorded.
    void forward(const double* x, double* values) const {
        zos_forward(recording_.tag(), outputs<Workload>, n, 1, x, values);
    }

    /// One vector sweep for several outputs.
    void back(double* derivatives) const {
        constexpr std::size_t m = outputs<Workload>;
        if constexpr (m == 1) {
            double weight = 1.0;
            fos_reverse(recording_.tag(), 1, n, &weight, derivatives);
        } else {
            double weights[m][m] = {}, *weight_rows[m], *rows[m];
            for (std::size_t j = 0; j < m; ++j) {
                weights[j][j] = 1.0;
                weight_rows[j] = weights[j];
                rows[j] = derivatives + j * n;
            }
            fov_reverse(recording_.tag(), m, n, m, weight_rows, rows);
        }
    }

private:
    static constexpr std::size_t n = inputs<Workload>;

    static void run_on(const double* x, double* values) {
        std::array<adouble, n> point;
        for (std::size_t i = 0; i < n; ++i) point[i] <<= x[i];
        auto results = run<Workload>(point.data());
        for (adouble& result : results) result >>= *values++;
    }

    adol_c_recording recording_;
};

struct adol_c_anew {
    template <class Workload>
    static void answer(const double* x, double* answer) {
        static recording_of<Workload> recording;
        recording.record(x, answer);
        recording.back(answer + outputs<Workload>);
    }
};

struct adol_c_once {
    template <class Workload>
    static void answer(const double* x, double* answer) {
        static const auto recording = [&] {
            recording_of<Workload> made;
            made.record(x, answer);
            return made;
        }();
        recording.forward(x, answer);
        recording.back(answer + outputs<Workload>);
    }
};

} // namespace

contestant adol_c() { return contestant_of<adol_c_anew>("ADOL-C"); }
contestant adol_c_recorded() { return contestant_of<adol_c_once>("ADOL-C, recorded once"); }

} // namespace peers
