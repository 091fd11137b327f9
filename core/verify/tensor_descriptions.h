#pragma once

#include "ir/graph.h"
#include "operators/operator_facts.h"

namespace sunder {

/// Maximum nesting of lists that is compared; deeper descriptions count as different.
inline constexpr int kMaxDescriptionDepth = 100;

/// Whether two descriptions of a value are equal: for tensors dtype, shape, strides, device, and layout.
bool isSameDescription(const Argument& a, const Argument& b);

/// Whether a tensor has the strided layout, which files omit.
bool isStrided(const TensorMeta& meta);

/// Whether strides of dimensions of size one matter.
enum class OnesCount : std::uint8_t { no, yes };

/// Whether a tensor is contiguous like the results of torch.empty, with the last dimension innermost. False if strides are
/// unknown.
bool isContiguous(const TensorMeta& meta, OnesCount ones = OnesCount::no);

/// Whether the elements are real floating-point numbers.
bool isFloating(const TensorMeta& meta);

/// Whether no two elements of a tensor share a memory location, judging by sizes and strides: each stride must exceed the range
/// of the smaller ones. False if unknown.
bool hasDistinctElements(const TensorMeta& meta);

/// Returns the graph's description of an argument if it is a node with a tensor value; null otherwise.
const TensorMeta* describedTensor(const Graph& graph, const Argument& argument);

/// Returns the description of the operator argument at `place`, passed by position, or by name if there is a single schema.
const TensorMeta* describedTensor(const Graph& graph, const Node& call, const OperatorFacts& facts, std::size_t place);

/// Whether a call of aten._assert_tensor_metadata only asserts sizes, dtype, device, or layout that match the description of its
/// tensor. False for other calls.
bool statesDescription(const Node& assertion, const TensorMeta& meta);

/// Whether both are described and have the same dtype, device, and shape.
bool fillsExactly(const TensorMeta* target, const TensorMeta* source);

} // namespace sunder
