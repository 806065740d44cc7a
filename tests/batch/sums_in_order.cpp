// SPDX-License-Identifier: BSL-1.0
//
// The order of a sum is fixed: threads and chunks do not change a bit of it. Compensated sums.
#include "catch.hpp"

#include <chainrule/batch/chunks.hpp>
#include <chainrule/batch/sum.hpp>
#include <chainrule/batch/threads.hpp>
#include <chainrule/chainrule.hpp>

#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace cr = chainrule;
using namespace cr::literals;

namespace {

constexpr auto t = cr::variable<"t">;
constexpr auto y = cr::variable<"y">;
constexpr auto a = cr::variable<"a">;
constexpr auto b = cr::variable<"b">;
constexpr auto f = y * exp(-a * t) + b * b * t;

struct columns {
    std::vector<double> times;
    std::vector<float> counts;
    explicit columns(std::size_t rows) {
        for (std::size_t i = 0; i < rows; ++i) {
            times.push_back(1e-3 * static_cast<double>(i * 7919 % 1000));
            counts.push_back(static_cast<float>(i * 31 % 17) + 0.1f);
        }
    }
    auto part(std::size_t first, std::size_t end) const {
        return cr::over(t = std::span(times).subspan(first, end - first),
                        y = std::span(counts).subspan(first, end - first));
    }
};
using chunk = decltype(columns(0).part(0, 0));

/// Chunks made as they are read, of lengths that have nothing to do with blocks.
struct made_as_read {
    const columns& all;
    std::vector<std::size_t> cuts;
    struct iterator {
        const made_as_read* of;
        std::size_t at;
        chunk operator*() const { return of->all.part(of->cuts[at], of->cuts[at + 1]); }
        iterator& operator++() {
            ++at;
            return *this;
        }
        bool operator!=(const iterator& other) const { return at != other.at; }
    };
    [[nodiscard]] iterator begin() const { return {this, 0}; }
    [[nodiscard]] iterator end() const { return {this, cuts.size() - 1}; }
};

template <class Result>
void check_equal(const Result& found, const Result& expected) {
    CHECK(found.value == expected.value);
    CHECK(found.gradient == expected.gradient);
}

const double at[] = {0.5, 0.25};

} // namespace

TEST_CASE("the number of threads does not change a bit") {
    for (const std::size_t rows : {0u, 5u, 1024u, 3000u, 123'457u}) {
        const columns all(rows);
        const auto data = all.part(0, rows);
        const auto sum = cr::sum(f, data, cr::wrt(a, b)).value_and_gradient(at);
        const auto exponentials = cr::log_sum_exp(f, cr::over(t = all.times, y = all.counts), cr::wrt(a, b));
        for (const unsigned n : {1u, 2u, 3u, 7u}) {
            check_equal(cr::sum(f, data, cr::wrt(a, b), cr::threads(n)).value_and_gradient(at), sum);
            if (rows != 0)
                check_equal(cr::log_sum_exp(f, data, cr::wrt(a, b), cr::threads(n)).value_and_gradient(at),
                            exponentials.value_and_gradient(at));
        }
    }
    CHECK(cr::threads().count >= 1);
}

TEST_CASE("chunks do not change a bit, and report their progress") {
    const std::size_t rows = 10'000;
    const columns all(rows);
    const auto whole = all.part(0, rows);
    const std::vector<std::vector<std::size_t>> cuts = {
        {0, rows}, {0, 1024, 2048, rows}, {0, 1, 2, 1023, 1025, 5000, 5001, rows}, {0, 700, 700, 1400, 9999, rows}};
    for (const auto& cut : cuts) {
        const made_as_read chunks{all, cut};
        std::vector<std::size_t> reported;
        const auto progress = [&](std::size_t done) { reported.push_back(done); };
        const auto in_chunks = cr::over_chunks(chunks, progress);
        check_equal(cr::sum(f, in_chunks, cr::wrt(a, b)).value_and_gradient(at),
                    cr::sum(f, whole, cr::wrt(a, b)).value_and_gradient(at));
        CHECK(reported == std::vector<std::size_t>(cut.begin() + 1, cut.end()));
        check_equal(cr::mean(f, in_chunks, cr::wrt(a, b)).value_and_gradient(at),
                    cr::mean(f, whole, cr::wrt(a, b)).value_and_gradient(at));
        check_equal(cr::sum(f, in_chunks, cr::wrt(a, b), cr::threads(3)).value_and_gradient(at),
                    cr::sum(f, whole, cr::wrt(a, b)).value_and_gradient(at));
    }
}

TEST_CASE("a compensated sum has the error of one rounding") {
    std::vector<double> numbers;
    for (int i = 0; i < 5000; ++i) {
        numbers.push_back(1e16);
        numbers.push_back(1.0);
        numbers.push_back(-1e16);
    }
    const auto data = cr::over(t = numbers);
    CHECK(cr::sum(a * t, data, cr::wrt(a), cr::compensated)(1.0) == 5000.0);
    CHECK(cr::sum(a * t, data, cr::wrt(a), cr::compensated).gradient(1.0)[0] == 5000.0);
    CHECK(cr::sum(a * t, data, cr::wrt(a), cr::compensated, cr::threads(3))(1.0) == 5000.0);
    CHECK(cr::sum(a * t, data, cr::wrt(a))(1.0) != 5000.0);
    const std::vector<double> infinite = {1.0, HUGE_VAL};
    CHECK(cr::sum(a * t, cr::over(t = infinite), cr::wrt(a), cr::compensated)(1.0) == HUGE_VAL);
}
