#pragma once

#include "io/exported_program_values.h"

#include <unordered_map>

namespace sunder {

/// Reads serialized nodes with their metadata. What a node's metadata say beyond traces and module stacks goes to
/// NodeMeta::json, under their names there; arguments that stand by position leave their schema names in
/// `{"pt2":{"inputs":[…]}}` beside them, for whoever writes the node again.
class ExportedProgramNodes {
public:
    ExportedProgramNodes(ProgramRecord& program, ExportedProgramValues& values, ExportedProgramFault& fault)
        : m_program(program), m_values(values), m_fault(fault)
    {
    }

    void read(JsonValue value, GraphRecord& graph);

private:
    struct Inputs;
    void readInputs(JsonValue value, NodeRecord& node, GraphRecord& graph, std::string& names);
    void readInput(JsonValue value, NodeRecord& node, GraphRecord& graph, std::string& names);
    void readMetadata(JsonValue value, NodeRecord& node, std::string& json);
    void readCustom(JsonValue value, NodeRecord& node, std::string& json);
    [[nodiscard]] StackId stackOf(std::string_view text);

    ProgramRecord& m_program;
    ExportedProgramValues& m_values;
    ExportedProgramFault& m_fault;
    std::unordered_map<InternedString, StackId> m_stacks;
    JsonTape m_custom;
};

} // namespace sunder
