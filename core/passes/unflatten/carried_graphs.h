#pragma once

#include "passes/unflatten/outline_draft.h"

namespace sunder {

/// Graphs that nodes read, e.g. those of torch.cond. They become children of the reading modules; calls of one module share them.
class CarriedGraphs final {
public:
    explicit CarriedGraphs(OutlineDraft& draft) : m_draft(draft) {}

    /// Records that the object reads `target`: a graph, a tensor, or a target unknown to the file.
    void noteRead(ObjectId reader, InternedString target) { m_reads.emplace_back(reader, target); }
    /// Adds the graphs among the recorded targets.
    void add();

private:
    OutlineDraft& m_draft;
    std::vector<std::pair<ObjectId, InternedString>> m_reads; ///< by reader, in node order
};

} // namespace sunder
