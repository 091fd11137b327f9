#pragma once

#include "passes/unflatten/module_places.h"
#include "passes/unflatten/open_calls.h"

namespace sunder {

/// Walks the flat graph once with a stack of frames; see outline(). A frame is closed where the plan says; its call then returns
/// the values that later nodes use. All nodes before the current one have been copied, so comparing with the position of the last
/// user tells whether a value is used outside.
class Outliner final {
public:
    Outliner(const UnflattenPlan& plan, const UnflattenOptions& options);

    Result<Outline> run(ProgressMonitor& monitor);

private:
    void apply(const CallChange& change);
    [[nodiscard]] std::size_t runLength(NodeId id) const;
    void copyNode(NodeId id);

    const UnflattenPlan& m_plan;
    OutlineDraft m_draft;
    CrossingReads m_crossings;
    FrameValues m_values;
    PreservedCalls m_preserved;
    ModulePlaces m_places;
    OpenCalls m_calls;
    CarriedGraphs m_carried;
};

} // namespace sunder
