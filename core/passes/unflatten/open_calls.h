#pragma once

#include "passes/unflatten/module_places.h"
#include "passes/unflatten/preserved_calls.h"

namespace sunder {

/// Opens and closes calls of modules: the frames of a draft beyond the root's.
class OpenCalls final {
public:
    /// All outlive this.
    OpenCalls(OutlineDraft& draft, const CallSignatures& signatures, ModulePlaces& places, PreservedCalls& preserved)
        : m_draft(draft), m_signatures(signatures), m_places(places), m_preserved(preserved)
    {
    }

    /// Adds a call to the graph of the last frame, and a frame for what it calls. `key`: which module that is.
    void open(const StackedCall& call, InternedString key);
    /// Ends the last frame: what nodes outside use is given out, and stands in the frame before.
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
    std::vector<OutlineFrame> m_spare; ///< closed frames, for their memory
};

} // namespace sunder
