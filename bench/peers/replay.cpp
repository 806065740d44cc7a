// SPDX-License-Identifier: BSL-1.0
//
// Gradients with chainrule's tape, recorded once: like the other contestants of this kind, it replays the recording at
// each point. It checks the comparisons of the program, so that a point at which a branch goes another way is an error.
#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

#include <algorithm>

#include "contestant.hpp"

namespace peers {
namespace {

struct replayed_tape {
    template <class Workload>
    static void answer(const double* x, double* answer) {
        constexpr std::size_t n = inputs<Workload>, m = outputs<Workload>;
        std::array<double, n> point;
        std::copy_n(x, n, point.data());
        static auto recorded = chainrule::tape::record(
            [](const auto& at) {
                const auto results = run<Workload>(at.data());
                if constexpr (m == 1)
                    return results[0];
                else
                    return results;
            },
            point);
        if constexpr (m == 1) {
            answer[0] = recorded.value_and_gradient(point, std::span<double>(answer + 1, n));
        } else {
            const auto [values, jacobian] = recorded.value_and_jacobian(point);
            double* to = std::copy(values.begin(), values.end(), answer);
            for (const auto& row : jacobian) to = std::copy(row.begin(), row.end(), to);
        }
    }
};

} // namespace

contestant replay() { return contestant_of<replayed_tape>("chainrule tape, recorded once"); }

} // namespace peers
