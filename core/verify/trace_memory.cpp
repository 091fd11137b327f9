#include "verify/trace_memory.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr int kMaxValLevels = 100;

/// Collects the ids of the storage names of all tensors in a value. Returns false if the file omits the storage of a part.
bool collectStorages(const Argument& val, std::vector<std::uint32_t>& storages)
{
    switch (val.kind()) {
    case ArgumentKind::tensor: storages.push_back(val.asTensor().storage.id()); return !val.asTensor().storage.empty();
    case ArgumentKind::node:
    case ArgumentKind::graph:
    case ArgumentKind::constant:
    case ArgumentKind::object:
    case ArgumentKind::opaque:
    case ArgumentKind::unknown: return false;
    default: break;
    }
    for (const Argument& item : val.items())
        if (!collectStorages(item, storages))
            return false;
    return true;
}

} // namespace

void TraceMemory::mergeSlots(std::span<const std::uint32_t> slots, const TracedCall& call, ValueId result)
{
    if (!m_draft.context.followMemory)
        return;
    std::vector<ValueId> leaves;
    m_draft.collectSlots(slots, call, leaves);
    for (const ValueId value : leaves)
        m_draft.trace.regions.merge(m_draft.at(value).region, m_draft.at(result).region);
}

void TraceMemory::mergeAll(const TracedCall& call, ValueId result)
{
    if (!m_draft.context.followMemory)
        return;
    std::vector<ValueId> leaves;
    m_draft.collectAll(call, leaves);
    for (const ValueId value : leaves)
        m_draft.trace.regions.merge(m_draft.at(value).region, m_draft.at(result).region);
}

void TraceMemory::shareMemory(ValueId result, ValueId value)
{
    std::vector<ValueId> leaves;
    m_draft.collectLeaves(value, leaves);
    for (const ValueId leaf : leaves)
        if (m_draft.context.followMemory)
            m_draft.trace.regions.merge(m_draft.at(leaf).region, m_draft.at(result).region);
}

void TraceMemory::followWrites(std::uint32_t step, const CallFacts& does, const TracedCall& call,
                               std::span<const ValueId> written, bool resizes, bool shares)
{
    m_draft.trace.steps[step].reshapes = !does.reshaped.empty() || resizes;
    if (m_draft.context.followMemory)
        markWritten(does, call, written);
    if (m_draft.trace.steps[step].reshapes)
        markReshaped(call, written);
    if (!written.empty() && (shares || !does.reshaped.empty()))
        mergeAll(call, written.front());
}

void TraceMemory::markWritten(const CallFacts& does, const TracedCall& call, std::span<const ValueId> written)
{
    for (const ValueId value : written)
        m_draft.trace.regions.markWritten(m_draft.at(value).region);
    std::vector<ValueId> reshaped;
    m_draft.collectSlots(does.reshaped, call, reshaped);
    for (const ValueId value : reshaped)
        m_draft.trace.regions.markReshaped(m_draft.at(value).region);
}

void TraceMemory::markReshaped(const TracedCall& call, std::span<const ValueId> written)
{
    if (!m_draft.context.followMemory || written.empty())
        return;
    std::vector<ValueId> leaves;
    m_draft.collectAll(call, leaves);
    for (const ValueId value : leaves)
        m_draft.trace.regions.merge(m_draft.at(value).region, m_draft.at(written.front()).region);
    for (const ValueId value : written)
        m_draft.trace.regions.markReshaped(m_draft.at(value).region);
}

void TraceMemory::alignKnown(TraceFrame& frame, NodeId id, ValueId value)
{
    if (const std::optional<Argument>& val = m_draft.program.graph(frame.graph).node(id).meta.val)
        alignWith(frame, value, *val, Alignment::distrust);
}

void TraceMemory::alignWith(TraceFrame& frame, ValueId id, const Argument& val, Alignment how, int depth)
{
    if (!m_draft.context.followMemory || depth > kMaxValLevels)
        return;
    const Value value = m_draft.at(id);
    if (value.kind == ValueKind::container && val.items().size() == value.itemCount) {
        for (std::size_t i = 0; i < value.itemCount; ++i)
            alignWith(frame, m_draft.trace.items(value)[i], val.items()[i], how, depth + 1);
        return;
    }
    if (value.kind != ValueKind::leaf)
        return;
    if (val.is(ArgumentKind::tensor) && !val.asTensor().storage.empty()) {
        const auto [place, isNew] = frame.storages.emplace(val.asTensor().storage, value.region);
        const bool isOther = !isNew && place->second != kSeveralRegions
            && m_draft.trace.regions.find(place->second) != m_draft.trace.regions.find(value.region);
        if (isOther && how == Alignment::merge)
            m_draft.trace.regions.merge(place->second, value.region);
        else if (isOther && how == Alignment::distrust)
            place->second = kSeveralRegions;
    }
    for (const Argument& item : val.items())
        alignWith(frame, id, item, how, depth + 1);
}

bool TraceMemory::isStatedSeparate(const TraceFrame& frame, const Node& node) const
{
    std::vector<std::uint32_t> mine;
    if (!node.meta.val || !collectStorages(*node.meta.val, mine))
        return false;
    std::ranges::sort(mine);
    bool apart = true;
    std::vector<std::uint32_t> theirs;
    forEachNode(node.args, node.kwargs, [&](NodeId input) {
        const std::optional<Argument>& val = m_draft.program.graph(frame.graph).node(input).meta.val;
        theirs.clear();
        apart = apart && val && collectStorages(*val, theirs)
            && std::ranges::none_of(theirs, [&](std::uint32_t storage) { return std::ranges::binary_search(mine, storage); });
    });
    return apart;
}

bool TraceMemory::indexCopies(const TraceFrame& frame, const Node& getItem) const
{
    if (getItem.args.size() != 2)
        return false;
    // A zero-dimensional tensor selects like a number. PyTorch treats a list with anything but numbers like a tuple.
    const auto isNumber = [](const Argument& item) { return item.is(ArgumentKind::integer) || item.is(ArgumentKind::boolean); };
    const auto isVector = [&](const Argument& item) {
        if (!item.is(ArgumentKind::node))
            return false;
        const std::optional<Argument>& val = m_draft.program.graph(frame.graph).node(item.asNode()).meta.val;
        return val && val->is(ArgumentKind::tensor) && !val->asTensor().shape.empty();
    };
    const Argument& index = getItem.args[1];
    if (index.is(ArgumentKind::list))
        return std::ranges::all_of(index.items(), isNumber);
    if (index.is(ArgumentKind::tuple))
        return std::ranges::any_of(index.items(),
                                   [&](const Argument& item) { return item.is(ArgumentKind::list) || isVector(item); });
    return isVector(index);
}

} // namespace sunder
