#include "parts/part_size.h"

#include "parts/part_programs.h"
#include "parts/part_weights.h"
#include "parts/separate_cut.h"

namespace sunder {
namespace {

constexpr std::uint64_t kBytesANode = 2'000; ///< of JSON: 1,600 in PyTorch exports, including stack traces

/// Adds up the distinct storages of a part's lifted inputs.
class PartStorages {
public:
    explicit PartStorages(const Program& source)
        : m_source(source), m_inputOf(signatureInputs(source)), m_part(source.tensors.storageCount(), -1)
    {
    }

    std::uint64_t bytesOf(std::size_t part, const std::vector<NodeId>& lifted)
    {
        std::uint64_t bytes = 0;
        for (const NodeId value : lifted) {
            const InputSpec& input = m_source.signature->inputs[static_cast<std::size_t>(m_inputOf[value.index()])];
            const TensorId named = m_source.tensors.find(input.target);
            if (!named)
                continue; // a custom object
            const TensorEntry& entry = m_source.tensors[m_source.tensors.object(named)];
            if (!entry.storage || !m_source.tensors[entry.storage].hasPlace())
                continue;
            std::int64_t& last = m_part[entry.storage.index()];
            if (last != static_cast<std::int64_t>(part))
                bytes += m_source.tensors[entry.storage].byteCount.value_or(byteSize(entry.meta).value_or(0));
            last = static_cast<std::int64_t>(part);
        }
        return bytes;
    }

private:
    const Program& m_source;
    std::vector<std::int32_t> m_inputOf;
    std::vector<std::int64_t> m_part; ///< per storage: the last part that read it
};

} // namespace

PartsSize sizeOfParts(const Program& source, const SplitResult& split, const PartPlan& plan, ProgressMonitor& monitor)
{
    PartsSize size{.graphs = kBytesANode * source.nodeCount()};
    std::optional<PartStorages> storages;
    if (source.signature)
        storages.emplace(source);
    for (std::size_t part = 0; part < split.parts.size() && !monitor.isCancelled(); ++part) {
        const std::uint64_t bytes = storages ? storages->bytesOf(part, plan.lifted[part])
                                             : storedBytes(partModule(source, split, part));
        size.weightsOf.push_back(bytes);
        size.weights += bytes;
    }
    return size;
}

Result<PartsSize> sizeOfParts(const Program& source, const SplitResult& split)
{
    SUNDER_TRY(const SeparateCut separate, separateCut(source, split));
    const Program& from = separate.changed ? separate.changed->source : source;
    const SplitResult& cut = separate.changed ? separate.changed->split : split;
    if (!from.signature)
        return sizeOfParts(from, cut, PartPlan());
    const Result<PartPlan> plan = planParts(from, cut);
    return plan ? Result<PartsSize>(sizeOfParts(from, cut, *plan)) : forward(plan);
}

} // namespace sunder
