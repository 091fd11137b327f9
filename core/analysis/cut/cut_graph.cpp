// Tables for metrics, previews and comparisons of cuts. Built once per program in a few passes over its nodes; later queries, at
// each stroke and move, only use integers.

#include "analysis/cut/cut_graph.h"

#include "analysis/cut/node_sizes.h"
#include "analysis/cut/storage_extent.h"
#include "analysis/sizes.h"
#include "ir/getitem.h"
#include "ir/reader_stacks.h"
#include "ir/value_kind.h"
#include "operators/call_facts.h"
#include "operators/operator_catalogue.h"
#include "support/flat_map.h"
#include "support/progress_monitor.h"
#include "support/sort_unique.h"

#include <algorithm>
#include <unordered_map>

namespace sunder {
namespace {

// Determines which results share memory. Otherwise every transpose would count as a copy, and every tuple twice: as a whole and
// by its getitems. If `val` contains storages, these decide; since it rarely does, the alias facts of operators decide otherwise.

/// A result with more tensors is one piece; otherwise readers of the whole result would be quadratic.
constexpr std::size_t kMaxLeaves = 64;
/// The items of longer tuples are not distinguished either.
constexpr std::size_t kMaxItems = 1024;

using Leaves = std::vector<const TensorMeta*>;

void collectLeaves(const Argument& val, Leaves& leaves)
{
    if (val.is(ArgumentKind::tensor))
        leaves.push_back(&val.asTensor());
    for (const Argument& item : val.items())
        collectLeaves(item, leaves);
}

std::size_t leafCount(const Argument& val)
{
    std::size_t count = val.is(ArgumentKind::tensor) ? 1 : 0;
    for (const Argument& item : val.items())
        count += leafCount(item);
    return count;
}

/// Fills `pieces`, `pieceBytes` and `pieceMaker` of a CutGraph with numbered values. O(nodes + tensors in `val`).
class PieceFinder {
public:
    PieceFinder(const Graph& graph, CutGraph& out) : m_graph(graph), m_out(out) {}

    Result<void> run(ProgressMonitor& monitor)
    {
        StepMonitor steps(monitor);
        m_out.isItem.assign(m_out.callCount, 0);
        m_out.viewOf.assign(m_out.callCount, NodeId());
        for (const NodeId id : m_graph.nodes())
            if (!m_graph[id].isCall() && m_graph[id].meta.val)
                noteOutside(*m_graph[id].meta.val);
        for (std::uint32_t call = 0; call < m_out.callCount; ++call) {
            SUNDER_PROPAGATE(steps.step());
            place(call);
            m_leaves.endRow();
            addDistinct();
        }
        return {};
    }

private:
    void noteOutside(const Argument& val)
    {
        Leaves leaves;
        collectLeaves(val, leaves);
        for (const TensorMeta* leaf : leaves)
            if (!leaf->storage.empty())
                m_ofStorage.emplace(leaf->storage, CutGraph::kNone);
    }

    /// Appends the pieces of a call's result to the open row, one per tensor unless there are too many.
    void place(std::uint32_t call)
    {
        const Node& node = m_graph[m_out.nodes[call]];
        Leaves leaves;
        if (node.meta.val)
            collectLeaves(*node.meta.val, leaves);
        const bool hasStorages = std::any_of(leaves.begin(), leaves.end(),
                                             [](const auto* leaf) { return !leaf->storage.empty(); });
        const bool isTold = !leaves.empty() && leaves.size() <= kMaxLeaves;
        if (!hasStorages && !node.args.empty() && node.args.front().is(ArgumentKind::node) && placeInFirst(node)) {
            m_out.viewOf[call] = node.args.front().asNode();
            return;
        }
        if (isTold) {
            for (const TensorMeta* leaf : leaves)
                m_leaves.add(pieceOf(*leaf, call));
        } else if (!leaves.empty()) {
            m_leaves.add(newPiece(m_out.heldBytes[call], call));
        }
    }

    /// Returns whether the result shares memory with the first argument; if so, adds its pieces to the row, if any.
    bool placeInFirst(const Node& node)
    {
        const NodeId first = node.args.front().asNode();
        const bool isItem = isGetitem(node) && node.args.size() == 2;
        if (!isItem && !sharesMemoryWithFirst(node))
            return false;
        const std::optional<Argument>& val = m_graph[first].meta.val;
        const bool isContainer = val && val->isCompound();
        if (isItem && isContainer && m_graph[first].isCall())
            m_out.isItem[m_leaves.size()] = 1;
        if (isItem && !isContainer && node.args[1].holdsNodes())
            return false; // indexing a tensor by a tensor gathers a copy
        const std::uint32_t value = m_out.valueOf[first.index()];
        if (value >= m_out.callCount || value >= m_leaves.size())
            return true; // of an input or a parameter
        const std::span<const std::uint32_t> all = m_leaves[value];
        const bool isTold = isItem && isContainer && all.size() > 1 && val->items().size() <= kMaxItems;
        const bool isOneOfMany = isTold && node.args[1].is(ArgumentKind::integer) && all.size() == leafCount(*val);
        const auto [from, to] = isOneOfMany ? leavesOfItem(*val, node.args[1].asInteger())
                                            : std::pair(std::size_t{0}, all.size());
        for (std::size_t i = from; i < to; ++i)
            m_leaves.add(m_leaves[value][i]);
        return true;
    }

    /// Returns the range [first, second) of leaves in an item of a container.
    static std::pair<std::size_t, std::size_t> leavesOfItem(const Argument& val, std::int64_t index)
    {
        const auto items = val.items();
        const auto size = static_cast<std::int64_t>(items.size());
        const std::int64_t at = index < 0 ? index + size : index;
        if (at < 0 || at >= size)
            return {0, 0};
        std::size_t before = 0;
        for (std::int64_t i = 0; i < at; ++i)
            before += leafCount(items[static_cast<std::size_t>(i)]);
        return {before, before + leafCount(items[static_cast<std::size_t>(at)])};
    }

    /// Returns whether the result always shares memory with the first argument. False for unknown operators.
    bool sharesMemoryWithFirst(const Node& node)
    {
        if (node.op == Op::callModule)
            return false;
        const OperatorFacts& facts = m_operators.of(node);
        if (!facts.known || facts.kinds == 0)
            return false;
        CallFacts does = callFacts(facts, NodeArguments(node));
        settleConversion(does, m_graph, node);
        const bool isAugmented = does.written.size() == 1 && does.written.front() == 0; // x += y
        const bool sure = does.result == ResultMemory::view || does.result == ResultMemory::is || isAugmented;
        return !does.shared.empty() && does.shared.front() == 0 && (sure || (keepsOrder(node) && isViewByStrides(node)));
    }

    /// Whether an operator returns the elements of its argument in their order: a view if strides permit, otherwise a copy.
    static bool keepsOrder(const Node& node)
    {
        static constexpr std::string_view kPackets[] = {"aten::reshape",     "aten::reshape_as", "aten::contiguous",
                                                        "aten::flatten",     "aten::ravel",      "aten::resolve_conj",
                                                        "aten::resolve_neg", "aten::sum_to_size"};
        return std::ranges::find(kPackets, packetName(operatorName(node.target.view()))) != std::end(kPackets);
    }

    bool isViewByStrides(const Node& node)
    {
        const TensorMeta* const base = tensorOf(m_graph[node.args.front().asNode()].meta.val);
        const TensorMeta* const result = tensorOf(node.meta.val);
        return base != nullptr && result != nullptr && hasStridesOfView(*base, *result);
    }

    std::uint32_t pieceOf(const TensorMeta& leaf, std::uint32_t call)
    {
        const std::uint64_t bytes = extentBytes(leaf).value_or(0);
        if (leaf.storage.empty())
            return newPiece(bytes, call);
        auto [piece, isNew] = m_ofStorage.emplace(leaf.storage, CutGraph::kNone);
        if (isNew)
            piece = newPiece(bytes, call);
        else if (piece != CutGraph::kNone)
            m_out.pieceBytes[piece] = std::max(m_out.pieceBytes[piece], bytes);
        return piece;
    }

    std::uint32_t newPiece(std::uint64_t bytes, std::uint32_t call)
    {
        m_out.pieceBytes.push_back(bytes);
        m_out.pieceMaker.push_back(call);
        return static_cast<std::uint32_t>(m_out.pieceBytes.size() - 1);
    }

    /// Adds the distinct pieces of the last row, without memory that no call fills.
    void addDistinct()
    {
        for (const std::uint32_t piece : m_leaves[m_leaves.size() - 1]) {
            const auto open = m_out.pieces.openRow();
            if (piece != CutGraph::kNone && std::find(open.begin(), open.end(), piece) == open.end())
                m_out.pieces.add(piece);
        }
        m_out.pieces.endRow();
    }

    const Graph& m_graph;
    CutGraph& m_out;
    Rows m_leaves; ///< per call: the piece of each tensor in its result; kNone for memory that no call fills
    FlatMap<std::uint32_t> m_ofStorage;
    OperatorCatalog m_operators;
};

void noteRunOrder(const Graph& graph, CutGraph& out)
{
    bool isSame = true;
    std::uint32_t position = 0;
    out.runOrder.assign(out.callCount, 0);
    for (const NodeId id : graph.nodes())
        if (graph[id].isCall()) {
            isSame = isSame && out.valueOf[id.index()] == position;
            out.runOrder[out.valueOf[id.index()]] = position++;
        }
    if (isSame)
        out.runOrder.clear();
}

Result<void> numberValues(const Program& program, CutGraph& out, ProgressMonitor& monitor)
{
    const Graph& graph = program.rootGraph();
    SUNDER_TRY(const std::vector<TensorId> tensors, tensorsOfNodes(program, monitor));
    out.valueOf.assign(graph.idBound(), CutGraph::kNone);
    const auto number = [&](NodeId id) {
        out.valueOf[id.index()] = static_cast<std::uint32_t>(out.nodes.size());
        out.nodes.push_back(id);
    };
    for (const NodeId id : orderByReaders(program, graph))
        if (graph[id].isCall())
            number(id);
    out.callCount = static_cast<std::uint32_t>(out.nodes.size());
    noteRunOrder(graph, out);
    SUNDER_PROPAGATE(monitor.check());
    for (const NodeId id : graph.nodes())
        if (graph[id].op == Op::placeholder && !tensors[id.index()])
            number(id);
    return {};
}

Result<void> measureValues(const Program& program, CutGraph& out, ProgressMonitor& monitor)
{
    const Graph& graph = program.rootGraph();
    ValueBytes values(program, program.root);
    StepMonitor steps(monitor);
    out.bytes.assign(out.nodes.size(), 0);
    out.heldBytes.assign(out.nodes.size(), 0);
    out.isUnknown.assign(out.nodes.size(), 0);
    out.hasNoTensor.assign(out.nodes.size(), 0);
    out.leavesProgram.assign(out.nodes.size(), 0);
    for (std::size_t value = 0; value < out.nodes.size(); ++value) {
        SUNDER_PROPAGATE(steps.step());
        const std::optional<std::uint64_t> bytes = values.of(out.nodes[value]);
        out.bytes[value] = out.heldBytes[value] = bytes.value_or(0);
        if (const std::optional<Argument>& val = graph[out.nodes[value]].meta.val; bytes && val) {
            out.heldBytes[value] = 0;
            forEachTensor(*val, [&](const TensorMeta& meta) { out.heldBytes[value] += extentBytes(meta).value_or(0); });
        }
        out.isUnknown[value] = bytes ? 0 : 1;
        out.hasNoTensor[value] = bytes == 0U && !values.holdsTensor(out.nodes[value]) ? 1 : 0;
    }
    for (const NodeId id : graph.nodes())
        if (graph[id].op == Op::output)
            for (const NodeId input : graph.inputs(id))
                if (const std::uint32_t value = out.valueOf[input.index()]; value != CutGraph::kNone)
                    out.leavesProgram[value] = 1;
    return {};
}

Result<void> linkCalls(const Program& program, const MemoryTable& memory, CutGraph& out, ProgressMonitor& monitor)
{
    const Graph& graph = program.rootGraph();
    SUNDER_TRY(const MemoryReads reads, MemoryReads::build(program, memory, monitor));
    StepMonitor steps(monitor);
    for (std::uint32_t call = 0; call < out.callCount; ++call) {
        SUNDER_PROPAGATE(steps.step());
        const NodeId id = out.nodes[call];
        for (const NodeId input : graph.inputs(id))
            if (const std::uint32_t value = out.valueOf[input.index()]; value != CutGraph::kNone)
                out.inputs.add(value);
        out.inputs.endRow();
        for (const std::uint32_t at : reads.of(id))
            out.memories.add(at);
        out.memories.endRow();
    }
    out.readers = out.inputs.inverted(out.nodes.size());
    out.memoryReaders = out.memories.inverted(memory.bytes.size());
    for (const NodeId id : graph.nodes())
        if (!graph[id].isCall())
            for (const std::uint32_t at : reads.of(id))
                if (out.memoryReaders[at].empty())
                    out.unreadMemories.push_back(at);
    sortUnique(out.unreadMemories);
    return {};
}

/// Represents parameter nodes, and the bytes of a call beyond its result, as memories, if the file gives both sizes.
void takeMemoriesOfFile(const Graph& graph, const NodeSizes& sizes, CutGraph& out)
{
    std::vector<std::uint32_t> memoryOf(graph.idBound(), CutGraph::kNone);
    out.memories = Rows();
    out.memoryBytes.clear();
    const auto memory = [&](NodeId id, std::uint64_t bytes) {
        if (memoryOf[id.index()] == CutGraph::kNone) {
            memoryOf[id.index()] = static_cast<std::uint32_t>(out.memoryBytes.size());
            out.memoryBytes.push_back(bytes);
        }
        return memoryOf[id.index()];
    };
    for (std::uint32_t call = 0; call < out.callCount; ++call) {
        const NodeId id = out.nodes[call];
        if (sizes.own[id.index()] > sizes.output[id.index()])
            out.memories.add(memory(id, sizes.own[id.index()] - sizes.output[id.index()]));
        for (const NodeId input : graph.inputs(id))
            if (out.valueOf[input.index()] == CutGraph::kNone)
                out.memories.add(memory(input, sizes.output[input.index()]));
        out.memories.endRow();
    }
    out.memoryIsUnknown.assign(out.memoryBytes.size(), 0);
    out.tensorOfMemory.assign(out.memoryBytes.size(), TensorId());
    out.memoryReaders = out.memories.inverted(out.memoryBytes.size());
    out.unreadMemories.clear();
}

void keepAll(const NodeSizes& sizes, CutGraph& out)
{
    out.rule = MemoryRule::keepsAll;
    out.pieces = Rows();
    out.pieceBytes.clear();
    out.pieceMaker.clear();
    for (std::uint32_t value = 0; value < out.nodes.size(); ++value) {
        const std::size_t node = out.nodes[value].index();
        out.bytes[value] = out.heldBytes[value] = sizes.output[node];
        out.isUnknown[value] = sizes.known[node] != 0 ? 0 : 1;
        if (value < out.callCount) {
            out.pieces.add(value);
            out.pieceBytes.push_back(std::min(sizes.own[node], sizes.output[node]));
            out.pieceMaker.push_back(value);
        }
        out.pieces.endRow();
    }
}

} // namespace

CutGraph cutGraph(const Program& program)
{
    return *cutGraph(program, ProgressMonitor::none());
}

Result<CutGraph> cutGraph(const Program& program, ProgressMonitor& monitor)
{
    CutGraph out;
    MemoryTable memory = memoryTable(program.tensors);
    SUNDER_PROPAGATE(numberValues(program, out, monitor));
    SUNDER_PROPAGATE(measureValues(program, out, monitor));
    SUNDER_PROPAGATE(linkCalls(program, memory, out, monitor));
    out.memoryBytes = std::move(memory.bytes);
    out.memoryIsUnknown = std::move(memory.isUnknown);
    out.tensorOfMemory = std::move(memory.firstTensor);
    SUNDER_PROPAGATE(PieceFinder(program.rootGraph(), out).run(monitor));
    return out;
}

CutGraph cutGraph(const Program& program, const NodeSizes& sizes)
{
    return *cutGraph(program, sizes, ProgressMonitor::none());
}

Result<CutGraph> cutGraph(const Program& program, const NodeSizes& sizes, ProgressMonitor& monitor)
{
    SUNDER_TRY(CutGraph out, cutGraph(program, monitor));
    keepAll(sizes, out);
    SUNDER_PROPAGATE(monitor.check());
    if (sizes.fromFile)
        takeMemoriesOfFile(program.rootGraph(), sizes, out);
    return out;
}

CutGraph cutGraph(const Program& program, MemoryRule rule)
{
    const NodeSizes sizes = sizesOfNodes(program);
    if (rule == MemoryRule::freesDead && !sizes.fromFile)
        return cutGraph(program);
    CutGraph out = cutGraph(program, sizes);
    out.rule = rule; // values with sizes from the file are freed like others
    return out;
}

std::vector<std::int32_t> partsOfCalls(const CutGraph& graph, const TagAssignment& tags)
{
    std::unordered_map<InternedString, std::int32_t> last;
    for (std::size_t i = 0; i < tags.order.size(); ++i)
        last[tags.order[i]] = static_cast<std::int32_t>(i);
    std::vector<std::int32_t> place;
    for (const InternedString tag : tags.order)
        place.push_back(last[tag]);
    std::vector<std::int32_t> partOf(graph.callCount, TagAssignment::kUntagged);
    for (std::uint32_t call = 0; call < graph.callCount; ++call) {
        const std::int32_t tag = tags[graph.nodes[call]];
        if (tag >= 0 && static_cast<std::size_t>(tag) < place.size())
            partOf[call] = place[static_cast<std::size_t>(tag)];
    }
    return partOf;
}

Rows callsOfParts(const std::vector<std::int32_t>& partOf, std::size_t parts)
{
    Rows partRows;
    for (const std::int32_t part : partOf) {
        if (part >= 0)
            partRows.add(static_cast<std::uint32_t>(part));
        partRows.endRow();
    }
    return partRows.inverted(parts);
}

} // namespace sunder
