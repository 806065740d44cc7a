// SPDX-License-Identifier: BSL-1.0
//
// Everything for lanes: the number type (widest<double>), memory and reductions, and the functions of the table.
#pragma once

#include <chainrule/batch/lanes/functions.hpp>
#include <chainrule/batch/lanes/memory.hpp>
