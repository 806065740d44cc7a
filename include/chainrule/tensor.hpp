// SPDX-License-Identifier: BSL-1.0
//
// Tensor mode, whole: tensors of any shape with gradients, and networks to train. An include of its own beside
// chainrule/chainrule.hpp. Networks whose shapes the compiler knows: tensor/static_network.hpp.
#pragma once

#include <chainrule/names_begin.inc>

#include <chainrule/tensor/extents.hpp>
#include <chainrule/tensor/memory.hpp>
#include <chainrule/tensor/node.hpp>
#include <chainrule/tensor/operation.hpp>
#include <chainrule/tensor/loops.hpp>
#include <chainrule/tensor/tensor.hpp>
#include <chainrule/tensor/rules.hpp>
#include <chainrule/tensor/elementwise.hpp>
#include <chainrule/tensor/views.hpp>
#include <chainrule/tensor/reduce.hpp>
#include <chainrule/tensor/indexing.hpp>
#include <chainrule/tensor/conditions.hpp>
#include <chainrule/tensor/shifted_exponentials.hpp>
#include <chainrule/tensor/softmax.hpp>
#include <chainrule/tensor/matmul.hpp>
#include <chainrule/tensor/convolution.hpp>
#include <chainrule/tensor/backward.hpp>
#include <chainrule/tensor/layers.hpp>
#include <chainrule/tensor/training.hpp>
#include <chainrule/tensor/graphviz.hpp>
#include <chainrule/tensor/batches.hpp>
#include <chainrule/tensor/schedules.hpp>
#include <chainrule/tensor/progress.hpp>

#include <chainrule/names_end.inc>
