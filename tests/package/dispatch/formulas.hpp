// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <vector>

/// The slopes of exp(-x) * sin(x).
std::vector<double> slopes(const std::vector<double>& xs);
/// How many numbers are computed at a time.
int lanes();
