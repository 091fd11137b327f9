#include "passes/move_non_tensor/move_non_tensor.h"
#include "passes/support/alternate_parts.h"
#include "passes/support/tag_by_support.h"

#include <algorithm>
#include <optional>
#include <utility>

// torch.fx.passes.splitter_base._SplitterBase: parts that alternate between the accelerator and the CPU. Values that are not tensors do
// not cross between the two.

namespace sunder {
namespace {

class AcceleratorSplitter final {
public:
    AcceleratorSplitter(const SupportGraph& graph, const std::vector<char>& isSupported, const SupportOptions& options,
                        ProgressMonitor& monitor)
        : m_graph(graph), m_isSupported(isSupported), m_options(options), m_monitor(monitor)
    {
    }

    Result<SupportParts> run()
    {
        SUNDER_TRY(AlternatingParts parts, alternated());
        if (parts.nodes.empty())
            return fail(ErrorCode::refused,
                        "the graph has nothing to place: no op, and no output that reads an input or attribute");
        if (m_options.moveNonTensorNodesOnBoundary)
            SUNDER_PROPAGATE(moveNonTensors(parts));
        joinSmallParts(parts);
        SupportParts found{.isAccelerator = parts.isAccelerator,
                           .partOf = std::vector<std::uint32_t>(m_graph.size(), SupportParts::kNone)};
        for (std::uint32_t part = 0; part < parts.nodes.size(); ++part)
            for (const std::uint32_t at : parts.nodes[part])
                if (m_graph.isCall[at] != 0)
                    found.partOf[at] = part;
        for (std::uint32_t at = 0; at < m_graph.size(); ++at)
            if (m_graph.isCall[at] != 0 && found.partOf[at] == SupportParts::kNone)
                return refuse("PyTorch's splitter gives '" + nameOf(at) + "' no tag, since it does not depend on an input", at);
        if (m_options.maxAccSplits > 0 && std::cmp_greater(parts.nodes.size(), m_options.maxAccSplits))
            return fail(ErrorCode::refused,
                        "the split has " + std::to_string(parts.nodes.size()) + " parts, but max_acc_splits is "
                            + std::to_string(m_options.maxAccSplits));
        return found;
    }

private:
    Result<AlternatingParts> alternated()
    {
        for (const bool isJoined : {false, true}) {
            findAccelerator();
            FusionGroups fusions{
                .groups = {}, .groupOf = std::vector<std::uint32_t>(m_graph.size(), SupportParts::kNone), .entered = {}};
            if (!m_options.skipFusion) {
                SUNDER_TRY(fusions,
                           isJoined ? joinedFusionGroups(m_graph, m_isAccelerator, m_monitor)
                                    : fusionGroups(m_graph, m_isAccelerator, m_monitor));
            }
            auto placed = alternateParts(m_graph, m_isAccelerator, fusions, m_options.asUpstream);
            if (auto* parts = std::get_if<AlternatingParts>(&placed))
                return std::move(*parts);
            m_stuck = std::get<StuckNode>(placed).at;
            if (m_options.asUpstream)
                break;
        }
        return refuse("PyTorch's splitter cannot place '" + nameOf(m_stuck)
                          + "': fusion groups of values that are not tensors overlap or depend on each other",
                      m_stuck);
    }

    void findAccelerator()
    {
        m_isAccelerator = m_isSupported;
        if (m_options.allowNonTensor)
            return;
        std::vector<std::uint32_t> outside; // whose neighbors have to be checked
        for (std::uint32_t at = 0; at < m_graph.size(); ++at)
            if (m_isAccelerator[at] == 0)
                outside.push_back(at);
        const auto remove = [&](std::uint32_t at) {
            if (std::exchange(m_isAccelerator[at], 0) != 0)
                outside.push_back(at);
        };
        while (!outside.empty()) {
            const std::uint32_t at = outside.back();
            outside.pop_back();
            for (const std::uint32_t input : m_graph.inputs[at])
                if (m_graph.isTensor[input] == 0)
                    remove(input);
            if (m_graph.isCall[at] != 0 && m_graph.isTensor[at] == 0)
                std::ranges::for_each(m_graph.users[at], remove);
        }
    }

    Result<void> moveNonTensors(AlternatingParts& parts) const
    {
        std::vector<NodeSubgraph> subgraphs;
        for (std::size_t part = 0; part < parts.nodes.size(); ++part) {
            subgraphs.push_back({.isAcc = parts.isAccelerator[part] != 0, .nodes = {}});
            std::ranges::sort(parts.nodes[part]);
            for (const std::uint32_t at : parts.nodes[part])
                if (m_graph.isCall[at] != 0)
                    subgraphs.back().nodes.push_back(m_graph.nodes[at]);
        }
        SUNDER_TRY(const MoveNonTensorResult moved,
                   moveNonTensorNodes(m_graph.graph, subgraphs, m_monitor, TensorTelling::byTypeOrTensor));
        const std::vector<std::uint32_t> position = m_graph.graph.positions();
        for (std::size_t part = 0; part < parts.nodes.size(); ++part) {
            parts.nodes[part].clear();
            for (const NodeId id : moved.subgraphs[part].nodes)
                parts.nodes[part].push_back(position[id.index()]);
        }
        return {};
    }

    void joinSmallParts(AlternatingParts& parts) const
    {
        AlternatingParts joined;
        for (std::size_t part = 0; part < parts.nodes.size(); ++part) {
            const bool isAccelerator = parts.isAccelerator[part] != 0;
            const bool isKept = isAccelerator && std::cmp_greater_equal(parts.nodes[part].size(), m_options.minAccModuleSize);
            if (!isKept && !joined.nodes.empty() && (isAccelerator || joined.isAccelerator.back() == 0)) {
                joined.nodes.back().insert(joined.nodes.back().end(), parts.nodes[part].begin(), parts.nodes[part].end());
                continue;
            }
            joined.isAccelerator.push_back(isKept ? 1 : 0);
            joined.nodes.push_back(std::move(parts.nodes[part]));
        }
        parts = std::move(joined);
    }

    [[nodiscard]] std::string nameOf(std::uint32_t at) const { return m_graph.graph[m_graph.nodes[at]].name.str(); }
    [[nodiscard]] tl::unexpected<Error> refuse(std::string message, std::uint32_t at) const
    {
        return fail(ErrorCode::refused, std::move(message), {.node = nameOf(at)});
    }

    const SupportGraph& m_graph;
    const std::vector<char>& m_isSupported;
    const SupportOptions& m_options;
    ProgressMonitor& m_monitor;
    std::vector<char> m_isAccelerator; ///< per position
    std::uint32_t m_stuck = 0;
};

} // namespace

Result<SupportParts> splitterParts(const SupportGraph& graph, const std::vector<char>& isSupported, const SupportOptions& options,
                                   ProgressMonitor& monitor)
{
    return AcceleratorSplitter(graph, isSupported, options, monitor).run();
}

} // namespace sunder
