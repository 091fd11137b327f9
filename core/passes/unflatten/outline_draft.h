#pragma once

#include "passes/unflatten/flat_graph.h"
#include "passes/unflatten/outline.h"

namespace sunder {

/// A module call whose nodes are being copied.
struct OutlineFrame {
    InternedString path;
    ObjectId object;
    ObjectGraphId graph;
    NodeId callNode;                          ///< in the graph of the calling frame; invalid for the root
    const CallSignature* signature = nullptr; ///< of this call
    bool closed = false;                      ///< the module has a preserved signature and accepts only its arguments
    bool hasCustom = false;                   ///< a copied node has custom metadata
    Arguments late = {};             ///< arguments found while nodes were copied; they precede the others, in reverse order
    NodeTable nodes = {};            ///< flat node → its copy, or the result of a call
    std::vector<NodeId> order = {};  ///< keys of `nodes`, by first entry
    NodeTable inputs = {};           ///< flat node → placeholder, tensor read, or item of the flattened arguments
};

/// An outline under construction: the open calls, the position in the flat graph, and the error, if any.
struct OutlineDraft {
    /// Opens the root's frame. Refers to `flat`. `callCount`: expected number of calls.
    OutlineDraft(const Program& flat, std::size_t callCount);

    [[nodiscard]] Graph& graphOf(std::size_t frame) { return outline.objects.graph(frames[frame].graph); }
    [[nodiscard]] std::size_t top() const { return frames.size() - 1; }
    [[nodiscard]] bool isSeen(NodeId node) const { return uses.positions[node.index()] < at; }
    /// Returns whether the current node or a later one uses it.
    [[nodiscard]] bool isStillUsed(NodeId node) const { return uses.lastUse[node.index()] >= at; }
    [[nodiscard]] bool failed() const { return error.has_value(); }
    /// Refuses the graph, naming a node; the first reason is kept.
    void stop(std::string message, NodeId node, std::string other = {});

    /// Adds a node at the insert point of a frame's graph, with the name that PyTorch would assign.
    NodeId create(std::size_t frame, NodeSpec spec) { return outline.create(frames[frame].graph, std::move(spec)); }
    /// Records that `node` of a frame's graph is the counterpart of a flat node.
    void note(std::size_t frame, NodeId flatNode, NodeId node, bool created);
    /// As note(), for a value that the frame computes or that a call in it returns.
    void noteValue(std::size_t frame, NodeId flatNode, NodeId node, bool created);

    const Program& program;
    const Graph& flat;
    Outline outline;
    std::vector<OutlineFrame> frames;
    FlatUses uses;
    std::uint32_t at = 0; ///< position of the node being copied
    std::optional<Error> error;
};

} // namespace sunder
