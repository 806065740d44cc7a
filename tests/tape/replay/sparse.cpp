// SPDX-License-Identifier: BSL-1.0
//
// Sparse derivatives of recorded functions: patterns against those of tapes and of what operations lead where, entries
// against dense derivatives, plans that are found once and again after a new recording.
#include "catch.hpp"
#include "sentence.hpp"
#include "tensor/allocations.hpp"

#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>
#include <chainrule/tape/sparse.hpp>

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace {

namespace tape = chainrule::tape;

std::vector<double> point_of(std::size_t size, double from = 0.4) {
    std::vector<double> x;
    for (std::size_t i = 0; i < size; ++i) x.push_back(from + 0.013 * static_cast<double>(i % 61));
    return x;
}
/// Neighbours at a distance, and all with the first if asked.
struct neighbours {
    std::size_t distance;
    bool arrow;

    template <class X>
    auto operator()(const X& x) const {
        using T = std::remove_cvref_t<decltype(x[0])>;
        using std::exp, std::sin;
        T s = 0.0;
        for (std::size_t i = 0; i + distance < x.size(); ++i) {
            s += sin(x[i] * x[i + distance]) - 2.0 * x[i];
            if (arrow) s += exp(-x[0]) * x[i];
        }
        return s;
    }
};
struct differences {
    template <class X>
    auto operator()(const X& x) const {
        using T = std::remove_cvref_t<decltype(x[0])>;
        std::vector<T> y(x.size());
        for (std::size_t i = 1; i + 1 < x.size(); ++i) y[i] = x[i - 1] - 2.0 * x[i] * x[i] + x[i + 1];
        return y; // the first and the last are constants
    }
};

template <class F>
void check_hessian(const F& f, std::size_t size) {
    const auto x = point_of(size), at = point_of(size, -0.2);
    auto r = tape::record(f, x);
    CHECK(r.hessian_sparsity() == tape::hessian_sparsity(f, x));
    const auto sparse = r.sparse_hessian(at);
    CHECK(sparse.pattern == r.hessian_sparsity());
    const auto dense = tape::hessian(f, at).hessian;
    bool same = true;
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < size; ++j)
            same = same && std::abs(sparse(i, j) - dense(i, j)) <= 1e-12 * (1 + std::abs(dense(i, j)));
    CHECK(same);
    std::vector<double> entries(sparse.entries.size());
    r.sparse_hessian(at, entries);
    CHECK(entries == sparse.entries);
}
template <class F>
void check_jacobian(const F& f, std::size_t size) {
    const auto x = point_of(size), at = point_of(size, -0.2);
    auto r = tape::record(f, x);
    CHECK(r.jacobian_sparsity() == tape::jacobian_sparsity(f, x));
    const auto sparse = r.sparse_jacobian(at);
    const auto dense = tape::jacobian(f, at);
    bool same = true;
    for (std::size_t i = 0; i < dense.rows(); ++i)
        for (std::size_t j = 0; j < size; ++j)
            same = same && std::abs(sparse(i, j) - dense(i, j)) <= 1e-12 * (1 + std::abs(dense(i, j)));
    CHECK(same);
    std::vector<double> entries(sparse.entries.size());
    r.sparse_jacobian(at, entries);
    CHECK(entries == sparse.entries);
}

} // namespace

TEST_CASE("sparse Hessians of recordings", "[tape]") {
    for (const std::size_t size : {2u, 7u, 90u}) {
        check_hessian(neighbours{1, false}, size);
        check_hessian(neighbours{1, true}, size);
    }
    check_hessian(neighbours{3, true}, 700); // more columns than one sweep of bits has
    // Products of rows, quotients and powers.
    check_hessian(
        [](const auto& x) {
            std::remove_cvref_t<decltype(x[0])> p = 1.0, s = 0.0;
            for (std::size_t i = 0; i < 4; ++i) p = p * x[i];
            for (std::size_t i = 4; i + 1 < x.size(); ++i) s += x[i] / x[i + 1] + hypot(x[i], 2.0) * pow(x[i], 3);
            return p + s;
        },
        12);
}

TEST_CASE("sparse Jacobians of recordings", "[tape]") {
    for (const std::size_t size : {3u, 40u, 700u}) check_jacobian(differences{}, size);
    // A dense row is cheaper in reverse mode.
    check_jacobian(
        [](const auto& x) {
            using T = std::remove_cvref_t<decltype(x[0])>;
            std::vector<T> y{x[0] * x[0], T(0.0), x[1] + 1.0};
            for (const auto& xi : x) y[1] += xi * xi;
            return y;
        },
        30);
}

TEST_CASE("patterns of a recording hold for every operand that select and kinks take", "[tape]") {
    const auto f = [](const auto& x) {
        return select(x[0] < x[1], x[0] * x[1], x[2] * x[2]) + max(x[3], x[4]) * abs(x[5]) + relu(x[6]) + floor(x[7]);
    };
    auto r = tape::record(f, point_of(8));
    const tape::sparsity_pattern& h = r.hessian_sparsity();
    CHECK(h.contains(0, 1));
    CHECK(h.contains(2, 2)); // the arm not taken
    CHECK(h.contains(3, 5));
    CHECK(h.contains(4, 5));
    CHECK_FALSE(h.contains(3, 3)); // piecewise linear
    CHECK_FALSE(h.contains(5, 5));
    CHECK(h.row(6).empty());
    CHECK(h.size() == 7);
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> between(-2, 2);
    for (int k = 0; k < 20; ++k) {
        std::vector<double> x(8);
        for (double& xi : x) xi = between(random);
        const auto sparse = r.sparse_hessian(x);
        const auto dense = tape::hessian(f, x).hessian;
        for (std::size_t i = 0; i < 8; ++i)
            for (std::size_t j = 0; j < 8; ++j) CHECK(sparse(i, j) == Approx(dense(i, j)));
    }
}

TEST_CASE("patterns are found once for each recording", "[tape]") {
    const auto f = [](const auto& x) {
        using T = std::remove_cvref_t<decltype(x[0])>;
        if (x[0] < 1.0) return T(x[0] * x[1]);
        return T(x[1] * x[1] * x[2]);
    };
    auto r = tape::record(f, std::array{0.5, 1.0, 2.0});
    const tape::sparsity_pattern* const found = &r.hessian_sparsity();
    CHECK(found->size() == 2);
    (void)r.sparse_hessian(std::array{0.2, 1.0, 2.0});
    CHECK(&r.hessian_sparsity() == found);
    auto copy = r;
    CHECK(&copy.hessian_sparsity() == found); // shared
    std::array<double, 2> entries{};
    r.sparse_hessian(std::array{0.25, 1.0, 2.0}, entries);
    const std::size_t before = counted::allocations;
    r.sparse_hessian(std::array{0.75, 1.0, 2.0}, entries);
    CHECK(counted::allocations == before);
    CHECK(entries == std::array{1.0, 1.0});

    CHECK_THROWS_AS(r.sparse_hessian(std::array{2.0, 1.0, 2.0}), tape::comparison_changed);
    r.record_when_changed();
    CHECK(r.sparse_hessian(std::array{2.0, 3.0, 4.0})(1, 2) == 6.0);
    CHECK(r.hessian_sparsity().size() == 3);
    CHECK(copy.hessian_sparsity().size() == 2);
    CHECK(sentence_of([&] { r.sparse_hessian(std::array{2.0, 3.0, 4.0}, entries); }) ==
          "sparse_hessian: the recording has 3 entries in its pattern and 2 are given; give as many as it has");
    r.record_again(std::array{0.5, 1.0, 2.0});
    CHECK(r.hessian_sparsity().size() == 2);
}
