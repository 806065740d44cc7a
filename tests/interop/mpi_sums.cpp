// SPDX-License-Identifier: BSL-1.0
//
// Sums over the rows of all ranks: results of every kind against those of one process, bit for bit in order. Each test
// runs on 1, 2 and 4 ranks.
#include "catch.hpp"
#include "mpi_decay.hpp"

#include <chainrule/batch/chunks.hpp>
#include <chainrule/batch/threads.hpp>
#include <chainrule/chainrule.hpp>
#include <chainrule/interop/mpi.hpp>

#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace cr = chainrule;
namespace mpi = cr::mpi;
using namespace mpi_decay;
using namespace chainrule::literals;

namespace {

constexpr auto u = cr::variable<"u">;

/// The rows of all ranks, and the part of this one.
struct table {
    std::vector<double> xs, ys, us;
    std::size_t first, count;

    explicit table(std::size_t rows, std::size_t begin, std::size_t end) : first(begin), count(end - begin) {
        for (std::size_t i = 0; i < rows; ++i) {
            const auto n = static_cast<double>(i);
            xs.push_back(std::sin(0.37 * n));
            ys.push_back(std::cos(1.1 * n));
            us.push_back(i % 3 == 0 ? 0.0 : 0.5 + std::sin(n));
        }
    }
    [[nodiscard]] std::span<const double> part(const std::vector<double>& column) const {
        return std::span(column).subspan(first, count);
    }
};
table in_blocks(std::size_t rows) {
    const auto [first, count] = mpi::rows_of_this_rank(rows);
    return table(rows, first, first + count);
}
/// Parts of other sizes; on several ranks the first has no rows.
table unevenly(std::size_t rows) {
    const int rank = mpi::rank_in(MPI_COMM_WORLD), ranks = mpi::size_of(MPI_COMM_WORLD);
    const auto begin_of = [&](int r) {
        if (r == 0 || r == ranks) return r == 0 ? std::size_t{0} : rows;
        return rows * static_cast<std::size_t>(r - 1) / static_cast<std::size_t>(ranks);
    };
    return table(rows, begin_of(rank), begin_of(rank + 1));
}

/// Calls check(reduction of all rows, reduction of the parts, of one value) for a kind of reduction.
template <class Make, class Check>
void with_parts(const Make& make, const Check& check) {
    for (const std::size_t rows : {std::size_t{1}, std::size_t{1500}, std::size_t{9000}})
        for (const auto& data : {in_blocks(rows), unevenly(rows)}) {
            const std::span<const double> xs = data.part(data.xs), ys = data.part(data.ys);
            check(make(cr::over(x = data.xs, y = data.ys)), make(cr::over(x = xs, y = ys), mpi::ranks()));
        }
}

template <class Make>
void check_orders(const Make& make) {
    with_parts(make, [](const auto& whole, const auto& parts) {
        const auto expected = whole.value_gradient_and_hessian(point), found = parts.value_gradient_and_hessian(point);
        CHECK(found.value == Approx(expected.value).epsilon(1e-12));
        for (std::size_t i = 0; i < 2; ++i) {
            CHECK(found.gradient[i] == Approx(expected.gradient[i]).epsilon(1e-12));
            for (std::size_t j = 0; j < 2; ++j)
                CHECK(found.hessian[i][j] == Approx(expected.hessian[i][j]).epsilon(1e-11));
        }
    });
}

} // namespace

TEST_CASE("every kind of reduction takes the rows of all ranks") {
    const auto f = cos(residual) / 10_c + 1_c;
    check_orders([&](const auto&... all) { return cr::sum(f, all..., cr::wrt(a, b)); });
    check_orders([&](const auto&... all) { return cr::sum(f, all..., cr::wrt(a, b), cr::compensated); });
    check_orders([&](const auto&... all) { return cr::mean(f, all..., cr::wrt(a, b)); });
    check_orders([&](const auto&... all) { return cr::max(f, all..., cr::wrt(a, b)); });
    check_orders([&](const auto&... all) { return cr::min(f, all..., cr::wrt(a, b)); });
    check_orders([&](const auto&... all) { return cr::log_sum_exp(f, all..., cr::wrt(a, b)); });
}
TEST_CASE("products of the rows of all ranks") {
    check_orders([&](const auto&... all) { return cr::prod(1_c + residual / 1000_c, all..., cr::wrt(a, b)); });
}

TEST_CASE("in order, parts of whole blocks have the bits of one process") {
    for (const std::size_t rows : {std::size_t{0}, std::size_t{700}, std::size_t{5000}, std::size_t{37000}}) {
        const table data = in_blocks(rows);
        const std::span<const double> xs = data.part(data.xs), ys = data.part(data.ys);
        const auto whole = cr::sum(residual * residual, cr::over(x = data.xs, y = data.ys), cr::wrt(a, b));
        const auto ordered = mpi::ranks(MPI_COMM_WORLD, mpi::in_order);
        const auto parts = mpi::sum(residual * residual, cr::over(x = xs, y = ys), cr::wrt(a, b), ordered);
        const auto in_threads =
            mpi::sum(residual * residual, cr::over(x = xs, y = ys), cr::wrt(a, b), ordered, cr::threads(3));
        const auto expected = whole.value_gradient_and_hessian(point);
        const auto found = parts.value_gradient_and_hessian(point);
        CHECK(found.value == expected.value);
        CHECK(found.gradient == expected.gradient);
        CHECK(found.hessian == expected.hessian);
        CHECK(in_threads.value_and_gradient(point).gradient == expected.gradient);
        CHECK(parts.hvp(point, std::array{0.5, -1.0}) == whole.hvp(point, std::array{0.5, -1.0}));
    }
}

TEST_CASE("weights and masks of the rows of all ranks") {
    const table data = unevenly(4000);
    const std::span<const double> xs = data.part(data.xs), us = data.part(data.us);
    const auto f = exp(-a * x);
    const auto all = cr::over(x = data.xs, u = data.us);
    const auto here = cr::over(x = xs, u = us);
    CHECK(cr::mean(f, here, cr::wrt(a), cr::weights(u), mpi::ranks())(0.5) ==
          Approx(cr::mean(f, all, cr::wrt(a), cr::weights(u))(0.5)).epsilon(1e-13));
    CHECK(cr::max(f, here, cr::wrt(a), cr::mask(u), mpi::ranks())(0.5) ==
          cr::max(f, all, cr::wrt(a), cr::mask(u))(0.5));
}

TEST_CASE("least squares over all ranks") {
    const table data = unevenly(6000);
    const std::span<const double> xs = data.part(data.xs), ys = data.part(data.ys);
    const auto whole = cr::residuals(residual, cr::over(x = data.xs, y = data.ys), cr::wrt(a, b));
    const auto parts = mpi::residuals(residual, cr::over(x = xs, y = ys), cr::wrt(a, b));
    const auto expected = whole.gauss_newton(point), found = parts.gauss_newton(point);
    CHECK(found.value == Approx(expected.value).epsilon(1e-13));
    CHECK(found.gradient[1] == Approx(expected.gradient[1]).epsilon(1e-12));
    CHECK(found.matrix[0][1] == Approx(expected.matrix[0][1]).epsilon(1e-12));
    CHECK(parts.gauss_newton_product(point, std::array{1.0, 2.0})[0] ==
          Approx(whole.gauss_newton_product(point, std::array{1.0, 2.0})[0]).epsilon(1e-12));
    CHECK(parts.count() == data.count);
}

TEST_CASE("each rank reads its rows in chunks") {
    const table data = unevenly(7000);
    const std::span<const double> xs = data.part(data.xs);
    using chunk = decltype(cr::over(x = xs));
    std::vector<chunk> chunks;
    for (std::size_t begin = 0; begin < xs.size(); begin += 900) {
        const auto some = xs.subspan(begin, std::min<std::size_t>(900, xs.size() - begin));
        chunks.push_back(cr::over(x = some));
    }
    const double expected = cr::sum(exp(-a * x), cr::over(x = data.xs), cr::wrt(a))(0.5);
    CHECK(mpi::sum(exp(-a * x), cr::over_chunks(chunks), cr::wrt(a))(0.5) == Approx(expected).epsilon(1e-13));
    CHECK(mpi::sum(exp(-a * x), cr::over_chunks(chunks), cr::wrt(a), mpi::ranks(MPI_COMM_WORLD, mpi::in_order))(0.5) ==
          Approx(expected).epsilon(1e-13));
}

TEST_CASE("derivatives with respect to a column are those of this rank's rows") {
    const table data = unevenly(3000);
    const std::span<const double> xs = data.part(data.xs);
    std::vector<double> expected(3000), found(data.count);
    const double value = cr::log_sum_exp(x * x, cr::over(x = data.xs)).value_and_column_gradient(x, expected);
    CHECK(cr::log_sum_exp(x * x, cr::over(x = xs), mpi::ranks()).value_and_column_gradient(x, found) == Approx(value));
    for (std::size_t i = 0; i < data.count; ++i) CHECK(found[i] == Approx(expected[data.first + i]).epsilon(1e-12));
}

TEST_CASE("all ranks refuse data without rows") {
    const std::span<const double> none;
    const auto message = [](const auto& reduction) {
        std::string text;
        try {
            (void)reduction(0.5);
        } catch (const cr::bad_data& e) {
            text = e.what();
        }
        return text;
    };
    CHECK(message(cr::mean(a * x, cr::over(x = none), cr::wrt(a), mpi::ranks())) ==
          "mean: the data have no rows, or the mask or the weights leave none; pass at least one");
    CHECK(message(cr::max(a * x, cr::over(x = none), cr::wrt(a), mpi::ranks())) ==
          "max: the data have no rows, or the mask or the weights leave none; pass at least one");
    CHECK(mpi::sum(a * x, cr::over(x = none), cr::wrt(a))(0.5) == 0.0);
}

TEST_CASE("rows are dealt out in whole blocks") {
    for (const std::size_t rows : {std::size_t{0}, std::size_t{1}, std::size_t{1024}, std::size_t{10000}}) {
        const auto [first, count] = mpi::rows_of_this_rank(rows);
        unsigned long long mine = count, all = 0;
        MPI_Allreduce(&mine, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
        CHECK(all == rows);
        CHECK((first % 1024 == 0 || count == 0));
    }
}
