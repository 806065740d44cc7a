// SPDX-License-Identifier: BSL-1.0
//
// Tensor mode, whole: tensors of any shape with gradients, and networks to train. An include of its own beside
// chainrule/chainrule.hpp.
#pragma once

#include <chainrule/tensor/extents.hpp>
#include <chainrule/tensor/memory.hpp>
#include <chainrule/tensor/node.hpp>
#include <chainrule/tensor/loops.hpp>
#include <chainrule/tensor/tensor.hpp>
#include <chainrule/tensor/elementwise.hpp>
#include <chainrule/tensor/backward.hpp>
