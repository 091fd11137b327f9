#pragma once

#include "ir/tensor_meta.h"

#include <string>
#include <string_view>

namespace sunder {

/// Whether a `val` tree contains a tensor. Other values (an int, a symbolic int) take a negligible number of bytes.
bool holdsTensor(const Argument& val);

/// Returns "symbolic int", "int", "float", or "bool" for a `val` that is a single number; empty otherwise.
std::string_view numberKind(const Argument& val);

/// Returns the size of a value in words: "128 B", "no bytes" for a value without tensors, "not known".
std::string describeSize(const std::optional<Argument>& val);

/// Returns the type of a tensor, "f32[2, 3]"; for other values the result of describeShape().
std::string describeValue(const Argument& val);

/// Returns the tensor of a `val`; null if it is not a single tensor.
inline const TensorMeta* tensorOf(const std::optional<Argument>& val)
{
    return val && val->is(ArgumentKind::tensor) ? &val->asTensor() : nullptr;
}

/// Returns the storage of a `val` that is a single tensor; empty otherwise, and if the file does not state it.
InternedString storageOf(const std::optional<Argument>& val);

/// Calls `visit` with the TensorMeta of each tensor in a `val` tree. Readers limit its nesting depth.
template <typename Visit>
void forEachTensor(const Argument& val, const Visit& visit)
{
    if (val.is(ArgumentKind::tensor))
        visit(val.asTensor());
    for (const Argument& item : val.items())
        forEachTensor(item, visit);
}

/// Calls `visit` with the storage of each tensor in a `val` tree. Returns false if the file does not state one of them.
template <typename Visit>
bool forEachStorage(const Argument& val, const Visit& visit)
{
    bool all = true;
    forEachTensor(val, [&](const TensorMeta& tensor) {
        all = all && !tensor.storage.empty();
        if (!tensor.storage.empty())
            visit(tensor.storage);
    });
    return all;
}

} // namespace sunder
