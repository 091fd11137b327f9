#pragma once

#include "ir/graph.h"

namespace sunder {

/// Whether two descriptions say the same of a value: of tensors dtype, shape, strides, device and layout.
bool isSameDescription(const Argument& a, const Argument& b);

/// Whether no two elements of a tensor lie in one place, by its sizes and strides: each stride steps over all that the
/// smaller ones reach. False where that cannot be told.
bool elementsLieApart(const TensorMeta& meta);

/// What a graph says of an argument, when that is a node whose value is a tensor; else null.
const TensorMeta* describedTensor(const Graph& graph, const Argument& argument);

/// Whether the first two arguments of a call are tensors of one dtype, device and shape.
bool fillsExactly(const Graph& graph, const Node& node);

} // namespace sunder
