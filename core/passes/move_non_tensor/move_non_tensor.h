#pragma once

#include "ir/graph.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// One subgraph of a split that is being planned: for an accelerator or not, and its nodes.
struct NodeSubgraph {
    bool isAcc = false;
    std::vector<NodeId> nodes;
    std::string name = {}; ///< in reasons; empty: "subgraph 0"
};

/// Why a node whose value is no tensor stays on a boundary.
enum class StayReason : std::uint8_t {
    notAccelerator,   ///< only nodes of accelerators are moved
    severalSubgraphs, ///< users in more than one other subgraph: it could join one of them only
    thirdSubgraph,    ///< what would have to move along has users in yet another subgraph
    notRevisited,     ///< it came to the boundary when nobody looked any more: with a node that was moved along, or
                      ///< moved into a subgraph that had had its turn
};

/// "not-accelerator", "several-subgraphs", "third-subgraph", "not-revisited".
std::string_view name(StayReason reason);

struct MovedNonTensor {
    NodeId node;
    std::uint32_t from = 0; ///< index of the subgraph
    std::uint32_t to = 0;
};

struct StayingNode {
    NodeId node;
    std::uint32_t subgraph = 0; ///< where it is
    StayReason reason = StayReason::notRevisited;
    std::string why; ///< a sentence for people, naming users and subgraphs
};

struct MoveNonTensorResult {
    std::vector<NodeSubgraph> subgraphs; ///< what moved stands at the end, in the order it had where it was
    std::vector<MovedNonTensor> moved;        ///< in the order of the moves; a node may move on
    std::vector<StayingNode> staying;    ///< calls whose value is no tensor and goes into another subgraph; graph order

    /// How people call a subgraph: by its name, else "subgraph 0".
    [[nodiscard]] std::string nameOf(std::uint32_t at) const
    {
        return subgraphs[at].name.empty() ? "subgraph " + std::to_string(at) : subgraphs[at].name;
    }
};

/// What says whether a node's output is a tensor.
enum class TensorTelling : std::uint8_t {
    byType,  ///< its `out_type` alone, as in torch: torch.Tensor or a class below that. A node without one gives none
    byValue, ///< that; of a node without one its `val`, else what its target says (boundaryKinds())
};

/// True when the `out_type` of a node is that of a tensor.
bool isTensorOutput(const Node& node);

/// No node says the type of its output: then nothing in the graph is a tensor to TensorTelling::byType.
bool saysNoOutputTypes(const Graph& graph);

/// torch.fx's move_non_tensor_nodes_on_boundary: moves nodes whose output is no tensor out of subgraphs of
/// accelerators, together with everything there that hangs on them, into the one other subgraph that uses them, so that
/// fewer values that are no tensors cross. The lists have the same members as torch's; torch appends in arbitrary order.
/// Refuses a node that stands in the lists twice. O(nodes + arguments), for nodes that move on once more for each move.
Result<MoveNonTensorResult> moveNonTensorNodes(const Graph& graph, const std::vector<NodeSubgraph>& subgraphs,
                                               ProgressMonitor& monitor = ProgressMonitor::none(),
                                               TensorTelling telling = TensorTelling::byType);

} // namespace sunder
