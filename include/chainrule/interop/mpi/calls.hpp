// SPDX-License-Identifier: BSL-1.0
//
// Calls of MPI for the headers interop/mpi.hpp and interop/mpi_tape.hpp: errors as exceptions, ranks, types of numbers.
#pragma once

#include <chainrule/core/raise.hpp>

#include <mpi.h>

#include <stdexcept>
#include <string>
#include <type_traits>

namespace chainrule::mpi {

/// Thrown where a call of MPI fails and its communicator returns errors, or before MPI_Init.
struct error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Throws where a call of MPI returned an error.
inline void check(int code, const char* call) {
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    MPI_Error_string(code, text, &length);
    core::raise(error(std::string("mpi: ") + call + " failed: " + text));
}
inline void check_started() {
    int started = 0;
    MPI_Initialized(&started);
    if (started == 0) core::raise(error("mpi: MPI has not been started; call MPI_Init before this function"));
}

/// The type of so many numbers in a row.
class array_type {
public:
    array_type(std::size_t count, MPI_Datatype of) {
        check(MPI_Type_contiguous(static_cast<int>(count), of, &type_), "MPI_Type_contiguous");
        const int code = MPI_Type_commit(&type_);
        if (code != MPI_SUCCESS) MPI_Type_free(&type_);
        check(code, "MPI_Type_commit");
    }
    ~array_type() { MPI_Type_free(&type_); }
    array_type(const array_type&) = delete;
    array_type& operator=(const array_type&) = delete;
    [[nodiscard]] MPI_Datatype what() const { return type_; }

private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

[[nodiscard]] inline int rank_in(MPI_Comm communicator) {
    int rank = 0;
    check(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
    return rank;
}
[[nodiscard]] inline int size_of(MPI_Comm communicator) {
    int size = 0;
    check(MPI_Comm_size(communicator, &size), "MPI_Comm_size");
    return size;
}

/// The type of a number in MPI.
template <class T>
[[nodiscard]] MPI_Datatype number_type() {
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, long double>,
                  "mpi: the numbers must be float, double or long double; use one of these");
    return std::is_same_v<T, float> ? MPI_FLOAT : std::is_same_v<T, double> ? MPI_DOUBLE : MPI_LONG_DOUBLE;
}

} // namespace chainrule::mpi
