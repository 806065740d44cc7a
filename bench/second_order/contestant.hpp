// SPDX-License-Identifier: BSL-1.0
//
// The interface of contestants. A library has a `template <class Problem> struct`, made when its row runs.
// compute() is timed and keeps its results in the library's own form; answer() returns them as numbers in the order of
// comparison. Each library is in a separate file, since their headers clash.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>
#include <vector>

#include "../comparison.hpp"
#include "problems.hpp"

namespace second_order {

/// By how much second derivatives may differ, each from a hundredth of the largest in its row: rounding.
inline constexpr double tolerance = 1e-11;

/// The value, the gradient and the Hessian, whose lower triangle is entry(i, j) with i >= j.
template <class Entry>
bench::answer dense_answer(double value, const auto& gradient, Entry entry) {
    const std::size_t n = gradient.size();
    bench::answer all{{value}, 1, n + 1};
    all.numbers.insert(all.numbers.end(), gradient.begin(), gradient.end());
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) all.numbers.push_back(i < j ? entry(j, i) : entry(i, j));
    return all;
}

/// The same of what the tape returns.
bench::answer all_of_dense(const auto& found) {
    return dense_answer(found.value, found.gradient, [&](std::size_t i, std::size_t j) { return found.hessian(i, j); });
}

/// The Hessian of a recording, plain or compiled, which writes it into memory.
template <class Recording>
struct hessian_of_recording {
    Recording recording;
    numbers x;
    double value = 0.0;
    numbers gradient = numbers(x.size()), all = numbers(x.size() * x.size());

    void compute() { value = recording.hessian(x, gradient, all); }
    [[nodiscard]] bench::answer answer() const {
        return dense_answer(value, gradient, [this](std::size_t i, std::size_t j) { return all[x.size() * i + j]; });
    }
};

inline bench::answer product_answer(const auto& product) { return {{product.begin(), product.end()}, 0, 1}; }

/// An entry of a sparse matrix.
struct entry {
    std::size_t row, column;
    double value;
};

/// The entries of a sparse matrix row by row; of a Hessian, those of the lower triangle. Pass each entry of a Hessian
/// at least once, above or below the diagonal.
template <class Problem>
bench::answer sparse_answer(std::vector<entry> entries) {
    if constexpr (asks<Problem, sparse_hessian>)
        for (entry& each : entries)
            if (each.row < each.column) std::swap(each.row, each.column);
    const auto place = [](const entry& each) { return std::pair(each.row, each.column); };
    std::ranges::sort(entries, {}, place);
    const auto repeated = std::ranges::unique(entries, {}, place);
    entries.erase(repeated.begin(), repeated.end());
    bench::answer all{{}, 0, 1};
    for (const entry& each : entries) all.numbers.push_back(each.value);
    return all;
}
/// Of the lower triangle with four entries for each point: with the point below, the one right below, the left one, and
/// itself.
inline bench::answer surface_answer(const numbers& entries) {
    constexpr std::size_t side = minimal_surface::side;
    std::vector<entry> all;
    for (std::size_t i = 0; i < side; ++i)
        for (std::size_t j = 0; j < side; ++j) {
            const std::size_t k = i * side + j;
            const double* const its = entries.data() + 4 * k;
            if (i > 0) all.push_back({k, k - side, its[0]});
            if (i > 0 && j + 1 < side) all.push_back({k, k - side + 1, its[1]});
            if (j > 0) all.push_back({k, k - 1, its[2]});
            all.push_back({k, k, its[3]});
        }
    return sparse_answer<minimal_surface>(std::move(all));
}

/// The entries of a sparse matrix in compressed rows.
std::vector<entry> entries_of(const auto& pattern, const auto& values) {
    std::vector<entry> all;
    for (std::size_t i = 0; i + 1 < pattern.row_starts.size(); ++i)
        for (auto k = pattern.row_starts[i]; k < pattern.row_starts[i + 1]; ++k)
            all.push_back({i, static_cast<std::size_t>(pattern.columns[static_cast<std::size_t>(k)]),
                           values[static_cast<std::size_t>(k)]});
    return all;
}

using adder = void (*)(bench::row&);

struct contestant {
    std::array<adder, std::tuple_size_v<all_problems>> adders; // null where it takes no part
};

template <class Way>
void add(bench::row& row, const char* name) {
    const auto made = std::make_shared<std::unique_ptr<Way>>();
    const auto way = [made]() -> Way& {
        if (*made == nullptr) *made = std::make_unique<Way>();
        return **made;
    };
    row.add(
        name,
        [way] {
            way().compute();
            return way().answer();
        },
        [way](benchmark::State& state) {
            Way* its = &way();
            for (auto step : state) {
                static_cast<void>(step);
                benchmark::DoNotOptimize(its);
                its->compute();
                benchmark::ClobberMemory();
            }
        });
}

/// Library<Problem> takes part where it is complete. Its name is in no other file: g++ 12 merges what it makes of
/// templates of one name, even of those in unnamed namespaces.
template <template <class> class Library>
contestant contestant_of() {
    return []<class... Problem>(std::type_identity<std::tuple<Problem...>>) {
        const auto adder_of = []<class P>(std::type_identity<P>) -> adder {
            if constexpr (requires { sizeof(Library<P>); })
                return [](bench::row& row) { add<Library<P>>(row, Library<P>::name); };
            else
                return nullptr;
        };
        return contestant{{adder_of(std::type_identity<Problem>{})...}};
    }(std::type_identity<all_problems>{});
}

} // namespace second_order
