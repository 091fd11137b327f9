#include "parts/shared_weights.h"

#include <algorithm>
#include <utility>

namespace sunder {
namespace {

constexpr std::uint32_t kNoMemory = 0xffffffffU;

} // namespace

SharedWeights::SharedWeights(const Program& source) : m_source(source)
{
    const TensorTable& tensors = source.tensors;
    std::vector<std::uint32_t> ofStorage(tensors.storageCount(), kNoMemory);
    std::uint32_t count = 0;
    m_memoryOf.assign(tensors.size(), kNoMemory);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const TensorId id(static_cast<std::uint32_t>(i));
        const TensorId object = tensors.object(id);
        const StorageId storage = tensors[object].storage;
        std::uint32_t& memory = storage ? ofStorage[storage.index()] : m_memoryOf[object.index()];
        if (memory == kNoMemory)
            memory = count++;
        m_memoryOf[i] = memory;
    }
    m_holders.resize(count);
}

void SharedWeights::add(const std::string& part, const Program& program)
{
    for (const TensorEntry& entry : program.tensors.entries())
        if (const TensorId id = m_source.tensors.find(entry.fqn); id)
            if (std::vector<std::string>& holders = m_holders[m_memoryOf[id.index()]]; holders.empty() || holders.back() != part)
                holders.push_back(part);
}

std::vector<ManifestTie> SharedWeights::ties() const
{
    std::vector<ManifestTie> all(m_holders.size());
    for (std::size_t memory = 0; memory < all.size(); ++memory)
        all[memory].parts = m_holders[memory];
    for (std::size_t i = 0; i < m_memoryOf.size(); ++i)
        all[m_memoryOf[i]].names.push_back(m_source.tensors.entries()[i].fqn.str());
    std::erase_if(all,
                  [](const ManifestTie& tie) { return tie.parts.empty() || (tie.names.size() < 2 && tie.parts.size() < 2); });
    return all;
}

} // namespace sunder
