// SPDX-License-Identifier: BSL-1.0
//
// GradBench's evals with Sacado's reverse mode, Rad, which records while it computes and uses its memory again at the
// first operation after a sweep. It has no second derivatives but of nested numbers, which kmeans would need.
#include <Sacado_trad.hpp>

#include "peer.hpp"

namespace gradbench {
namespace {

class sacado_rad {
public:
    template <class F>
    void gradient(const F& f, const numbers& x, numbers& result) {
        const std::vector<number> point(x.begin(), x.end());
        number value = f(point);
        number* pointer = &value;
        double weight = 1.0;
        number::Weighted_Gradcomp(1, &pointer, &weight);
        for (std::size_t i = 0; i < x.size(); ++i) result[i] = point[i].adj();
    }

    /// One sweep back for each row.
    template <class F, std::size_t N>
    void jacobian(const F& f, const std::array<double, N>& x, double* to) {
        const std::vector<number> point(x.begin(), x.end());
        auto values = f(point);
        std::vector<number*> pointers;
        for (number& value : values) pointers.push_back(&value);
        numbers weights(pointers.size());
        for (double& weight : weights) {
            weight = 1.0;
            number::Weighted_Gradcomp(pointers.size(), pointers.data(), weights.data());
            weight = 0.0;
            for (const number& each : point) *to++ = each.adj();
        }
    }

private:
    using number = Sacado::Rad::ADvar<double>;
};

} // namespace

peer sacado() { return peer_of<sacado_rad>("Sacado Rad"); }

} // namespace gradbench
