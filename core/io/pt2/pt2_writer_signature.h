#pragma once

#include "io/json/read_fault.h"
#include "io/pt2/pt2_writer_graph.h"
#include "ir/program.h"

#include <string>

namespace sunder {

/// Writes the signature of the root graph and the calls of modules.
class Pt2SignatureWriter final {
public:
    /// `graph` is the writer of the root graph.
    Pt2SignatureWriter(const Program& program, Pt2GraphWriter& graph, Pt2ValueWriter& values, ReadFault& fault)
        : m_program(program), m_graph(graph), m_values(values), m_fault(fault)
    {
    }

    /// Writes {"input_specs":[…],"output_specs":[…]}.
    void writeSignature(std::string& out);
    /// Writes [{"fqn":"","signature":…},…], adding an entry for the whole program if there is none.
    void writeCalls(std::string& out);

private:
    void writeInput(std::string& out, const InputSpec& spec, InternedString placeholder);
    void writeOutput(std::string& out, const OutputSpec& spec);
    void writeCallValue(std::string& out, const Argument& value);
    void writeCall(std::string& out, const ModuleCall& call);
    [[nodiscard]] ModuleCall wholeProgram() const;

    const Program& m_program;
    Pt2GraphWriter& m_graph;
    Pt2ValueWriter& m_values;
    ReadFault& m_fault;
};

} // namespace sunder
