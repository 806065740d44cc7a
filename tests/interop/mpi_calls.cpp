// SPDX-License-Identifier: BSL-1.0
//
// What a sum over all ranks asks of MPI: one reduction for the value and all derivatives, whoever computes within a
// rank.
#include "catch.hpp"
#include "mpi_decay.hpp"

#include <chainrule/batch/openmp.hpp>
#include <chainrule/batch/threads.hpp>
#include <chainrule/chainrule.hpp>
#include <chainrule/interop/mpi.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace {

int reductions = 0;

} // namespace

// The profiling interface of MPI: this takes the place of the library's function, which has another name too.
extern "C" int MPI_Allreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op operation,
                             MPI_Comm communicator) {
    ++reductions;
    return PMPI_Allreduce(from, to, count, type, operation, communicator);
}

namespace {

namespace cr = chainrule;
namespace mpi = cr::mpi;
using namespace mpi_decay;

template <class Evaluate>
int reductions_in(const Evaluate& evaluate) {
    const int before = reductions;
    evaluate();
    return reductions - before;
}

/// The sum over all ranks, with further arguments, against that of one process.
template <class... Further>
void check(const Further&... further) {
    constexpr std::size_t rows = 9000;
    std::vector<double> xs, ys;
    for (std::size_t i = 0; i < rows; ++i) {
        xs.push_back(std::sin(0.37 * static_cast<double>(i)));
        ys.push_back(std::cos(1.1 * static_cast<double>(i)));
    }
    const auto whole = cr::sum(residual * residual, cr::over(x = xs, y = ys), cr::wrt(a, b));
    const auto expected = whole.value_gradient_and_hessian(point);

    const auto [first, count] = mpi::rows_of_this_rank(rows);
    const std::span<const double> its_xs = std::span(xs).subspan(first, count),
                                  its_ys = std::span(ys).subspan(first, count);
    const auto parts = mpi::sum(residual * residual, cr::over(x = its_xs, y = its_ys), cr::wrt(a, b), further...);
    CHECK(reductions_in([&] { (void)parts(point); }) == 1);
    CHECK(reductions_in([&] {
              const auto [value, gradient] = parts.value_and_gradient(point);
              CHECK(value == Approx(expected.value).epsilon(1e-12));
              for (std::size_t i = 0; i < 2; ++i) CHECK(gradient[i] == Approx(expected.gradient[i]).epsilon(1e-12));
          }) == 1);
    CHECK(reductions_in([&] {
              CHECK(parts.value_gradient_and_hessian(point).hessian[0][1] ==
                    Approx(expected.hessian[0][1]).epsilon(1e-12));
          }) == 1);
}

} // namespace

TEST_CASE("a sum over all ranks is one reduction") {
    check();
    check(cr::threads(2));
#if defined(_OPENMP)
    check(cr::openmp(2));
#endif
}
