#include "passes/unflatten/shared_memory.h"

#include "analysis/run_order/memory_accesses.h"
#include "ir/value_kind.h"
#include "operators/call_facts.h"
#include "operators/operator_catalogue.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_set>

namespace sunder {
namespace {

constexpr Extent kEverything{0, std::numeric_limits<std::int64_t>::max()};

/// Returns whether `user` is a view of `viewed`. Compares the storages of `val` if both are known; otherwise uses the operator's
/// known aliasing. Results of in-place writes are not views.
bool isView(OperatorCatalog& operators, const Node& user, InternedString its, NodeId viewed)
{
    if (user.op != Op::callFunction && user.op != Op::callMethod)
        return false;
    const OperatorFacts& facts = operators.of(user);
    const NodeArguments given(user);
    const CallFacts does = callFacts(facts, given);
    const InternedString mine = storageOf(user.meta.val);
    if (!mine.empty() && !its.empty())
        return mine == its && (does.written.empty() || !facts.known);
    const bool sure = does.result == ResultMemory::view || does.result == ResultMemory::is || facts.role == CallRole::getItem;
    return sure && does.written.empty() && !does.shared.empty() && given.argument(does.shared.front()).is(ArgumentKind::node)
        && given.argument(does.shared.front()).asNode() == viewed;
}

bool writesAny(const Program& program)
{
    EffectFinder finder(program);
    return std::ranges::any_of(program.rootGraph().nodes(), [&](NodeId id) {
        const CallEffects does = finder.of(program.rootGraph()[id]);
        return !does.written.empty() || does.writesBuffers || does.writesHeld;
    });
}

} // namespace

Extent extentOf(const TensorMeta& meta)
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

std::vector<std::vector<std::size_t>> overlapping(const std::vector<Extent>& extents)
{
    std::vector<std::size_t> order(extents.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return extents[i]; });
    std::vector<std::vector<std::size_t>> groups;
    std::int64_t end = 0;
    for (const std::size_t i : order) {
        const bool isApart = groups.empty() || extents[i].first >= end;
        end = isApart ? extents[i].second : std::max(end, extents[i].second);
        if (isApart)
            groups.emplace_back();
        groups.back().push_back(i);
    }
    std::erase_if(groups, [](const std::vector<std::size_t>& group) { return group.size() < 2; });
    return groups;
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
    std::vector<Extent> extents;
    for (const Input& input : inputs)
        extents.push_back(input.extent);
    for (const std::vector<std::size_t>& overlap : overlapping(extents)) {
        std::vector<Input> found;
        for (const std::size_t i : overlap)
            found.push_back(inputs[i]);
        keep(std::move(found));
    }
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

std::vector<NodeId> aliasesOf(const Graph& graph, NodeId placeholder)
{
    return aliasesOf(graph, placeholder, storageOf(graph.node(placeholder).meta.val));
}

std::vector<NodeId> aliasesOf(const Graph& graph, NodeId node, InternedString storage)
{
    std::vector<NodeId> found{node};
    std::unordered_set<NodeId> seen{node};
    OperatorCatalog operators;
    for (std::size_t i = 0; i < found.size(); ++i)
        for (const NodeId user : graph.users(found[i]))
            if (isView(operators, graph.node(user), storage, found[i]) && seen.insert(user).second)
                found.push_back(user);
    return found;
}

std::vector<char> writtenStorages(const Program& program)
{
    std::vector<char> written(program.tensors.storageCount(), 0);
    if (!writesAny(program))
        return written;
    const Result<RankedGraph> graph = RankedGraph::of(program.rootGraph());
    if (!graph)
        return std::vector<char>(written.size(), 1);
    const MemoryAccesses accesses(program, *graph, MemoryClasses(program, *graph, MemoryClasses::Doubt::merge));
    for (std::size_t i = 0; i < program.tensors.size(); ++i) {
        const TensorEntry& tensor = program.tensors[program.tensors.object(TensorId(i))];
        if (tensor.storage && accesses.isWritten(accesses.locations().ofTensor(TensorId(i))))
            written[tensor.storage.index()] = 1;
    }
    return written;
}

} // namespace sunder
