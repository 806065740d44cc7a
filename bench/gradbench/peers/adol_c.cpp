// SPDX-License-Identifier: BSL-1.0
//
// GradBench's evals with ADOL-C, recorded anew at each call, with values kept for the way back.
#include "../../peers/adol_c_recording.hpp"

#include "peer.hpp"

namespace gradbench {
namespace {

class adol_c_anew {
public:
    template <class F>
    void gradient(const F& f, const numbers& x, numbers& result) {
        record(first_, true, f, x);
        double weight = 1.0;
        fos_reverse(first_.tag(), 1, static_cast<int>(x.size()), &weight, result.data());
    }

    /// One sweep back for all rows.
    template <class F, std::size_t N>
    void jacobian(const F& f, const std::array<double, N>& x, double* to) {
        const std::size_t m = record(first_, true, f, x);
        numbers weights(m * m);
        std::vector<double*> weight_rows(m), rows(m);
        for (std::size_t j = 0; j < m; ++j) {
            weights[j * m + j] = 1.0;
            weight_rows[j] = &weights[j * m];
            rows[j] = to + j * N;
        }
        const int size = static_cast<int>(m);
        fov_reverse(first_.tag(), size, static_cast<int>(N), size, weight_rows.data(), rows.data());
    }

    /// A sweep back over tangents gives, of each variable, the gradient and its derivative.
    template <class F>
    void newton_direction(const F& f, const numbers& x, numbers& result) {
        record(second_, false, f, x);
        const int n = static_cast<int>(x.size());
        numbers ones(x.size(), 1.0), both(2 * x.size());
        std::vector<double*> rows(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) rows[i] = &both[2 * i];
        double value, slope, weight = 1.0;
        fos_forward(second_.tag(), 1, n, 2, x.data(), ones.data(), &value, &slope);
        hos_reverse(second_.tag(), 1, n, 1, &weight, rows.data());
        for (std::size_t i = 0; i < x.size(); ++i) result[i] = both[2 * i] / both[2 * i + 1];
    }

private:
    /// The number of results.
    template <class F>
    static std::size_t record(peers::adol_c_recording& recording, bool keep, const F& f, const auto& x) {
        std::size_t results = 0;
        recording.record(keep, [&] {
            std::vector<adouble> point(x.size());
            for (std::size_t i = 0; i < x.size(); ++i) point[i] <<= x[i];
            auto computed = f(point);
            double value;
            if constexpr (requires { computed.begin(); }) {
                results = computed.size();
                for (adouble& result : computed) result >>= value;
            } else {
                results = 1;
                computed >>= value;
            }
        });
        return results;
    }

    peers::adol_c_recording first_{1}, second_{2};
};

} // namespace

peer adol_c() { return peer_of<adol_c_anew>("ADOL-C"); }

} // namespace gradbench
