#pragma once

#include "passes/unflatten/module_places.h"
#include "passes/unflatten/preserved_calls.h"

namespace sunder {

/// Opens and closes module calls: the frames of a draft other than the root's.
class OpenCalls final {
public:
    /// All arguments must outlive this object.
    OpenCalls(OutlineDraft& draft, const CallSignatures& signatures, ModulePlaces& places, PreservedCalls& preserved)
        : m_draft(draft), m_signatures(signatures), m_places(places), m_preserved(preserved)
    {
    }

    /// Adds a call to the graph of the last frame, and a frame for its callee. `key` identifies the module.
    void open(const StackedCall& call, InternedString key);
    /// Closes the last frame: adds its output, and records the results in the calling frame.
    void close();

private:
    void push(InternedString path, ObjectId object, NodeId callNode);
    void passLateArguments();
    std::vector<NodeId> giveOutputs();
    void liftCustom();

    OutlineDraft& m_draft;
    const CallSignatures& m_signatures;
    ModulePlaces& m_places;
    PreservedCalls& m_preserved;
    std::vector<OutlineFrame> m_spare; ///< closed frames, for reuse of their memory
};

} // namespace sunder
