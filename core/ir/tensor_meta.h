#pragma once

#include "ir/argument.h"

#include <cstdint>
#include <optional>

namespace sunder {

/// Metadata of a tensor. Sizes and strides are integers or symbolic Arguments, in elements.
struct TensorMeta {
    InternedString dtype; ///< without "torch.": "float32"
    Arguments shape;
    std::optional<Arguments> stride; ///< absent for layouts without strides
    std::optional<Argument> offset;  ///< storage offset in elements; absent if not stated
    InternedString device;           ///< empty for cpu
    InternedString layout;           ///< empty for strided
    InternedString storage;          ///< equal texts mean shared memory; empty if unknown
    bool requiresGrad = false;
    InternedString extra; ///< raw JSON object of unknown keys; empty if there are none
};

bool operator==(const TensorMeta& a, const TensorMeta& b);

/// Returns the bytes per element of a dtype ("float32" → 4, "bool" → 1); nothing for an unknown dtype.
std::optional<std::uint64_t> elementSize(std::string_view dtype);

/// Returns a size as a number: itself, or the hint of a symbolic size. Nothing if unknown or negative.
std::optional<std::uint64_t> sizeHint(const Argument& size);

/// Returns the product of the sizes, using their hints; nothing if one is unknown or the product overflows.
std::optional<std::uint64_t> elementCount(std::span<const Argument> shape);

/// Returns elementCount × elementSize.
std::optional<std::uint64_t> byteSize(const TensorMeta& meta);

/// Returns the bytes of all tensors in a `val` tree, counting every leaf; nothing if one is unknown. Non-tensors count 0.
std::optional<std::uint64_t> byteSize(const Argument& val);

/// Returns "f32[1, s27, 16]", with PyTorch's abbreviations of dtypes.
std::string describe(const TensorMeta& meta);

/// Returns "1×s27×16", "tuple", "int", …: the shape column of pictures and tables.
std::string describeShape(const Argument& val);

/// Returns PyTorch's abbreviation of a dtype: "float32" → "f32"; the dtype itself if there is none.
std::string_view dtypeAbbreviation(std::string_view dtype);

} // namespace sunder
