#pragma once

#include "passes/unflatten/frame_values.h"

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

} // namespace sunder
