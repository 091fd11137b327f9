// Tables for metrics, previews and comparisons of cuts. Built once per program in a few passes over its nodes; later queries, at
// each stroke and move, only use integers.
#include "analysis/cut/cut_graph.h"

#include "analysis/cut/value_bytes.h"
#include "analysis/cut/value_pieces.h"
#include "analysis/sizes.h"
#include "ir/reader_stacks.h"
#include "ir/value_kind.h"
#include "support/step_monitor.h"

#include <algorithm>
#include <unordered_map>

namespace sunder {
namespace {

void numberValues(const Program& program, CutGraph& out, ProgressMonitor& monitor)
{
    const Graph& graph = program.rootGraph();
    const std::vector<TensorId> tensors = tensorsOfNodes(program, monitor);
    if (monitor.isCancelled())
        return;
    out.valueOf.assign(graph.idBound(), CutGraph::kNone);
    const auto number = [&](NodeId id) {
        out.valueOf[id.index()] = static_cast<std::uint32_t>(out.nodes.size());
        out.nodes.push_back(id);
    };
    for (const NodeId id : orderByReaders(program, graph))
        if (graph[id].isCall())
            number(id);
    out.callCount = static_cast<std::uint32_t>(out.nodes.size());
    if (monitor.isCancelled())
        return;
    for (const NodeId id : graph.nodes())
        if (graph[id].op == Op::placeholder && !tensors[id.index()])
            number(id);
}

void measureValues(const Program& program, CutGraph& out, ProgressMonitor& monitor)
{
    const Graph& graph = program.rootGraph();
    ValueBytes values(program);
    StepMonitor steps(monitor);
    out.bytes.assign(out.nodes.size(), 0);
    out.isUnknown.assign(out.nodes.size(), 0);
    out.hasNoTensor.assign(out.nodes.size(), 0);
    out.leavesProgram.assign(out.nodes.size(), 0);
    for (std::size_t value = 0; value < out.nodes.size(); ++value) {
        if (!steps.shouldContinue())
            return;
        const std::optional<Argument>& val = graph[out.nodes[value]].meta.val;
        const std::optional<std::uint64_t> bytes = values.of(out.nodes[value]);
        out.bytes[value] = bytes.value_or(0);
        out.isUnknown[value] = bytes ? 0 : 1;
        out.hasNoTensor[value] = bytes == 0U && (!val || !holdsTensor(*val)) ? 1 : 0;
    }
    for (const NodeId id : graph.nodes())
        if (graph[id].op == Op::output)
            for (const NodeId input : graph.inputs(id))
                if (const std::uint32_t value = out.valueOf[input.index()]; value != CutGraph::kNone)
                    out.leavesProgram[value] = 1;
}

void linkCalls(const Program& program, const MemoryTable& memory, CutGraph& out, ProgressMonitor& monitor)
{
    const Graph& graph = program.rootGraph();
    const MemoryReads reads(program, memory, monitor);
    StepMonitor steps(monitor);
    for (std::uint32_t call = 0; call < out.callCount; ++call) {
        if (!steps.shouldContinue())
            return;
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
}

void measureMemories(const TensorTable& tensors, MemoryTable memory, CutGraph& out)
{
    out.memoryIsUnknown.assign(memory.bytes.size(), 1);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const TensorEntry& entry = tensors[tensors.object(TensorId(i))];
        if (byteSize(entry.meta) || (entry.storage && tensors[entry.storage].byteCount))
            out.memoryIsUnknown[memory.memoryOf[i]] = 0;
    }
    out.memoryBytes = std::move(memory.bytes);
    out.tensorOfMemory = std::move(memory.firstTensor);
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
}

void keepAll(const NodeSizes& sizes, CutGraph& out)
{
    out.rule = MemoryRule::keepsAll;
    out.pieces = Rows();
    out.pieceBytes.clear();
    out.pieceMaker.clear();
    for (std::uint32_t value = 0; value < out.nodes.size(); ++value) {
        const std::size_t node = out.nodes[value].index();
        out.bytes[value] = sizes.output[node];
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

CutGraph cutGraph(const Program& program, ProgressMonitor& monitor)
{
    CutGraph out;
    MemoryTable memory = memoryTable(program.tensors);
    numberValues(program, out, monitor);
    if (monitor.isCancelled())
        return out;
    measureValues(program, out, monitor);
    if (monitor.isCancelled())
        return out;
    linkCalls(program, memory, out, monitor);
    if (monitor.isCancelled())
        return out;
    measureMemories(program.tensors, std::move(memory), out);
    if (!monitor.isCancelled())
        findPieces(program.rootGraph(), out, monitor);
    return out;
}

CutGraph cutGraph(const Program& program, const NodeSizes& sizes, ProgressMonitor& monitor)
{
    CutGraph out = cutGraph(program, monitor);
    if (monitor.isCancelled())
        return out;
    keepAll(sizes, out);
    if (monitor.isCancelled())
        return out;
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
