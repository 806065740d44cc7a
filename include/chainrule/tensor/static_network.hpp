// SPDX-License-Identifier: BSL-1.0
//
// Networks whose shapes the compiler knows: all of tensor/static_network but weights_file.hpp, which saves and loads
// their weights. An include of its own beside chainrule/tensor.hpp.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/tensor/static_network/network.hpp>

#include <chainrule/core/names_end.inc>
