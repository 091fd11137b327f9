#pragma once

#include "ir/tensor_meta.h"

#include <string>
#include <string_view>

namespace sunder {

/// True when a tensor is in a `val` tree; what has none (an int, a symbolic int) takes no bytes worth counting.
bool holdsTensor(const Argument& val);

/// "symbolic int", "int", "float", "bool" of a `val` that is one number; else empty.
std::string_view numberKind(const Argument& val);

/// What a value takes, in words: "128 B", "no bytes" for what holds no tensor, "not known".
std::string describeSize(const std::optional<Argument>& val);

/// A tensor's type, "f32[2, 3]"; of anything else what describeShape() says.
std::string describeValue(const Argument& val);

/// The tensor that a `val` is; null for anything else.
inline const TensorMeta* tensorOf(const std::optional<Argument>& val)
{
    return val && val->is(ArgumentKind::tensor) ? &val->asTensor() : nullptr;
}

/// The storage of a `val` that is one tensor; empty for anything else, and where the file does not say.
InternedString storageOf(const std::optional<Argument>& val);

/// Calls `visit` with the TensorMeta of each tensor in a `val` tree, nested at most as deep as a reader lets values be.
template <typename Visit>
void forEachTensor(const Argument& val, const Visit& visit)
{
    if (val.is(ArgumentKind::tensor))
        visit(val.asTensor());
    for (const Argument& item : val.items())
        forEachTensor(item, visit);
}

/// Calls `visit` with the storage of each tensor in a `val` tree; false when the file does not say where one lies.
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
