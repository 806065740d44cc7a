// SPDX-License-Identifier: BSL-1.0
//
// The Poisson regression of regressions.cpp on several processes: each rank reads its part of the file, and the
// likelihood is a sum over the rows of all ranks. Run with mpirun -n 4.
#include <chainrule/chainrule.hpp>
#include <chainrule/interop/eigen.hpp>
#include <chainrule/interop/mpi.hpp>

#include <Eigen/Dense>

#include <array>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace cr = chainrule;

namespace {

/// Reads the lines of a table that begin in this rank's part of the file, in bytes. Lines that do not start with a
/// digit are comments and names.
template <std::size_t Columns>
std::vector<std::array<double, Columns>> read_part(const char* name) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::ifstream file(name, std::ios::binary);
    file.seekg(0, std::ios::end);
    const long long size = file.tellg();
    if (size < 0) {
        std::fprintf(stderr, "mpi_regression: %s is missing; run the program in docs/examples\n", name);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    const long long begin = size * rank / ranks, end = size * (rank + 1) / ranks;
    std::string line;
    file.seekg(begin == 0 ? 0 : begin - 1);
    if (begin != 0) std::getline(file, line); // the rest of a line of the rank before

    std::vector<std::array<double, Columns>> rows;
    while (file.tellg() < end && std::getline(file, line)) {
        if (line.empty() || std::isdigit(static_cast<unsigned char>(line[0])) == 0) continue;
        std::istringstream fields(line);
        for (double& number : rows.emplace_back()) {
            fields >> number;
            if (!fields) {
                std::fprintf(stderr, "mpi_regression: a row of %s has not %zu numbers: %s\n", name, Columns,
                             line.c_str());
                MPI_Abort(MPI_COMM_WORLD, 1);
            }
            fields.ignore(); // the comma
        }
    }
    return rows;
}

void fit() {
    constexpr auto row = cr::variables<"row", 4>; // hours, load, night, incidents
    constexpr auto w = cr::variables<"w", 3>;
    const auto rows = read_part<4>("data/incidents.csv");

    const auto loss = cr::mpi::sum(
        [](const auto& seen, const auto& weights) {
            const auto eta = weights[0] + weights[1] * seen[1] + weights[2] * seen[2];
            return seen[0] * exp(eta) - seen[3] * eta;
        },
        cr::over(row = rows), cr::wrt(w));

    const unsigned long long here = rows.size();
    unsigned long long all = 0;
    MPI_Allreduce(&here, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) std::printf("%llu rows on all ranks\n", all);

    // All ranks take the same steps, since all get the same numbers.
    Eigen::Vector3d found = Eigen::Vector3d::Zero();
    bool converged = false;
    for (int step = 0; step < 20 && !converged; ++step) {
        const auto [value, gradient, hessian] = loss.value_gradient_and_hessian(found);
        Eigen::Matrix3d h;
        Eigen::Vector3d g;
        for (int i = 0; i < 3; ++i) {
            g[i] = gradient[static_cast<std::size_t>(i)];
            for (int j = 0; j < 3; ++j) h(i, j) = hessian[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
        }
        const Eigen::Vector3d change = h.llt().solve(g);
        found -= change;
        converged = change.norm() < 1e-10;
        if (rank == 0 && step < 4) std::printf("step %d: loss %.6f, change %.1e\n", step, value, change.norm());
    }
    if (!converged) {
        if (rank == 0) std::fprintf(stderr, "mpi_regression: Newton's method does not converge\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (rank == 0) std::printf("intercept %.12f\nload       %.12f\nnight     %.12f\n", found[0], found[1], found[2]);
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    fit();
    MPI_Finalize();
}
