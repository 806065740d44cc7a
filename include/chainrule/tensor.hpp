// SPDX-License-Identifier: BSL-1.0
//
// Tensor mode: tensors of any shape with gradients, and trainable networks. Include this header in addition to
// chainrule/chainrule.hpp. For networks with static shapes, include tensor/static_network.hpp,
// for a progress bar tensor/training/progress.hpp.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/tensor/storage/extents.hpp>
#include <chainrule/tensor/storage/memory.hpp>
#include <chainrule/tensor/graph/backward.hpp>
#include <chainrule/tensor/graph/creation.hpp>
#include <chainrule/tensor/graph/graphviz.hpp>
#include <chainrule/tensor/graph/recording.hpp>
#include <chainrule/tensor/graph/tensor.hpp>
#include <chainrule/tensor/operations/conditions.hpp>
#include <chainrule/tensor/operations/convert.hpp>
#include <chainrule/tensor/operations/convolution.hpp>
#include <chainrule/tensor/operations/elementwise.hpp>
#include <chainrule/tensor/operations/indexing.hpp>
#include <chainrule/tensor/operations/matmul.hpp>
#include <chainrule/tensor/operations/reduce.hpp>
#include <chainrule/tensor/operations/softmax.hpp>
#include <chainrule/tensor/operations/views.hpp>
#include <chainrule/tensor/training/batches.hpp>
#include <chainrule/tensor/training/optimisers.hpp>
#include <chainrule/tensor/training/random.hpp>
#include <chainrule/tensor/training/schedules.hpp>
#include <chainrule/tensor/layers/layers.hpp>
#include <chainrule/tensor/layers/optimiser.hpp>

#include <chainrule/core/names_end.inc>
