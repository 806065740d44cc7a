// SPDX-License-Identifier: BSL-1.0
//
// Turns a graph into straight-line code (codegen/schedule/definition.hpp). The folder schedule contains the parts of
// this header, which call one another: include this header, not its parts.
#pragma once

#include <chainrule/codegen/schedule/definition.hpp>
#include <chainrule/codegen/schedule/uses.hpp>
#include <chainrule/codegen/schedule/traversal.hpp>
#include <chainrule/codegen/schedule/values.hpp>
#include <chainrule/codegen/schedule/products.hpp>
#include <chainrule/codegen/schedule/sums.hpp>
