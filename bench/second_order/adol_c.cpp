// SPDX-License-Identifier: BSL-1.0
//
// Second derivatives with ADOL-C. One contestant records anew at each call; the other records once. A Hessian takes a
// forward and a reverse sweep for each variable, and gives the gradient along with it: what the driver hessian() does,
// which returns only the Hessian. The sparse drivers need ColPack, which Debian's ADOL-C is built without; so sparse
// matrices of few variables are computed as dense ones, and the others are left out.
#include "../peers/adol_c_recording.hpp"

#include "contestant.hpp"

namespace second_order {
namespace {

/// Whether a problem is computed at all.
template <class Problem>
inline constexpr bool takes_part =
    asks<Problem, hessian> || asks<Problem, product> || requires { requires Problem::size <= 64; };

template <class Problem>
void record(peers::adol_c_recording& recording, const numbers& x) {
    recording.record(false, [&] {
        std::vector<adouble> point(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) point[i] <<= x[i];
        double to;
        if constexpr (asks<Problem, sparse_jacobian>) {
            auto results = Problem{}(point);
            for (adouble& result : results) result >>= to;
        } else {
            adouble result = Problem{}(point);
            result >>= to;
        }
    });
}

std::vector<entry> entries_of_dense(const numbers& all, std::size_t n) {
    std::vector<entry> entries;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            if (all[i * n + j] != 0.0) entries.push_back({i, j, all[i * n + j]});
    return entries;
}

/// A dense Hessian; its nonzero entries answer for a sparse one.
template <class Problem>
struct asked {
    numbers x = Problem::at(), gradient = numbers(x.size()), lower = numbers(x.size() * x.size());
    numbers direction = numbers(x.size()), both = numbers(2 * x.size());
    std::vector<double*> rows = std::vector<double*>(x.size());
    double value = 0.0;

    asked() {
        for (std::size_t i = 0; i < x.size(); ++i) rows[i] = both.data() + 2 * i;
    }
    void compute(short tag) {
        const std::size_t n = x.size();
        double weight = 1.0, slope;
        for (std::size_t j = 0; j < n; ++j) {
            direction[j] = 1.0;
            fos_forward(tag, 1, static_cast<int>(n), 2, x.data(), direction.data(), &value, &slope);
            direction[j] = 0.0;
            gradient[j] = slope;
            hos_reverse(tag, 1, static_cast<int>(n), 1, &weight, rows.data());
            for (std::size_t i = 0; i < n; ++i) lower[i * n + j] = both[2 * i + 1];
        }
    }
    [[nodiscard]] bench::answer answer() const {
        const std::size_t n = x.size();
        if constexpr (asks<Problem, hessian>)
            return dense_answer(value, gradient, [&](std::size_t i, std::size_t j) { return lower[i * n + j]; });
        else
            return sparse_answer<Problem>(entries_of_dense(lower, n));
    }
};

template <class Problem>
requires asks<Problem, product>
struct asked<Problem> {
    numbers x = Problem::at(), direction = Problem::direction(), result = numbers(x.size());

    void compute(short tag) { hess_vec(tag, static_cast<int>(x.size()), x.data(), direction.data(), result.data()); }
    [[nodiscard]] bench::answer answer() const { return product_answer(result); }
};

template <class Problem>
requires asks<Problem, sparse_jacobian>
struct asked<Problem> {
    numbers x = Problem::at(), all = numbers(x.size() * x.size());
    std::vector<double*> rows = std::vector<double*>(x.size());

    asked() {
        for (std::size_t i = 0; i < x.size(); ++i) rows[i] = all.data() + i * x.size();
    }
    void compute(short tag) {
        const int n = static_cast<int>(x.size());
        jacobian(tag, n, n, x.data(), rows.data());
    }
    [[nodiscard]] bench::answer answer() const { return sparse_answer<Problem>(entries_of_dense(all, x.size())); }
};

template <class Problem>
struct adol_c_anew;
template <class Problem>
requires takes_part<Problem>
struct adol_c_anew<Problem> {
    static constexpr auto name = "ADOL-C";
    peers::adol_c_recording recording{2};
    asked<Problem> its;

    void compute() {
        record<Problem>(recording, its.x);
        its.compute(recording.tag());
    }
    [[nodiscard]] bench::answer answer() const { return its.answer(); }
};

template <class Problem>
struct adol_c_once;
template <class Problem>
requires takes_part<Problem>
struct adol_c_once<Problem> {
    static constexpr auto name = "ADOL-C, recorded once";
    peers::adol_c_recording recording{2};
    asked<Problem> its;

    adol_c_once() { record<Problem>(recording, its.x); }
    void compute() { its.compute(recording.tag()); }
    [[nodiscard]] bench::answer answer() const { return its.answer(); }
};

} // namespace

contestant adol_c() { return contestant_of<adol_c_anew>(); }
contestant adol_c_recorded() { return contestant_of<adol_c_once>(); }

} // namespace second_order
