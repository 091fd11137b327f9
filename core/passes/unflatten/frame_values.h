#pragma once

#include "passes/unflatten/crossing_reads.h"
#include "passes/unflatten/tensor_reads.h"

namespace sunder {

/// How values get into a module. A value from outside becomes a placeholder, and the caller, asked for the same value,
/// passes it on. A module with a preserved signature takes nothing but its arguments: what is cheap is computed again
/// inside; anything else is taken for an intermediate value of a mutated buffer, and read from the buffer.
class FrameValues final {
public:
    /// All outlive this.
    FrameValues(OutlineDraft& draft, TensorReads& tensors, CrossingReads& crossings)
        : m_draft(draft), m_tensors(tensors), m_crossings(crossings)
    {
    }

    /// The node in a frame's graph that stands for a flat one; made when there is none yet. Invalid when the draft has failed.
    NodeId of(std::size_t frame, NodeId flat);
    /// The same of all nodes in arguments of the flat graph.
    template <class Values>
    [[nodiscard]] Values in(std::size_t frame, const Values& flat)
    {
        return mapNodes(flat, [&](NodeId input) {
            const NodeId found = of(frame, input);
            return found ? Argument::node(found) : Argument();
        });
    }

private:
    NodeId make(std::size_t frame, NodeId flat);
    NodeId passDown(std::size_t frame, NodeId flat);
    NodeId recompute(std::size_t frame, NodeId flat);
    NodeId readCrossing(std::size_t frame, NodeId flat);

    OutlineDraft& m_draft;
    TensorReads& m_tensors;
    CrossingReads& m_crossings;
    std::uint32_t m_depth = 0; ///< of values that ask for others
    std::uint32_t m_crossingDepth = 0; ///< of readCrossing()
};

} // namespace sunder
