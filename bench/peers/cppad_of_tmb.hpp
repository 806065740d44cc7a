// SPDX-License-Identifier: BSL-1.0
//
// CppAD: the copy that TMB brings (Debian: r-cran-tmb), with what it expects from TMB and what it lacks.
#pragma once

#include <iostream>
#include <type_traits>

// Three names that TMB's copy of CppAD expects from TMB.
template <class T>
struct isDouble : std::is_same<T, double> {};
static std::ostream& Rcout = std::cout;
#define CSKIP(...) __VA_ARGS__

// That compilers have std::erf, which the copy was not told; without it, erf is an approximation.
#include <cppad/configure.hpp>
#undef CPPAD_COMPILER_HAS_ERF
#define CPPAD_COMPILER_HAS_ERF 1

#include <cppad/cppad.hpp>

// What this CppAD lacks.
namespace CppAD {
[[maybe_unused]] static AD<double> erfc(const AD<double>& x) { return 1.0 - erf(x); }
} // namespace CppAD
