#pragma once

#include "passes/unflatten/module_places.h"
#include "passes/unflatten/open_calls.h"

namespace sunder {

/// Walks the flat graph once with a stack of frames; see outline(). Nodes are visited in order, and the frames follow their
/// module stacks. A frame is closed when the next node is not in it; its call then returns the values that later nodes use. All
/// nodes before the current one have been copied, so comparing with the position of the last user tells whether a value is used
/// outside. A node without a stack belongs to the root. Between nodes of one call it stays in that call, since leaving it would
/// split the call.
class Outliner final {
public:
    Outliner(const Program& flat, const ModuleStacks& stacks, const CallSignatures& signatures, const UnflattenOptions& options);

    Result<Outline> run(ProgressMonitor& monitor);

private:
    void step(NodeId id);
    void follow(StackId stack, NodeId id);
    void returnToCommon(NodeId id);
    [[nodiscard]] std::size_t runLength(NodeId id) const;
    void copyNode(NodeId id);
    void close();

    const ModuleStacks& m_stacks;
    OutlineDraft m_draft;
    CrossingReads m_crossings;
    FrameValues m_values;
    PreservedCalls m_preserved;
    ModulePlaces m_places;
    OpenCalls m_calls;
    CarriedGraphs m_carried;
    std::vector<ModuleStacks::CallId> m_stack; ///< calls of the frames
    StackId m_atStack; ///< the stack that the frames match; invalid if unknown
    NodeId m_nextStacked; ///< the first node with a stack after the last node without one; invalid: none
    std::uint32_t m_lookedUpTo = 0; ///< positions below this one have been searched for m_nextStacked
};

} // namespace sunder
