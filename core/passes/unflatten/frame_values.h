#pragma once

#include "passes/unflatten/crossing_reads.h"
#include "passes/unflatten/tensor_reads.h"

namespace sunder {

/// Resolves values in a module. A value from outside becomes a placeholder, and the caller, in which the same value is resolved,
/// passes it on. A module with a preserved signature accepts only its own arguments: cheap values are recomputed inside. All
/// others are treated as intermediate values of a mutated buffer and read from the buffer.
class FrameValues final {
public:
    /// All arguments must outlive this object.
    FrameValues(OutlineDraft& draft, TensorReads& tensors, CrossingReads& crossings)
        : m_draft(draft), m_tensors(tensors), m_crossings(crossings)
    {
    }

    /// Returns the counterpart of a flat node in a frame's graph; creates it on first use. Invalid if the draft has failed.
    NodeId of(std::size_t frame, NodeId flat);
    /// Replaces all nodes in arguments of the flat graph by their counterparts.
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
    std::uint32_t m_depth = 0; ///< recursion depth of values that request others
    std::uint32_t m_crossingDepth = 0; ///< recursion depth of readCrossing()
};

} // namespace sunder
