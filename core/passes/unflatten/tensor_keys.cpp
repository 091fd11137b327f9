#include "passes/unflatten/tensor_keys.h"

namespace sunder {

TensorKeys::TensorKeys(const TensorTable& tensors)
    : m_tensors(tensors), m_keyOf(tensors.size(), kNone), m_first(tensors.storageCount())
{
}

std::uint32_t TensorKeys::of(TensorId id)
{
    const TensorId object = m_tensors.object(id);
    std::uint32_t& key = m_keyOf[object.index()];
    if (key == kNone)
        key = keyOf(object);
    return key;
}

std::uint32_t TensorKeys::keyOf(TensorId object)
{
    const StorageId storage = m_tensors[object].storage;
    if (!storage)
        return m_count++;
    TensorId& first = m_first[storage.index()];
    if (!first) {
        first = object;
        return m_count++;
    }
    if (areOne(object, first))
        return m_keyOf[first.index()];
    std::vector<TensorId>& others = m_others[storage.index()];
    for (const TensorId other : others)
        if (areOne(object, other))
            return m_keyOf[other.index()];
    others.push_back(object);
    return m_count++;
}

bool TensorKeys::areOne(TensorId a, TensorId b) const
{
    const TensorMeta& x = m_tensors[a].meta;
    const TensorMeta& y = m_tensors[b].meta;
    const Argument zero = Argument::integer(0);
    return x.shape == y.shape && x.stride == y.stride && x.offset.value_or(zero) == y.offset.value_or(zero);
}

} // namespace sunder
