// SPDX-License-Identifier: BSL-1.0
//
// Kernels at many points: batch(F), in SIMD lanes. Not part of chainrule.hpp.
#pragma once

#include <chainrule/batch/batch.hpp>
#include <chainrule/chainrule.hpp>
