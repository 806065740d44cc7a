// SPDX-License-Identifier: BSL-1.0
//
// How does one take a gradient with ADOL-C where each evaluation is recorded anew? With values kept for the way back, so that
// no forward sweep follows, and one vector sweep for several outputs. Buffers fit the workload, as a first recording tells:
// larger ones cost time at each recording, and what does not fit goes to a file.
#include <adolc/adolc.h>

#include <algorithm>

#include "contestant.hpp"

namespace peers {
namespace {

struct adol_c_tape {
    template <class Workload>
    static void answer(const double* x, double* answer) {
        constexpr std::size_t n = inputs<Workload>, m = outputs<Workload>;
        static const short tag = next_tag();
        static const buffer_sizes sizes = sizes_for<Workload>(x, answer);
        trace_on(tag, 1, sizes.operations, sizes.locations, sizes.values, sizes.taylors);
        record<Workload>(x, answer);
        trace_off();
        double* derivatives = answer + m;
        if constexpr (m == 1) {
            double weight = 1.0;
            fos_reverse(tag, 1, n, &weight, derivatives);
        } else {
            double weights[m][m] = {}, *weight_rows[m], *rows[m];
            for (std::size_t j = 0; j < m; ++j) {
                weights[j][j] = 1.0;
                weight_rows[j] = weights[j];
                rows[j] = derivatives + j * n;
            }
            fov_reverse(tag, m, n, m, weight_rows, rows);
        }
    }

private:
    struct buffer_sizes {
        unsigned operations, locations, values, taylors;
    };

    static short next_tag() {
        static short used = 0;
        return ++used;
    }

    template <class Workload>
    static void record(const double* x, double* values) {
        std::array<adouble, inputs<Workload>> point;
        for (std::size_t i = 0; i < point.size(); ++i) point[i] <<= x[i];
        auto results = run<Workload>(point.data());
        for (adouble& result : results) result >>= *values++;
    }

    template <class Workload>
    static buffer_sizes sizes_for(const double* x, double* values) {
        const short tag = next_tag();
        trace_on(tag);
        record<Workload>(x, values);
        trace_off();
        std::size_t counts[STAT_SIZE];
        tapestats(tag, counts);
        removeTape(tag, ADOLC_REMOVE_COMPLETELY);
        // Not below 10 000, which costs nothing: places that other recordings used are kept as well.
        const auto with_margin = [](std::size_t count) {
            return static_cast<unsigned>(std::max<std::size_t>(10'000, 2 * count));
        };
        // An operation keeps at most one value for the way back.
        return {with_margin(counts[NUM_OPERATIONS]), with_margin(counts[NUM_LOCATIONS]), with_margin(counts[NUM_VALUES]),
                with_margin(counts[NUM_OPERATIONS])};
    }
};

}  // namespace

contestant adol_c() { return contestant_of<adol_c_tape>("ADOL-C"); }

}  // namespace peers
