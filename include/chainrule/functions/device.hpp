// SPDX-License-Identifier: BSL-1.0
//
// What code needs, besides constexpr, where a compiler of CUDA, HIP or SYCL compiles it for a device. Such a compiler
// calls constexpr functions on the device, too; that of SYCL calls any function there. For nvcc all other functions and
// constant tables are the host's: a call of such a function on the device silently does nothing, and a use of a table
// is a trap. (clang reports both.)
//
// CHAINRULE_FOR_DEVICES: the compiler knows devices. CHAINRULE_ON_DEVICE: it compiles for one now.
// CHAINRULE_HOST_DEVICE: marks a function that is not constexpr.
// CHAINRULE_TABLE(NAME, TABLE): a constant table of a class under a name in a function; on the device, a copy that nvcc
// folds.
#pragma once

#if defined(__CUDACC__) || defined(__CUDA__) || defined(__HIP__)
#define CHAINRULE_FOR_DEVICES
#define CHAINRULE_HOST_DEVICE __host__ __device__
#elif defined(__SYCL_DEVICE_ONLY__)
#define CHAINRULE_FOR_DEVICES
#define CHAINRULE_HOST_DEVICE
#else
#define CHAINRULE_HOST_DEVICE
#endif
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__) || defined(__SYCL_DEVICE_ONLY__)
#define CHAINRULE_ON_DEVICE
#endif

#if defined(CHAINRULE_ON_DEVICE)
#define CHAINRULE_TABLE(NAME, TABLE) constexpr auto NAME = TABLE
namespace chainrule::functions {
/// Ends the kernel: there are no exceptions on a device. The host's next call of the device's library says so.
[[noreturn]] CHAINRULE_HOST_DEVICE inline void stop_device() {
#if defined(__clang__)
    __builtin_trap();
#else
    for (;;) asm("trap;");
#endif
}
} // namespace chainrule::functions
#else
#define CHAINRULE_TABLE(NAME, TABLE) constexpr const auto& NAME = TABLE
#endif
