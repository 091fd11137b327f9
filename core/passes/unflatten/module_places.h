#pragma once

#include "passes/unflatten/outline_draft.h"

#include <unordered_map>

namespace sunder {

/// Where the modules that are called stand in their hierarchy. All calls of one module share a table of children, as in torch; a
/// later call would overwrite a child that an earlier one put there under the same name. By default the earlier one moves to the
/// next free call index, and comes back when the two turn out equal.
class ModulePlaces final {
public:
    /// `asUpstream`: the later call overwrites the earlier one.
    ModulePlaces(OutlineDraft& draft, bool asUpstream) : m_draft(draft), m_asUpstream(asUpstream) {}

    /// The object for the call that is about to be noted, put into its place `below` the module that is open.
    ObjectId place(InternedString path, InternedString below);
    /// Makes the object of a call share the children of the first call of the same module, which is returned. `key`: the module.
    std::uint32_t join(ObjectId object, InternedString key, std::uint32_t call);
    /// A call of the module at `path` has ended: a module on the way there is another from now on.
    void leave(InternedString path);

private:
    ChildTableId holder(std::string_view prefix);
    void displace(ChildTableId table, InternedString name, ObjectId by);

    static constexpr std::uint32_t kNone = 0xffffffffU;

    OutlineDraft& m_draft;
    bool m_asUpstream;
    FlatMap<ObjectId> m_implied; ///< path → module made on the way to another; invalid: since called
    FlatMap<std::uint32_t> m_firstCall; ///< key → first call of the module
    std::unordered_map<std::uint64_t, std::uint32_t> m_nextCall; ///< table and name → call index to try next
    std::vector<std::uint32_t> m_callOf; ///< per object: its call; kNone: it was never called
    std::vector<std::uint64_t> m_placeOf; ///< per call: table and name where its object stands
};

} // namespace sunder
