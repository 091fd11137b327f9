#pragma once

#include "io/exported_program/exported_program_values.h"
#include "io/json/read_fault.h"
#include "operators/operator_catalogue.h"

#include <unordered_map>

namespace sunder {

/// Reads serialized nodes with their metadata. Metadata other than traces and module stacks goes to NodeMeta::json with its
/// original keys. The schema names of positional arguments are kept there as `{"pt2":{"inputs":[…]}}`, so that the node can be
/// written again.
class ExportedProgramNodes {
public:
    ExportedProgramNodes(ProgramRecord& program, ExportedProgramValues& values, ReadFault& fault)
        : m_program(program), m_values(values), m_fault(fault)
    {
    }

    void read(JsonValue value, GraphRecord& graph);

private:
    struct Inputs;
    void readInputs(JsonValue value, NodeRecord& node, GraphRecord& graph, std::string& names);
    void readInput(JsonValue value, NodeRecord& node, GraphRecord& graph, std::string& names);
    [[nodiscard]] bool isPositional(InternedString target, std::string_view name);
    void readMetadata(JsonValue value, NodeRecord& node, std::string& json);
    void readCustom(JsonValue value, NodeRecord& node, std::string& json);
    void readName(JsonValue value, NodeRecord& node, const GraphRecord& graph);
    [[nodiscard]] StackId stackOf(std::string_view text);
    [[nodiscard]] StackId lookUpStack(std::string_view text);
    [[nodiscard]] InternedString traceOf(std::string_view text);

    ProgramRecord& m_program;
    ExportedProgramValues& m_values;
    ReadFault& m_fault;
    OperatorCatalog m_operators;
    std::unordered_map<InternedString, StackId> m_stacks;
    JsonTape m_custom;
    // Long texts that consecutive nodes often share: comparing is cheaper than a lookup.
    std::string m_lastStackText;
    StackId m_lastStack;
    InternedString m_lastTrace;
};

} // namespace sunder
