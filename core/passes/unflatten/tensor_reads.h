#pragma once

#include "passes/unflatten/outline_draft.h"

namespace sunder {

/// Tensors of a flat graph that modules read themselves, in place of taking them as arguments.
class TensorReads final {
public:
    /// `tensors` null: all are passed as arguments. Both outlive this.
    TensorReads(OutlineDraft& draft, const TensorNames* tensors);

    /// Whether a node of the flat graph stands for a tensor that is read where it lies in a module or below.
    [[nodiscard]] bool isTensor(NodeId flat) const { return m_tensors != nullptr && m_numberOf[flat.index()] != kNone; }
    /// The node that reads a tensor in the graph of a frame; invalid when it lies elsewhere and must come as an argument.
    /// Reads come behind the placeholders, in the order in which torch, which passes tensors down as arguments before it
    /// turns these into reads, asks for them: not that of the nodes, when a module reads what one in it has read before.
    NodeId read(std::size_t frame, NodeId flat);

private:
    void markSunk(std::size_t frame);

    static constexpr std::uint32_t kNone = 0xffffffffU;

    OutlineDraft& m_draft;
    const TensorNames* m_tensors;
    std::vector<std::uint32_t> m_numberOf; ///< per flat node: number of the tensor that it is read as; kNone: none
    std::vector<std::uint32_t> m_readAt;   ///< per flat node: which read its last one was, from 1
};

} // namespace sunder
