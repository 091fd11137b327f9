#pragma once

#include "ir/graph.h"
#include "operators/operator_facts.h"

namespace sunder {

/// Of lists in lists: what is described deeper is taken to differ.
inline constexpr int kMaxDescriptionDepth = 100;

/// Whether two descriptions say the same of a value: of tensors dtype, shape, strides, device and layout.
bool isSameDescription(const Argument& a, const Argument& b);

/// Whether a tensor is neither sparse nor of another layout; files leave out the usual one.
bool isStrided(const TensorMeta& meta);

/// Whether strides of dimensions of size one count.
enum class OnesCount : std::uint8_t { no, yes };

/// Whether a tensor lies as torch.empty lays tensors out, the last dimension innermost; false where strides are not known.
bool isContiguous(const TensorMeta& meta, OnesCount ones = OnesCount::no);

/// Whether elements are real floating-point numbers.
bool isFloating(const TensorMeta& meta);

/// Whether no two elements of a tensor lie in one place, by its sizes and strides: each stride steps over all that the
/// smaller ones reach. False where that cannot be told.
bool elementsLieApart(const TensorMeta& meta);

/// What a graph says of an argument, when that is a node whose value is a tensor; else null.
const TensorMeta* describedTensor(const Graph& graph, const Argument& argument);

/// The same of what a call gives for the argument at `place` of its operator: by position, or by name where there is one schema.
const TensorMeta* describedTensor(const Graph& graph, const Node& call, const OperatorFacts& facts, std::size_t place);

/// Whether a call of aten._assert_tensor_metadata asserts only sizes, dtype, device, or layout that its tensor is described as having. False
/// for other calls.
bool statesDescription(const Node& assertion, const TensorMeta& meta);

/// Whether both are known, and tensors of one dtype, device and shape.
bool fillsExactly(const TensorMeta* target, const TensorMeta* source);

} // namespace sunder
