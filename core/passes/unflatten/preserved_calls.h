#pragma once

#include "passes/unflatten/frame_values.h"

namespace sunder {

/// A call with a preserved signature: the caller packs the arguments into the containers of the original call and takes
/// the result apart again; the module does the reverse. All of it is about the call that was opened last.
class PreservedCalls final {
public:
    PreservedCalls(OutlineDraft& draft, FrameValues& values) : m_draft(draft), m_values(values) {}

    /// The inside: placeholders of the original call, flattened; every leaf is a getitem named after the argument.
    void adaptInputs();
    /// The outside: the leaves, put into the containers of the original call, and its arguments taken out of these.
    void passInputs();
    /// Gives out the result in the containers of the original call; the caller flattens it. Returns the flat values, and in
    /// `given` the node in the caller's graph that has their list.
    std::vector<NodeId> giveOutputs(NodeId& given);

private:
    NodeId addSpec(std::size_t frame, const Argument& spec);
    NodeId call(std::size_t frame, std::string_view target, Arguments args);
    NodeId item(std::size_t frame, NodeId of, Argument key, InternedString name = {});

    OutlineDraft& m_draft;
    FrameValues& m_values;
};

} // namespace sunder
