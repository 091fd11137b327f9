#pragma once

#include "passes/unflatten/outline_draft.h"

namespace sunder {

/// Tensors of a flat graph that modules read directly instead of receiving them as arguments.
class TensorReads final {
public:
    /// If `tensors` is null, all tensors are passed as arguments. Both arguments must outlive this object.
    TensorReads(OutlineDraft& draft, const TensorNames* tensors);

    /// Returns whether a node of the flat graph represents a tensor that modules read directly.
    [[nodiscard]] bool isTensor(NodeId flat) const { return m_tensors != nullptr && m_numberOf[flat.index()] != kNone; }
    /// Returns the node that reads a tensor in the graph of a frame; invalid if the module does not contain it, so that it must
    /// be an argument. Reads follow the placeholders, in the order in which torch requests them. torch passes tensors down as
    /// arguments before it replaces these by reads. Its order therefore differs from that of the nodes if a module reads a tensor
    /// that one of its children has read before.
    NodeId read(std::size_t frame, NodeId flat);

private:
    void markSunk(std::size_t frame);

    static constexpr std::uint32_t kNone = 0xffffffffU;

    OutlineDraft& m_draft;
    const TensorNames* m_tensors;
    std::vector<std::uint32_t> m_numberOf; ///< per flat node: number of its tensor; kNone: none
    std::vector<std::uint32_t> m_readAt; ///< per flat node: 1 + index of its last read
};

} // namespace sunder
