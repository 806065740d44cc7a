// SPDX-License-Identifier: BSL-1.0
//
// A recording of ADOL-C whose buffers fit, as a first recording tells: larger ones cost time at each recording, and
// what does not fit goes to a file.
#pragma once

#include <adolc/adolc.h>

#include <algorithm>
#include <cstddef>

// What ADOL-C lacks.
[[maybe_unused]] static adub erfc(const badouble& x) { return 1.0 - erf(x); }

namespace peers {

class adol_c_recording {
public:
    /// For sweeps that keep this many numbers of an operation: one for first derivatives, two for second ones.
    explicit adol_c_recording(std::size_t kept = 1) : kept_(kept) {}

    [[nodiscard]] short tag() const { return tag_; }

    /// Runs the code, which states its inputs and outputs, and records it; with `keep` the values for the way back too.
    template <class Code>
    void record(bool keep, const Code& code) {
        if (sizes_.operations == 0) find_sizes(code);
        trace_on(tag_, keep ? 1 : 0, sizes_.operations, sizes_.locations, sizes_.values, sizes_.taylors);
        code();
        trace_off();
    }

private:
    struct buffer_sizes {
        unsigned operations = 0, locations = 0, values = 0, taylors = 0;
    };

    /// A number for a recording that no other has.
    static short next_tag() {
        static short used = 0;
        return ++used;
    }

    template <class Code>
    void find_sizes(const Code& code) {
        const short tag = next_tag();
        trace_on(tag);
        code();
        trace_off();
        std::size_t counts[STAT_SIZE];
        tapestats(tag, counts);
        removeTape(tag, ADOLC_REMOVE_COMPLETELY);
        // Not below 10 000, which costs nothing: places that other recordings used are kept as well.
        const auto with_margin = [](std::size_t count) {
            return static_cast<unsigned>(std::max<std::size_t>(10'000, 2 * count));
        };
        sizes_ = {with_margin(counts[NUM_OPERATIONS]), with_margin(counts[NUM_LOCATIONS]),
                  with_margin(counts[NUM_VALUES]), with_margin(kept_ * counts[NUM_OPERATIONS])};
    }

    std::size_t kept_;
    short tag_ = next_tag();
    buffer_sizes sizes_;
};

} // namespace peers
