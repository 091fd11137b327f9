#pragma once

#include "io/exported_program/exported_program_values.h"
#include "io/json/read_fault.h"

namespace sunder {

/// Reads the export signature, the module call graph, and symbol ranges. Nodes in them are slots of the root graph.
class ExportedProgramSignature {
public:
    ExportedProgramSignature(ProgramRecord& program, ExportedProgramValues& values, ReadFault& fault)
        : m_program(program), m_values(values), m_fault(fault)
    {
    }

    void readSignature(JsonValue value);
    void readCall(JsonValue value);
    void readRange(std::string_view symbol, JsonValue value);

private:
    void readInput(JsonValue value, ExportSignature& signature);
    void readOutput(JsonValue value, ExportSignature& signature);
    void readCallSignature(JsonValue value, ModuleCall& call);
    [[nodiscard]] InternedString nameOf(JsonValue argument);
    [[nodiscard]] Arguments arguments(JsonValue value, std::string_view what);

    ProgramRecord& m_program;
    ExportedProgramValues& m_values;
    ReadFault& m_fault;
};

} // namespace sunder
