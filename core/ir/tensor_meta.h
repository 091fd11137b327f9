#pragma once

#include "ir/argument.h"

#include <cstdint>
#include <optional>

namespace sunder {

/// What is known of a tensor without its data. Sizes and strides are integers or symbolic Arguments, in elements.
struct TensorMeta {
    InternedString dtype; ///< without "torch.": "float32"
    Arguments shape;
    std::optional<Arguments> stride; ///< absent for layouts without strides
    std::optional<Argument> offset;  ///< storage offset in elements; absent when not given
    InternedString device;           ///< empty: cpu
    InternedString layout;           ///< empty: strided
    InternedString storage;          ///< equal text: shared memory; empty when unknown
    bool requiresGrad = false;
    InternedString extra; ///< raw JSON object of keys that this version does not know; empty when none
};

bool operator==(const TensorMeta& a, const TensorMeta& b);

/// Bytes of one element of the dtype ("float32" → 4, "bool" → 1); nothing for an unknown dtype.
std::optional<std::uint64_t> elementSize(std::string_view dtype);

/// The size as a number: itself, or the hint of a symbolic size; nothing when unknown or negative.
std::optional<std::uint64_t> sizeHint(const Argument& size);

/// Product of the sizes, by their hints; nothing when one is unknown or the product overflows.
std::optional<std::uint64_t> elementCount(std::span<const Argument> shape);

/// elementCount × elementSize.
std::optional<std::uint64_t> byteSize(const TensorMeta& meta);

/// Bytes of all tensors in a `val` tree, each leaf counted; nothing when one is unknown. Non-tensors count 0.
std::optional<std::uint64_t> byteSize(const Argument& val);

/// "f32[1, s27, 16]", as PyTorch abbreviates dtypes.
std::string describe(const TensorMeta& meta);

/// "1×s27×16", "tuple", "int" …: the shape column of pictures and tables.
std::string describeShape(const Argument& val);

/// PyTorch's abbreviation of a dtype: "float32" → "f32"; the dtype itself when there is none.
std::string_view dtypeAbbreviation(std::string_view dtype);

} // namespace sunder
