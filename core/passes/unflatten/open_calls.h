#pragma once

#include "passes/unflatten/frame_values.h"
#include "passes/unflatten/module_places.h"

namespace sunder {

/// Adapts a call with a preserved signature. The caller packs the arguments into the containers of the original call and flattens
/// the result; the module does the reverse. All functions apply to the call opened last.
class PreservedCalls final {
public:
    PreservedCalls(OutlineDraft& draft, FrameValues& values) : m_draft(draft), m_values(values) {}

    /// In the module: adds placeholders of the original call and flattens them; every leaf is a getitem named after the argument.
    void adaptInputs();
    /// In the caller: packs the leaves into the containers of the original call, and extracts its arguments from these.
    void passInputs();
    /// Returns the result in the containers of the original call; the caller flattens it. Returns the flat values; `given`
    /// receives the node in the caller's graph that has their list.
    std::vector<NodeId> giveOutputs(NodeId& given);

private:
    NodeId addSpec(std::size_t frame, const Argument& spec);
    NodeId call(std::size_t frame, std::string_view target, Arguments args);
    NodeId item(std::size_t frame, NodeId of, Argument key, InternedString name = {});

    OutlineDraft& m_draft;
    FrameValues& m_values;
};

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
