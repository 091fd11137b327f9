#include "passes/unflatten/overlapping_inputs.h"

#include "passes/unflatten/aliases.h"

#include "ir/value_kind.h"

#include <algorithm>
#include <limits>

namespace sunder {
namespace {

constexpr std::pair<std::int64_t, std::int64_t> kEverything{0, std::numeric_limits<std::int64_t>::max()};

} // namespace

std::pair<std::int64_t, std::int64_t> extentOf(const TensorMeta& meta)
{
    if (meta.offset && !meta.offset->is(ArgumentKind::integer))
        return kEverything;
    const std::int64_t start = meta.offset ? meta.offset->asInteger() : 0;
    std::int64_t end = start + 1;
    for (std::size_t i = 0; i < meta.shape.size(); ++i) {
        if (!meta.stride || i >= meta.stride->size() || !meta.shape[i].is(ArgumentKind::integer)
            || !(*meta.stride)[i].is(ArgumentKind::integer))
            return kEverything;
        end += (meta.shape[i].asInteger() - 1) * (*meta.stride)[i].asInteger();
    }
    return {start, end};
}

OverlappingInputs::OverlappingInputs(const Program& program)
{
    const Graph& graph = program.rootGraph();
    std::unordered_map<InternedString, TensorId> tensorOf;
    for (const InputSpec& input : program.signature->inputs)
        if (const TensorId tensor = program.tensors.find(input.target); tensor && input.kind != InputKind::user)
            tensorOf.emplace(input.name, program.tensors.object(tensor));
    std::unordered_map<StorageId, std::vector<Input>> tensors;
    std::unordered_map<InternedString, std::vector<Input>> users; // by storage
    std::uint32_t position = 0;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        if (node.op != Op::placeholder)
            continue;
        if (const auto found = tensorOf.find(node.name); found != tensorOf.end()) {
            const TensorEntry& entry = program.tensors[found->second];
            if (entry.storage)
                tensors[entry.storage].push_back({id, position, extentOf(entry.meta)});
        } else if (const InternedString storage = storageOf(node.meta.val); !storage.empty()) {
            users[storage].push_back({id, position});
        }
        ++position;
    }
    for (auto& [storage, inputs] : tensors)
        group(std::move(inputs));
    for (auto& [storage, inputs] : users)
        keep(std::move(inputs));
}

/// Groups inputs of one storage whose extents overlap.
void OverlappingInputs::group(std::vector<Input> inputs)
{
    std::ranges::stable_sort(inputs, {}, &Input::extent);
    std::vector<Input> open;
    std::int64_t end = 0;
    for (const Input& input : inputs) {
        if (!open.empty() && input.extent.first >= end)
            keep(std::exchange(open, {}));
        end = open.empty() ? input.extent.second : std::max(end, input.extent.second);
        open.push_back(input);
    }
    keep(std::move(open));
}

void OverlappingInputs::keep(std::vector<Input> group)
{
    if (group.size() < 2)
        return;
    std::ranges::sort(group, {}, &Input::position);
    std::vector<NodeId>& nodes = m_groups.emplace_back();
    for (const Input& input : group) {
        nodes.push_back(input.node);
        m_groupOf.emplace(input.node, m_groups.size() - 1);
    }
}

std::span<const NodeId> OverlappingInputs::with(const NodeId& placeholder) const
{
    const auto found = m_groupOf.find(placeholder);
    return found != m_groupOf.end() ? std::span(m_groups[found->second]) : std::span(&placeholder, 1);
}

} // namespace sunder
