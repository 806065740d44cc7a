// SPDX-License-Identifier: BSL-1.0
//
// GradBench's evals with CppAD: recorded anew at each call, after which a forward sweep has to follow, and recorded
// once and optimised, which holds while every branch goes the same way. The function object keeps its memory.
#include "../../peers/cppad_of_tmb.hpp"

#include "peer.hpp"

namespace gradbench {
namespace {

using cppad_function = CppAD::ADFun<double>;

template <class F>
void record(cppad_function& recorded, const F& f, const auto& x) {
    CppAD::thread_alloc::hold_memory(true);
    std::vector<CppAD::AD<double>> point(x.begin(), x.end()), results;
    CppAD::Independent(point);
    if constexpr (requires { f(point).begin(); }) {
        const auto computed = f(point);
        results.assign(computed.begin(), computed.end());
    } else {
        results.push_back(f(point));
    }
    recorded.Dependent(point, results);
}

class cppad_anew {
public:
    template <class F>
    void gradient(const F& f, const numbers& x, numbers& result) {
        record(recorded_, f, x);
        recorded_.Forward(0, x);
        result = recorded_.Reverse(1, numbers{1.0});
    }

    /// One sweep back for each row.
    template <class F, std::size_t N>
    void jacobian(const F& f, const std::array<double, N>& x, double* to) {
        record(recorded_, f, x);
        recorded_.Forward(0, numbers(x.begin(), x.end()));
        numbers weights(recorded_.Range());
        for (double& weight : weights) {
            weight = 1.0;
            to = std::ranges::copy(recorded_.Reverse(1, weights), to).out;
            weight = 0.0;
        }
    }

    /// A sweep back over tangents gives, of each variable, the gradient and its derivative.
    template <class F>
    void newton_direction(const F& f, const numbers& x, numbers& result) {
        record(recorded_, f, x);
        recorded_.Forward(0, x);
        recorded_.Forward(1, numbers(x.size(), 1.0));
        const numbers both = recorded_.Reverse(2, numbers{1.0});
        for (std::size_t i = 0; i < x.size(); ++i) result[i] = both[2 * i] / both[2 * i + 1];
    }

private:
    cppad_function recorded_;
};

class cppad_once {
public:
    template <class F>
    void gradient(const F& f, const numbers& x, numbers& result) {
        if (!is_recorded_) {
            record(recorded_, f, x);
            recorded_.optimize();
            is_recorded_ = true;
        }
        recorded_.Forward(0, x);
        result = recorded_.Reverse(1, numbers{1.0});
    }

private:
    cppad_function recorded_;
    bool is_recorded_ = false;
};

} // namespace

peer cppad() { return peer_of<cppad_anew>("CppAD"); }
peer cppad_recorded() { return peer_of<cppad_once>("CppAD, recorded once"); }

} // namespace gradbench
