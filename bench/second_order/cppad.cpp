// SPDX-License-Identifier: BSL-1.0
//
// Second and sparse derivatives with CppAD. One contestant records anew at each call, and finds the pattern and the
// colours of sparse derivatives anew; the other records once, optimises that, and keeps pattern and colours. A dense
// Hessian takes a forward and a reverse sweep for each variable, and gives the gradient along with it. Sparse Hessians
// have symmetric colours, and only their lower triangle is asked; sparse Jacobians go forwards. Patterns are sets of
// indices; vectors of bits need the square of the variables.
#include "../peers/cppad_of_tmb.hpp"

#include <optional>
#include <set>

#include "contestant.hpp"

namespace second_order {
namespace {

using function = CppAD::ADFun<double>;
using indices = CppAD::vector<std::size_t>;
using sets = CppAD::vector<std::set<std::size_t>>;

/// Records a problem. The function object keeps its memory.
template <class Problem>
void record(function& recorded, const numbers& x) {
    using number = CppAD::AD<double>;
    CppAD::thread_alloc::hold_memory(true);
    std::vector<number> point(x.begin(), x.end()), results;
    CppAD::Independent(point);
    if constexpr (asks<Problem, sparse_jacobian>)
        results = Problem{}(point);
    else
        results.push_back(Problem{}(point));
    recorded.Dependent(point, results);
}

sets unit_sets(std::size_t n) {
    sets all(n);
    for (std::size_t i = 0; i < n; ++i) all[i].insert(i);
    return all;
}

/// The request to a finished recording: prepare() does what depends on the recording alone, then compute() runs.
template <class Problem>
struct asked;

template <class Problem>
requires asks<Problem, hessian>
struct asked<Problem> {
    numbers x = Problem::at(), values, gradient, lower = numbers(x.size() * x.size());
    numbers direction = numbers(x.size()), weight = {1.0};

    void prepare(function&) {}
    void compute(function& recorded) {
        const std::size_t n = x.size();
        values = recorded.Forward(0, x);
        gradient.resize(n);
        for (std::size_t j = 0; j < n; ++j) {
            direction[j] = 1.0;
            recorded.Forward(1, direction);
            direction[j] = 0.0;
            const numbers both = recorded.Reverse(2, weight); // of each variable the gradient, then its derivative
            if (j == 0)
                for (std::size_t i = 0; i < n; ++i) gradient[i] = both[2 * i];
            for (std::size_t i = 0; i < n; ++i) lower[i * n + j] = both[2 * i + 1];
        }
    }
    [[nodiscard]] bench::answer answer() const {
        return dense_answer(values[0], gradient, [&](std::size_t i, std::size_t j) { return lower[i * x.size() + j]; });
    }
};

template <class Problem>
requires asks<Problem, product>
struct asked<Problem> {
    numbers x = Problem::at(), direction = Problem::direction(), weight = {1.0}, both;

    void prepare(function&) {}
    void compute(function& recorded) {
        recorded.Forward(0, x);
        recorded.Forward(1, direction);
        both = recorded.Reverse(2, weight);
    }
    [[nodiscard]] bench::answer answer() const {
        numbers result(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) result[i] = both[2 * i + 1];
        return product_answer(result);
    }
};

/// The places of entries and what the library keeps of them.
template <class Work>
struct sparse {
    sets pattern;
    indices rows, columns;
    Work work;
    numbers entries;

    void find(const sets& found, bool lower) {
        pattern = found;
        rows.clear(), columns.clear(), work.clear();
        for (std::size_t i = 0; i < pattern.size(); ++i)
            for (const std::size_t j : pattern[i])
                if (!lower || j <= i) {
                    rows.push_back(i);
                    columns.push_back(j);
                }
        entries.resize(rows.size());
    }
    template <class Problem>
    [[nodiscard]] bench::answer answer() const {
        std::vector<entry> all;
        for (std::size_t k = 0; k < rows.size(); ++k) all.push_back({rows[k], columns[k], entries[k]});
        return sparse_answer<Problem>(std::move(all));
    }
};

template <class Problem>
requires asks<Problem, sparse_hessian>
struct asked<Problem> {
    numbers x = Problem::at(), weight = {1.0};
    sparse<CppAD::sparse_hessian_work> found;

    void prepare(function& recorded) {
        const std::size_t n = x.size();
        recorded.ForSparseJac(n, unit_sets(n));
        sets output(1);
        output[0].insert(0);
        found.find(recorded.RevSparseHes(n, output), true);
    }
    void compute(function& recorded) {
        recorded.SparseHessian(x, weight, found.pattern, found.rows, found.columns, found.entries, found.work);
    }
    [[nodiscard]] bench::answer answer() const { return found.template answer<Problem>(); }
};

template <class Problem>
requires asks<Problem, sparse_jacobian>
struct asked<Problem> {
    numbers x = Problem::at();
    sparse<CppAD::sparse_jacobian_work> found;

    void prepare(function& recorded) { found.find(recorded.ForSparseJac(x.size(), unit_sets(x.size())), false); }
    void compute(function& recorded) {
        recorded.SparseJacobianForward(x, found.pattern, found.rows, found.columns, found.entries, found.work);
    }
    [[nodiscard]] bench::answer answer() const { return found.template answer<Problem>(); }
};

template <class Problem>
struct cppad_anew {
    static constexpr auto name = "CppAD";
    function recorded;
    asked<Problem> its;

    void compute() {
        record<Problem>(recorded, its.x);
        its.prepare(recorded);
        its.compute(recorded);
    }
    [[nodiscard]] bench::answer answer() const { return its.answer(); }
};

template <class Problem>
struct cppad_once {
    static constexpr auto name = "CppAD, recorded once";
    function recorded;
    asked<Problem> its;

    cppad_once() {
        record<Problem>(recorded, its.x);
        recorded.optimize();
        its.prepare(recorded);
    }
    void compute() { its.compute(recorded); }
    [[nodiscard]] bench::answer answer() const { return its.answer(); }
};

} // namespace

contestant cppad() { return contestant_of<cppad_anew>(); }
contestant cppad_recorded() { return contestant_of<cppad_once>(); }

} // namespace second_order
