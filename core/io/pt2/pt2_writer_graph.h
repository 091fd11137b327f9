#pragma once

#include "io/json/read_fault.h"
#include "io/pt2/pt2_writer_values.h"
#include "ir/program.h"
#include "support/json_tape.h"

#include <functional>
#include <string>
#include <vector>

namespace sunder {

/// Writes one graph of a program and, recursively, the graphs in the arguments of its nodes, as JSON of the schema. get_attr
/// nodes of graphs become arguments, and getitems of several results become output names.
class Pt2GraphWriter final {
public:
    /// `flush` is called periodically and removes the text in `out`, so that no whole graph is in memory as text.
    Pt2GraphWriter(const Program& program, GraphId graph, Pt2ValueWriter& values, ReadFault& fault,
                   std::function<void(std::string&)> flush, unsigned depth = 0);

    void write(std::string& out);
    /// Writes an argument of a node, an output, or a signature.
    void writeArgument(std::string& out, const Argument& value);
    [[nodiscard]] Pt2ValueKind kindOf(NodeId id) const { return m_kinds[id.index()]; }

private:
    /// A named value of the graph, described in one of the tables at its end.
    struct Value {
        InternedString name;
        Argument val;
    };

    void findKinds();
    void writeInput(std::string& out, const Node& node);
    void writeOutputs(std::string& out);
    void writeNode(std::string& out, NodeId id);
    void writeInputs(std::string& out, const Node& node, JsonValue names);
    void writeResults(std::string& out, NodeId id);
    void writeSeveral(std::string& out, NodeId id);
    void writeResult(std::string& out, InternedString name, const Argument& val);
    void writeTensorNames(std::string& out, const std::vector<InternedString>& names, std::span<const Argument> vals);
    void writeMetadata(std::string& out, const Node& node, JsonValue json);
    void writeTables(std::string& out);
    void writeTable(std::string& out, std::string_view name, Pt2ValueKind kind);
    void writeNodeName(std::string& out, NodeId id);
    void writeNestedGraph(std::string& out, const Node& node);
    void writeList(std::string& out, const Argument& list);
    void writeNamedItems(std::string& out, std::string_view tag, std::string_view literal, const Argument& list);
    void writeOptionalTensors(std::string& out, const Argument& list);
    void writeDictionary(std::string& out, const Argument& value);
    [[nodiscard]] bool isFolded(NodeId id) const;
    [[nodiscard]] std::vector<NodeId> getitemsOf(NodeId id, std::size_t count) const;
    void refuse(const Node& node, const std::string& why);
    /// Reports that the current node uses a feature that the target release does not support.
    void refuseForTarget(const std::string& what);

    const Program& m_program;
    const Graph& m_graph;
    ModuleId m_owner;
    Pt2ValueWriter& m_values;
    ReadFault& m_fault;
    std::function<void(std::string&)> m_flush;
    unsigned m_depth;
    std::vector<Pt2ValueKind> m_kinds; ///< by NodeId
    std::vector<Value> m_results;      ///< in order of definition
    JsonTape m_meta;
    const Node* m_at = nullptr; ///< current node, for messages
};

} // namespace sunder
