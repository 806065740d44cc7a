// SPDX-License-Identifier: BSL-1.0
//
// Starts MPI before the tests of a rank and ends it after them.
#include <mpi.h>

namespace {

const struct mpi_session {
    mpi_session() { MPI_Init(nullptr, nullptr); }
    ~mpi_session() { MPI_Finalize(); }
} session;

} // namespace
