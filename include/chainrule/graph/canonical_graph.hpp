// SPDX-License-Identifier: BSL-1.0
//
// The canonical graph. The folder canonical_graph contains the parts of this header, which call one another: include
// this header, not its parts.
#pragma once

#include <chainrule/graph/canonical_graph/definition.hpp>
#include <chainrule/graph/canonical_graph/nodes.hpp>
#include <chainrule/graph/canonical_graph/products.hpp>
#include <chainrule/graph/canonical_graph/sums.hpp>
#include <chainrule/graph/canonical_graph/guards.hpp>
#include <chainrule/graph/canonical_graph/exponentials.hpp>
