#pragma once

#include "ir/tensor_meta.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace sunder {

/// Returns the bytes from the first to the last element of a tensor in memory; a storage of its own has as many. Equal to byteSize()
/// without strides. Symbolic sizes count with their hints. Nothing if one is unknown.
std::optional<std::uint64_t> extentBytes(const TensorMeta& meta);

/// Whether a tensor with the elements of `base`, in their order, can be a view of it: same dtype and device, and the strides that a
/// view has. False if the file does not state strides. Source: at::detail::computeStride.
bool hasStridesOfView(const TensorMeta& base, const TensorMeta& result);

/// Whether the dimensions [first, last) of a tensor can be merged into one without a copy. True if its strides are unknown.
bool canMerge(const TensorMeta& meta, std::size_t first, std::size_t last);

} // namespace sunder
