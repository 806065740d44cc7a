// SPDX-License-Identifier: BSL-1.0
//
// Makes the kernels of CUDA functions of SYCL's device code, whose numbers of a thread come from outside.
#pragma once

// Complex numbers of 128 bits, which glibc declares for the processor and this target lacks, as some that it has.
#define __TC__ __DC__
#include <cmath>
#undef __TC__

#define __global__ extern "C"
#define __device__

struct number_of_thread {
    unsigned x;
};
extern const number_of_thread blockIdx, blockDim, threadIdx;

inline void sincos(double x, double* sine, double* cosine) {
    *sine = std::sin(x);
    *cosine = std::cos(x);
}
