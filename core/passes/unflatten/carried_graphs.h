#pragma once

#include "passes/unflatten/outline_draft.h"

namespace sunder {

/// Graphs that nodes read, as those of torch.cond do: they become children of their readers; calls of one module share them.
class CarriedGraphs final {
public:
    explicit CarriedGraphs(OutlineDraft& draft) : m_draft(draft) {}

    /// The object reads `target`: a graph, a tensor, or nothing that the file knows.
    void noteRead(ObjectId reader, InternedString target) { m_reads.emplace_back(reader, target); }
    /// Adds the graphs among them.
    void add();

private:
    OutlineDraft& m_draft;
    std::vector<std::pair<ObjectId, InternedString>> m_reads; ///< by reader, in the order of the nodes
};

} // namespace sunder
