// SPDX-License-Identifier: BSL-1.0
//
// Makes the kernels of CUDA functions of SYCL's device code, whose numbers of a thread come from outside.
#pragma once

// glibc declares a complex type of 128-bit numbers, which this target lacks: here it is one of doubles.
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
