#include "ir/tensor_table.h"

namespace sunder {

std::string_view name(TensorRole role)
{
    switch (role) {
    case TensorRole::parameter: return "parameter";
    case TensorRole::buffer: return "buffer";
    case TensorRole::constant: return "constant";
    }
    return {};
}

StorageId TensorTable::addStorage(Storage storage)
{
    const StorageId id(m_storages.size());
    m_storageById.emplace(storage.id, id);
    m_storages.push_back(storage);
    return id;
}

TensorId TensorTable::add(TensorEntry entry)
{
    const TensorId id(m_tensors.size());
    m_byName.emplace(entry.fqn, id);
    m_tensors.push_back(std::move(entry));
    return id;
}

void TensorTable::reserve(std::size_t tensors, std::size_t storages)
{
    m_tensors.reserve(tensors);
    m_byName.reserve(tensors);
    m_storages.reserve(storages);
    m_storageById.reserve(storages);
}

TensorId TensorTable::find(InternedString fqn) const
{
    const TensorId* found = m_byName.find(fqn);
    return found != nullptr ? *found : TensorId();
}

StorageId TensorTable::findStorage(InternedString id) const
{
    const StorageId* found = m_storageById.find(id);
    return found != nullptr ? *found : StorageId();
}

TensorId TensorTable::object(TensorId id) const
{
    for (std::size_t steps = 0; m_tensors[id.index()].same && steps < m_tensors.size(); ++steps)
        id = m_tensors[id.index()].same;
    return id;
}

} // namespace sunder
