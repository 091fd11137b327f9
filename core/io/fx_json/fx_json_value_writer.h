#pragma once

#include "ir/graph.h"
#include "ir/program.h"

#include <string>

namespace sunder {

/// Appends values in fx-json. Nodes are written as their names in one graph, graphs as "g" and their number. Nesting is that of
/// the value; readers allow 64 levels.
class FxJsonValueWriter final {
public:
    explicit FxJsonValueWriter(const Graph& graph) : m_graph(&graph) {}

    void write(std::string& out, const Argument& value) const;
    void writeList(std::string& out, std::span<const Argument> values) const;
    void writeKeywords(std::string& out, const Keywords& keywords) const;
    /// Writes the members of a tensor object without braces; `storage` and `requires_grad` only if present.
    void writeTensorMembers(std::string& out, const TensorMeta& meta) const;

private:
    void writeDict(std::string& out, const Argument& value) const;
    void writeNamedTuple(std::string& out, const Argument& value) const;
    void writeSymbol(std::string& out, const SymbolicValue& value) const;
    void writeWord(std::string& out, std::string_view key, const Argument& value) const;
    void writeNamed(std::string& out, std::string_view key, const Argument& value) const;

    const Graph* m_graph;
};

/// Returns the id of a graph in the file: "g3".
std::string fxJsonGraphId(GraphId id);

} // namespace sunder
