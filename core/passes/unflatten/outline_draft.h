#pragma once

#include "passes/unflatten/node_table.h"
#include "passes/unflatten/outline.h"

namespace sunder {

/// The call of a module whose nodes are being copied.
struct OutlineFrame {
    InternedString path;
    ObjectId object;
    ObjectGraphId graph;
    NodeId callNode;                          ///< in the graph of the frame before; invalid for the root
    const CallSignature* signature = nullptr; ///< of this call
    bool closed = false;                      ///< the module's signature is preserved: only its arguments come in
    bool hasCustom = false;                   ///< a copied node has custom metadata
    Arguments late = {};             ///< arguments found while nodes were copied; they come first, the last one foremost
    NodeTable nodes = {};            ///< flat → its copy, or what stands for what a call gives
    std::vector<NodeId> order = {};  ///< keys of `nodes`, by first entry
    NodeTable inputs = {};           ///< flat → placeholder, read of a tensor, or item of the flattened arguments
    NodeId lastInput = {};           ///< the last placeholder in the graph, which is the one made first
    NodeId lastRead = {};            ///< of a tensor
    std::uint32_t openedAt = 0;      ///< how many tensors had been read when the call began
};

/// An outline while it is made: the calls that are open, how far the flat graph has been copied, and why it cannot go on.
struct OutlineDraft {
    /// With the root's frame open. Refers to `flat`. `callCount`: how many calls to expect.
    OutlineDraft(const Program& flat, std::size_t callCount);

    [[nodiscard]] Graph& graphOf(std::size_t frame) { return outline.objects.graph(frames[frame].graph); }
    [[nodiscard]] std::size_t top() const { return frames.size() - 1; }
    [[nodiscard]] bool isSeen(NodeId node) const { return positions[node.index()] < at; }
    /// By the node that is being copied or one behind it.
    [[nodiscard]] bool isStillUsed(NodeId node) const { return lastUse[node.index()] >= at; }
    [[nodiscard]] bool failed() const { return error || outline.unreachable; }
    /// Refuses the graph, naming a node of it; the first reason stays.
    void stop(std::string message, NodeId node, std::string other = {});

    /// Adds a node at the insert point of a frame's graph, under a name that torch would give.
    NodeId create(std::size_t frame, NodeSpec spec) { return outline.create(frames[frame].graph, std::move(spec)); }
    /// Notes that `node` of a frame's graph stands for a flat one.
    void note(std::size_t frame, NodeId flatNode, NodeId node, bool created);
    /// The same of a value that the frame computes, or that a call in it gives.
    void noteValue(std::size_t frame, NodeId flatNode, NodeId node, bool created);

    const Program& program;
    const Graph& flat;
    Outline outline;
    std::vector<OutlineFrame> frames;
    std::vector<std::uint32_t> positions; ///< of flat nodes
    std::vector<std::uint32_t> lastUse;   ///< position of the last user of each flat node
    std::uint32_t at = 0;                 ///< position of the node that is being copied
    std::optional<Error> error;
};

} // namespace sunder
