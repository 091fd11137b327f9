// Sizes for the partitioners.
//
// The size pass of torch.fx charges parameters to each module call and tensors to each attribute node, so a tensor with two names
// or two readers counts twice. An exported program has no module calls; its parameters are placeholders. Sizes from the file are
// used unchanged, since they determine what PyTorch's partitioners do. Without sizes in the file, parameters and buffers are
// counted as memories: once per storage in each partition that reads them, which matches the memory on a device. Activations are
// counted as in torch: every computed value is kept.

#include "analysis/cut/node_sizes.h"

#include "support/progress_monitor.h"

#include <algorithm>
#include <optional>

namespace sunder {
namespace {

/// Above this, sums over a graph might overflow 64 bits.
constexpr double kMaxBytes = 4e18;

bool anySizeInFile(const Graph& graph)
{
    const auto nodes = graph.nodes();
    return std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) { return graph[id].sizeBytes.has_value(); });
}

NodeSizes emptySizes(const Graph& graph)
{
    return {.known = std::vector<char>(graph.idBound(), 0),
            .own = std::vector<std::uint64_t>(graph.idBound(), 0),
            .output = std::vector<std::uint64_t>(graph.idBound(), 0)};
}

NodeSizes sizesOfFile(const Graph& graph)
{
    NodeSizes sizes = emptySizes(graph);
    sizes.fromFile = true;
    for (const NodeId id : graph.nodes())
        if (const std::optional<SizeBytes>& size = graph[id].sizeBytes) {
            sizes.known[id.index()] = 1;
            sizes.own[id.index()] = size->total;
            sizes.output[id.index()] = size->output;
        }
    return sizes;
}

Result<NodeSizes> computedSizes(const Program& program, ProgressMonitor& monitor)
{
    const Graph& graph = program.rootGraph();
    NodeSizes sizes = emptySizes(graph);
    sizes.memory = memoryTable(program.tensors);
    SUNDER_TRY(sizes.reads, MemoryReads::build(program, sizes.memory, monitor));
    SUNDER_TRY(const std::vector<TensorId> tensors, tensorsOfNodes(program, monitor));
    ValueBytes values(program, program.root);
    StepMonitor steps(monitor);
    for (const NodeId id : graph.nodes()) {
        SUNDER_PROPAGATE(steps.step());
        const auto bytes = tensors[id.index()] ? std::optional<std::uint64_t>(0) : values.of(id);
        const bool memoriesKnown = std::ranges::none_of(sizes.reads.of(id),
                                                        [&](std::uint32_t m) { return sizes.memory.isUnknown[m] != 0; });
        sizes.known[id.index()] = bytes && memoriesKnown ? 1 : 0;
        sizes.own[id.index()] = sizes.output[id.index()] = bytes.value_or(0);
    }
    return sizes;
}

Result<NodeSizes> anySizes(const Program& program, ProgressMonitor& monitor)
{
    const Graph& graph = program.rootGraph();
    if (anySizeInFile(graph))
        return sizesOfFile(graph);
    return computedSizes(program, monitor);
}

/// Returns an upper bound for every sum that a partitioner may compute.
double mostThatSumsCanBe(const Graph& graph, const NodeSizes& sizes)
{
    double most = 0;
    for (const NodeId id : graph.nodes()) {
        const double uses = graph[id].userCount();
        most += static_cast<double>(sizes.own[id.index()]) * (uses + 1) + static_cast<double>(sizes.output[id.index()]) * uses;
        for (const std::uint32_t m : sizes.reads.of(id))
            most += static_cast<double>(sizes.memory.bytes[m]);
    }
    return most;
}

} // namespace

NodeSizes sizesOfNodes(const Program& program)
{
    return *anySizes(program, ProgressMonitor::none());
}

Result<NodeSizes> nodeSizes(const Program& program, ProgressMonitor& monitor)
{
    SUNDER_TRY(NodeSizes sizes, anySizes(program, monitor));
    SUNDER_PROPAGATE(monitor.check());
    if (mostThatSumsCanBe(program.rootGraph(), sizes) > kMaxBytes)
        return fail(ErrorCode::refused,
                    "the sizes of the nodes add up to more than 4,000,000,000 GB, which no device has; "
                    "correct the size_bytes of the file");
    return sizes;
}

tl::unexpected<Error> unknownSize(const Program& program, const NodeSizes& sizes, NodeId id)
{
    const std::string name = program.rootGraph()[id].name.str();
    return fail(ErrorCode::refused,
                sizes.fromFile ? name
                        + " has no size_bytes, but other nodes in the file do; add it, or remove size_bytes from all nodes "
                          "to compute them"
                               : "the size of " + name
                        + " is unknown: its value has no shape, dtype, or hint for a symbolic size; "
                          "run shape propagation before partitioning, or set size_bytes in the file",
                {.node = name});
}

Result<std::uint64_t> wholeBytes(const Program& program, const NodeSizes& sizes)
{
    const Graph& graph = program.rootGraph();
    MemorySum counted(sizes.memory.bytes);
    std::uint64_t whole = 0;
    for (const NodeId id : graph.nodes()) {
        if (graph[id].op == Op::output)
            break;
        if (sizes.known[id.index()] == 0)
            return unknownSize(program, sizes, id);
        whole += sizes.own[id.index()] + counted.add(sizes.reads.of(id));
    }
    return whole;
}

} // namespace sunder
