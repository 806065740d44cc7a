// SPDX-License-Identifier: BSL-1.0
//
// Kernels at many points, in SIMD lanes: batch(F), and sums over data. Not part of chainrule.hpp.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/batch/batch.hpp>
#include <chainrule/batch/chunks.hpp>
#include <chainrule/batch/fits/fits.hpp>
#include <chainrule/batch/residuals.hpp>
#include <chainrule/batch/sum.hpp>
#include <chainrule/batch/sum_over_components.hpp>
#include <chainrule/batch/threads.hpp>
#include <chainrule/chainrule.hpp>

#include <chainrule/core/names_end.inc>
