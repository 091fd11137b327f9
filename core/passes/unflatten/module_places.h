#pragma once

#include "passes/unflatten/outline_draft.h"

#include <unordered_map>

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

/// Places called modules in the hierarchy. As in PyTorch, all calls of one module share a table of children, so a later call would
/// overwrite a child that an earlier one added under the same name. By default the earlier one moves to the next free call index,
/// and moves back if both turn out to be equal.
class ModulePlaces final {
public:
    /// `asUpstream`: later calls overwrite earlier ones.
    ModulePlaces(OutlineDraft& draft, bool asUpstream) : m_draft(draft), m_asUpstream(asUpstream) {}

    /// Returns the object for the next recorded call, placed at `below`, relative to the current module.
    ObjectId place(InternedString path, InternedString below);
    /// Lets the object of a call share the children of the first call of the same module. Returns that call. `key` identifies the
    /// module.
    std::uint32_t join(ObjectId object, InternedString key, std::uint32_t call);
    /// Ends a call of the module at `path`; an intermediate module at that path is a new one from then on.
    void leave(InternedString path);

private:
    ChildTableId holder(std::string_view prefix);
    void displace(ChildTableId table, InternedString name, ObjectId by);

    static constexpr std::uint32_t kNone = 0xffffffffU;

    OutlineDraft& m_draft;
    bool m_asUpstream;
    FlatMap<ObjectId> m_implied; ///< path → intermediate module; invalid: called since
    FlatMap<std::uint32_t> m_firstCall; ///< key → first call of the module
    std::unordered_map<std::uint64_t, std::uint32_t> m_nextCall; ///< (table, name) → call index to try next
    std::vector<std::uint32_t> m_callOf; ///< per object: its call; kNone: never called
    std::vector<std::uint64_t> m_placeOf; ///< per call: (table, name) of its object
};

} // namespace sunder
