// SPDX-License-Identifier: BSL-1.0
//
// The data of sums, residuals and repeated steps: over(...).
#pragma once

#include <chainrule/batch/data/over.hpp>
