#pragma once

#include "ir/namespace.h"
#include "ir/program.h"
#include "operators/exact_call.h"
#include "support/result.h"

#include <map>
#include <utility>

namespace sunder {

/// Translates the calls of a plain program, one by one, to those of an exported program under construction. The counterpart of a
/// source node is a node, or a tree of nodes and constants if it has several values.
class ExportedCalls {
public:
    /// `names` contains every name of the source; additional nodes get other names.
    ExportedCalls(const Program& source, Graph& graph, Namespace& names, std::vector<Argument>& representatives);

    /// Appends the ops equivalent to a call_function or call_method. Refuses calls that no exported program can contain.
    Result<void> add(NodeId call);
    /// Replaces the nodes in a source value by their counterparts; several results are expanded to items.
    [[nodiscard]] Result<Argument> translate(const Argument& value);

private:
    using Items = std::map<std::pair<NodeId, std::int64_t>, NodeId>;

    [[nodiscard]] const Graph& from() const { return m_source.rootGraph(); }
    [[nodiscard]] Result<void> takeItem(NodeId call, const Argument& of, const Argument& key);
    [[nodiscard]] Result<Argument> item(NodeId of, std::int64_t number, InternedString name, const NodeMeta* meta);
    [[nodiscard]] Result<Argument> taken(const Argument& value);
    [[nodiscard]] std::optional<Argument> shapeOf(NodeId call, const Arguments& args);
    [[nodiscard]] std::optional<Argument> sizeOf(NodeId tensor, std::int64_t dimension, const Argument& size,
                                                 InternedString name);
    Result<void> append(NodeId call, ChosenCall made);

    const Program& m_source;
    Graph& m_graph;
    Namespace& m_names;
    std::vector<Argument>& m_standIns; ///< per node of the source: its counterpart
    OperatorCatalog m_operators;
    Items m_sizes; ///< sym_size calls, by tensor and dimension
    Items m_items; ///< items of nodes with several results, by node and index
};

} // namespace sunder
