#pragma once

#include "analysis/tag_assignment.h"
#include "ir/graph.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// A subgraph of a planned split: its nodes, and whether it runs on an accelerator.
struct NodeSubgraph {
    bool isAcc = false;
    std::vector<NodeId> nodes;
    std::string name = {}; ///< shown in reasons; empty: "subgraph 0"
};

/// Why a node with a non-tensor value stays on a boundary.
enum class StayReason : std::uint8_t {
    notAccelerator, ///< only nodes of accelerator subgraphs are moved
    severalSubgraphs, ///< it has users in more than one other subgraph and can join only one of them
    thirdSubgraph, ///< nodes that would have to move along have users in another subgraph
    notRevisited, ///< it reached the boundary too late: it moved along, or its new subgraph was already processed
};

/// Returns "not-accelerator", "several-subgraphs", "third-subgraph" or "not-revisited".
std::string_view name(StayReason reason);

struct MovedNonTensor {
    NodeId node;
    std::uint32_t from = 0; ///< index of the subgraph
    std::uint32_t to = 0;
};

struct StayingNode {
    NodeId node;
    std::uint32_t subgraph = 0; ///< its final subgraph
    StayReason reason = StayReason::notRevisited;
    std::string why; ///< a readable sentence that names users and subgraphs
};

struct MoveNonTensorResult {
    std::vector<NodeSubgraph> subgraphs; ///< moved nodes come last, in their previous order
    std::vector<MovedNonTensor> moved; ///< in order of the moves; a node may move several times
    std::vector<StayingNode> staying; ///< calls with non-tensor values that cross a boundary, in graph order

    /// Display name of a subgraph: its name, else "subgraph 0".
    [[nodiscard]] std::string nameOf(std::uint32_t at) const
    {
        return subgraphs[at].name.empty() ? "subgraph " + std::to_string(at) : subgraphs[at].name;
    }
};

/// How to determine whether a node's output is a tensor.
enum class TensorTelling : std::uint8_t {
    byType, ///< by `out_type` only, as in torch: torch.Tensor or a subclass; a node without one counts as non-tensor
    byValue, ///< by `out_type`; without one by `val`, else by the target (boundaryKinds())
    byTypeOrTensor, ///< by `out_type` (torch.Tensor or Parameter); without one, by whether `val` is a tensor. Nodes move in graph order
};

/// Returns whether the `out_type` of a node is a tensor type.
bool isTensorOutput(const Node& node);

/// Returns whether a node makes a tensor according to TensorTelling::byTypeOrTensor.
bool makesTensor(const Node& node);

/// Returns whether no node has an output type; TensorTelling::byType then finds no tensor in the graph.
bool lacksOutputTypes(const Graph& graph);

/// torch.fx's move_non_tensor_nodes_on_boundary. Moves nodes with non-tensor outputs from accelerator subgraphs into the one
/// other subgraph that uses them, together with their descendants in the subgraph. This reduces the number of non-tensor values
/// that cross boundaries. The lists have the same members as PyTorch's, which appends in arbitrary order. Refuses a node that is
/// listed twice. O(nodes + arguments), plus the same per further move for nodes that move several times.
Result<MoveNonTensorResult> moveNonTensorNodes(const Graph& graph, const std::vector<NodeSubgraph>& subgraphs,
                                               ProgressMonitor& monitor = ProgressMonitor::none(),
                                               TensorTelling telling = TensorTelling::byType);

struct MoveByTagsOptions {
    /// Tags of parts that run on an accelerator; only their nodes move. Empty: all tags.
    std::vector<InternedString> accelerators = {};
    TensorTelling telling = TensorTelling::byType;
};

struct MoveByTagsResult {
    TagAssignment tags; ///< after the moves
    MoveNonTensorResult moves; ///< subgraph i belongs to tag i
};

/// Runs moveNonTensorNodes() on tags: the calls of a tag form a subgraph, and a moved node gets the tag of its new subgraph. Tags
/// of other nodes do not change. Refuses accelerators that are not tags. Same complexity.
Result<MoveByTagsResult> moveNonTensorByTags(const Graph& graph, const TagAssignment& tags, const MoveByTagsOptions& options = {},
                                             ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
