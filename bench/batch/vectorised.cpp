// SPDX-License-Identifier: BSL-1.0
//
// Hand-written code in its best SIMD form: compiled with -Ofast, g++ vectorises it and calls libmvec.
#define WORKLOADS_VECTORISED
#define loop vectorised_loop // not the instance of by_hand.cpp
#include "columns_by_hand.hpp"

COLUMNS_DEFINE(vectorised)
