// SPDX-License-Identifier: BSL-1.0
//
// Gradients with ADOL-C. One contestant records anew at each evaluation, with values kept for the way back, so that no
// forward sweep follows. The other records once and sweeps over that forwards and back; this holds for points at which
// every branch goes the same way, and only there: of these workloads the Gaussian mixture branches, where it looks for
// the largest term. Buffers fit the workload, as a first recording tells: larger ones cost time at each recording, and
// what does not fit goes to a file.
#include <adolc/adolc.h>

#include <algorithm>

// What ADOL-C lacks.
static adub erfc(const badouble& x) { return 1.0 - erf(x); }

#include "contestant.hpp"

namespace peers {
namespace {

/// A number for a recording that no other has.
short next_tag() {
    static short used = 0;
    return ++used;
}

/// One recording of a workload. Values are kept for the way back.
template <class Workload>
class adol_c_recording {
public:
    void record(const double* x, double* values) {
        if (sizes_.operations == 0) find_sizes(x, values);
        trace_on(tag_, 1, sizes_.operations, sizes_.locations, sizes_.values, sizes_.taylors);
        run_on(x, values);
        trace_off();
    }

    /// The values at another point, by what was recorded.
    void forward(const double* x, double* values) const { zos_forward(tag_, outputs<Workload>, n, 1, x, values); }

    /// One vector sweep for several outputs.
    void back(double* derivatives) const {
        constexpr std::size_t m = outputs<Workload>;
        if constexpr (m == 1) {
            double weight = 1.0;
            fos_reverse(tag_, 1, n, &weight, derivatives);
        } else {
            double weights[m][m] = {}, *weight_rows[m], *rows[m];
            for (std::size_t j = 0; j < m; ++j) {
                weights[j][j] = 1.0;
                weight_rows[j] = weights[j];
                rows[j] = derivatives + j * n;
            }
            fov_reverse(tag_, m, n, m, weight_rows, rows);
        }
    }

private:
    static constexpr std::size_t n = inputs<Workload>;

    struct buffer_sizes {
        unsigned operations = 0, locations = 0, values = 0, taylors = 0;
    };

    static void run_on(const double* x, double* values) {
        std::array<adouble, n> point;
        for (std::size_t i = 0; i < n; ++i) point[i] <<= x[i];
        auto results = run<Workload>(point.data());
        for (adouble& result : results) result >>= *values++;
    }

    void find_sizes(const double* x, double* values) {
        const short tag = next_tag();
        trace_on(tag);
        run_on(x, values);
        trace_off();
        std::size_t counts[STAT_SIZE];
        tapestats(tag, counts);
        removeTape(tag, ADOLC_REMOVE_COMPLETELY);
        // Not below 10 000, which costs nothing: places that other recordings used are kept as well.
        const auto with_margin = [](std::size_t count) {
            return static_cast<unsigned>(std::max<std::size_t>(10'000, 2 * count));
        };
        // An operation keeps at most one value for the way back.
        sizes_ = {with_margin(counts[NUM_OPERATIONS]), with_margin(counts[NUM_LOCATIONS]),
                  with_margin(counts[NUM_VALUES]), with_margin(counts[NUM_OPERATIONS])};
    }

    short tag_ = next_tag();
    buffer_sizes sizes_;
};

struct adol_c_anew {
    template <class Workload>
    static void answer(const double* x, double* answer) {
        static adol_c_recording<Workload> recording;
        recording.record(x, answer);
        recording.back(answer + outputs<Workload>);
    }
};

struct adol_c_once {
    template <class Workload>
    static void answer(const double* x, double* answer) {
        static const auto recording = [&] {
            adol_c_recording<Workload> made;
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
